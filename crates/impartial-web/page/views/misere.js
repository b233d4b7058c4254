// Misère play: the quotient, how it grows, its elements, and which sums are congruent.
import { clamp, counted, h, onKey, s, show } from "../dom.js";
import { long } from "../engine.js";
import { argument, badge, by, command, facts, part, problem, quoted, reason } from "../parts.js";
import { room, steps } from "../plot.js";

const DRAWN = 120;

export async function view({ game, play, described, parameters, note }) {
  const heap = described.kind === "heap";
  const own = heap ? "misere" : play;
  const bound = h("input", { type: "number", min: 1, max: 200, value: parameters.heap ?? "", placeholder: "all", id: "heap" });
  const found = h("div", { class: "stack", id: "quotient" });
  const beside = h("div", { class: "stack" });
  const line = h("div", {});

  const question = () => ({ game, play: own, ...(heap && bound.value && { max_heap: Number(bound.value) }) });

  async function compute() {
    if (bound.value) bound.value = clamp(Math.floor(Number(bound.value)), 1, 1_000_000);
    note({ heap: bound.value });
    show(line, command("quotient", argument(game), own === "misere" && "--play misere", heap && bound.value && `--max-heap ${bound.value}`));
    show(found, h("p", { class: "soft" }, "Looking for the quotient …"));
    show(beside);
    await part(found, async () => {
      const { report, text, stopped, milliseconds } = await long({ ask: "quotient", ...question() });
      const order = report.order === null ? "unknown" : String(report.order);
      show(beside, report.orders?.length > 1 && growth(report), report.elements?.length > 0 && pretending(report));
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
            ["generators", list(report.generator_heaps ? Object.entries(report.generator_heaps).map(([name, size]) => [`${name} = heap ${size}`, `generator:${name}\nheap:${size}`]) : Object.entries(report.generator_positions ?? {}).map(([name, at]) => [`${name} = ${at}`, `generator:${name}`]))],
            ["relations", list((report.relations ?? []).map(pretty))],
            ["idempotents", report.idempotents && list(report.idempotents.map((word) => [pretty(word), `element:${word}`]))],
            ["kernel", report.kernel && counted(report.kernel.length, "element")],
            ["pretending function", report.period && `period ${report.period} from heap ${report.preperiod} on`],
            ["first cousins", list(report.cousins ?? [])],
            ["found in", `${(milliseconds / 1000).toFixed(2)} s`],
          ])),
        report.elements?.length > 0 && elements(report),
        !report.elements && !report.relations && h("pre", { class: "card" }, text)];
    });
  }

  /** How the order grows with the largest heap, and where the game becomes wild. */
  function growth(report) {
    const told = h("p", { class: "small soft", id: "wild" });
    const drawing = h("div", {});
    const draw = (mark) => show(drawing, steps({ points: report.orders, xLabel: "largest heap n", yLabel: "order of Q(n)", mark, key: (n) => `heap:${n}` }));
    draw();
    // The first step whose quotient is wild: few steps, so each is asked for.
    if (heap && report.tame === false) (async () => {
      try {
        for (const [size] of report.orders) {
          const { report: small } = await long({ ask: "quotient", game, play: own, max_heap: size });
          if (small.tame !== false) continue;
          show(told, `${size > 1 ? `Tame up to heap ${size - 1}; heap` : "Heap"} ${size} is the first wild one.`);
          draw((n) => (n >= size ? "wild" : "tame"));
          for (const chip of document.querySelectorAll(".pretending .word")) if (Number(chip.dataset.heap) === size) chip.classList.add("wild"), chip.setAttribute("title", "the first wild heap");
          return;
        }
      } catch {
        show(told, "The search for the heap at which it becomes wild did not come to an end.");
      }
    })();
    return h("section", { class: "card" }, h("h2", {}, "How it grows"), drawing, told);
  }

  /** The element of each heap. */
  function pretending(report) {
    const p = new Set(report.p);
    const words = Object.entries(report.pretending).sort((a, b) => a[0] - b[0]);
    return h("section", { class: "card" }, h("h2", {}, "Pretending function"), h("p", { class: "small soft" }, "The element of each heap; P filled."),
      h("div", { class: "words pretending" }, words.slice(0, 200).map(([size, word]) => h("span", { class: `word ${p.has(word) ? "P" : ""}`, data: { lit: `heap:${size}\nelement:${word}`, word, heap: size } }, h("b", {}, size), pretty(word)))),
      words.length > 200 && h("p", { class: "small soft" }, `200 of ${words.length} heaps are shown.`));
  }

  /** The elements on a circle, by component; P filled; multiplication by a generator as lines. */
  function elements(report) {
    const n = report.elements.length;
    const p = new Set(report.p);
    if (n > DRAWN) return h("p", { class: "soft" }, `The Cayley graph of ${n} elements is not drawn; the export “Graphviz” has it.`);
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
    const radius = Math.min(18, Math.max(5, (0.86 * Math.PI * R) / n));
    const lines = names.flatMap((name, g) => report.cayley.generators[name].map((y, x) => {
      if (x === y) return null;
      const [[x1, y1], [x2, y2]] = [at(x), at(y)];
      // An arrow that ends at the rim of the element.
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [u, v] = [(x2 - x1) / length, (y2 - y1) / length];
      const [tx, ty] = [x2 - radius * u, y2 - radius * v];
      const head = `M${tx} ${ty}L${tx - 7 * u - 3 * v} ${ty - 7 * v + 3 * u}L${tx - 7 * u + 3 * v} ${ty - 7 * v - 3 * u}Z`;
      const line = s("g", { data: { lit: `generator:${name}` } }, s("line", { x1, y1, x2: tx, y2: ty }), s("path", { d: head, class: "arrow" }));
      line.style.stroke = line.style.fill = `var(--s${(g % 8) + 1})`;
      line.style.opacity = n > 40 ? "0.3" : "0.6";
      return line;
    })).filter(Boolean);
    const nodes = report.elements.map((word, x) => {
      const [cx, cy] = at(x);
      const node = s("g", { class: `element ${p.has(word) ? "P" : ""}`, tabindex: 0, role: "button", "aria-label": `${word}${p.has(word) ? ", a P-position" : ""}`, data: { lit: `element:${word}` } }, s("circle", { cx, cy, r: radius }), radius > 10 && s("text", { x: cx, y: cy + 4, "text-anchor": "middle" }, pretty(word)), s("title", {}, pretty(word)));
      const choose = () => {
        nodes.forEach((other) => other.classList.toggle("chosen", other === node));
        const sizes = heaps.get(word) ?? [];
        show(told, h("strong", {}, pretty(word)), p.has(word) ? " is a P-position. " : " is an N-position. ", sizes.length === 0 ? "No single heap has it." : `${sizes.length === 1 ? "Heap" : "Heaps"} ${sizes.slice(0, 30).join(", ")}${sizes.length > 30 ? " …" : ""} ${sizes.length === 1 ? "has" : "have"} it${report.period && sizes.some((size) => size >= report.preperiod) ? `, and so on with period ${report.period}` : ""}.`);
        for (const chip of document.querySelectorAll(".pretending .word")) chip.classList.toggle("chosen", chip.dataset.word === word);
      };
      node.addEventListener("click", choose);
      onKey(node, choose);
      return node;
    });
    return [h("section", { class: "card" }, h("h2", {}, "Elements"),
      h("p", { class: "small soft legend" }, h("span", { class: "key P" }), `P-positions; lines multiply by `, names.map((name, g) => {
        const label = h("span", { class: "word", data: { lit: `generator:${name}` } }, pretty(name));
        label.style.color = `var(--s${(g % 8) + 1})`;
        return [label, " "];
      })),
      s("svg", { viewBox: `0 0 ${2 * middle} ${2 * middle}`, class: "cayley", role: "group", "aria-label": "Cayley graph" }, lines, nodes), told)];
  }

  const form = h("form", { class: "row end" }, heap && h("label", { class: "field" }, "Heaps up to", bound), h("button", { type: "submit" }, "Compute"), line);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    compute();
  });
  compute();
  return h("div", { class: "columns" }, h("div", { class: "stack" }, form, found),
    h("div", { class: "stack" }, calculator(game, own, question, described), beside));
}

