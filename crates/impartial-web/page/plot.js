// Plots of sequences: points, a shaded period, axes. Everything is drawn in the colours of the page.
import { h, s, show } from "./dom.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [46, 24, 28, 42];

/** Plots are drawn as wide as they are shown on a phone, and narrower than on a desk: letters are never smaller than they are meant. */
export const room = () => Math.min(720, Math.max(300, document.documentElement.clientWidth - 70));

/** Draws for the room there is, and once more when it has changed. */
function fitted(draw) {
  const place = h("div", {});
  let width = 0;
  const fit = () => {
    const now = Math.min(room(), Math.max(280, place.clientWidth || room()));
    if (width === now) return;
    width = now;
    show(place, draw(width));
  };
  fit();
  new ResizeObserver(fit).observe(place);
  return place;
}

/** Round numbers from 0 to about `most`. */
export function ticks(most, count = 8) {
  const raw = Math.max(1, most / count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/**
 * Points (x, y) with natural coordinates. `mark` gives the class of a point, `key` what it lights, `pick` hears a click;
 * `shade` is a range of x that is shaded again and again.
 */
export const scatter = (wanted) => fitted((width) => dots(wanted, width));

function dots({ points, xLabel, yLabel, mark = () => "", key, pick, shade, height = 340, label }, WIDTH) {
  const xMost = Math.max(1, ...points.map(([x]) => x));
  const yMost = Math.max(1, ...points.map(([, y]) => y));
  const x = (n) => LEFT + (n / xMost) * (WIDTH - LEFT - RIGHT);
  const y = (n) => height - BOTTOM - (n / yMost) * (height - TOP - BOTTOM);
  const drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img", "aria-label": label ?? `${yLabel} by ${xLabel}` });
  if (shade) {
    // Bands that nobody could tell apart are one.
    const length = x(shade.length) - x(0) < 3 ? xMost + 1 : shade.length;
    for (let from = shade.from, i = 0; from <= xMost; from += length, i++) {
      const [left, right] = [x(from - 0.5), Math.min(x(from + length - 0.5), WIDTH - RIGHT)];
      drawing.append(s("rect", { x: left, y: TOP, width: Math.max(0, right - left), height: height - TOP - BOTTOM, class: i % 2 ? "shade odd" : "shade" }));
    }
  }
  for (const n of ticks(yMost, 6)) drawing.append(s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(n), y2: y(n), class: "grid" }), s("text", { x: LEFT - 8, y: y(n) + 4, "text-anchor": "end", class: "tick" }, String(n)));
  for (const n of ticks(xMost, WIDTH < 500 ? 5 : 10)) drawing.append(s("text", { x: x(n), y: height - BOTTOM + 16, "text-anchor": "middle", class: "tick" }, n.toLocaleString("en")));
  drawing.append(s("text", { x: WIDTH - RIGHT, y: height - 5, "text-anchor": "end", class: "axis" }, xLabel), s("text", { x: 4, y: 11, class: "axis" }, yLabel));
  const radius = points.length > 1500 ? 1.4 : points.length > 400 ? 2.2 : points.length > 120 ? 3 : 4;
  for (const [a, b] of points) {
    const dot = s("circle", { cx: x(a), cy: y(b), r: radius, class: `dot ${mark(a, b)}`, ...(key && { data: { lit: key(a, b) } }) }, s("title", {}, `${xLabel} ${a}: ${b}`));
    if (pick) dot.addEventListener("click", () => pick(a, b));
    drawing.append(dot);
  }
  return drawing;
}

/** A staircase: [x, y] where y changes. */
export const steps = (wanted) => fitted((width) => stairs(wanted, width));

function stairs({ points, xLabel, yLabel, height = 260, mark = () => "", key }, WIDTH) {
  const xMost = Math.max(2, points.at(-1)?.[0] ?? 2);
  const yMost = Math.max(1, ...points.map(([, y]) => y));
  const x = (n) => LEFT + (n / xMost) * (WIDTH - LEFT - RIGHT);
  const y = (n) => height - BOTTOM - (n / yMost) * (height - TOP - BOTTOM);
  const path = points.map(([a, b], i) => `${i ? `H${x(a)}V${y(b)}` : `M${x(a)} ${y(b)}`}`).join("") + `H${WIDTH - RIGHT}`;
  return s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot", role: "img", "aria-label": `${yLabel} by ${xLabel}` },
    ticks(yMost, 5).map((n) => [s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(n), y2: y(n), class: "grid" }), s("text", { x: LEFT - 8, y: y(n) + 4, "text-anchor": "end", class: "tick" }, String(n))]),
    ticks(xMost, WIDTH < 500 ? 5 : 10).map((n) => s("text", { x: x(n), y: height - BOTTOM + 16, "text-anchor": "middle", class: "tick" }, String(n))),
    s("text", { x: WIDTH - RIGHT, y: height - 5, "text-anchor": "end", class: "axis" }, xLabel), s("text", { x: 4, y: 11, class: "axis" }, yLabel),
    s("path", { d: path, class: "stairs" }),
    points.map(([a, b]) => s("circle", { cx: x(a), cy: y(b), r: 5, class: `dot ${mark(a, b)}`, ...(key && { data: { lit: key(a) } }) }, s("title", {}, `from heap ${a} on: ${b}`))));
}
