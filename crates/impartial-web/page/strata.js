// Where the strata of a stratification lie on a map: base + coefficients · generators, point by point.

/** A position as it is written. */
export const point = (x) => `(${x.join(",")})`;
/** The entries of a position as it is written. */
export const vector = (text) => (text.match(/-?\d+/g) ?? []).map(Number);

/** Numbers the strata: one for each base of each module. */
export const strataOf = (modules) => modules.flatMap(({ bases, generators }, module) => bases.map((base) => ({ module, base, generators })));

/**
 * The stratum of every cell of a plane slice, -1 where there is none. `axes` are the coordinates drawn; the others have the
 * values of `fixed`.
 */
export function locate(strata, { columns, rows, first }, axes, fixed) {
  const found = new Int32Array(columns * rows).fill(-1);
  const dimension = fixed.length;
  const most = fixed.map((value, i) => (i === axes[0] ? first[0] + columns - 1 : i === axes[1] ? first[1] + rows - 1 : value));
  strata.forEach(({ base, generators }, number) => {
    // Only generators without negative entries let a walk end at the border of the map.
    if (generators.some((generator) => generator.some((entry) => entry < 0))) return;
    const walk = (x, next) => {
      if (x.some((entry, i) => entry > most[i])) return;
      if (next === generators.length) {
        for (let i = 0; i < dimension; i++) if (i !== axes[0] && i !== axes[1] && x[i] !== fixed[i]) return;
        const [u, v] = [x[axes[0]] - first[0], axes[1] === undefined ? 0 : x[axes[1]] - first[1]];
        if (u >= 0 && v >= 0) found[v * columns + u] = number;
        return;
      }
      const generator = generators[next];
      let y = x.slice();
      while (y.every((entry, i) => entry <= most[i])) {
        walk(y, next + 1);
        y = y.map((entry, i) => entry + generator[i]);
      }
    };
    walk(base, 0);
  });
  return found;
}

/** The coefficients with base + Σ cᵢ gᵢ = x, found by trying; null when there are none. */
export function coefficients({ base, generators }, x) {
  const rest = x.map((entry, i) => entry - base[i]);
  const found = [];
  const solve = (left, next) => {
    if (next === generators.length) return left.every((entry) => entry === 0);
    const generator = generators[next];
    const bounds = generator.map((entry, i) => (entry > 0 ? Math.floor(left[i] / entry) : Infinity));
    const most = Math.min(...bounds);
    if (!Number.isFinite(most)) return false;
    for (let c = most; c >= 0; c--) {
      found[next] = c;
      if (solve(left.map((entry, i) => entry - c * generator[i]), next + 1)) return true;
    }
    return false;
  };
  return solve(rest, 0) ? found : null;
}
