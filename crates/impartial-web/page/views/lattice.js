// Lattice games: the map, the strategy for all positions, its strata and its generating function.
import { h, show, clamp, counted } from "../dom.js";
import { long, map as mapOf, quick } from "../engine.js";
import { address } from "../route.js";
import { argument, badge, command, outcome, part, playFlag, problem, quoted } from "../parts.js";
import { PositionMap, ramp } from "../boards/map.js";
import { coefficients, locate, point, strataOf, vector } from "../strata.js";
import { light, onLight } from "../light.js";
import { conjecture } from "./conjecture.js";
import { rulesEditor } from "./rules.js";

export async function view(context) {
  const { game, play, described, parameters, note, link } = context;
  const dimension = described.info.dimension ?? 2;
  const heap = described.kind === "heap";
  const side = h("select", { id: "side", "aria-label": "Positions on each axis" }, [24, 48, 96, 200, 500, 1000].map((n) => h("option", { value: n, selected: String(n) === (parameters.side ?? (dimension > 2 ? "24" : "48")) }, `${n} × ${n}`)));
  const grundy = h("select", { id: "colour", "aria-label": "What is coloured" }, h("option", { value: "" }, "P and N"), h("option", { value: "grundy", selected: parameters.colour === "grundy" }, "Grundy values"));
  const slice = h("input", { type: "text", id: "slice", value: parameters.slice ?? (dimension > 2 ? `(*,*${",0".repeat(dimension - 2)})` : ""), "aria-label": "The slice that is drawn" });
  const picture = h("div", { class: "card stack tight", id: "map" });
  const readout = h("p", { class: "readout", "aria-live": "off" });
  const options = h("div", { class: "options", role: "status" });
  const strategy = h("section", { class: "card", id: "strategy" });
  const line = h("div", {});
  let drawn = null;
  let strata = [];
  let series = [];
  let cells = null;
  let pointed = [];
  let rules = [];
  let chosen = null;

  /** A stratum or a term of the generating function lights its points, an option its position; what is pointed at on the map only its own entries. */
  onLight(readout, (keys) => {
    if (!drawn) return;
    if (keys === pointed) {
      drawn.outline("lit", []);
      return drawn.light(null);
    }
    const [, kind, n] = keys.map((key) => /^(stratum|term):(\d+)$/.exec(key)).find(Boolean) ?? [];
    const [at] = keys.flatMap((key) => (key.startsWith("position:") ? [onMap(read(key.slice(9)))] : []));
    drawn.outline("lit", at ? [at] : []);
    if (kind === "stratum" && cells) return drawn.light((at) => cells[at] === Number(n));
    if (kind !== "term" || !series[n]) return drawn.light(null);
    const { axes, fixed } = plane();
    const points = locate([{ base: series[n].exponent, generators: series[n].denominators }], drawn, axes, fixed);
    drawn.light((at) => points[at] >= 0);
  });

  /** A position as the game writes it: heaps are counted by their sizes on the map. */
  const written = (x) => (heap ? x.flatMap((n, i) => (n > 0 ? [`${i + 1}^${n}`] : [])).join("+") || "0" : point(x));
  /** The coordinates of a position that the engine wrote; none when it has other heaps. */
  const read = (text) => {
    const numbers = vector(text);
    return !heap ? numbers : numbers.some((size) => size > dimension) ? [] : Array.from({ length: dimension }, (_, i) => numbers.filter((size) => size === i + 1).length);
  };

  /** Where a position lies on the map; null when it is not in the plane that is drawn. */
  const onMap = (x) => {
    const { axes, fixed } = plane();
    return x.length === dimension && x.every((entry, i) => axes.includes(i) || entry === fixed[i]) ? [x[axes[0]], x[axes[1]] ?? 0] : null;
  };

  /** The position of a cell. */
  const positionOf = (cell) => {
    const { axes, fixed } = plane();
    const x = fixed.slice();
    axes.forEach((axis, i) => (x[axis] = cell[i]));
    return x;
  };

  /** Which coordinates are drawn, and the values of the others. */
  const plane = () => {
    const entries = slice.value.replace(/[()\s]/g, "").split(",");
    if (dimension <= 2 || entries.length !== dimension) return { axes: dimension === 1 ? [0] : [0, 1], fixed: Array(dimension).fill(0) };
    return { axes: entries.flatMap((entry, i) => (entry === "*" ? [i] : [])), fixed: entries.map((entry) => (entry === "*" ? 0 : Number(entry))) };
  };

  /** Tells of the cell that is pointed at, else of the one that was chosen. */
  function over(cell) {
    cell ??= chosen;
    if (!drawn) return;
    const x = cell && positionOf(cell.x);
    drawn.outline("options", x ? rules.map((rule) => onMap(x.map((entry, i) => entry - rule[i]))).filter(Boolean) : []);
    if (!cell) {
      pointed = [];
      light(pointed);
      return show(readout, "Point at a position: its outcome, its stratum and its coefficients are shown here, and its options are framed on the map. Click to keep it.");
    }
    const byte = drawn.bytes[cell.at];
    const what = byte === 0 ? "outside the board" : byte === 1 ? "defeated" : byte === 2 ? outcome("P") : byte === 3 ? outcome("N") : `Grundy value ${byte === 255 ? "at least 251" : byte - 4}`;
    const number = cells?.[cell.at] ?? -1;
    const more = number >= 0 && byte === 2 ? membership(number, x) : null;
    pointed = [`position:${written(x)}`, ...(more ? [`stratum:${number}`] : [])];
    light(pointed);
    show(readout, h("code", {}, point(x)), heap && h("span", { class: "soft" }, ` ${written(x)}`), " ", what, more);
  }

  function membership(number, x) {
    const { module, base, generators } = strata[number];
    const c = coefficients(strata[number], x);
    return [` module ${module + 1}: `, h("code", {}, `${point(base)}${(c ?? []).map((n, i) => (n ? ` + ${n}·${point(generators[i])}` : "")).join("")}`)];
  }

  /** Keeps a position: its options in words, and its address. */
  async function keep(cell) {
    chosen = cell;
    tell();
    drawn.outline("chosen", cell ? [cell.x] : []);
    over(null);
    if (!cell || drawn.bytes[cell.at] < 2) return show(options);
    const position = written(positionOf(cell.x));
    await part(options, async () => {
      const { report } = await quick({ ask: "table", game, play, position, outcomes: true });
      return [h("p", { class: "small" }, report.moves.length === 0 ? "No move is left. " : `${counted(report.count, "option")}: `, h("a", { href: link("play", { position }) }, `Play from ${position}`)),
        h("ul", { class: "moves" }, report.moves.slice(0, 60).map(({ to, outcome: result }) => h("li", { class: "term", data: { lit: `position:${to}` } }, outcome(result), " ", h("code", {}, to))))];
    });
  }

  const tell = () => note({ side: side.value, colour: grundy.value, slice: dimension > 2 ? slice.value : undefined, position: chosen ? written(positionOf(chosen.x)) : undefined });

  async function draw() {
    chosen = null;
    show(options);
    tell();
    show(line, command("plot", argument(game), playFlag(play), `--box ${side.value}`, dimension > 2 && `--slice ${quoted(slice.value)}`, grundy.value && "--grundy", "-o map.svg"));
    await part(picture, async () => {
      const n = side.value;
      const { report, bytes, milliseconds } = await mapOf({ ask: "map", game, play, sizes: `${n},${n}`, grundy: grundy.value === "grundy", ...(dimension > 2 && { slice: slice.value }) });
      drawn = new PositionMap({ ...report, bytes, over, pick: keep });
      colour();
      over(null);
      const zoom = (factor, text, name) => h("button", { type: "button", "aria-label": name, onclick: () => drawn.zoom(factor) }, text);
      return [drawn.element, h("div", { class: "row" }, zoom(1.6, "+", "zoom in"), zoom(1 / 1.6, "−", "zoom out"), zoom(0, "All", "show all"),
        h("span", { class: "soft small" }, `${report.across} across, ${report.up || "–"} up; ${counted(report.columns * report.rows, "position")} in ${Math.round(milliseconds)} ms`)), legend(bytes), readout, options, badge({ computed: "for the positions of this map" })];
    });
  }

  /** What the colours mean, of those that are there. */
  function legend(bytes) {
    const there = new Set(bytes);
    const key = (byte, name, text) => there.has(byte) && h("span", {}, h("span", { class: `key cell ${name}` }), ` ${text}`);
    if (grundy.value === "grundy") return h("p", { class: "small soft legend" }, h("span", {}, "Grundy values 0 ", ramp(), " 31 and more"), key(1, "defeated", "defeated"));
    return h("p", { class: "small soft legend" }, key(2, "P", "P, in the colour of its stratum where there is one"), key(3, "N", "N"), key(1, "defeated", "defeated"), there.has(0) && "empty: outside the board");
  }

  function colour() {
    if (!drawn || strata.length === 0 || grundy.value === "grundy") return;
    const { axes, fixed } = plane();
    cells = locate(strata, drawn, axes, fixed);
    drawn.colourBy(cells);
  }

  async function solve() {
    await part(strategy, async () => {
      const question = { game, play };
      const { report, text, milliseconds } = await long({ ask: "solve", ...question });
      const modules = h("div", { class: "stack tight" });
      const terms = h("div", { class: "stack tight" });
      const far = ask(question);
      setTimeout(() => strataOfGame(question, modules, terms));
      return [h("h2", {}, "The strategy"),
        h("p", {}, text.split("\n")[0]),
        badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", ...question }, name: `${game}-strategy` }),
        h("p", { class: "soft small" }, `found in ${(milliseconds / 1000).toFixed(2)} s`),
        command("solve", argument(game), playFlag(play), "-o strategy.json"), far, modules, terms];
    });
  }

  async function strataOfGame(question, modules, terms) {
    await part(modules, async () => {
      const { report } = await long({ ask: "show", ...question, form: "stratification", syntax: "json" });
      strata = strataOf(report.modules);
      colour();
      over(null);
      let number = 0;
      return [h("h3", {}, `${counted(strata.length, "stratum", "strata")} in ${counted(report.modules.length, "module")}`),
        h("ul", { class: "modules scroll" }, report.modules.map(({ bases, generators }, m) => h("li", { class: "stack tight" },
          h("div", { class: "small soft" }, `module ${m + 1}: + ℕ{${generators.map(point).join(", ")}}`),
          h("div", { class: "words" }, bases.map((base) => {
            const mine = number++;
            const swatch = h("span", { class: "term", tabindex: 0, data: { lit: `stratum:${mine}` } }, point(base));
            swatch.style.borderColor = `var(--s${(mine % 8) + 1})`;
            swatch.style.borderWidth = "2px";
            return swatch;
          })))))];
    });
    await part(terms, async () => {
      const { report } = await long({ ask: "show", ...question, form: "series", syntax: "json" });
      series = report.terms ?? [];
      const shown = series.slice(0, 60);
      return [h("h3", {}, `Generating function: ${counted(series.length, "term")}`),
        h("div", { class: "scroll series" }, shown.map(({ coefficient, exponent, denominators }, i) => {
          const same = strata.findIndex(({ base, generators }) => point(base) === point(exponent) && generators.map(point).join() === denominators.map(point).join());
          return [i > 0 || coefficient < 0 ? (coefficient < 0 ? " − " : " + ") : "", h("span", { class: "term", tabindex: 0, data: { lit: same >= 0 ? `stratum:${same}` : `term:${i}` } },
            h("span", { class: "over" }, `${Math.abs(coefficient) === 1 ? "" : Math.abs(coefficient)}${monomial(exponent)}`), h("span", { class: "under" }, denominators.map((d) => `(1−${monomial(d)})`).join("") || "1"))];
        })),
        series.length > 60 && h("p", { class: "soft small" }, "60 of them are shown; the export has all.")];
    });
  }

  /** A box to ask about positions of any size, and about boxes. */
  function ask(question) {
    const field = h("input", { type: "text", id: "far", placeholder: point(Array(dimension).fill("10000000006")), "aria-label": "A position of any size" });
    const answer = h("p", { role: "status", class: "answer" });
    const line = h("div", {});
    const form = h("form", { class: "row" }, field, h("button", { type: "submit" }, "Who wins?"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const position = field.value.trim() || field.placeholder;
        const { report } = await long({ ask: "ask", ...question, position });
        show(answer, h("code", {}, report.position.length > 60 ? `${report.position.slice(0, 57)}…` : report.position), " ", outcome(report.outcome), report.proved === true ? " proved" : " not proved");
        show(line, command("outcome", argument(game), quoted(position), playFlag(play)));
      } catch (error) {
        show(answer, problem(error));
        show(line);
      }
    });
    return h("div", { class: "stack tight" }, h("h3", {}, "Ask about any position"), form, answer, line);
  }

  /** What the rules subtract, where the game is one of vectors. */
  async function learnRules() {
    try {
      rules = (await quick({ ask: "table", game, play })).report.scene.rules ?? [];
    } catch {
      // A game without a position has no options to show.
    }
  }

  for (const control of [side, grundy, slice]) control.addEventListener("change", draw);
  learnRules();
  const wanted = parameters.position ?? "";
  draw().then(() => (heap ? show(strategy, heaps(context)) : solve())).then(() => {
    const at = drawn && wanted && onMap(read(wanted.replace(/(\d+)\^(\d+)/g, (_, size, n) => Array(Math.min(1000, Number(n))).fill(size).join("+"))));
    if (at) keep(drawn.cellOf(at));
  });
  return h("div", { class: "columns" },
    h("div", { class: "stack" },
      h("div", { class: "row end" }, h("label", { class: "field" }, "Box", side), h("label", { class: "field" }, "Colour", grundy), dimension > 2 && h("label", { class: "field" }, "Slice", slice)),
      picture, line, !heap && conjecture(context, (x) => drawn?.mark(x && onMap(x)))),
    h("div", { class: "stack" }, !heap && rulesEditor(context), strategy));
}

const LETTERS = "xyzuvw";
const monomial = (x) => {
  const parts = x.flatMap((n, i) => (n === 0 ? [] : [`${x.length <= 6 ? LETTERS[i] : `x${i + 1}`}${n === 1 ? "" : [...String(n)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`]));
  return parts.join("") || "1";
};

/** A heap game with heaps up to a size is a lattice game: it is opened as one. */
function heaps({ game, play }) {
  const size = h("input", { type: "number", min: 1, max: 12, value: 4, id: "max-heap" });
  const told = h("div", {});
  const form = h("form", { class: "row end" }, h("label", { class: "field" }, "Heaps up to", size), h("button", { type: "submit" }, "Open as a lattice game"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { text } = await quick({ ask: "lattice", game, play, max_heap: clamp(Number(size.value), 1, 12) });
      location.hash = address(text.trim(), { view: "lattice" });
    } catch (error) {
      show(told, problem(error));
    }
  });
  return [h("h2", {}, "As a lattice game"), h("p", {}, "The map counts heaps: how many of the first size across, how many of the second up. With heaps of bounded size the game is a lattice game, solved for all numbers of heaps."), form, told];
}
