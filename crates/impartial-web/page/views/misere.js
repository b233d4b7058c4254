// Misère play: the quotient, how it grows, its elements, and which sums are congruent.
import { counted, h, onKey, s, show } from "../dom.js";
import { long } from "../engine.js";
import { note } from "../route.js";
import { argument, badge, command, facts, part, problem, quoted, reason } from "../parts.js";
import { room, steps } from "../plot.js";

const DRAWN = 120;

export async function view({ game, play, asked, described, parameters }) {
  const heap = described.kind === "heap";
  const own = heap ? "misere" : play;
  const bound = h("input", { type: "number", min: 1, max: 200, value: parameters.heap ?? "", placeholder: "all", id: "heap" });
  const found = h("div", { class: "stack", id: "quotient" });
  const line = h("div", {});

  const question = () => ({ game, play: own, ...(heap && bound.value && { max_heap: Number(bound.value) }) });

  async function compute() {
    note(game, { play: asked, view: "misere", heap: bound.value });
    show(line, command("quotient", argument(game), own === "misere" && "--play misere", heap && bound.value && `--max-heap ${bound.value}`));
    show(found, h("p", { class: "soft" }, "Looking for the quotient …"));
    await part(found, async () => {
      const { report, text, stopped, milliseconds } = await long({ ask: "quotient", ...question() });
      const order = report.order === null ? "unknown" : String(report.order);
      const kind = report.tame === undefined ? "" : report.tame ? "tame" : "wild";
      return [
        h("section", { class: "card" },
          h("div", { class: "heading" }, h("h2", {}, order === "infinite" ? "An infinite quotient" : report.form === "counters" ? "Outcomes by counters" : `Quotient of order ${order}`), kind && h("span", { class: kind === "wild" ? "N" : "P" }, kind)),
          badge({ proved: report.proved, theorem: report.form, conjectured: "the relations hold, but there may be more", file: { ask: "file", ...question(), ...(!heap && { form: report.form }) }, name: `${game}-misere` }),
          stopped && h("p", { class: "message stopped" }, `Stopped: ${reason(stopped)}. What is shown holds for the heaps that were reached.`),
          facts([
            ["heaps", report.max_heap === null || report.max_heap === undefined ? (heap ? "all" : "") : `up to ${report.max_heap}`],
            ["order", order === "unknown" ? order : undefined],
            ["P-portion", order === "unknown" ? undefined : report.p_portion === null ? "unknown" : String(report.p_portion)],
            ["generators", list(report.generator_heaps ? Object.entries(report.generator_heaps).map(([name, size]) => `${name} = heap ${size}`) : Object.entries(report.generator_positions ?? {}).map(([name, at]) => `${name} = ${at}`))],
            ["relations", list((report.relations ?? []).map(pretty))],
            ["idempotents", report.idempotents && list(report.idempotents.map(pretty))],
            ["kernel", report.kernel && counted(report.kernel.length, "element")],
            ["pretending function", report.period && `period ${report.period} from heap ${report.preperiod} on`],
            ["first cousins", list(report.cousins ?? [])],
            ["found in", `${(milliseconds / 1000).toFixed(2)} s`],
          ])),
        report.orders?.length > 1 && growth(report),
        report.elements?.length <= DRAWN && elements(report),
        !report.elements && h("pre", { class: "card" }, text)];
    });
  }

  /** How the order grows with the largest heap, and where the game becomes wild. */
  function growth(report) {
    const told = h("p", { class: "small soft", id: "wild" });
    const drawing = h("div", {});
    const points = report.orders.map(([size, order]) => [size, order]);
    show(drawing, steps({ points, xLabel: "largest heap n", yLabel: "order of Q(n)" }));
    // The first step whose quotient is wild: few steps, so each is asked for.
    if (heap && report.tame === false) (async () => {
      try {
        for (const [size] of points) {
          const { report: small } = await long({ ask: "quotient", game, play: own, max_heap: size });
          if (small.tame === false) {
            show(told, `tame up to heap ${size - 1}; heap ${size} is the first wild one`);
            show(drawing, steps({ points, xLabel: "largest heap n", yLabel: "order of Q(n)", mark: (n) => (n >= size ? "wild" : "tame") }));
            return;
          }
        }
      } catch {
        show(told, "The first wild heap was not looked for to the end.");
      }
    })();
    return h("section", { class: "card" }, h("h2", {}, "How it grows"), drawing, told);
  }

  /** The elements on a circle, by component; P filled; multiplication by a generator as lines. */
  function elements(report) {
    const n = report.elements.length;
    const p = new Set(report.p);
    const names = Object.keys(report.cayley.generators);
    const order = (report.components ?? [report.elements]).flat().map((word) => report.elements.indexOf(word));
    const angle = new Map(order.map((x, i) => [x, (i / n) * 2 * Math.PI - Math.PI / 2]));
    // Drawn as wide as it is shown on a phone, so that letters keep their size; crowded elements are shown by their titles.
    const R = Math.min(230, room() / 2 - 24);
    const middle = R + 24;
    const at = (x) => [middle + R * Math.cos(angle.get(x)), middle + R * Math.sin(angle.get(x))];
    const heaps = new Map();
    for (const [size, word] of Object.entries(report.pretending)) heaps.set(word, [...(heaps.get(word) ?? []), Number(size)].sort((a, b) => a - b));
    const told = h("p", { role: "status", id: "element" }, "Choose an element: the heaps that have it are shown.");
    const lines = names.flatMap((name, g) => report.cayley.generators[name].map((y, x) => {
      if (x === y) return null;
      const [[x1, y1], [x2, y2]] = [at(x), at(y)];
      const line = s("line", { x1, y1, x2, y2, data: { lit: `generator:${name}` } });
      line.style.stroke = `var(--s${(g % 8) + 1})`;
      line.style.strokeOpacity = n > 40 ? "0.25" : "0.45";
      return line;
    })).filter(Boolean);
    const radius = Math.min(18, Math.max(5, (0.86 * Math.PI * R) / n));
    const nodes = report.elements.map((word, x) => {
      const [cx, cy] = at(x);
      const node = s("g", { class: `element ${p.has(word) ? "P" : ""}`, tabindex: 0, role: "button", "aria-label": `${word}${p.has(word) ? ", a P-position" : ""}`, data: { lit: `element:${word}` } }, s("circle", { cx, cy, r: radius }), radius > 10 && s("text", { x: cx, y: cy + 4, "text-anchor": "middle" }, pretty(word)), s("title", {}, pretty(word)));
      const choose = () => {
        nodes.forEach((other) => other.classList.toggle("chosen", other === node));
        const sizes = heaps.get(word) ?? [];
        show(told, h("strong", {}, pretty(word)), p.has(word) ? " is a P-position. " : " is an N-position. ", sizes.length === 0 ? "No single heap has it." : `Heaps ${sizes.slice(0, 30).join(", ")}${sizes.length > 30 ? " …" : ""} have it.`);
        for (const chip of document.querySelectorAll(".pretending .word")) chip.classList.toggle("chosen", chip.dataset.word === word);
      };
      node.addEventListener("click", choose);
      onKey(node, choose);
      return node;
    });
    const words = Object.entries(report.pretending).sort((a, b) => a[0] - b[0]).slice(0, 200);
    return [h("section", { class: "card" }, h("h2", {}, "Elements"),
      h("p", { class: "small soft legend" }, h("span", { class: "key P" }), `P-positions; lines multiply by `, names.map((name, g) => {
        const label = h("span", { class: "word", data: { lit: `generator:${name}` } }, pretty(name));
        label.style.color = `var(--s${(g % 8) + 1})`;
        return [label, " "];
      })),
      s("svg", { viewBox: `0 0 ${2 * middle} ${2 * middle}`, class: "cayley", role: "group", "aria-label": "Cayley graph" }, lines, nodes), told),
    h("section", { class: "card" }, h("h2", {}, "Pretending function"), h("p", { class: "small soft" }, "The element of each heap; P filled."),
      h("div", { class: "words pretending" }, words.map(([size, word]) => h("span", { class: `word ${p.has(word) ? "P" : ""}`, data: { lit: `element:${word}`, word } }, h("b", {}, size), pretty(word)))))];
  }

  const form = h("form", { class: "row end" }, heap && h("label", { class: "field" }, "Heaps up to", bound), h("button", { type: "submit" }, "Compute"), line);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    compute();
  });
  compute();
  return h("div", { class: "columns" }, h("div", { class: "stack" }, form, found),
    h("div", { class: "stack" }, calculator(game, own, question, described)));
}

