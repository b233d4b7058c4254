// CPU time of a game solved by the page's engine and by the command in one thread, in turns:
// node crates/impartial-web/benches/solve.mjs PAGE [GAME [ROUNDS [COMMAND]]]
// PAGE is the folder that `cargo xtask page -o PAGE` makes, COMMAND a command of `cargo build --release`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [page, game = "infinite-quotient", rounds = "5", command = "target/release/impartial"] = process.argv.slice(2);
const engine = (name) => readFileSync(join(page, "engine", name));
// The glue is a module; Node knows modules by the end of their names.
const glue = join(mkdtempSync(join(tmpdir(), "impartial-")), "glue.mjs");
writeFileSync(glue, engine("impartial_web.js"));
const { default: init, Engine } = await import(pathToFileURL(glue));
const parts = JSON.parse(engine("parts.js").toString().replace(/^export default (.*);\n$/, "$1"));
const impartialLoad = (number) => new WebAssembly.Instance(new WebAssembly.Module(engine(`${parts[number - 1]}.wasm`)), { first: { memory, table, stack } });
Object.assign(globalThis, { impartialLoad, impartialProgress: () => {}, impartialWarning: console.warn, impartialPanic: console.error });
const { memory, table, stack } = await init({ module_or_path: await WebAssembly.compile(engine("impartial_web_bg.wasm")) });

/** Seconds of CPU: of this thread where the system tells them, and of the process, which compiles the engine on other threads. */
function clocks() {
  const { user, system } = process.cpuUsage();
  const whole = (user + system) / 1e6;
  try {
    return { thread: Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e9, whole };
  } catch {
    return { thread: whole, whole };
  }
}

/** Seconds of CPU in a new engine. */
function inEngine() {
  const desk = new Engine();
  const start = clocks();
  const { ok, error } = JSON.parse(desk.answer(JSON.stringify({ ask: "solve", game, seconds: 600 })));
  if (!ok) throw new Error(error.message);
  const end = clocks();
  return { thread: end.thread - start.thread, whole: end.whole - start.whole };
}

/** Seconds of CPU of the command, as the shell tells them. */
function natively() {
  const line = 'TIMEFORMAT="%U %S"; { time "$0" solve "$1" --threads 1 > /dev/null 2>&1; } 2>&1';
  const told = execFileSync("bash", ["-c", line, command, game], { encoding: "utf8" });
  return told.trim().split(" ").reduce((sum, part) => sum + Number(part), 0);
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const [wasm, native] = [[], []];
for (let round = 1; round <= Number(rounds); round++) {
  const { thread, whole } = inEngine();
  wasm.push(thread);
  native.push(natively());
  console.log(`round ${round}: WebAssembly ${thread.toFixed(2)} s of CPU (${whole.toFixed(2)} s with compilation on other threads), native ${native.at(-1).toFixed(2)} s`);
}
console.log(`${game}: median ${median(wasm).toFixed(2)} s in WebAssembly, ${median(native).toFixed(2)} s natively: ratio ${(median(wasm) / median(native)).toFixed(2)}; first round ${(wasm[0] / native[0]).toFixed(2)}`);
