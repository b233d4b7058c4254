// What is open: games whose run stopped, with the growth of what was tried.
import { h, s } from "../dom.js";
import { address } from "../route.js";
import { certificate, families, finding, kept, periods, proved, questions, survey } from "../data.js";
import { badge, command, headings } from "../parts.js";
import { isWhole } from "./index.js";

export async function view() {
  const rows = (await survey()).filter((row) => !isWhole(row));
  const [asked, whole, strategies, sequences, longer] = await Promise.all([questions(), families(), kept(), periods(), proved()]);
  // Strategies for heaps up to a size, of games that are open beyond.
  const partial = strategies.filter(({ play, heaps }) => play === "misere" && heaps !== null);
  const settled = new Set([...longer, ...strategies.filter(({ play }) => play === "normal").map(({ game }) => game)]);
  const stopped = sequences.filter(({ game, same, period }) => !period && same === game && !settled.has(game)).sort((a, b) => b.heaps - a.heaps);
  return h("div", { class: "stack" }, h("h1", {}, "Open questions"),
    h("section", { class: "stack" }, h("h2", {}, "Asked by name"), h("ul", { class: "questions" }, asked.map(([game, { what, limit, command: line }]) => h("li", {}, h("p", {}, h("a", { href: address(game) }, game), `: ${what} `, h("span", { class: "soft small" }, `What stopped us: ${limit}.`)), line && command(line.replace(/^impartial /, "")))))),
    h("section", { class: "stack", id: "families" }, h("h2", {}, "Solved as families"), h("ul", { class: "questions" }, whole.map(({ what, command: line }) => h("li", {}, h("p", {}, what), command(line.replace(/^impartial /, "")))))),
    h("section", { class: "stack", id: "partial" }, h("h2", {}, "Solved in part"), partial.map((row) => h("div", { class: "stack tight" }, h("p", {}, h("a", { href: address(row.game, { play: "misere" }) }, row.game), `: misère play of all sums of heaps up to ${row.heaps}; larger heaps are open.`), badge({ kept: () => certificate(row.file), name: row.file.replace(/\.certificate$/, "") }), command(...finding(row, row.game), "-o strategy.json")))),
    h("h2", {}, "Misère play of octal games"),
    h("p", {}, "For these games the survey found no strategy for all heaps in misère play within its limits. The quotients that it reached are shown; nothing is claimed beyond them. More time, or an idea, might settle them."),
    h("p", { class: "soft" }, `${rows.length} games. The survey gave ${[...new Set(rows.map(({ seconds }) => seconds))].sort((a, b) => a - b).map((n) => `${n} s`).join(" or ")} of processor time to each; "Census" on the page of a game has the certificate of what was reached.`),
    command("survey misere --digits 3 --odd --per-game 1500ms -o census.sqlite"),
    h("div", { class: "wide-table" }, h("table", { class: "open" }, headings("game", ["heaps reached"], ["order there"], "growth of the order", "why it stopped"),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("td", {}, h("a", { href: address(row.game, { play: "misere" }) }, row.game)), h("td", { class: "number" }, String(row.heaps)), h("td", { class: "number" }, row.status === "infinite" ? "∞" : String(row.order ?? "")), h("td", {}, row.changes.length > 0 && spark(row)), h("td", { class: "small soft" }, WHY[row.status] ?? WHY.limit)))))),
    h("h2", {}, "Periods of octal games"),
    h("p", {}, "The Grundy values of these games were computed to the heap that is named, and no period was proved. Rare heaps are those whose values lie outside of a sparse space of values; if no more come after the last one, the values become periodic (Berlekamp, Conway and Guy)."),
    command("survey octal --digits 3 --to 450000000 --per-game 1s -o census.sqlite"),
    h("div", { class: "wide-table" }, h("table", { class: "stopped" }, headings("game", ["heaps computed"], ["largest value"], ["rare heaps"], ["the last of them"]),
      h("tbody", {}, stopped.map((row) => h("tr", {}, h("td", {}, h("a", { href: address(row.game) }, row.game)), [row.heaps, row.largest, row.rare, row.last_rare].map((entry) => h("td", { class: "number" }, entry?.toLocaleString("en") ?? "–"))))))));
}

/** What ended the run. */
const WHY = { growing: "it kept growing", infinite: "it is infinite", limit: "out of time" };

/** The order against the largest heap, small, in a logarithmic scale. */
function spark({ changes, heaps }) {
  const [width, height] = [180, 34];
  const most = Math.log(Math.max(2, ...changes.map(([, order]) => order)));
  const x = (n) => (n / Math.max(1, heaps)) * width;
  const y = (order) => height - 3 - (Math.log(order) / most) * (height - 6);
  const path = changes.map(([heap, order], i) => (i ? `H${x(heap)}V${y(order)}` : `M${x(heap)} ${y(order)}`)).join("");
  return s("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "plot spark", role: "img", "aria-label": `orders ${changes.map(([, order]) => order).join(", ")}` }, s("path", { d: `${path}H${width}`, class: "stairs" }));
}
