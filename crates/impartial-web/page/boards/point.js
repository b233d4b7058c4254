// A point of a lattice game: a board for two coordinates, bars of counters for more.
import { h, onKey, s } from "../dom.js";

const SIDE = 24;

export function point({ scene, moves, position }, choose, colours) {
  const x = scene.point.map(Number);
  if (x.some((entry) => !Number.isSafeInteger(entry))) return h("p", { class: "far mono" }, position);
  if (x.length === 2 && x.every((entry) => entry >= 0 && entry < SIDE)) return board(x, moves, choose, colours);
  return h("div", { class: "counters" }, x.map((entry, i) => h("div", { class: "counter" },
    h("span", { class: "soft" }, `x${i + 1}`), h("span", { class: "size" }, String(entry)),
    entry > 0 && entry <= 40 && h("span", { class: "dots", "aria-hidden": "true" }, "●".repeat(entry)))));
}

function board([a, b], moves, choose, colours) {
  const side = Math.max(8, a + 2, b + 2);
  const cell = 26;
  const options = new Map(moves.map((move) => [move.to, move]));
  const squares = [];
  for (let v = 0; v < side; v++) {
    for (let u = 0; u < side; u++) {
      const move = options.get(`(${u},${v})`);
      const [x, y] = [u * cell + 20, (side - 1 - v) * cell];
      const square = s("g", {
        class: ["cell", move ? "option" : "", move && choose ? "movable" : "", colours && move ? move.outcome : ""].join(" "),
        ...(move && { data: { lit: `position:${move.to}` } }), ...(move && choose && { tabindex: 0, role: "button", "aria-label": `move to (${u},${v})` }),
      }, s("rect", { x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, rx: 4 }), u === a && v === b && s("circle", { cx: x + cell / 2, cy: y + cell / 2, r: 8, class: "here" }));
      if (move && choose) {
        square.addEventListener("click", () => choose(move.to));
        onKey(square, () => choose(move.to));
      }
      squares.push(square);
    }
  }
  const ticks = Array.from({ length: side }, (_, i) => [
    s("text", { x: i * cell + 20 + cell / 2, y: side * cell + 14, "text-anchor": "middle", class: "tick" }, String(i)),
    s("text", { x: 14, y: (side - 1 - i) * cell + cell / 2 + 4, "text-anchor": "end", class: "tick" }, String(i)),
  ]);
  const drawing = s("svg", { viewBox: `0 0 ${side * cell + 22} ${side * cell + 20}`, class: "lattice-board", role: "group", "aria-label": `the point (${a},${b})` }, squares, ticks);
  drawing.style.maxWidth = `${side * cell * 1.5}px`;
  return drawing;
}
