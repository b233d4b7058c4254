// The rules of a lattice game: edited on a grid where there are two coordinates, as text everywhere, with the axioms checked live.
import { h, onKey, s, show } from "../dom.js";
import { quick } from "../engine.js";
import { address } from "../route.js";
import { argument, command, playFlag, problem } from "../parts.js";
import { point } from "../strata.js";

const [FROM, TO] = [-2, 6];
/** Every list of integers in a text: "(1,0) (0,1)" or "1,0; 0,1". */
const vectors = (text) => (text.match(/-?\d+(\s*,\s*-?\d+)*/g) ?? []).map((part) => part.split(",").map(Number));
const list = (rows) => `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`;

export function rulesEditor({ game, play, described, asked }) {
  const place = h("section", { class: "card", id: "rules" });
  const told = h("div", { class: "small", role: "status" });
  const plane = described.info.dimension === 2;

  async function fill() {
    try {
      const { report: { scene } } = await quick({ ask: "table", game, play });
      if (!scene.rules) return show(place, h("h2", {}, "Rules"), h("p", {}, described.info.words), command("info", argument(game)));
      const field = (id, rows, label) => h("input", { type: "text", id, class: "mono", value: rows.map(point).join(" "), "aria-label": label, spellcheck: "false" });
      const rules = field("rule-list", scene.rules, "Vectors that a move may subtract");
      const defeated = field("defeated-list", scene.defeated, "Defeated positions");
      const board = field("board-list", scene.board, "Inequalities of the board");
      const mode = h("select", { id: "mode" }, h("option", { value: "rule" }, "rules"), h("option", { value: "defeated" }, "defeated points"));
      const apply = h("button", { type: "button", class: "primary", disabled: true }, "Open this game");
      const file = () => [`kind = "lattice"`, `rules = ${list(vectors(rules.value))}`, play === "misere" && !defeated.value.trim() && `play = "misere"`,
        defeated.value.trim() && `defeated = ${list(vectors(defeated.value))}`, board.value.trim() && `[board]\ninequalities = ${list(vectors(board.value))}`].filter(Boolean).join("\n");
      let turn = 0;
      const changed = async () => {
        const mine = ++turn;
        drawing?.mark(vectors(rules.value), vectors(defeated.value));
        apply.disabled = !rules.value.trim();
        if (apply.disabled) return show(told, h("p", {}, "A game needs a rule: choose a cell."));
        try {
          const { report } = await quick({ ask: "info", game: file() });
          if (mine === turn) show(told, axioms(report));
        } catch (error) {
          if (mine === turn) show(told, problem(error));
        }
      };
      const drawing = plane ? grid((name) => {
        const entry = mode.value === "rule" ? rules : defeated;
        const names = vectors(entry.value).map(point);
        entry.value = (names.includes(name) ? names.filter((other) => other !== name) : [...names, name]).join(" ");
        changed();
      }) : null;
      for (const entry of [rules, defeated, board]) entry.addEventListener("input", changed);
      apply.addEventListener("click", () => (location.hash = address(file(), { play: defeated.value.trim() ? undefined : asked, view: "lattice" })));
      show(place, h("h2", {}, "Rules"), h("div", { class: "stack tight" },
        h("label", { class: "field" }, "A move subtracts one of", rules),
        h("label", { class: "field" }, "Defeated: these points and all below them", defeated),
        h("label", { class: "field" }, "Board: rows (a,b) for a·x + b ≥ 0; empty is x ≥ 0", board),
        plane && [h("label", { class: "row small soft" }, "A cell of the grid switches", mode), drawing.element], told, h("div", { class: "row" }, apply), command("info", argument(game), playFlag(play))));
      drawing?.mark(scene.rules, scene.defeated);
      if (described.info.axioms) show(told, axioms(described.info));
    } catch (error) {
      show(place, problem(error));
    }
  }
  fill();
  return place;
}

/** What holds, and the ray or the sum of rules that shows what does not. */
function axioms({ axioms: { positivity, functional, tangent, tangent_violations: rays, violation } }) {
  return [
    h("p", {}, positivity ? `✓ every game ends: moves lower the functional ${point(functional)}` : `✗ a game need not end: ${(violation?.rules ?? []).map(({ vector, factor }) => `${factor}·${point(vector)}`).join(" + ")} adds up to nothing`),
    h("p", {}, tangent ? "✓ tangent cone axiom" : `✗ tangent cone axiom: no rule goes back along the ray ${rays.map(point).join(", ")}`)];
}

/** Cells that switch a vector; `mark` shows which are rules and which are defeated. */
function grid(toggle) {
  const cell = 26;
  const side = (TO - FROM + 1) * cell;
  const edge = 20;
  const numbers = Array.from({ length: TO - FROM + 1 }, (_, i) => [
    s("text", { x: (i + 0.5) * cell, y: side + 14, "text-anchor": "middle", class: "tick" }, String(FROM + i)),
    s("text", { x: -5, y: (TO - FROM - i + 0.5) * cell + 4, "text-anchor": "end", class: "tick" }, String(FROM + i))]);
  const cells = new Map();
  for (let v = TO; v >= FROM; v--) {
    for (let u = FROM; u <= TO; u++) {
      const name = point([u, v]);
      const box = s("rect", { x: (u - FROM) * cell + 1, y: (TO - v) * cell + 1, width: cell - 2, height: cell - 2, rx: 4, tabindex: 0, role: "checkbox", "aria-checked": "false", "aria-label": `rule ${name}` }, s("title", {}, name));
      box.addEventListener("click", () => toggle(name));
      onKey(box, () => toggle(name));
      cells.set(name, box);
    }
  }
  const element = s("svg", { viewBox: `${-edge} 0 ${side + edge} ${side + edge}`, class: "rules-grid", role: "group", "aria-label": "Vectors that a move may subtract" }, numbers, [...cells.values()]);
  const mark = (rules, defeated) => {
    const [on, lost] = [new Set(rules.map(point)), new Set(defeated.map(point))];
    for (const [name, box] of cells) {
      box.setAttribute("class", [name === "(0,0)" ? "origin" : "", on.has(name) ? "on" : "", lost.has(name) ? "lost" : ""].join(" "));
      box.setAttribute("aria-checked", String(on.has(name) || lost.has(name)));
    }
  };
  return { element, mark };
}
