// The home page of a game: what it is, what is known of it, what is open.
import { brief, h } from "../dom.js";
import { long, quick } from "../engine.js";
import { argument, badge, command, facts, outcome, part, playFlag, problem, reason } from "../parts.js";
import { scatter } from "../plot.js";
import { address } from "../route.js";
import { boardOf } from "./play.js";
import { certificate, finding, kept, notes, periods, proved, survey } from "../data.js";
import { grows, isWhole, state } from "./index.js";

export async function view(context) {
  const { game, play, described, link, games } = context;
  const { kind, known, code, info } = described;
  const title = known?.title ?? brief(game.includes("\n") ? described.name : game, 80);
  const relatives = (await games()).filter(({ name, rules }) => code && rules === code && name !== known?.name);
  const aliases = [...new Set([known?.name, ...(known?.aliases ?? []), ...relatives.map(({ name }) => name)].filter((name) => name && name !== game))];
  const board = h("div", { class: "board small" });
  part(board, async () => {
    const { report } = await quick({ ask: "table", game, play, outcomes: true });
    return [boardOf(report, null, false, described), h("p", {}, h("code", {}, report.position), " ", outcome(report.outcome), " ", h("a", { href: link("play", { position: report.position }) }, "Play it"))];
  });
  const section = (id) => h("section", { class: "card", id });
  const [normal, misere, picture] = ["normal", "misere-play", "picture"].map(section);
  const cousins = h("span", { id: "cousins" }, "…");
  const drawable = ["lattice", "chains", "poset", "wythoff"].includes(kind);
  // A game with a play of its own has no other.
  const plays = kind !== "heap" && !drawable ? [] : play ? ["normal", "misere"] : [described.play];
  (async () => {
    if (kind === "heap") {
      await part(normal, () => values(context));
      await part(misere, () => quotient(context, cousins));
    } else if (drawable) {
      if (plays.includes("normal")) await part(normal, () => (kind === "chains" ? chains(context) : solved(context, "normal")));
      await part(picture, () => drawn(context));
      if (plays.includes("misere")) await part(misere, () => solved(context, "misere"));
    }
  })();
  return h("div", { class: "columns" },
    h("div", { class: "stack" },
      h("div", {}, h("h1", {}, title), h("p", {}, known?.words?.replaceAll("`", "") ?? brief(info.words ?? described.text))),
      h("section", { class: "card" }, board), plays.map((name) => (name === "misere" ? misere : normal))),
    h("div", { class: "stack" },
      h("section", { class: "card", id: "rules-of" }, h("h2", {}, "Rules"), facts([
        ["kind", kind], ["code", code && brief(code)], ["also called", aliases.join(", ")], ["first cousins", kind === "heap" ? cousins : undefined], ["dimension", info.dimension && String(info.dimension)], ["rules", info.rules && String(info.rules)], ["squarefree", info.squarefree],
        ["axioms", info.axioms && `positivity ${info.axioms.positivity ? "holds" : "fails"}, tangent cone axiom ${info.axioms.tangent ? "holds" : "fails"}`],
        ["elements", info.elements && String(info.elements)], ["source", known?.source], ["known", (info.known ?? []).map((text) => text.replace(/\.$/, "")).join("; ")],
      ]), game.includes("\n") && h("pre", { class: "small" }, brief(game, 5000)), command("info", argument(game), playFlag(play))),
      drawable && picture, stored(context), printed(context), census(context)));
}

async function values({ game, described, link }) {
  const { report } = await long({ ask: "period", game, play: "normal", to: 10_000, seconds: 3 });
  const many = Math.min(300, report.proved === true ? report.preperiod + 3 * report.period : 200);
  const { report: first } = await long({ ask: "values", game, play: "normal", to: Math.max(40, many) });
  const longer = report.proved !== true && (await proved()).includes(described.code);
  const farther = report.proved !== true && [...(await storedOf({ game, described })), ...(await periods()).filter((row) => row.game === described.code)].some(({ play = "normal", period }) => play === "normal" && period);
  const open = `No period is proved from the values up to heap ${report.checked_to.toLocaleString("en")}; the largest of them is ${report.max_value}. ${farther ? "A longer run found one: its certificate is kept beside." : longer ? "A longer run found one, see beside." : "Open beyond: the page looks no further than heap 10,000 and 3 s."}`;
  return [h("div", { class: "heading" }, h("h2", {}, "Normal play"), h("a", { href: link("values", { play: "normal" }) }, "Values")),
    scatter({ points: first.values.map((value, n) => [n, value]), xLabel: "heap n", yLabel: "g(n)", height: 220, mark: (_, value) => (value === 0 ? "P" : "N"), key: (n) => `heap:${n}`, shade: report.proved === true ? { from: report.preperiod, length: report.period } : null }),
    h("p", {}, report.proved === true ? `Preperiod ${report.preperiod}, period ${report.period}, saltus ${report.saltus}.` : open),
    badge({ proved: report.proved, theorem: report.theorem, computed: `to heap ${report.checked_to}`, file: { ask: "file", game, play: "normal" }, name: `${game}-values` }),
    command("period", argument(game), "--to 10000")];
}

