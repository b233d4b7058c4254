// Play against the perfect player.
import { counted, h, show } from "../dom.js";
import { quick } from "../engine.js";
import { note } from "../route.js";
import { argument, badge, command, outcome, playFlag, problem, quoted } from "../parts.js";
import { heaps, lastMove } from "../boards/heaps.js";
import { squares } from "../boards/squares.js";
import { diagram } from "../boards/diagram.js";
import { point } from "../boards/point.js";
import { queen } from "../boards/queen.js";

const LISTED = 120;
/** More winning moves than this are not explained one by one. */
const REASONS = 12;

export async function view({ game, play, asked, described, parameters }) {
  const board = h("div", { class: "board card", "aria-label": "The board" });
  const status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  const side = h("div", { class: "stack" });
  const list = h("div", { class: "options" });
  const help = h("div", { class: "help", "aria-live": "polite" });
  const colours = h("input", { type: "checkbox", id: "colours" });
  const entry = h("input", { type: "text", id: "position", "aria-label": "A position", spellcheck: "false", autocomplete: "off" });
  const line = h("div", {});
  const history = [];
  let table;
  let thinking = false;
  let over = false;
  let last = null;

  const question = (more) => ({ game, play, ...more });
  const parse = (position) => quick(question({ ask: "table", position, outcomes: true })).then(({ report }) => report);

  /** Shows the position on the table; whose turn it is follows from `mine`. */
  function draw(mine) {
    const moves = table.moves;
    over = moves.length === 0;
    const choose = mine && !over ? (to) => move(to) : null;
    const made = last && described.kind === "heap" && lastMove(last.heaps, table.position, last.who, pins(described));
    show(board, boardOf(table, choose, colours.checked, described), made);
    entry.value = table.position;
    note(game, { play: asked, view: "play", position: table.position });
    show(line, command("play", argument(game), quoted(table.position), playFlag(play)));
    if (over) {
      const moverWins = described.play === "misere" && described.kind !== "lattice";
      const won = mine === moverWins;
      show(status, won ? "You win." : "The perfect player wins.", h("span", { class: "soft" }, ` ${mine ? "You" : "It"} cannot move${moverWins ? ", which wins in misère play." : "."}`));
      status.dataset.result = won ? "won" : "lost";
    } else {
      delete status.dataset.result;
      show(status, mine ? "Your move." : "The perfect player thinks …");
    }
    show(list, h("h3", {}, over ? "No move is left" : counted(table.count, "move")),
      h("ul", { class: "moves" }, moves.slice(0, LISTED).map(({ to, name, outcome: result }) => h("li", {},
        h("button", { type: "button", disabled: !choose, onclick: () => move(to), data: { lit: `position:${to}`, to } },
          colours.checked && outcome(result), h("span", {}, name ? `${name} → ${to || "nothing"}` : to === "0" ? "0 (nothing)" : to))))),
      moves.length > LISTED && h("p", { class: "soft small" }, `${moves.length - LISTED} more are not listed: type a position below.`));
    show(side, colours.checked && known(table), help);
  }

  /** What is known of the position: outcome, values in binary, nim-sum. */
  function known({ outcome: result, values, grundy, scene, proved, method }) {
    return h("section", { class: "card known" },
      h("div", { class: "row" }, outcome(result), h("span", {}, result === "P" ? "the previous player wins" : "the next player wins"), grundy !== undefined && h("span", { class: "soft" }, `Grundy value ${grundy}`)),
      values && scene.shape === "heaps" && values.length > 0 && columns(scene.heaps, values),
      proved === true ? badge({ proved, theorem: method }) : badge({ computed: `for this position (${method})` }));
  }

  /** Puts a position on the table: `who` made the move to it, if it was one. */
  async function set(position, mine, who) {
    thinking = true;
    try {
      const heaps = table?.scene.heaps;
      table = await parse(position);
      last = who && heaps ? { heaps, who } : null;
      show(help);
      draw(mine);
    } finally {
      thinking = false;
    }
  }

  async function move(to) {
    if (thinking || over) return;
    try {
      history.push(table.position);
      await set(to, false, "You");
      if (over) return;
      await answer();
    } catch (error) {
      show(help, problem(error));
    }
  }

  /** The move of the perfect player. */
  async function answer() {
    thinking = true;
    const { report } = await quick(question({ ask: "reply", position: table.position }));
    await new Promise((resolve) => setTimeout(resolve, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350));
    const from = table.position;
    await set(report.to, true, "It");
    if (!over) show(status, `It moved from ${from} to ${report.to}. Your move.`);
  }

  async function hint() {
    try {
      const { report } = await quick(question({ ask: "move", position: table.position }));
      show(help, h("p", {}, report.moves.length === 0 ? "This is a P-position: no move wins against perfect play." : `Move to ${report.moves.slice(0, 6).join(" or ")}${report.moves.length > 6 ? " …" : ""}.`));
      for (const button of list.querySelectorAll("button")) button.classList.toggle("hinted", report.moves.includes(button.dataset.to));
    } catch (error) {
      show(help, problem(error));
    }
  }

  /** The reasons of the engine, step by step. */
  async function why() {
    try {
      const { report } = await quick(question({ ask: "explain", position: table.position }));
      show(help, h("section", { class: "card" }, h("h3", {}, "Why?"),
        h("ol", { class: "why" }, report.steps.map((step) => h("li", {}, step))),
        h("p", {}, outcome(report.outcome), report.outcome === "P" ? " the previous player wins: every move leads to an N-position." : " the next player wins:"),
        h("ul", { class: "why" }, report.moves.slice(0, REASONS).map(({ to, words, why: reason }) => h("li", { data: { lit: `position:${to}` } }, `${words}: `, h("code", {}, to), `, ${reason}`))),
        report.moves.length > REASONS && h("p", { class: "soft small" }, `and ${report.moves.length - REASONS} more winning moves`),
        command("move", argument(game), quoted(table.position), playFlag(play), "--explain")));
    } catch (error) {
      show(help, problem(error));
    }
  }

  const guarded = (act) => async () => {
    try {
      await act();
    } catch (error) {
      show(help, problem(error));
    }
  };
  const undo = guarded(async () => {
    if (history.length > 0 && !thinking) await set(history.pop(), true);
  });
  const goTo = guarded(async () => {
    const position = entry.value.trim();
    history.length = 0;
    await set(position, true);
  });
  colours.addEventListener("change", () => draw(true));
  const form = h("form", { class: "row" }, entry, h("button", { type: "submit" }, "Set up"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    goTo();
  });

  await set(parameters.position ?? described.start ?? "", true);
  return h("div", { class: "columns" },
    h("div", { class: "stack" }, status, board,
      h("div", { class: "row" },
        h("button", { type: "button", onclick: hint }, "Hint"),
        h("button", { type: "button", onclick: why }, "Why?"),
        h("button", { type: "button", onclick: undo }, "Undo"),
        h("button", { type: "button", onclick: guarded(async () => { history.length = 0; await set(described.start ?? table.position, true); }) }, "New game"),
        h("button", { type: "button", onclick: guarded(async () => { if (!thinking && !over) { history.push(table.position); draw(false); await answer(); } }) }, "You begin"),
        h("label", { class: "row small" }, colours, "Show P and N")),
      h("p", { class: "soft small" }, described.play !== "misere" ? "Normal play: who cannot move loses." : described.kind === "lattice" ? "Misère play: the origin is no position, and who cannot move loses." : "Misère play: who cannot move wins."),
      form, line),
    h("div", { class: "stack" }, side, h("section", { class: "card" }, list)));
}

