// One engine: it answers questions in turn. The page ends the worker to stop a run.
import init, { Engine } from "./engine/impartial_web.js";
import PARTS from "./engine/parts.js";

let panic = null;
let missing = null;
let current = null;
globalThis.impartialProgress = (done, total) => postMessage({ id: current, progress: { done, total } });
globalThis.impartialWarning = (message) => postMessage({ id: current, warning: message });
globalThis.impartialPanic = (message) => (panic = message);

let engine;
let shared;
let compiled;

/** Starts the engine; `known` are parts that another worker has compiled, by their names. */
async function begin({ first, known }) {
  const { memory, table, stack } = await init({ module_or_path: first });
  shared = { first: { memory, table, stack } };
  compiled = known;
  engine = new Engine();
}

/** Reads a part of the engine while the engine waits for it. */
function read(name) {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`engine/${name}.wasm`, import.meta.url), false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${name}.wasm: ${request.status} ${request.statusText}`);
  return new WebAssembly.Module(request.response);
}

// All parts share memory, stack and table of functions; a part puts its functions into the table when it is loaded.
globalThis.impartialLoad = (number) => {
  const name = PARTS[number - 1];
  try {
    if (!compiled.has(name)) {
      compiled.set(name, read(name));
      postMessage({ part: name, module: compiled.get(name) });
    }
    new WebAssembly.Instance(compiled.get(name), shared);
  } catch (error) {
    missing = `the engine could not be loaded: ${error.message ?? error}`;
    throw error;
  }
};

const ready = new Promise((resolve) => {
  addEventListener("message", async ({ data }) => {
    if (data.first) {
      await begin(data);
      resolve();
      return;
    }
    await ready;
    current = data.id;
    const start = performance.now();
    try {
      if (data.map) {
        const bytes = engine.map(data.question);
        postMessage({ id: data.id, bytes, milliseconds: performance.now() - start }, [bytes.buffer]);
      } else {
        const answer = engine.answer(data.question);
        postMessage({ id: data.id, answer, milliseconds: performance.now() - start });
      }
    } catch (error) {
      postMessage({ id: data.id, broken: missing ?? `the engine failed, which is our bug: ${panic ?? error}` });
    }
  });
});
