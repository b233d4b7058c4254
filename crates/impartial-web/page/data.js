// Results that take too long to be computed here, and what is printed of games elsewhere: files of data/, which data/README.md explains.

const files = new Map();

/** A data file, read once; nothing when it is not there. */
function file(name, nothing) {
  if (!files.has(name)) files.set(name, fetch(new URL(`data/${name}`, import.meta.url)).then((answer) => (answer.ok ? answer.json() : nothing)));
  return files.get(name);
}

/** The misère census: one row a game. */
export const survey = async () => (await file("misere.json", { games: [] })).games;

/** The census of Grundy sequences of octal games: one row a code. */
export const periods = async () => (await file("octal.json", { games: [] })).games;

/** Chomp with fixed rows below two free ones: one row a board. */
export const chomp = async () => (await file("chomp.json", { boards: [] })).boards;

/** Strategies whose certificates are kept: { game, play, form, heaps, file }. */
export const kept = async () => (await file("kept.json", { strategies: [] })).strategies;

/** The words of the command that finds a kept strategy. */
export function finding({ play, heaps, preperiod, period }, game) {
  // Enough for every theorem that proves a period.
  if (play === "normal") return ["solve", game, `--to ${2 * (preperiod + period) + 100_000}`];
  return ["solve", game, "--play misere", heaps !== null && `--max-heap ${heaps} --time-limit 2h`];
}

/** The text of a kept certificate, which is packed. */
export async function certificate(name) {
  const answer = await fetch(new URL(`data/certificates/${encodeURIComponent(name)}`, import.meta.url));
  if (!answer.ok) throw new Error(`the certificate ${name} could not be loaded`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** Open questions of all games: [game, { what, limit, command }]. */
export async function questions() {
  const { games } = await file("notes.json", { games: {} });
  return Object.entries(games).flatMap(([game, { open }]) => (open ?? []).map((question) => [game, question]));
}

/** What is proved of whole families of games: { what, command }. */
export const families = async () => (await file("notes.json", {})).families ?? [];

/** Games of which a longer run proved something: their names. */
export const proved = async () => Object.entries((await file("notes.json", { games: {} })).games).flatMap(([game, { known }]) => (known ? [game] : []));

/** Published errors and open questions of a game, by its names, and what a longer run proved of it. */
export async function notes(names) {
  const { games } = await file("notes.json", { games: {} });
  const found = names.filter((name) => Object.hasOwn(games, name)).map((name) => games[name]);
  const all = (key) => found.flatMap((entry) => entry[key] ?? []);
  return { errors: all("errors"), open: all("open"), known: all("known") };
}
