// Elements from data. Text is only ever put into text nodes and attributes: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** An element of the page. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An element of a drawing. */
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/** Has a drawn button do what a button does when Enter or the space bar is pressed. */
export function onKey(element, act) {
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  });
}

/** Replaces what an element holds. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Gives a text as a file. */
export function download(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A button that copies a text, and says so. */
export function copyButton(text, label = "Copy") {
  const button = h("button", { type: "button", class: "quiet", "aria-label": `${label}: ${text.slice(0, 80)}` }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
    }
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

/** A text that is not too long to be shown. */
export const brief = (text, most = 400) => (text.length <= most ? text : `${text.slice(0, most)} … (${text.length.toLocaleString("en")} characters)`);

/** A number with its noun. */
export const counted = (n, one, several = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : several}`;

/** The number of a slider or field, within bounds. */
export const clamp = (n, least, most) => Math.min(most, Math.max(least, Number.isFinite(n) ? n : least));
