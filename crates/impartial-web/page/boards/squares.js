// Chomp: rows of squares, the first one poisoned. A bite takes a square and everything above and to the right.
import { h } from "../dom.js";
import { onLight } from "../light.js";

export function squares({ scene, moves }, choose, colours) {
  const { rows } = scene;
  // What is left of a board that is too large to be drawn.
  const board = scene.board.length > 40 || Math.max(...scene.board) > 60 ? rows : scene.board;
  const widest = Math.max(1, ...board);
  if (widest > 60 || board.length > 40) return h("p", { class: "soft" }, "This board is too large to be drawn: use the list.");
  const byName = new Map(moves.map((move) => [move.name, move]));
  const length = (row) => rows[row] ?? 0;
  /** The square of a bite, by what it leaves, where moves have no names. */
  const bite = (row, column) => byName.get(`${row + 1}.${column + 1}`) ?? moves.find(({ name, to }) => {
    if (name || !/^[\d,]+$/.test(to)) return false;
    const left = rows.map((n, i) => (i >= row ? Math.min(n, column) : n)).filter((n) => n > 0);
    return left.join(",") === to;
  });
  const grid = h("div", { class: "chomp", role: "group", "aria-label": "a chocolate bar" });
  grid.style.setProperty("--columns", widest);
  const cells = [];
  for (let row = board.length - 1; row >= 0; row--) {
    for (let column = 0; column < widest; column++) {
      const present = column < length(row);
      const move = present ? bite(row, column) : null;
      const poison = row === 0 && column === 0;
      const cell = h(move && choose ? "button" : "span", {
        class: ["square", present ? "" : column < board[row] ? "gone" : "none", poison ? "poison" : "", colours && move ? move.outcome : ""].join(" "),
        ...(move && { data: { lit: `position:${move.to}` } }),
        ...(move && choose && { type: "button", "aria-label": `bite square ${row + 1}.${column + 1}, leaves ${move.to}`, onclick: () => choose(move.to) }),
      }, poison && present ? "☠" : "");
      cells.push({ cell, row, column, key: move && `position:${move.to}` });
      grid.append(cell);
    }
  }
  onLight(grid, (keys) => {
    const bitten = cells.find(({ key }) => key && keys.includes(key));
    for (const { cell, row, column } of cells) cell.classList.toggle("aimed", Boolean(bitten) && row >= bitten.row && column >= bitten.column);
  });
  return grid;
}
