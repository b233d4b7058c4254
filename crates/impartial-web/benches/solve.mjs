// CPU time of the page's engine in one thread of Node: node crates/impartial-web/benches/solve.mjs PAGE [GAME]
// PAGE is the folder that `cargo xtask page -o PAGE` makes. The second run has the code compiled already.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [page, game = "infinite-quotient"] = process.argv.slice(2);
const engine = (name) => readFileSync(join(page, "engine", name));
// The glue is a module; Node knows modules by the end of their names.
const glue = join(mkdtempSync(join(tmpdir(), "impartial-")), "glue.mjs");
writeFileSync(glue, engine("impartial_web.js"));
const { default: init, Engine } = await import(pathToFileURL(glue));
Object.assign(globalThis, { impartialProgress: () => {}, impartialWarning: console.warn, impartialPanic: console.error });
await init({ module_or_path: await WebAssembly.compile(engine("impartial_web_bg.wasm")) });
for (const run of ["first run", "second run"]) {
  const desk = new Engine();
  const start = process.cpuUsage();
  const { ok, text, error } = JSON.parse(desk.answer(JSON.stringify({ ask: "solve", game, seconds: 600 })));
  const { user, system } = process.cpuUsage(start);
  console.log(`${run}: ${((user + system) / 1e6).toFixed(2)} s of CPU; ${ok ? text : error.message}`);
}