async function quotient({ game, described, link }, cousins) {
  const head = h("div", { class: "heading" }, h("h2", {}, "Misère play"), h("a", { href: link("misere", { play: "misere" }) }, "Quotient"));
  const { report, stopped } = await long({ ask: "quotient", game, play: "misere", seconds: 3 });
  const all = report.max_heap === null || report.max_heap === undefined;
  cousins.replaceChildren(...(report.cousins ?? []).flatMap((code, i) => [i ? ", " : "", h("a", { href: address(code) }, code)]));
  if (!report.cousins?.length) cousins.textContent = "none that is an octal game";
  return [head, h("p", {}, `${report.order === "infinite" ? "Infinite quotient" : report.order === null && report.form === "counters" ? "Outcomes by counters, the order of the quotient is unknown" : `Quotient of order ${report.order ?? "unknown"}`}${report.tame === undefined ? "" : report.tame ? ", tame" : ", wild"}; ${all ? "all heaps" : `heaps up to ${report.max_heap}`}.`),
    !all && h("p", { class: "soft" }, (await wholeOf({ game, described })).length > 0 ? "A strategy for heaps of every size is kept beside." : `Larger heaps are open here${stopped ? `: ${reason(stopped)}` : ""}.`),
    badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", game, play: "misere", ...(!all && { max_heap: report.max_heap }) }, name: `${game}-misere` }),
    command("quotient", argument(game), "--play misere", !all && `--max-heap ${report.max_heap}`)];
}

/** Where each kind of game has more. */
const MORE = { lattice: ["lattice", "Map and strategy"], poset: ["posets", "The board"], wythoff: ["play", "Play"] };

async function solved({ game, play: asked, described, link }, name) {
  const play = asked && name;
  const [where, more] = MORE[described.kind] ?? ["play", "Play"];
  const head = h("div", { class: "heading" }, h("h2", {}, name === "misere" ? "Misère play" : "Normal play"), h("a", { href: link(where, { play }) }, more));
  let found;
  try {
    found = await long({ ask: "solve", game, play, seconds: name === described.play ? 20 : 5 });
  } catch (error) {
    // What a kind of game has no strategy for, or what takes longer, is told under its name.
    if (described.kind === "chains") return [head, h("p", { class: "soft" }, "Chains are solved in normal play only.")];
    return [head, problem(error), command("solve", argument(game), playFlag(play))];
  }
  const { report, text, milliseconds } = found;
  return [head, h("p", {}, text.split("\n")[0]), badge({ proved: report.proved, theorem: report.form, conjectured: "not proved", file: { ask: "file", game, play }, name: `${game}-strategy` }),
    h("p", { class: "soft small" }, `solved in ${(milliseconds / 1000).toFixed(2)} s in this page`),
    command("solve", argument(game), playFlag(play), "-o strategy.json")];
}

async function chains({ game, link }) {
  const { report } = await long({ ask: "chains", game, value: 0 });
  return [h("div", { class: "heading" }, h("h2", {}, "P-positions"), h("a", { href: link("posets") }, "f(m)")),
    h("p", {}, `n = f(m) is ${report.kind}${report.period ? `, with period ${report.period} from m = ${report.preperiod} on` : ""}.`),
    badge({ proved: report.proved, theorem: "chains", conjectured: "not proved", file: { ask: "file", game }, name: `${game}-chains` }),
    command("chains", argument(game))];
}

/** The picture that the command draws. It is read as an image, so nothing in it can run. */
async function drawn({ game, play }) {
  const { text } = await long({ ask: "plot", game, play, seconds: 10 });
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  return [h("h2", {}, "Picture"), h("img", { class: "drawn", src: url, alt: `A picture of ${game.split("\n")[0]}` }), command("plot", argument(game), playFlag(play), "-o picture.svg")];
}

/** Strategies that are kept for a heap game, and those of misère play that hold for all heaps. */
const storedOf = async ({ game, described }) => (described.kind === "heap" ? (await kept()).filter((row) => row.game === (described.code ?? game)) : []);
const wholeOf = async (context) => (await storedOf(context)).filter((row) => row.play === "misere" && row.heaps === null);

