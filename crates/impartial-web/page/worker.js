// One engine: it answers questions in turn. The page ends the worker to stop a run.
import init, { Engine } from "./engine/impartial_web.js";

let panic = null;
let current = null;
globalThis.impartialProgress = (done, total) => postMessage({ id: current, progress: { done, total } });
globalThis.impartialWarning = (message) => postMessage({ id: current, warning: message });
globalThis.impartialPanic = (message) => (panic = message);

let engine;
const ready = new Promise((resolve) => {
  addEventListener("message", async ({ data }) => {
    if (data.module) {
      await init({ module_or_path: data.module });
      engine = new Engine();
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
      postMessage({ id: data.id, broken: panic ?? String(error) });
    }
  });
});
