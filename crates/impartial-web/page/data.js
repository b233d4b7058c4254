// Results that take too long to be computed here, from files that a command makes (data/README.md says which).

let rows = null;

/** The misère census: one row a game. */
export function survey() {
  rows ??= fetch(new URL("data/misere.json", import.meta.url)).then((answer) => (answer.ok ? answer.json() : { games: [] })).then(({ games }) => games);
  return rows;
}