/** Strategies that take too long to be found here, or are no quotients: their certificates are kept, and checked here. */
function stored({ game, described }) {
  const place = h("div", { class: "stack", id: "kept" });
  part(place, async () => {
    const mine = await storedOf({ game, described });
    return mine.map((row) => h("section", { class: "card" }, h("h2", {}, "Kept result"), h("p", {}, told(row)),
      command(...finding(row, argument(game)), "-o strategy.json"),
      badge({ kept: () => certificate(row.file), name: row.file.replace(/\.certificate$/, "") })));
  });
  return place;
}

/** What a kept strategy is about. */
function told({ play, heaps, form, preperiod, period }) {
  if (play === "normal") return `Normal play: preperiod ${preperiod.toLocaleString("en")}, period ${period.toLocaleString("en")}. The checker computes ${form === "nim-period" ? "the values once more" : "with a list of them"}, which takes a while.`;
  if (heaps !== null) return `Misère play of heaps up to ${heaps}: too long to be found in a page, so its certificate is kept. The checker takes a while too.`;
  return `Misère play of all heaps, ${{ ranks: "by an automaton that reads a sum from its largest heaps down", counters: "by a monoid and counters: the quotient is infinite" }[form] ?? "by weights of heaps"}.`;
}

/** What was printed and is wrong, and what is open, with the limit that stopped us. */
function printed({ game, described }) {
  const place = h("div", { class: "stack", id: "notes" });
  part(place, async () => {
    const { errors, open, known } = await notes([...new Set([game, described.known?.name, described.code].filter(Boolean))]);
    return [
      known.length > 0 && h("section", { class: "card" }, h("h2", {}, "Proved by a longer run"), known.map(({ what, command: line }) => h("div", { class: "stack tight" }, h("p", {}, what), command(line.replace(/^impartial /, ""))))),
      errors.length > 0 && h("section", { class: "card" }, h("h2", {}, "Published errors"), errors.map(({ where, what, command: line }) => h("div", { class: "stack tight" }, h("p", {}, what), h("p", { class: "soft small" }, where), line && command(line.replace(/^impartial /, ""))))),
      open.length > 0 && h("section", { class: "card" }, h("h2", {}, "Open"), open.map(({ what, limit, command: line }) => h("div", { class: "stack tight" }, h("p", {}, what), h("p", { class: "soft small" }, `What stopped us: ${limit}.`), line && command(line.replace(/^impartial /, "")))))];
  });
  return place;
}

/** What the censuses say of a heap game, beyond what is computed here. */
function census({ game, described }) {
  if (described.kind !== "heap") return null;
  const place = h("section", { class: "card", id: "census" });
  const more = () => h("p", {}, h("a", { href: "#/index" }, "Index"), " · ", h("a", { href: "#/open" }, "Open games"));
  part(place, async () => {
    const of = ({ game: other }) => other === (described.code ?? game);
    const rows = (await survey()).filter(of);
    const sequences = (await periods()).filter(of);
    const normal = sequences.map((row) => [facts([
      ["normal play", row.period ? `period ${row.period.toLocaleString("en")} from heap ${row.preperiod.toLocaleString("en")} on` : "the survey found no period"],
      ["heaps", row.period ? "all" : `up to ${row.heaps.toLocaleString("en")} in the survey`], ["largest value", String(row.largest)],
      ["rare heaps", row.rare ? `${row.rare}, the last one ${row.last_rare.toLocaleString("en")}` : undefined],
      ["same values", row.same === row.game ? undefined : h("a", { href: address(row.same) }, `${row.same}, after zeros`)],
    ]), row.certificate && badge({ kept: () => certificate(row.certificate), name: `${row.same}-values` })]);
    if (rows.length === 0 && normal.length === 0) return [h("h2", {}, "Census"), h("p", { class: "soft" }, "The censuses of this page do not have this game."), more()];
    if (rows.length === 0) return [h("h2", {}, "Census"), normal, more()];
    return [h("h2", {}, "Census"), normal, rows.map((row) => facts([
      ["misère play", grows(row) ? `solved by ${row.status}` : state(row)], ["order", grows(row) ? "grows with the heaps" : row.order && String(row.order)], ["P-portion", !grows(row) && row.p_portion ? String(row.p_portion) : undefined],
      ["heaps", isWhole(row) ? "all" : `up to ${row.heaps} in the survey`], ["period", row.period && `${row.period} from heap ${row.preperiod} on`], ["taken from its first cousin", row.cousin],
    ])), rows.filter((row) => row.certificate).map((row) => badge({ kept: () => certificate(row.certificate), name: `${row.game}-misere` })),
    h("p", { class: "soft small" }, grows(rows[0]) ? "The quotients of a survey grew; the strategy for all heaps is no quotient." : `Found by a survey with ${rows[0].seconds} s for a game; the view Misère finds it again here.`),
    more()];
  });
  return place;
}
