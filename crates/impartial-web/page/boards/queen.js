// Wythoff's game as a queen on a board: she moves left, down or both, and wants the corner.
import { onKey, s } from "../dom.js";
import { heaps } from "./heaps.js";

export function queen(table, choose, colours) {
  const sizes = table.scene.heaps.map(Number);
  const [a, b] = [sizes[1] ?? sizes[0] ?? 0, sizes.length > 1 ? sizes[0] : 0];
  const side = a + 1;
  if (side > 26) return heaps(table, choose, colours, false);
  const options = new Map(table.moves.map((move) => [move.to, move]));
  const key = (u, v) => { const list = [u, v].filter((n) => n > 0).sort((x, y) => x - y); return list.length ? list.join("+") : "0"; };
  const cell = 30;
  const squares = [];
  for (let v = 0; v <= b; v++) {
    for (let u = 0; u < side; u++) {
      const reached = (u === a && v < b) || (v === b && u < a) || (a - u === b - v && u < a);
      const move = reached ? options.get(key(u, v)) : null;
      const square = s("g", { class: ["cell", (u + v) % 2 ? "dark" : "", move ? "option" : "", move && choose ? "movable" : "", colours && move ? move.outcome : ""].join(" "), ...(move && { data: { lit: `position:${move.to}` } }), ...(move && choose && { tabindex: 0, role: "button", "aria-label": `queen to ${u}, ${v}` }) },
        s("rect", { x: u * cell, y: (b - v) * cell, width: cell, height: cell }), u === a && v === b && s("text", { x: u * cell + cell / 2, y: (b - v) * cell + 23, "text-anchor": "middle", class: "queen" }, "♛"));
      if (move && choose) {
        square.addEventListener("click", () => choose(move.to));
        onKey(square, () => choose(move.to));
      }
      squares.push(square);
    }
  }
  const numbers = [
    Array.from({ length: side }, (_, i) => s("text", { x: (i + 0.5) * cell, y: (b + 1) * cell + 15, "text-anchor": "middle", class: "tick" }, String(i))),
    Array.from({ length: b + 1 }, (_, i) => s("text", { x: -6, y: (b - i + 0.5) * cell + 4, "text-anchor": "end", class: "tick" }, String(i)))];
  const drawing = s("svg", { viewBox: `-22 0 ${side * cell + 22} ${(b + 1) * cell + 20}`, class: "lattice-board queen-board", role: "group", "aria-label": "the queen's board" }, squares, numbers);
  drawing.style.maxWidth = `${side * cell * 1.4}px`;
  return drawing;
}
