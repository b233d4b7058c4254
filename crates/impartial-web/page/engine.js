// Questions to the engine. Workers: a quick one for what is typed and played, a long one for what may take its time, and one for
// typing while the quick one is busy; each is opened when it is first needed.

async function compile(name) {
  const answer = fetch(new URL(`engine/${name}`, import.meta.url));
  return WebAssembly.compileStreaming ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await (await answer).arrayBuffer());
}

// The first part of the engine is in every worker; the engine loads others when it first calls into them, and what one worker has
// compiled is known to those that are opened later.
const first = compile("impartial_web_bg.wasm");
const known = new Map();

/** The parts of the engine beyond the first that were needed so far. */
export const loaded = () => [...known.keys()].sort();

/** What went wrong, as the engine says it. */
export class Refusal extends Error {
  constructor({ kind, message, known, position }) {
    super(message);
    Object.assign(this, { kind, known, position });
  }
}

class Lane {
  constructor(changed) {
    this.changed = changed;
    this.waiting = new Map();
    this.next = 1;
  }

  async open() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.heard(worker, data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.end("broken", event.message || "the engine could not be started");
    });
    this.worker = worker;
    worker.postMessage({ first: await first, known });
    return worker;
  }

  post(message) {
    this.ready.then(
      (worker) => worker === this.worker && worker.postMessage(message),
      (error) => this.end("broken", `the engine could not be loaded: ${error.message ?? error}`),
    );
  }

  heard(worker, data) {
    if (data.part) return known.set(data.part, data.module);
    const asked = this.waiting.get(data.id);
    if (worker !== this.worker || !asked) return;
    if (data.progress) {
      asked.progress = data.progress;
      return this.changed();
    }
    if (data.warning) return asked.warnings.push(data.warning);
    if (data.broken) return this.end("broken", data.broken);
    this.waiting.delete(data.id);
    this.changed();
    const { milliseconds } = data;
    let bytes = null;
    let answer;
    if (data.bytes) {
      const length = new DataView(data.bytes.buffer, data.bytes.byteOffset).getUint32(0, true);
      answer = JSON.parse(new TextDecoder().decode(data.bytes.subarray(4, 4 + length)));
      bytes = data.bytes.subarray(4 + length);
    } else {
      answer = JSON.parse(data.answer);
    }
    if (answer.ok) asked.resolve({ ...answer, bytes, milliseconds, warnings: asked.warnings });
    else asked.reject(new Refusal(answer.error));
  }

  ask(question, map) {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      const message = { id, map, question: JSON.stringify(question) };
      this.waiting.set(id, { resolve, reject, message, name: question.ask, since: performance.now(), warnings: [], progress: null });
      this.changed();
      this.ready ??= this.open();
      this.post(message);
    });
  }

  /** Ends the worker: whatever it did is stopped at once. A new one is opened for the next question. */
  end(kind, message) {
    const asked = [...this.waiting.values()];
    this.waiting.clear();
    this.worker?.terminate();
    this.worker = null;
    this.ready = null;
    for (const { reject, progress } of asked) {
      const done = progress ? `; ${progress.done.toLocaleString("en")} steps were done` : "";
      reject(new Refusal({ kind, message: kind === "stopped" ? `${message}${done}` : message }));
    }
    this.changed();
  }
}

const observers = new Set();
const changed = () => observers.forEach((observer) => observer(running()));
const lanes = { quick: new Lane(changed), long: new Lane(changed), typed: new Lane(changed) };

/** What is asked and not answered yet, the oldest first. */
const running = () => Object.values(lanes).flatMap((lane) => [...lane.waiting.values()]).sort((a, b) => a.since - b.since);

/** Tells when questions are asked, answered, or get on. */
export const onChange = (observer) => observers.add(observer);

/** A question that is answered at once. */
export const quick = (question) => lanes.quick.ask(question, false);

/** A question while something is typed: it never waits for a move. */
export const typed = (question) => (lanes.quick.waiting.size === 0 ? lanes.quick : lanes.typed).ask(question, false);

/** A question that may take long. */
export const long = (question) => lanes.long.ask(question, false);

/** A map of positions: the answer has bytes. */
export const map = (question) => lanes.long.ask(question, true);

/** Stops everything that runs. */
export function stop(message = "stopped: you pressed Stop") {
  for (const lane of Object.values(lanes)) if (lane.waiting.size > 0) lane.end("stopped", message);
}
