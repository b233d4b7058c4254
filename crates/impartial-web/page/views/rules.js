// The rules of a lattice game: edited on a grid where there are two coordinates, with the axioms checked live.
import { h, s, show } from "../dom.js";
import { quick } from "../engine.js";
import { address } from "../route.js";
import { command, problem } from "../parts.js";

const [FROM, TO] = [-2, 6];
const point = (x) => `(${x.join(",")})`;

/** The rules and the rest of a game file. */
async function rulesOf(game) {
  const { report } = await quick({ ask: "table", game });
  return report.scene.rules ?? [];
}

export function rulesEditor({ game, play, described, asked }) {
  const place = h("section", { class: "card", id: "rules" });
  const told = h("div", { class: "small", role: "status" });
  const dimension = described.info.dimension;

  const file = (rules) => `kind = "lattice"\nrules = [${rules.map((rule) => `[${rule.join(", ")}]`).join(", ")}]${play === "misere" ? `\ndefeated = [[${Array(dimension).fill(0).join(", ")}]]` : ""}`;

  function axioms({ axioms: { positivity, functional, tangent, tangent_violations: rays, violation } }) {
    show(told,
      h("p", {}, positivity ? `✓ every game ends: moves lower the functional ${point(functional)}` : `✗ a game need not end: ${(violation?.rules ?? []).map(({ vector, factor }) => `${factor}·${point(vector)}`).join(" + ")} adds up to nothing`),
      h("p", {}, tangent ? "✓ tangent cone axiom" : `✗ tangent cone axiom: no rule goes back along the ray ${rays.map(point).join(", ")}`));
  }

  async function fill() {
    try {
      let rules = await rulesOf(game);
      const list = h("p", { class: "mono small" });
      const apply = h("button", { type: "button", class: "primary", disabled: true }, "Open this game");
      const changed = async () => {
        show(list, rules.map(point).join(" "));
        apply.disabled = rules.length === 0;
        if (rules.length === 0) return show(told, h("p", {}, "A game needs a rule: choose a cell."));
        try {
          const { report } = await quick({ ask: "info", game: file(rules) });
          axioms(report);
        } catch (error) {
          show(told, problem(error));
        }
      };
      apply.addEventListener("click", () => (location.hash = address(file(rules), { play: asked, view: "lattice" })));
      show(place, h("h2", {}, "Rules"), h("p", { class: "soft small" }, "A move subtracts one of these vectors."), list,
        dimension === 2 && grid(rules, (next) => { rules = next; changed(); }), told, dimension === 2 && apply, command("info", game.includes("\n") ? "game.toml" : game));
      show(list, rules.map(point).join(" "));
      if (described.info.axioms) axioms(described.info);
    } catch (error) {
      show(place, problem(error));
    }
  }
  fill();
  return place;
}

/** Cells that are rules when they are on. */
function grid(rules, change) {
  const cell = 26;
  const side = (TO - FROM + 1) * cell;
  const on = new Set(rules.map(point));
  const cells = [];
  for (let v = TO; v >= FROM; v--) {
    for (let u = FROM; u <= TO; u++) {
      const name = point([u, v]);
      const origin = u === 0 && v === 0;
      const box = s("rect", { x: (u - FROM) * cell + 1, y: (TO - v) * cell + 1, width: cell - 2, height: cell - 2, rx: 4, class: origin ? "origin" : on.has(name) ? "on" : "", ...(!origin && { tabindex: 0, role: "checkbox", "aria-checked": on.has(name), "aria-label": `rule ${name}` }) }, s("title", {}, name));
      const toggle = () => {
        if (origin) return;
        if (!on.delete(name)) on.add(name);
        box.classList.toggle("on", on.has(name));
        box.setAttribute("aria-checked", on.has(name));
        change([...on].map((text) => JSON.parse(text.replace("(", "[").replace(")", "]"))));
      };
      box.addEventListener("click", toggle);
      box.addEventListener("keydown", (event) => {
        if (event.key === " " || event.key === "Enter") {
          event.preventDefault();
          toggle();
        }
      });
      cells.push(box);
    }
  }
  return s("svg", { viewBox: `0 0 ${side} ${side}`, class: "rules-grid", role: "group", "aria-label": "Vectors that a move may subtract" }, cells);
}
