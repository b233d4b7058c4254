// The index: the catalogue, and the census, searched by what is known of the games.
import { h, show } from "../dom.js";
import { address } from "../route.js";
import { certificate, chomp, kept, periods, survey } from "../data.js";
import { badge, command, headings } from "../parts.js";
import { card } from "./home.js";

export async function view({ games, parameters }) {
  const all = await games();
  const [census, sequences, boards, strategies] = await Promise.all([survey(), periods(), chomp(), kept()]);
  // A strategy for long fixed rows has one for every shorter board in it.
  const tables = strategies.filter(({ game }) => game.startsWith("chomp-chains:"));
  const words = h("input", { type: "text", id: "search", value: parameters.q ?? "", placeholder: "name, rule, source", "aria-label": "Search" });
  const kind = select("kind", ["", "heap", "lattice", "poset", "chains", "wythoff"], parameters.kind);
  const cards = h("ul", { class: "cards" });
  const count = h("p", { class: "soft", role: "status", id: "count" });
  const tame = select("tame", ["", "tame", "wild", "weights", "ranks", "infinite", "open"], parameters.tame);
  const least = h("input", { type: "number", min: 1, value: parameters.order ?? "", id: "order", placeholder: "any" });
  const period = h("input", { type: "number", min: 1, value: parameters.period ?? "", id: "period-field", placeholder: "any" });
  const repeats = select("repeats", ["", "periodic", "open"], parameters.repeats);
  const table = h("div", { class: "wide-table" });
  const bars = h("div", { class: "wide-table", id: "chomp-table" });
  const normal = h("div", { class: "wide-table", id: "octal-table" });
  // Long periods were found one by one, and are in the same table as those of the census.
  const found = strategies.filter(({ play, period }) => play === "normal" && period);
  const listed = [...sequences.filter(({ game }) => !found.some((row) => row.game === game)), ...found].sort((a, b) => a.game.localeCompare(b.game));

  function draw() {
    const wanted = words.value.toLowerCase();
    const found = all.filter((game) => (!kind.value || game.kind === kind.value) && [game.name, game.title, game.words, game.source, game.rules, ...game.aliases].join(" ").toLowerCase().includes(wanted));
    show(count, `${found.length} of ${all.length} games`);
    show(cards, found.map(card));
    const isHeap = !kind.value || kind.value === "heap";
    const rows = census.filter((row) => isHeap && (!wanted || row.game.includes(wanted)) && (!tame.value || state(row) === tame.value) && (!least.value || row.order === Number(least.value)) && (!period.value || row.period === Number(period.value)));
    show(table, h("p", { class: "soft", id: "census-count" }, `${rows.length} of ${census.length} games`), h("div", { class: "scroll" }, h("table", {}, headings("game", "misère play", ["order"], ["P-portion"], ["period"], ["heaps"]),
      h("tbody", {}, rows.slice(0, 600).map((row) => h("tr", {}, h("td", {}, h("a", { href: address(row.game, { play: "misere" }) }, row.game)), h("td", { class: state(row) === "open" ? "N" : "" }, state(row)), [grows(row) ? "grows" : row.order ?? (row.status === "infinite" ? "∞" : ""), grows(row) ? "" : row.p_portion, row.period, isWhole(row) ? "all" : `up to ${row.heaps}`].map((entry) => h("td", { class: "number" }, entry === null || entry === undefined ? "" : String(entry)))))))));
    const repeating = listed.filter((row) => (!wanted || row.game.includes(wanted)) && isHeap && (!repeats.value || (repeats.value === "open") === !row.period) && (!period.value || row.period === Number(period.value)));
    show(normal, h("p", { class: "soft", id: "octal-count" }, `${repeating.length} of ${listed.length} games`), h("div", { class: "scroll" }, h("table", {}, headings("game", ["preperiod"], ["period"], ["largest value"], ["heaps computed"]),
      h("tbody", {}, repeating.slice(0, 600).map((row) => h("tr", {}, h("td", {}, h("a", { href: address(row.game) }, row.game)), [row.preperiod, row.period ?? "open", row.largest, row.heaps].map((entry) => h("td", { class: "number" }, typeof entry === "number" ? entry.toLocaleString("en") : entry ?? ""))))))));
    const fitting = boards.filter((row) => (!wanted || `chomp-chains:${row.rows}`.includes(wanted)) && (!kind.value || kind.value === "chains") && (!period.value || row.period === Number(period.value)));
    show(bars, h("p", { class: "soft", id: "chomp-count" }, `${fitting.length} of ${boards.length} boards`), h("div", { class: "scroll" }, h("table", {}, headings("fixed rows", ["value"], "f", ["preperiod"], ["period"], "f(m) − m in one period"),
      h("tbody", {}, fitting.slice(0, 600).map((row) => h("tr", {}, h("td", {}, h("a", { href: address(`chomp-chains:${row.rows}`, { view: "posets", value: row.value || undefined }) }, row.rows)), h("td", { class: "number" }, String(row.value)), h("td", {}, row.kind), [row.preperiod, row.period].map((entry) => h("td", { class: "number" }, entry === null ? "" : String(entry))), h("td", { class: "mono small" }, row.offsets.length > 12 ? `${row.offsets.slice(0, 12).join(" ")} …` : row.offsets.join(" "))))))));
  }
  const controls = { q: words, kind, tame, order: least, period, repeats };
  for (const control of Object.values(controls)) {
    control.addEventListener("input", () => {
      draw();
      // What is searched for is in the address.
      const asked = new URLSearchParams(Object.entries(controls).flatMap(([name, { value }]) => (value ? [[name, value]] : []))).toString();
      history.replaceState(null, "", `#/index${asked && `?${asked}`}`);
    });
  }
  draw();
  return h("div", { class: "stack wide" },
    h("section", { class: "stack" }, h("h1", {}, "Index"), h("div", { class: "filters" }, h("label", { class: "field" }, "Search", words), h("label", { class: "field" }, "Kind", kind)), count, cards),
    h("section", { class: "stack" }, h("h2", {}, "Misère census of octal games"), h("p", { class: "soft" }, "Quotients found by a survey with a limit for each game; those that stopped are open here."),
      h("div", { class: "filters" }, h("label", { class: "field" }, "State", tame), h("label", { class: "field" }, "Order", least), h("label", { class: "field" }, "Period", period)), table, command("survey misere --digits 3 --odd --per-game 1500ms -o census.sqlite")),
    h("section", { class: "stack" }, h("h2", {}, "Periods of octal games"), h("p", { class: "soft" }, "Grundy values in normal play, as a survey found and proved them, with long periods that were found one by one. The search and the period above choose here too."),
      h("div", { class: "filters" }, h("label", { class: "field" }, "Values", repeats)), normal, command("survey octal --digits 3 --to 450000000 --per-game 1s -o census.sqlite")),
    h("section", { class: "stack" }, h("h2", {}, "Chomp with two free rows"), h("p", { class: "soft" }, "n = f(m) gives the P-positions (or those of a Grundy value) above fixed rows; every row is proved. The search and the period above choose here too."),
      h("div", { class: "stack", id: "chomp-certificates" }, tables.map(({ game, file }) => h("div", { class: "stack tight" }, h("p", {}, `All boards within ${game.replace("chomp-chains:", "")}, in one strategy:`), badge({ kept: () => certificate(file), name: game })))), bars, command("survey chomp --to 60 -o census.sqlite")));
}

/** Tame or wild for all heaps, solved for all heaps by weights or by ranks, infinite from some heap on, or open when the run stopped before. */
export const state = (row) => (["tame", "wild", "infinite", "weights", "ranks"].includes(row.status) ? row.status : "open");

/** Whether the row is about heaps of every size: a quotient that is infinite already is not the whole. */
export const isWhole = (row) => ["tame", "wild"].includes(row.status) || grows(row) || (row.status === "infinite" && Boolean(row.period));

/** Whether the quotients of more and more heaps were seen to grow while a strategy holds for all heaps. */
export const grows = (row) => ["weights", "ranks"].includes(row.status);

const select = (id, options, chosen) => h("select", { id }, options.map((value) => h("option", { value, selected: value === chosen }, value || "any")));
