// One thing lit everywhere: a heap, an option, a point. Elements carry their keys in data-lit, one a line; drawings listen.

const listeners = new Map();
let current = "";

const keysOf = (element) => element.dataset.lit.split("\n");

/** Lights everything that has one of these keys, and nothing else. */
export function light(keys) {
  if (keys.join("\n") === current) return;
  current = keys.join("\n");
  for (const element of document.querySelectorAll(".is-lit")) element.classList.remove("is-lit");
  if (keys.length > 0) {
    for (const element of document.querySelectorAll("[data-lit]")) element.classList.toggle("is-lit", keysOf(element).some((key) => keys.includes(key)));
  }
  for (const [drawing, entry] of listeners) {
    if (drawing.isConnected) {
      entry.shown = true;
      entry.listener(keys);
    } else if (entry.shown) listeners.delete(drawing);
  }
}

/** Tells a drawing what is lit, from when it is shown first, as long as it is shown. */
export const onLight = (drawing, listener) => listeners.set(drawing, { listener, shown: false });

/** The keys of an element and of what it lies in. */
function under(target) {
  const keys = [];
  for (let element = target instanceof Element ? target.closest("[data-lit]") : null; element; element = element.parentElement?.closest("[data-lit]")) keys.push(...keysOf(element));
  return keys;
}
// A pointer that lies where nothing is to be lit does not put out what the keyboard is at.
const focused = () => (document.activeElement?.matches(":focus-visible") ? under(document.activeElement) : []);
addEventListener("pointerover", ({ target }) => {
  const keys = under(target);
  light(keys.length > 0 ? keys : focused());
});
addEventListener("focusin", ({ target }) => light(under(target)));
