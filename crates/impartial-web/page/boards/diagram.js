// A poset as its Hasse diagram: choosing an element takes everything above it.
import { onKey, s } from "../dom.js";
import { onLight } from "../light.js";

export function diagram({ scene, moves }, choose, colours) {
  const { elements, covers, columns } = scene;
  const letters = Math.max(1, ...elements.map(({ name }) => name.length));
  const [wide, tall] = [Math.max(46, letters * 9 + 26), 66];
  const levels = 1 + Math.max(0, ...elements.map(({ height }) => height));
  const at = ({ place, height }) => [place * wide, (levels - height - 0.5) * tall];
  const byName = new Map(moves.map((move) => [move.name, move]));
  const above = elements.map((_, i) => {
    const found = new Set([i]);
    for (const x of found) for (const [low, high] of covers) if (low === x) found.add(high);
    return found;
  });
  const lines = covers.map(([low, high]) => {
    const [[x1, y1], [x2, y2]] = [at(elements[low]), at(elements[high])];
    return s("line", { x1, y1, x2, y2, class: elements[high].present ? "" : "gone" });
  });
  const nodes = elements.map((element, i) => {
    const [x, y] = at(element);
    const move = element.present ? byName.get(element.name) : null;
    const width = Math.max(30, element.name.length * 9 + 12);
    const node = s("g", {
      class: ["node", element.present ? "" : "gone", move && choose ? "movable" : "", colours && move ? move.outcome : ""].join(" "),
      ...(move && { data: { lit: `position:${move.to}` } }),
      ...(move && choose && { tabindex: 0, role: "button", "aria-label": `choose ${element.name}, leaves ${move.to}` }),
    }, s("rect", { x: x - width / 2, y: y - 15, width, height: 30, rx: 8 }), s("text", { x, y: y + 5, "text-anchor": "middle" }, element.name));
    if (move && choose) {
      node.addEventListener("click", () => choose(move.to));
      onKey(node, () => choose(move.to));
    }
    return node;
  });
  const drawing = s("svg", { viewBox: `0 0 ${columns * wide} ${levels * tall}`, class: "hasse", role: "group", "aria-label": "the elements, greater ones above" }, lines, nodes);
  onLight(drawing, (keys) => {
    const taken = nodes.findIndex((node) => node.dataset.lit && keys.includes(node.dataset.lit));
    nodes.forEach((node, i) => node.classList.toggle("aimed", taken >= 0 && above[taken].has(i)));
  });
  drawing.style.maxWidth = `${columns * wide * 1.3}px`;
  return drawing;
}
