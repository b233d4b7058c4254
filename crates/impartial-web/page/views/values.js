// Grundy values of single heaps: plot, table, period, and why a heap has its value.
import { h, show, clamp, counted } from "../dom.js";
import { long, quick } from "../engine.js";
import { argument, badge, command, facts, headings, part, problem } from "../parts.js";
import { scatter } from "../plot.js";

const MOST = 5000;

/** An entry of the legend. */
const key = (name, text) => h("span", {}, h("span", { class: `key ${name}` }), " ", text);

/** The heaps before the period whose values do not fit into it. */
function exceptions(values, { preperiod, period, saltus }) {
  const found = new Set();
  for (let n = 0; n < preperiod; n++) {
    const turns = Math.ceil((preperiod - n) / period);
    const fitting = values[n + turns * period];
    if (fitting !== undefined && fitting - turns * saltus !== values[n]) found.add(n);
  }
  return found;
}

export async function view({ game, play, parameters, note, link }) {
  if (play === "misere") {
    return h("div", { class: "stack" }, h("p", {}, "Grundy values belong to normal play. In misère play the ", h("a", { href: link("misere") }, "quotient"), " takes their place."),
      h("p", {}, h("a", { href: link("values", { play: "normal" }) }, "The values of normal play")), command("quotient", argument(game), "--play misere"));
  }
  const to = h("input", { type: "range", min: 20, max: MOST, value: clamp(Number(parameters.to ?? 120), 20, MOST), id: "to", "aria-label": "The last heap" });
  const number = h("output", { for: "to", class: "mono" }, to.value);
  const picture = h("div", { class: "card" });
  const period = h("div", { class: "card", id: "period" });
  const list = h("div", { class: "card" });
  const detail = h("div", { class: "card", id: "detail" }, h("p", { class: "soft" }, "Choose a heap: its options and the mex of their values are shown here."));
  const line = h("div", {});
  let found = null;
  let values = [];
  let turn = 0;
  let picked = null;

  async function pick(n) {
    picked = n;
    tell();
    await part(detail, async () => {
      const { report } = await quick({ ask: "table", game, position: String(n), outcomes: false, play: "normal" });
      const rows = [];
      for (const { to: option } of report.moves.slice(0, 200)) {
        const sizes = option.split("+").map(Number).filter((size) => size > 0);
        const value = sizes.reduce((sum, size) => sum ^ (values[size] ?? 0), 0);
        rows.push({ option, sizes, value });
      }
      const set = [...new Set(rows.map(({ value }) => value))].sort((a, b) => a - b);
      let mex = 0;
      while (set.includes(mex)) mex++;
      return [h("h2", {}, `Heap ${n} has value ${values[n] ?? mex}`),
        h("p", {}, rows.length === 0 ? "There is no move." : `The options have the values ${set.join(", ")}; the least number that is missing is ${mex}.`),
        h("div", { class: "scroll" }, h("table", {}, headings("option", ["value"]),
          h("tbody", {}, rows.map(({ option, sizes, value }) => h("tr", { data: { lit: (sizes.length ? sizes : [0]).map((size) => `heap:${size}`).join("\n") } }, h("td", { class: "mono" }, option), h("td", { class: "number" }, `${sizes.length > 1 ? `${sizes.map((size) => values[size] ?? "?").join(" ⊕ ")} = ` : ""}${value}`)))))),
        report.count > 200 && h("p", { class: "soft small" }, `${report.count - 200} more options`)];
    });
  }

  function draw() {
    const odd = found?.proved && values.length > found.preperiod ? exceptions(values, found) : new Set();
    show(picture, scatter({
      points: values.map((value, n) => [n, value]),
      xLabel: "heap n",
      yLabel: "g(n)",
      label: `Grundy values of heaps 0 to ${values.length - 1}`,
      key: (n) => `heap:${n}`,
      pick,
      mark: (n, value) => [value === 0 ? "P" : "N", odd.has(n) ? "exception" : ""].join(" "),
      shade: found?.proved ? { from: found.preperiod, length: found.period } : null,
    }), h("p", { class: "small soft legend" }, key("P", "value 0: P-positions"), key("N", "others"), found?.proved && key("band", "one period a band"),
      odd.size > 0 && key("exception", `${counted(odd.size, "exceptional heap")} before the period`)));
    const width = found?.proved && found.period <= 16 ? found.period : 12;
    const rows = [];
    for (let n = 0; n < values.length; n += width) rows.push(n);
    show(list, h("h2", {}, "Table"), h("div", { class: "scroll" }, h("table", { class: "values" },
      headings("n", ...Array.from({ length: width }, (_, i) => [`+${i}`])),
      h("tbody", {}, rows.map((n) => h("tr", {}, h("th", { scope: "row" }, String(n)), values.slice(n, n + width).map((value, i) => h("td", { class: `number ${value === 0 ? "P" : ""} ${odd.has(n + i) ? "exception" : ""}` },
        h("button", { type: "button", class: "cell", "aria-label": `heap ${n + i} has value ${value}`, onclick: () => pick(n + i), data: { lit: `heap:${n + i}` } }, String(value))))))))));
  }

  const tell = () => note({ to: to.value, heap: picked });

  async function compute() {
    const mine = ++turn;
    number.textContent = to.value;
    tell();
    show(line, command("values", argument(game), `--to ${to.value}`));
    try {
      const { report } = await long({ ask: "values", game, play: "normal", to: Number(to.value) });
      if (mine !== turn) return;
      values = report.values;
      draw();
    } catch (error) {
      if (mine === turn) show(picture, problem(error));
    }
  }

  async function repeat() {
    await part(period, async () => {
      const { report } = await long({ ask: "period", game, play: "normal", to: 10000, seconds: 10 });
      found = report.proved === true ? report : null;
      if (values.length) draw();
      const looks = report.period !== null && report.period !== undefined;
      return [h("h2", {}, "Does it repeat?"),
        facts(looks ? [["preperiod", String(report.preperiod)], ["period", String(report.period)], ["saltus", String(report.saltus)], ["largest value", `${report.max_value} up to heap ${report.checked_to}`]] : [["checked to", `heap ${report.checked_to}`], ["largest value", String(report.max_value)]]),
        h("p", {}, badge({ proved: report.proved, theorem: report.theorem, ...(looks ? { conjectured: `the values of heaps 0 to ${report.checked_to} look like it; no proof` } : { computed: `to heap ${report.checked_to}; no period is proved` }), file: { ask: "file", game, play: "normal" }, name: `${game}-values` })),
        command("period", argument(game), "--to 10000")];
    });
  }

  let timer = 0;
  to.addEventListener("input", () => {
    number.textContent = to.value;
    clearTimeout(timer);
    timer = setTimeout(compute, 120);
  });
  const asked = Number(parameters.heap);
  compute().then(repeat).then(() => parameters.heap && Number.isInteger(asked) && asked >= 0 && asked <= Number(to.value) && pick(asked));
  return h("div", { class: "columns" },
    h("div", { class: "stack" }, h("div", { class: "row slider" }, h("label", { for: "to" }, "Heaps 0 to ", number), to), picture, line, list),
    h("div", { class: "stack" }, period, detail));
}