/** The board of a position; `choose` plays a move, where one may be played. */
export function boardOf(table, choose, colours, described) {
  const { scene } = table;
  if (described.kind === "wythoff") return queen(table, choose, colours);
  if (scene.shape === "heaps") return heaps(table, choose, colours, pins(described));
  if (scene.shape === "rows") return squares(table, choose, colours);
  if (scene.shape === "poset") return diagram(table, choose, colours);
  if (scene.shape === "point") return point(table, choose, colours);
  if (described.kind === "chains" && /^\d+(,\d+)*$/.test(table.position)) {
    const rows = table.position.split(",").map(Number);
    if (rows.every((row) => row <= 60)) return squares({ ...table, scene: { rows, board: rows } }, choose, colours);
  }
  return h("pre", { class: "drawing" }, scene.text ?? table.position);
}

/** Games in which a heap may fall into two are drawn as rows of pins. */
const pins = ({ code, known }) => /kayles|chess|cross/.test(known?.name ?? "") || /^\d*\.[0-7]*[4-7]/.test(code ?? "");

/** Grundy values in binary, column by column, and their sum without carrying. */
function columns(sizes, values) {
  if (values.some((value) => typeof value !== "number" || value > 65535)) return null;
  const sum = values.reduce((a, b) => a ^ b, 0);
  const width = Math.max(1, ...[...values, sum].map((value) => value.toString(2).length));
  const bits = (value) => [...value.toString(2).padStart(width, "0")];
  const row = (name, value, key) => h("tr", key ? { data: { lit: key } } : { class: "sum" }, h("th", { scope: "row" }, name), bits(value).map((bit) => h("td", { class: bit === "1" ? "one" : "zero" }, bit)), h("td", { class: "number" }, String(value)));
  return h("div", {}, h("table", { class: "binary" },
    h("tbody", {}, sizes.map((size, i) => row(`heap ${size}`, values[i], `heap:${size}`)), row("nim-sum", sum))), h("p", { class: "small soft" }, "Grundy values in binary: a column with an odd number of ones is lit in the sum."));
}
