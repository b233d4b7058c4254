// Play against the perfect player.
import { counted, h, show } from "../dom.js";
import { quick, stop } from "../engine.js";
import { argument, badge, by, command, outcome, playFlag, problem, quoted } from "../parts.js";
import { heaps, lastMove } from "../boards/heaps.js";
import { squares } from "../boards/squares.js";
import { diagram } from "../boards/diagram.js";
import { point } from "../boards/point.js";
import { queen } from "../boards/queen.js";

const LISTED = 120;
/** More winning moves than this are not explained one by one. */
const REASONS = 12;

export async function view({ game, play, described, parameters, note }) {
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
  let mine = true;
  let thinking = false;
  let acts = 0;
  let over = false;
  let last = null;
  let place = null;

  const question = (more) => ({ game, play, ...more });
  const parse = (position) => quick(question({ ask: "table", position, outcomes: true })).then(({ report }) => report);

  /** Shows the position on the table; `mine` says whose turn it is. */
  function draw() {
    const moves = table.moves;
    // Who plays with the keyboard goes on where the last move was made.
    const focused = document.activeElement;
    if (focused !== document.body) place = focused.matches(":focus-visible") ? [list, board].find((part) => part.contains(focused)) : null;
    over = moves.length === 0;
    const choose = mine && !over ? (to) => move(to) : null;
    const made = last && described.kind === "heap" && lastMove(last.heaps, table.position, last.who, pins(described));
    show(board, boardOf(table, choose, colours.checked, described), made);
    note({ position: table.position });
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
    show(side, known(table), help);
    if (place && choose) (place.querySelector("button, [tabindex]") ?? list.querySelector("button"))?.focus();
    else if (place && over) again.focus();
  }

  /** What is known of the position: how sure it is, and on request outcome, values in binary, nim-sum. */
  function known({ outcome: result, values, grundy, scene, proved, method }) {
    return h("section", { class: "card known" },
      colours.checked && [h("div", { class: "row" }, outcome(result), h("span", {}, result === "P" ? "the previous player wins" : "the next player wins"), grundy !== undefined && h("span", { class: "soft" }, `Grundy value ${grundy}`)),
        values && scene.shape === "heaps" && values.length > 0 && columns(scene.heaps, values)],
      !colours.checked && h("p", { class: "soft small" }, "Who wins, and with which moves, is known here and shown on request."),
      proved === true ? badge({ proved, theorem: method }) : badge({ computed: `for this position, ${by(method)}` }));
  }

  /** Puts a position on the table: `who` made the move to it, if it was one. */
  async function set(position, turn, who) {
    const heaps = table?.scene.heaps;
    table = await parse(position);
    last = who && heaps ? { heaps, who } : null;
    mine = turn;
    entry.value = table.position;
    show(help);
    draw();
  }

  /** Does one thing; what was under way is given up. What goes wrong is told, and the position stays with the person who plays. */
  const act = (work) => async () => {
    if (thinking) stop();
    const now = ++acts;
    const gone = () => now !== acts;
    thinking = true;
    try {
      await work(gone);
    } catch (error) {
      if (gone()) return;
      if (!mine) {
        mine = true;
        draw();
      }
      show(help, problem(error));
    } finally {
      if (!gone()) thinking = false;
    }
  };
  /** Answers a question, but not while the perfect player thinks. */
  const tell = (work) => () => mine && act(work)();

  const move = (to) => mine && !over && act(async (gone) => {
    history.push(table.position);
    try {
      await set(to, false, "You");
    } catch (error) {
      history.pop();
      throw error;
    }
    if (!over && !gone()) await answer(gone);
  })();

  /** The move of the perfect player. */
  async function answer(gone) {
    const { report } = await quick(question({ ask: "reply", position: table.position }));
    await new Promise((resolve) => setTimeout(resolve, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 350));
    if (gone()) return;
    const from = table.position;
    await set(report.to, true, "It");
    if (!over) show(status, `It moved from ${from} to ${report.to}. Your move.`);
  }

  const hint = tell(async () => {
    const { report } = await quick(question({ ask: "move", position: table.position }));
    show(help, h("p", {}, report.moves.length === 0 ? "This is a P-position: no move wins against perfect play." : `Move to ${report.moves.slice(0, 6).join(" or ")}${report.moves.length > 6 ? " …" : ""}.`));
    for (const button of list.querySelectorAll("button")) button.classList.toggle("hinted", report.moves.includes(button.dataset.to));
  });

  /** The reasons of the engine, step by step. */
  const why = tell(async () => {
    const { report } = await quick(question({ ask: "explain", position: table.position }));
    show(help, h("section", { class: "card" }, h("h3", {}, "Why?"),
      h("ol", { class: "why" }, report.steps.map((step) => h("li", {}, step))),
      h("p", {}, outcome(report.outcome), report.outcome === "P" ? " the previous player wins: every move leads to an N-position." : " the next player wins:"),
      h("ul", { class: "why" }, report.moves.slice(0, REASONS).map(({ to, words, why: reason }) => h("li", { data: { lit: `position:${to}` } }, `${words}: `, h("code", {}, to), `, ${reason}`))),
      report.moves.length > REASONS && h("p", { class: "soft small" }, `and ${report.moves.length - REASONS} more winning moves`),
      command("move", argument(game), quoted(table.position), playFlag(play), "--explain")));
  });

  const undo = act(async () => {
    if (history.length === 0) return;
    await set(history.at(-1), true);
    history.pop();
  });
  /** Puts up another position: a game begins. */
  const begin = (position) => act(async () => {
    await set(position(), true);
    history.length = 0;
  });
  const goTo = begin(() => entry.value.trim());
  const again = h("button", { type: "button", onclick: begin(() => described.start ?? table.position) }, "New game");
  const begins = tell(async (gone) => {
    if (over) return;
    history.push(table.position);
    mine = false;
    draw();
    await answer(gone);
  });
  colours.addEventListener("change", draw);
  const form = h("form", { class: "row" }, entry, h("button", { type: "submit" }, "Set up"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    goTo();
  });

  try {
    await set(parameters.position ?? described.start ?? "", true);
  } catch (error) {
    // A position that is none is told; the game is there all the same.
    if (parameters.position === undefined || error.kind !== "input") throw error;
    await set(described.start ?? "", true);
    entry.value = parameters.position;
    show(help, problem(error));
  }
  return h("div", { class: "columns" },
    h("div", { class: "stack" }, status, board,
      h("div", { class: "row" },
        h("button", { type: "button", onclick: hint }, "Hint"),
        h("button", { type: "button", onclick: why }, "Why?"),
        h("button", { type: "button", onclick: undo }, "Undo"),
        again,
        h("button", { type: "button", onclick: begins }, "Let it begin"),
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