const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** `b^4=a*b^2` as b⁴ = ab². */
const pretty = (word) => String(word).replaceAll("=", " = ").replaceAll("*", "").replace(/\^(\d+)/g, (_, digits) => [...digits].map((d) => SUPER[d]).join(""));
const list = (items) => (items.length === 0 ? "" : h("span", { class: "words" }, items.slice(0, 60).map((item) => h("span", { class: "word" }, item)), items.length > 60 && `… ${items.length} in all`));

/** Two sums: congruent, or the sum that tells them apart. */
function calculator(game, play, question, described) {
  const heap = described.kind === "heap";
  const [p, q] = [heap ? "1+1" : described.start ?? "", heap ? "2" : described.start ?? ""].map((value, i) => h("input", { type: "text", value, "aria-label": `${i ? "second" : "first"} sum`, id: i ? "q" : "p" }));
  const told = h("div", { role: "status", id: "congruent" });
  const form = h("form", { class: "row" }, p, h("span", {}, "and"), q, h("button", { type: "submit" }, "Congruent?"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const asking = question();
      const { report, text } = await long({ ask: "congruent", ...asking, position: p.value, other: q.value });
      show(told, h("p", {}, h("strong", {}, report.congruent ? "Congruent." : "Not congruent."), ` ${text}`),
        command("congruent", argument(game), quoted(p.value), quoted(q.value), play === "misere" && "--play misere", asking.max_heap && `--max-heap ${asking.max_heap}`));
    } catch (error) {
      show(told, problem(error));
    }
  });
  return h("section", { class: "card" }, h("h2", {}, "Which sums are the same?"), h("p", { class: "soft small" }, "Congruent sums have the same outcome with anything added."), form, told);
}
