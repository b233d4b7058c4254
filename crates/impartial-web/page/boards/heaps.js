// Heaps of beans, or rows of pins. A click takes a run of them, where that is a move; the list of moves has all of them.
import { h, s } from "../dom.js";
import { onLight } from "../light.js";

const DRAWN = 60;

/** The position that is left when beans are taken from a heap, in the engine's order. */
const written = (heaps) => {
  const left = heaps.filter((heap) => heap > 0).sort((a, b) => a - b);
  return left.length === 0 ? "0" : left.join("+");
};

/** How far apart beans or pins are drawn. */
const step = (pins) => (pins ? 26 : 24);

/** One of them, at its place in the row. */
function shape(bean, pins) {
  const x = bean * step(pins) + step(pins) / 2;
  return pins ? s("path", { d: `M${x - 5} 44 C${x - 9} 30 ${x - 5} 25 ${x - 3} 18 A5.5 5.5 0 1 1 ${x + 3} 18 C${x + 5} 25 ${x + 9} 30 ${x + 5} 44 Z` }) : s("circle", { cx: x, cy: 24, r: 9.5 });
}

/** A heap; marks are put into it. */
function row(size, pins, name) {
  const drawing = s("svg", { viewBox: `0 0 ${Math.max(1, size) * step(pins)} 46`, preserveAspectRatio: "xMinYMid", class: pins ? "pins" : "beans", role: "img", "aria-label": name });
  drawing.style.setProperty("--beans", size);
  return drawing;
}

/** The run of beans that a move took: `{ heap, first, end }`; nothing where no such move leads there. */
function run(sizes, to, pins) {
  for (const [i, size] of sizes.entries()) {
    const others = sizes.filter((_, j) => j !== i);
    for (let count = 1; count <= size; count++) {
      for (let first = size - count; first >= 0; first--) {
        const [left, right] = [first, size - count - first];
        if ((pins ? [[left, right], [left + right]] : [[left + right], [left, right]]).some((rest) => written([...others, ...rest]) === to)) return { size, first, end: first + count - 1 };
      }
    }
  }
  return null;
}

/** The heap in which a move was made, as it was before: what was taken lies there. */
export function lastMove(before, to, who, pins) {
  const sizes = before.map(Number);
  if (sizes.some((size) => size > DRAWN)) return null;
  const found = run(sizes, to, pins);
  if (!found) return null;
  const { size, first, end } = found;
  const count = end - first + 1;
  const words = `${who} ${pins ? "knocked down" : "took"} ${count} of ${size}`;
  const drawing = row(size, pins, words);
  drawing.append(...Array.from({ length: size }, (_, bean) => {
    const lies = bean >= first && bean <= end;
    const mark = s("g", { class: `bean ${lies ? "taken" : ""}` }, shape(bean, pins));
    if (lies && pins) mark.setAttribute("transform", `translate(${bean * 26 + 13} 38) rotate(84) scale(0.72) translate(${-bean * 26 - 13} -30)`);
    return mark;
  }));
  return h("div", { class: "last-move" }, h("span", { class: "soft small" }, `${words}:`), drawing);
}

export function heaps(table, choose, colours, pins) {
  const sizes = table.scene.heaps.map(Number);
  if (sizes.length === 0) return h("p", { class: "soft empty" }, "No bean is left.");
  const options = new Map(table.moves.map((move) => [move.to, move]));
  /** The move that takes beans first … last of heap i, and leaves what is beside them as one heap or two. */
  const taking = (i, first, last) => {
    const others = sizes.filter((_, j) => j !== i);
    const [left, right] = [first, sizes[i] - 1 - last];
    for (const rest of pins ? [[left, right], [left + right]] : [[left + right], [left, right]]) {
      const found = options.get(written([...others, ...rest]));
      if (found) return found;
    }
    return null;
  };
  /** What a click on a bean means: that bean and, where heaps are not split, all after it; else the run that is a move. */
  const meant = (i, bean) => {
    const last = sizes[i] - 1;
    const runs = pins ? [[bean, bean], [bean, Math.min(bean + 1, last)], [bean, last]] : [[bean, last], [bean, bean]];
    for (const [first, end] of runs) {
      const found = taking(i, first, end);
      if (found) return { first, end, found };
    }
    return null;
  };
  /** What clicks mean, heap by heap; between two pins that fall alone or together a click is for both. */
  const touched = (size, i) => {
    const wide = step(pins);
    const alone = Array.from({ length: size }, (_, bean) => ({ bean, i, ...meant(i, bean) })).filter(({ found }) => found);
    const gaps = !pins ? [] : alone.filter(({ first, end, bean }) => first === end && bean + 1 < size).map(({ bean }) => ({ i, first: bean, end: bean + 1, found: taking(i, bean, bean + 1), x: (bean + 0.7) * wide, width: 0.6 * wide }));
    return [...alone, ...gaps.filter(({ found }) => found)];
  };
  const runs = [];
  const rows = [];
  let pointed = null;
  const board = h("div", { class: "heaps" }, sizes.map((size, i) => {
    if (size > DRAWN) {
      return h("div", { class: "heap", data: { lit: `heap:${size}` } }, h("span", { class: "size" }, String(table.scene.heaps[i])), h("span", { class: "soft" }, "beans"));
    }
    const drawing = row(size, pins, `a heap of ${size}`);
    const marks = Array.from({ length: size }, (_, bean) => s("g", { class: "bean" }, shape(bean, pins), s("rect", { x: bean * step(pins), y: 0, width: step(pins), height: 46, class: "touch" })));
    rows[i] = marks;
    drawing.append(...marks);
    for (const run of choose ? touched(size, i) : []) {
      const { to } = run.found;
      const mark = marks[run.bean] ?? s("g", { class: "gap" }, s("rect", { x: run.x, y: 0, width: run.width, height: 46, class: "touch" }));
      mark.classList.add("movable");
      mark.dataset.lit = `position:${to}`;
      mark.append(s("title", {}, `take ${run.end - run.first + 1}: ${to}`));
      mark.addEventListener("pointerover", () => (pointed = run));
      mark.addEventListener("click", () => choose(to));
      if (run.bean === undefined) drawing.append(mark);
      runs.push(run);
    }
    return h("div", { class: "heap", data: { lit: `heap:${size}` } }, h("span", { class: "size" }, String(size)), drawing);
  }));
  // The run that is pointed at, or the first that leads to the option that is.
  onLight(board, (keys) => {
    const leads = (run) => run && keys.includes(`position:${run.found.to}`);
    const run = leads(pointed) ? pointed : runs.find(leads);
    rows.forEach((marks, i) => marks.forEach((mark, bean) => {
      mark.classList.toggle("aimed", Boolean(run) && run.i === i && bean >= run.first && bean <= run.end);
      if (run && colours) mark.dataset.outcome = run.found.outcome;
    }));
  });
  return board;
}
