// One engine: it answers questions in turn. The page ends the worker to stop a run.
import init, { Engine } from "./engine/impartial_web.js";

let panic = null;
let current = null;
globalThis.impartialProgress = (done, total) => postMessage({ id: current, progress: { done, total } });
globalThis.impartialWarning = (message) => postMessage({ id: current, warning: message });
globalThis.impartialPanic = (message) => (panic = message);

let engine;
let whole = false;

/** Starts the engine. Both parts share memory, stack and table of functions; the second puts its functions into the table. */
async function begin([first, second]) {
  const { memory, table, stack } = await init({ module_or_path: first });
  if (second) await WebAssembly.instantiate(second, { first: { memory, table, stack } });
  whole = second !== undefined;
  engine = new Engine();
}

const ready = new Promise((resolve) => {
  addEventListener("message", async ({ data }) => {
    if (data.parts) {
      await begin(data.parts);
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
      // A trap without a panic: a function of the second part was called, and is not there.
      if (!whole && panic === null) postMessage({ id: data.id, more: true });
      else postMessage({ id: data.id, broken: panic ?? String(error) });
    }
  });
});
