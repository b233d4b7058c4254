// One thing lit everywhere: a heap, an option, a point. Elements carry data-lit; drawings listen.

const listeners = new Set();
let current = null;

/** Lights everything with this key, or nothing. */
export function light(key) {
  if (key === current) return;
  current = key;
  for (const element of document.querySelectorAll(".is-lit")) element.classList.remove("is-lit");
  if (key !== null) {
    for (const element of document.querySelectorAll(`[data-lit="${CSS.escape(key)}"]`)) element.classList.add("is-lit");
  }
  for (const listener of listeners) listener(key);
}

/** Tells a drawing what is lit; the answer ends it. */
export function onLight(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Forgets the drawings of the last view. */
export const forget = () => listeners.clear();

const keyOf = (event) => event.target instanceof Element ? event.target.closest("[data-lit]")?.dataset.lit ?? null : null;
addEventListener("pointerover", (event) => light(keyOf(event)));
addEventListener("focusin", (event) => light(keyOf(event)));
