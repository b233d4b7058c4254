// The home page of a game: what it is, what is known of it, what is open.
import { h } from "../dom.js";
import { long, quick } from "../engine.js";
import { argument, badge, command, facts, outcome, part, playFlag } from "../parts.js";
import { scatter } from "../plot.js";
import { boardOf } from "./play.js";
import { survey } from "../data.js";
import { state } from "./index.js";

export async function view(context) {
  const { game, play, described, link, games } = context;
  const { kind, known, code, info } = described;
  const title = known?.title ?? (game.includes("\n") ? described.name : game);
  const relatives = (await games()).filter(({ name, rules }) => code && rules === code && name !== known?.name);
  const aliases = [...new Set([known?.name, ...(known?.aliases ?? []), ...relatives.map(({ name }) => name)].filter((name) => name && name !== game))];
  const board = h("div", { class: "board" });
  const normal = h("section", { class: "card" });
  const misere = h("section", { class: "card" });
  part(board, async () => {
    const { report } = await quick({ ask: "table", game, play, outcomes: true });
    return [boardOf(report, null, false, described), h("p", {}, h("code", {}, report.position), " ", outcome(report.outcome), " ", h("a", { href: link("play", { position: report.position }) }, "Play it"))];
  });
  const sections = [];
  if (kind === "heap") {
    sections.push(normal, misere);
    part(normal, () => values(context)).then(() => part(misere, () => quotient(context)));
  } else if (kind === "lattice") {
    sections.push(normal);
    part(normal, () => solved(context));
  } else if (kind === "chains") {
    sections.push(normal);
    part(normal, () => chains(context));
  }
  return h("div", { class: "columns" },
    h("div", { class: "stack" },
      h("div", {}, h("h1", {}, title), h("p", {}, known?.words?.replaceAll("`", "") ?? info.words ?? described.text)),
      h("section", { class: "card" }, board), sections),
    h("div", { class: "stack" },
      h("section", { class: "card" }, h("h2", {}, "Rules"), facts([
        ["kind", kind], ["code", code], ["also called", aliases.join(", ")], ["dimension", info.dimension && String(info.dimension)], ["rules", info.rules && String(info.rules)], ["squarefree", info.squarefree],
        ["axioms", info.axioms && `positivity ${info.axioms.positivity ? "holds" : "fails"}, tangent cone axiom ${info.axioms.tangent ? "holds" : "fails"}`],
        ["elements", info.elements && String(info.elements)], ["source", known?.source], ["known", (info.known ?? []).join("; ")],
      ]), game.includes("\n") && h("pre", {}, game), command("info", argument(game), playFlag(play))),
      published(context)));
}

async function values({ game, link }) {
  const { report } = await long({ ask: "period", game, play: "normal", to: 10_000, seconds: 3 });
  const many = Math.min(300, report.proved === true ? report.preperiod + 3 * report.period : 200);
  const { report: first } = await long({ ask: "values", game, play: "normal", to: Math.max(40, many) });
  return [h("div", { class: "heading" }, h("h2", {}, "Normal play"), h("a", { href: link("values") }, "Values")),
    scatter({ points: first.values.map((value, n) => [n, value]), xLabel: "heap n", yLabel: "g(n)", height: 220, mark: (_, value) => (value === 0 ? "P" : "N"), key: (n) => `heap:${n}`, shade: report.proved === true ? { from: report.preperiod, length: report.period } : null }),
    report.proved === true ? h("p", {}, `Preperiod ${report.preperiod}, period ${report.period}, saltus ${report.saltus}.`) : h("p", {}, `No period is proved from the values up to heap ${report.checked_to.toLocaleString("en")}; the largest of them is ${report.max_value}. Open.`),
    badge({ proved: report.proved, theorem: report.theorem, computed: `to heap ${report.checked_to}`, file: { ask: "file", game, play: "normal" }, name: `${game}-values` })];
}

async function quotient({ game, link }) {
  const head = h("div", { class: "heading" }, h("h2", {}, "Misère play"), h("a", { href: link("misere") }, "Quotient"));
  const { report, stopped } = await long({ ask: "quotient", game, play: "misere", seconds: 3 });
  const all = report.max_heap === null || report.max_heap === undefined;
  return [head, h("p", {}, `${report.order === "infinite" ? "Infinite quotient" : `Quotient of order ${report.order ?? "unknown"}`}${report.tame === undefined ? "" : report.tame ? ", tame" : ", wild"}; ${all ? "all heaps" : `heaps up to ${report.max_heap}`}.`),
    !all && h("p", { class: "soft" }, `Larger heaps are open here${stopped ? `: ${stopped}` : "."}`),
    badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", game, play: "misere" }, name: `${game}-misere` })];
}

async function solved({ game, play, link }) {
  const { report, text, milliseconds } = await long({ ask: "solve", game, play, seconds: 20 });
  return [h("div", { class: "heading" }, h("h2", {}, play === "misere" ? "Misère play" : "Normal play"), h("a", { href: link("lattice") }, "Map and strategy")),
    h("p", {}, text.split("\n")[0]), badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", game, play }, name: `${game}-strategy` }),
    h("p", { class: "soft small" }, `solved in ${(milliseconds / 1000).toFixed(2)} s in this page`)];
}

async function chains({ game, link }) {
  const { report } = await long({ ask: "chains", game, value: 0 });
  return [h("div", { class: "heading" }, h("h2", {}, "P-positions"), h("a", { href: link("posets") }, "f(m)")),
    h("p", {}, `n = f(m) is ${report.kind}${report.period ? `, with period ${report.period} from m = ${report.preperiod} on` : ""}.`),
    badge({ proved: report.proved, theorem: "chains", conjectured: "not proved", file: { ask: "file", game }, name: `${game}-chains` })];
}

/** What the census says of the game, beyond what is computed here. */
function published({ game, described }) {
  const place = h("section", { class: "card" });
  part(place, async () => {
    const rows = (await survey()).filter((row) => row.game === (described.code ?? game));
    if (rows.length === 0) return [h("h2", {}, "Census"), h("p", { class: "soft" }, "The census of this page does not have this game."), h("p", {}, h("a", { href: "#/index" }, "Index"))];
    return [h("h2", {}, "Census"), rows.map((row) => facts([
      ["misère play", state(row)], ["order", row.order && String(row.order)], ["P-portion", row.p_portion && String(row.p_portion)],
      ["heaps", state(row) === "open" ? `up to ${row.heaps}; larger ones are open` : "all"], ["period", row.period && `${row.period} from heap ${row.preperiod} on`], ["taken from its first cousin", row.cousin],
    ])), h("p", { class: "soft small" }, "Found by a survey; the view Misère finds it again here, with its certificate.")];
  });
  return place;
}