const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** `b^4=a*b^2` as b⁴ = ab². */
const pretty = (word) => String(word).replaceAll("=", " = ").replaceAll("*", "").replace(/\^(\d+)/g, (_, digits) => [...digits].map((d) => SUPER[d]).join(""));
/** Words in a row, with what they light. */
const list = (items) => (items.length === 0 ? "" : h("span", { class: "words" }, items.slice(0, 60).map((item) => { const [text, lit] = [item].flat(); return h("span", { class: "word", ...(lit && { data: { lit } }) }, text); }), items.length > 60 && `… ${items.length} in all`));

/** Two sums: congruent, or the sum that tells them apart. */
function calculator(game, play, question, described) {
  const heap = described.kind === "heap";
  const [p, q] = [heap ? "1+1" : described.start ?? "", heap ? "2" : ""].map((value, i) => h("input", { type: "text", value, placeholder: described.start, "aria-label": `${i ? "second" : "first"} sum`, id: i ? "q" : "p" }));
  const told = h("div", { role: "status", id: "congruent" });
  const form = h("form", { class: "row" }, p, h("span", {}, "and"), q, h("button", { type: "submit" }, "Congruent?"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const asking = question();
      const { report, text } = await long({ ask: "congruent", ...asking, position: p.value.trim() || p.placeholder, other: q.value.trim() || q.placeholder });
      show(told, h("p", {}, h("strong", {}, report.congruent ? "Congruent." : "Not congruent."), ` ${text}`),
        report.proved === true ? badge({ proved: true }) : badge({ computed: by(report.method) }), command("congruent", argument(game), quoted(report.p), quoted(report.q), play === "misere" && "--play misere", asking.max_heap && `--max-heap ${asking.max_heap}`));
    } catch (error) {
      show(told, problem(error));
    }
  });
  return h("section", { class: "card" }, h("h2", {}, "Which sums are the same?"), h("p", { class: "soft small" }, "Congruent sums have the same outcome with anything added."), form, told);
}
