// A map of up to a million positions on a canvas: zoom, pan, and colours for strata.
import { h } from "../dom.js";

const HEAT = [[20, 60, 105], [70, 120, 165], [150, 185, 205], [236, 222, 180], [230, 170, 90], [200, 100, 55], [150, 45, 45]];

const known = new Map();

/** The red, green and blue of a colour of the page; asked once a painting, since it costs a layout. */
const colour = (name) => {
  if (known.has(name)) return known.get(name);
  const probe = h("span", {});
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const [r, g, b] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
  probe.remove();
  known.set(name, [r, g, b]);
  return [r, g, b];
};

/** A colour of the page for a canvas. */
const ink = (name, opacity = 1) => `rgba(${colour(name).join(",")},${opacity})`;

const heat = (value) => {
  const at = Math.min(1, Math.log2(1 + value) / 5) * (HEAT.length - 1);
  const i = Math.min(HEAT.length - 2, Math.floor(at));
  return HEAT[i].map((a, k) => Math.round(a + (at - i) * (HEAT[i + 1][k] - a)));
};

/** The colours of Grundy values from 0 to 31 and more, as a bar. */
export function ramp() {
  const bar = h("canvas", { width: 32, height: 1, "aria-hidden": "true" });
  const context = bar.getContext("2d");
  for (let value = 0; value < 32; value++) {
    context.fillStyle = `rgb(${heat(value).join(",")})`;
    context.fillRect(value, 0, 1, 1);
  }
  return h("span", { class: "ramp" }, bar);
}

/**
 * A map of `columns` × `rows` cells from the lowest row up; `stratum` gives the number of the stratum of a P-cell, or -1.
 * `over` hears the cell under the pointer, or null.
 */
export class PositionMap {
  constructor({ columns, rows, first, bytes, over, pick }) {
    Object.assign(this, { columns, rows, first, bytes, over });
    this.strata = null;
    this.lit = null;
    this.marked = null;
    this.outlined = {};
    this.scale = 1;
    this.corner = [0, 0];
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": `A map of ${columns} by ${rows} positions; arrows move it, plus and minus zoom` });
    this.element = h("div", { class: "map" }, this.canvas);
    this.image = new OffscreenCanvas(columns, rows);
    this.listen(pick);
    new ResizeObserver(() => this.draw()).observe(this.element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => (this.element.isConnected ? this.paint() : scheme.removeEventListener("change", repaint));
    scheme.addEventListener("change", repaint);
    this.paint();
  }

  /** Colours P-cells by stratum. */
  colourBy(strata) {
    this.strata = strata;
    this.paint();
  }

  /** Lights cells and fades the others; `lit` says of each cell whether it is lit, null is none. */
  light(lit) {
    if (lit === this.lit) return;
    this.lit = lit;
    this.paint();
  }

  /** Marks a cell, such as the first wrong one of a conjecture. */
  mark(cell) {
    this.marked = cell;
    this.canvas.dataset.marked = cell ?? "";
    this.draw();
  }

  /** Frames cells: those of a position's options, the one that was chosen, the one that is lit. */
  outline(name, cells) {
    if (cells.length === 0 && !this.outlined[name]?.length) return;
    this.outlined[name] = cells;
    this.draw();
  }

  /** Fills the picture, one pixel a cell. */
  paint() {
    known.clear();
    const context = this.image.getContext("2d");
    const data = context.createImageData(this.columns, this.rows);
    const pixels = new Uint32Array(data.data.buffer);
    const pack = ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
    const palette = Array.from({ length: 256 }, (_, i) => pack(i < 4 ? [0, 0, 0] : heat(i - 4)));
    palette[0] = pack(colour("paper"));
    palette[1] = pack(colour("bad"));
    palette[2] = pack(colour("p"));
    palette[3] = pack(colour("n-cell"));
    const own = Array.from({ length: 8 }, (_, i) => pack(colour(`s${i + 1}`)));
    const [faded, bright] = [pack(colour("line")), pack(colour("lit"))];
    for (let row = 0; row < this.rows; row++) {
      const target = (this.rows - 1 - row) * this.columns;
      for (let column = 0; column < this.columns; column++) {
        const at = row * this.columns + column;
        const byte = this.bytes[at];
        let pixel = palette[byte];
        if (byte === 2 && this.strata) {
          const stratum = this.strata[at];
          if (stratum >= 0) pixel = own[stratum % 8];
        }
        if (this.lit && byte !== 3) pixel = this.lit(at) ? bright : byte === 2 ? faded : pixel;
        pixels[target + column] = pixel;
      }
    }
    context.putImageData(data, 0, 0);
    this.draw();
  }

  /** The size of a cell on the screen. */
  get cell() {
    return (this.canvas.width / this.columns) * this.scale;
  }

  draw() {
    // As wide as there is room, and no higher than the window: the whole map is seen at once.
    const shape = this.rows / this.columns;
    const across = Math.max(200, Math.min(this.element.clientWidth, (innerHeight * 0.72) / shape));
    const [width, height] = [across, Math.min(across * shape, innerHeight * 0.72)].map((side) => Math.round(side * devicePixelRatio));
    this.canvas.style.width = `${across}px`;
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = this.cell < 1;
    context.clearRect(0, 0, width, height);
    const cell = this.cell;
    const [x0, y0] = this.bounded();
    // A finger moves a map that is larger than its frame, else the page.
    this.element.style.touchAction = this.scale > 1 ? "none" : "pan-y";
    // The corner is the lower left one, in cells.
    const top = height + y0 * cell - this.rows * cell;
    context.drawImage(this.image, -x0 * cell, top, this.columns * cell, this.rows * cell);
    if (cell >= 9 * devicePixelRatio) this.grid(context, cell, x0, y0, width, height);
    const { options = [], chosen = [], lit = [] } = this.outlined;
    for (const [cells, name, wide] of [[options, "n-dot", 2], [chosen, "ink", 3], [lit, "lit", 3], [this.marked ? [this.marked] : [], "bad", 3]]) {
      context.strokeStyle = ink(name);
      context.lineWidth = wide * devicePixelRatio;
      for (const [u, v] of cells) context.strokeRect((u - this.first[0] - x0) * cell, height - (v - this.first[1] + 1 - y0) * cell, Math.max(cell, 6), Math.max(cell, 6));
    }
    this.axes(context, cell, x0, y0, width, height);
  }

  grid(context, cell, x0, y0, width, height) {
    context.strokeStyle = ink("paper", 0.6);
    context.lineWidth = 1;
    context.beginPath();
    for (let x = -((x0 % 1) * cell); x < width; x += cell) context.moveTo(x, 0), context.lineTo(x, height);
    for (let y = height + (y0 % 1) * cell; y > 0; y -= cell) context.moveTo(0, y), context.lineTo(width, y);
    context.stroke();
  }

  axes(context, cell, x0, y0, width, height) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((n) => n * cell > 46 * devicePixelRatio) ?? 1000;
    context.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    const label = (text, x, y, align) => {
      context.textAlign = align;
      const size = context.measureText(text).width;
      context.fillStyle = ink("sheet", 0.8);
      context.fillRect(align === "center" ? x - size / 2 - 3 : x - 3, y - 10 * devicePixelRatio, size + 6, 13 * devicePixelRatio);
      context.fillStyle = ink("ink");
      context.fillText(text, x, y);
    };
    for (let n = Math.ceil(x0 / step) * step; n < x0 + width / cell; n += step) if (n > x0) label(String(n + this.first[0]), (n - x0 + 0.5) * cell, height - 4 * devicePixelRatio, "center");
    for (let n = Math.ceil(y0 / step) * step; n < y0 + height / cell; n += step) label(String(n + this.first[1]), 4 * devicePixelRatio, height - (n - y0 + 0.5) * cell + 4 * devicePixelRatio, "start");
  }

