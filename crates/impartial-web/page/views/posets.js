// Posets: the board, chains without end with f(m) and its proved period, and an editor for small posets.
import { h, show, clamp, counted } from "../dom.js";
import { long, quick } from "../engine.js";
import { address } from "../route.js";
import { argument, badge, by, command, facts, headings, outcome, part, playFlag, problem, quoted } from "../parts.js";
import { scatter } from "../plot.js";
import { boardOf } from "./play.js";

export async function view(context) {
  return context.described.kind === "chains" ? chains(context) : finite(context);
}

/** n = f(m) of a game with two infinite chains. */
async function chains({ game, parameters, note }) {
  const value = h("input", { type: "number", min: 0, max: 20, value: clamp(Number(parameters.value ?? 0), 0, 20), id: "value" });
  const at = h("input", { type: "text", id: "at", placeholder: "1000000000000", "aria-label": "m" });
  const found = h("div", { class: "stack", id: "chains" });
  const answer = h("div", { role: "status", id: "at-answer" });
  const line = h("div", {});
  async function compute() {
    note({ value: value.value });
    show(line, command("chains", argument(game), value.value !== "0" && `--value ${value.value}`));
    await part(found, async () => {
      const { report, text } = await long({ ask: "chains", game, value: Number(value.value) });
      const points = [...report.initial];
      const many = report.period ? report.preperiod + 4 * report.period : report.preperiod + 12;
      for (let m = report.preperiod; m < many && report.kind !== "finite"; m++) {
        points.push([m, report.kind === "constant" ? report.constant : m + report.offsets[(m - report.preperiod) % report.period]]);
      }
      return [h("section", { class: "card" }, h("h2", {}, `${value.value === "0" ? "P-positions" : `Positions of value ${value.value}`}: n = f(m)`),
        points.length > 0 && scatter({ points, xLabel: "m", yLabel: "f(m)", key: (m) => `m:${m}`, mark: () => "P", shade: report.period ? { from: report.preperiod, length: report.period } : null }),
        badge({ proved: report.proved, theorem: "chains", conjectured: "not proved", file: { ask: "file", game, ...(value.value !== "0" && { value: Number(value.value) }) }, name: `${game}-chains` }),
        facts([["kind", report.kind], ["preperiod", String(report.preperiod)], ["period", report.period && String(report.period)], ["f(m) − m in one period", report.offsets.join(", ")], ["before it", report.initial.map(([m, n]) => `f(${m}) = ${n}`).join(", ")]]),
        h("p", { class: "soft small" }, text.split("\n")[0])), h("section", { class: "card" }, h("h2", {}, "Table"),
        h("div", { class: "scroll" }, h("table", {}, headings(["m"], ["f(m)"], ["f(m) − m"]),
          h("tbody", {}, points.slice(0, 400).map(([m, n]) => h("tr", { data: { lit: `m:${m}` } }, [m, n, n - m].map((entry) => h("td", { class: "number" }, String(entry)))))))))];
    });
  }
  const form = h("form", { class: "row" }, h("label", { for: "at" }, "f of m ="), at, h("button", { type: "submit" }, "Find"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { report } = await long({ ask: "chains", game, value: Number(value.value), at: at.value.trim() || at.placeholder });
      show(answer, h("p", {}, `f(${report.at}) = ${report.n ?? "nothing: no position with this m"}`), command("chains", argument(game), value.value !== "0" && `--value ${value.value}`, `--at ${report.at}`));
    } catch (error) {
      show(answer, problem(error));
    }
  });
  value.addEventListener("change", compute);
  compute();
  return h("div", { class: "columns" }, h("div", { class: "stack" }, h("div", { class: "row end" }, h("label", { class: "field" }, "Grundy value", value), line), found),
    h("div", { class: "stack" }, h("section", { class: "card" }, h("h2", {}, "Ask for any m"), form, answer), editor()));
}

/** A finite board: the diagram, who wins, the winning first moves, how many P-positions. */
async function finite({ game, play, described }) {
  const found = h("div", { class: "stack", id: "poset" });
  const count = h("div", {});
  part(found, async () => {
    const { report } = await long({ ask: "table", game, play, outcomes: true });
    const winning = report.moves.filter((move) => move.outcome === "P");
    setTimeout(() => part(count, async () => {
      const { report: total } = await long({ ask: "count", game, play });
      return h("p", {}, `${counted(Number(total.count), "P-position")} in all (${total.method})`);
    }));
    return [h("section", { class: "card board" }, boardOf(report, null, false, described)),
      h("section", { class: "card" }, h("h2", {}, "The whole board"), h("p", {}, outcome(report.outcome), ` ${report.outcome === "N" ? "the next player wins" : "the previous player wins"}`, report.grundy !== undefined && `, Grundy value ${report.grundy}`),
        winning.length > 0 && h("div", { class: "words" }, "Winning moves: ", winning.slice(0, 12).map(({ name, to }) => h("span", { class: "word", data: { lit: `position:${to}` }, tabindex: 0 }, name ? `${name} → ${to}` : to))),
        count, badge({ computed: `for this board, ${by(report.method)}` }), command("move", argument(game), quoted(report.position), playFlag(play)))];
  });
  return h("div", { class: "columns" }, h("div", { class: "stack" }, found), h("div", { class: "stack" }, strategy({ game, play }), editor(described)));
}

/** The table of all positions as a certified strategy. */
function strategy({ game, play }) {
  const place = h("div", {});
  const button = h("button", { type: "button" }, "Solve all positions");
  button.addEventListener("click", () => part(place, async () => {
    const { report, text } = await long({ ask: "solve", game, play });
    return [h("p", {}, text), badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", game, play }, name: `${game}-table` })];
  }));
  return h("section", { class: "card" }, h("h2", {}, "Every position"), button, place, command("solve", argument(game), playFlag(play), "-o table.json"));
}

/** An editor for small posets: elements and relations as text. */
function editor() {
  const elements = h("input", { type: "text", value: "a b c d e", id: "elements" });
  const relations = h("input", { type: "text", value: "a<c b<c b<d c<e", id: "relations" });
  const told = h("div", { role: "status" });
  const file = () => {
    const names = elements.value.split(/[\s,]+/).filter(Boolean);
    const pairs = relations.value.split(/[\s,]+/).filter(Boolean).map((text) => text.split("<"));
    return `kind = "poset"\nelements = ${JSON.stringify(names)}\nrelations = ${JSON.stringify(pairs)}`;
  };
  const form = h("form", { class: "stack tight" }, h("label", { class: "field" }, "Elements", elements), h("label", { class: "field" }, "Relations, lower < upper", relations), h("div", { class: "row" }, h("button", { type: "submit" }, "Open this poset")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = address(file(), { view: "posets" });
  });
  for (const field of [elements, relations]) {
    field.addEventListener("input", async () => {
      try {
        const { report } = await quick({ ask: "table", game: file(), outcomes: true });
        show(told, h("p", {}, outcome(report.outcome), ` ${counted(report.scene.elements.length, "element")}`), boardOf(report, null, false, { kind: "poset" }));
      } catch (error) {
        show(told, problem(error));
      }
    });
  }
  return h("section", { class: "card" }, h("h2", {}, "A poset of your own"), form, told);
}