  bounded() {
    const [across, up] = [this.canvas.width / this.cell, this.canvas.height / this.cell];
    this.corner = [Math.max(0, Math.min(this.corner[0], this.columns - across)), Math.max(0, Math.min(this.corner[1], this.rows - up))];
    return this.corner;
  }

  /** Zooms about a point of the canvas. */
  zoom(factor, at = [this.canvas.width / 2, this.canvas.height / 2]) {
    const before = this.cell;
    this.scale = Math.min(Math.max(1, this.columns / 6), Math.max(1, this.scale * factor));
    const after = this.cell;
    const below = this.canvas.height - at[1];
    this.corner = [this.corner[0] + at[0] / before - at[0] / after, this.corner[1] + below / before - below / after];
    this.draw();
  }

  move(across, up) {
    this.corner = [this.corner[0] + across, this.corner[1] + up];
    this.draw();
  }

  /** The cell under a pointer. */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) * (this.canvas.width / box.width), (event.clientY - box.top) * (this.canvas.height / box.height)];
    const column = Math.floor(this.corner[0] + x / this.cell);
    const row = Math.floor(this.corner[1] + (this.canvas.height - y) / this.cell);
    const cell = this.cellOf([column + this.first[0], row + this.first[1]]);
    return cell && { ...cell, canvas: [x, y] };
  }

  /** The cell of two coordinates, if it is on the map. */
  cellOf(x) {
    const [column, row] = [x[0] - this.first[0], x[1] - this.first[1]];
    return column >= 0 && row >= 0 && column < this.columns && row < this.rows ? { x, at: row * this.columns + column } : null;
  }

  listen(pick) {
    const held = new Map();
    let moved = 0;
    let pinch = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, event);
      moved = 0;
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const last = held.get(event.pointerId);
      if (last && held.size === 1) {
        const ratio = devicePixelRatio / this.cell;
        moved += Math.abs(event.clientX - last.clientX) + Math.abs(event.clientY - last.clientY);
        this.move(-(event.clientX - last.clientX) * ratio, (event.clientY - last.clientY) * ratio);
      }
      if (last) held.set(event.pointerId, event);
      if (held.size === 2) {
        const [a, b] = [...held.values()];
        const span = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        if (pinch > 0) this.zoom(span / pinch);
        pinch = span;
        moved = 99;
      } else this.over(this.cellAt(event));
    });
    const release = (event) => {
      held.delete(event.pointerId);
      pinch = 0;
      const cell = this.cellAt(event);
      if (event.type === "pointerup" && moved < 6 && cell) pick?.(cell);
    };
    this.canvas.addEventListener("pointerup", release);
    this.canvas.addEventListener("pointercancel", release);
    this.canvas.addEventListener("pointerleave", () => this.over(null));
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 400), this.cellAt(event)?.canvas);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => {
      const step = Math.max(1, this.columns / this.scale / 10);
      const acts = { ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0), ArrowUp: () => this.move(0, step), ArrowDown: () => this.move(0, -step), "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4) };
      if (acts[event.key]) {
        event.preventDefault();
        acts[event.key]();
      }
    });
  }
}
