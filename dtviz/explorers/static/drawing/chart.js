// Charts: a frame with axes, a cover to drag on, and names in the right margin; and the chart of
// curves over the steps of a path, which is most of them.

import { html, onDrag, place, put, putAll, say, setBox, svg } from "../hosting/kit.js";
import { roundTicks, spread, tickText } from "../computing/scale.js";
import { clamp } from "../computing/text.js";

/**
 * @import { Scale } from "../computing/scale.js"
 *
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Margins
 * @typedef {{ y: number, line: SVGLineElement, text: SVGTextElement }} Row
 *
 * A name in the right margin, the height that it speaks of, and a line that leads there.
 * @typedef {object} Tag
 * @property {SVGTextElement} name
 * @property {number} y
 * @property {SVGPathElement} [leader]
 * @property {number} [from]  where the leader starts
 *
 * @typedef {object} ChartOptions
 * @property {string} [name]  for a screen reader
 * @property {string} [title]
 * @property {string} [kind]  the class of the whole
 * @property {Margins} [margins]
 * @property {SVGElement[]} [marks]  what is drawn above the axes
 * @property {SVGElement[]} [over]  what is drawn above the cover
 * @property {Node[]} [below]
 * @property {(share: number, px: number) => void} [onPick]  hears where on the axis a reader drags, 0 .. 1
 */

// The right margin holds the names, so that no text ever lies on a curve.
export const CHART = { left: 52, right: 130, top: 12, bottom: 26 };

export class Chart {
  /** @param {ChartOptions} options */
  constructor({ name, title = "", kind, margins = CHART, marks = [], over = [], below = [], onPick }) {
    this.margins = margins;
    this.axes = svg("g", { class: "dtviz-axes" });
    this.cover = svg("rect", { class: "dtviz-cover" });
    const covered = onPick ? [this.cover] : [];
    const parts = [this.axes, ...marks, ...covered, ...over];
    this.canvas = svg("svg", { class: "dtviz-canvas", role: "img", "aria-label": name }, ...parts);
    this.title = html("span", {}, title);
    this.note = html("span", { class: "dtviz-aside" });
    const heading = html("div", { class: "dtviz-heading" }, this.title, " ", this.note);
    this.root = html("div", { class: kind }, heading, this.canvas, ...below);
    this.width = 0;
    this.height = 0;
    if (!onPick) return;
    onDrag(this.cover, this.canvas, (px) => {
      if (this.inner > 0) onPick(clamp((px - this.margins.left) / this.inner, 0, 1), px);
    });
  }

  get inner() {
    return this.width - this.margins.left - this.margins.right;
  }

  get low() {
    return this.height - this.margins.bottom;
  }

  get edge() {
    return this.width - this.margins.right;
  }

  // From shares of the axes to pixels.
  /** @param {number} share */
  across(share) {
    return this.margins.left + share * this.inner;
  }

  /** @param {number} share */
  up(share) {
    return this.low - share * (this.low - this.margins.top);
  }

  /** @type {(width: number, height: number) => void} */
  setSize(width, height) {
    Object.assign(this, { width, height });
    const { left, top } = this.margins;
    setBox(this.canvas, width, height);
    // No size is below 0: what is hidden has none yet.
    const box = { width: Math.max(this.inner, 0), height: Math.max(this.low - top, 0) };
    putAll(this.cover, { x: left, y: top, ...box });
  }

  // A level line with its number in the left margin.
  /** @type {(y: number, text: string) => Row} */
  row(y, text) {
    const { left } = this.margins;
    const line = svg("line", { x1: left, x2: this.edge, y1: y, y2: y });
    return { y, line, text: svg("text", { x: left - 7, y: y + 4, "text-anchor": "end" }, text) };
  }

  // A word below the axis.
  /** @type {(x: number, down: number, text: string, mark?: string) => SVGTextElement} */
  column(x, down, text, mark) {
    return svg("text", { class: mark, x, y: this.low + down, "text-anchor": "middle" }, text);
  }

  // A word below the axis, in the left margin.
  /** @type {(down: number, text: string, mark?: string) => SVGTextElement} */
  rowHead(down, text, mark) {
    const x = this.margins.left - 7;
    return svg("text", { class: mark, x, y: this.low + down, "text-anchor": "end" }, text);
  }

  /** @type {(rows: Row[], others: SVGElement[]) => void} */
  setAxes(rows, others) {
    this.axes.replaceChildren(...rows.flatMap(({ line, text }) => [line, text]), ...others);
  }

  /** @param {string} text */
  describe(text) {
    put(this.canvas, "aria-label", text);
  }

  // Write names beside the heights they speak of, `gap` apart, `indent` from the edge.
  /** @type {(tags: Tag[], gap: number, indent: number, foot?: number) => void} */
  setTags(tags, gap, indent, foot = this.low - 5) {
    const placed = [...tags].sort((a, b) => a.y - b.y);
    const places = spread(placed.map(({ y }) => y), gap, this.margins.top, foot);
    placed.forEach(({ name, y, leader, from = 0 }, k) => {
      place(name, { x: this.edge + indent, y: places[k] + 4 });
      const bend = this.edge + indent - 14;
      if (!leader) return;
      const ends = [from, y, bend, bend + 10, places[k]].map((value) => value.toFixed(1));
      put(leader, "d", `M${ends[0]} ${ends[1]}H${ends[2]}L${ends[3]} ${ends[4]}`);
    });
  }
}

/** @typedef {{ y: number, text: string } | null | false | undefined} Reading  nothing where a curve says nothing */

export class CurveChart extends Chart {
  /** @param {ChartOptions & { keys: string[] }} options  a curve for each key, above the marks */
  constructor({ keys, marks = [], ...rest }) {
    const cursor = svg("line", { class: "dtviz-cursor" });
    const curves = keys.map((key) => ({
      line: svg("path", { class: `dtviz-curve dtviz-${key}` }),
      dot: svg("circle", { r: 4, class: `dtviz-dot dtviz-${key}` }),
      name: svg("text", { class: `dtviz-tag dtviz-${key}` }),
      leader: svg("path", { class: `dtviz-leader dtviz-${key}` }),
    }));
    /** @param {"line" | "dot" | "name" | "leader"} part */
    const all = (part) => curves.map((curve) => curve[part]);
    const drawn = [...all("leader"), ...all("line"), cursor, ...all("dot"), ...all("name")];
    super({ ...rest, marks: [...marks, ...drawn] });
    this.cursor = cursor;
    this.curves = curves;
  }

  /** @type {(width: number, height: number) => void} */
  setSize(width, height) {
    super.setSize(width, height);
    putAll(this.cursor, { y1: this.margins.top, y2: this.low });
  }

  // Set the cursor at x, a dot on each curve there, and beside the chart what it reads.
  /** @type {(x: number, readings: Reading[]) => void} */
  read(x, readings) {
    putAll(this.cursor, { x1: x, x2: x });
    /** @type {Tag[]} */
    const placed = [];
    readings.forEach((reading, k) => {
      const { dot, name, leader } = this.curves[k];
      for (const mark of [dot, name, leader]) put(mark, "visibility", reading ? "inherit" : "hidden");
      if (!reading) return;
      putAll(dot, { cx: x, cy: reading.y });
      say(name, reading.text);
      placed.push({ name, leader, from: x, y: reading.y });
    });
    this.setTags(placed, 16, 16);
  }
}

// Pixels of a digit on an axis, and between two numbers there.
const DIGIT = 7;
const BETWEEN = 8;

// The first and the last number on an axis, and of the others those that come near none before.
/** @type {<Tick extends { x: number, half: number }>(ticks: Tick[]) => Tick[]} */
export const apart = (ticks) => {
  const last = ticks[ticks.length - 1];
  let end = -Infinity;
  return ticks.filter((tick) => {
    const free = tick.x - tick.half >= end && (tick === last || tick.x + tick.half + BETWEEN <= last.x - last.half);
    if (tick === last || free) end = tick.x + tick.half + BETWEEN;
    return tick === last || free;
  });
};

// Corners that a curve has at most.
const SAMPLES = 240;

/**
 * @typedef {((step: number) => number) | null | false | undefined} Curve
 * @typedef {{ value: number, text: string } | null | false | undefined} Entry
 */

export class StepChart extends CurveChart {
  /** @param {{ title: string, scaleName: string, name: string, keys: string[], onStep?: (step: number) => void }} options */
  constructor({ title, scaleName, name, keys, onStep }) {
    const area = svg("path", { class: "dtviz-area" });
    const over = svg("g", {});
    super({
      ...{ name, title, keys, kind: "dtviz-chart", marks: [area], over: [over] },
      onPick: onStep && ((share) => this.steps && onStep(Math.round(share * this.steps))),
    });
    this.scaleName = scaleName;
    this.area = area;
    this.over = over;
    this.steps = 0;
    /** @type {number[]} */
    this.samples = [];
    /** @type {Scale} */
    this.scale = { at: () => 0, ticks: [] };
    /** @type {Row[]} */
    this.rows = [];
  }

  /** @param {number} step */
  x(step) {
    return this.across(this.steps ? step / this.steps : 1 / 2);
  }

  /** @param {number} value */
  y(value) {
    return this.up(this.scale.at(value));
  }

  // A value holds until the next split, so a curve is a staircase.
  /** @type {(value: (step: number) => number, first: number, last: number) => string[]} */
  stairs(value, first, last) {
    /** @type {string[]} */
    const corners = [];
    let height = "";
    for (const j of this.samples) {
      if (j < first || j > last) continue;
      const x = this.x(j).toFixed(1);
      if (corners.length) corners.push(`${x} ${height}`);
      height = this.y(value(j)).toFixed(1);
      corners.push(`${x} ${height}`);
    }
    return corners;
  }

  // Axes for steps 0 .. steps (1 .. steps + 1 leaves) and a scale of heights.
  /** @type {(steps: number, scale: Scale) => void} */
  frame(steps, scale) {
    this.setSize(this.width, this.height);
    Object.assign(this, { steps, scale });
    const every = Math.max(1, Math.ceil(steps / SAMPLES));
    const kept = Array.from({ length: Math.floor(steps / every) + 1 }, (_, k) => k * every);
    this.samples = kept.at(-1) === steps ? kept : [...kept, steps];
    this.rows = [];
    for (const tick of scale.ticks) {
      const y = this.y(tick);
      const before = this.rows.at(-1);
      if (!before || before.y - y >= 15) this.rows.push(this.row(y, tickText(tick)));
    }
    const shown = apart(roundTicks(steps + 1, this.inner / 60).map((tick) => {
      const text = tick.toLocaleString("en");
      return { text, x: this.x(tick - 1), half: (DIGIT * text.length) / 2 };
    }));
    const columns = shown.map(({ x, text }) => this.column(x, 19, text));
    const last = shown[shown.length - 1];
    const unit = svg("text", { x: this.edge + Math.max(16, last.half + 8), y: this.low + 19 }, "leaves");
    this.setAxes(this.rows, [...columns, unit]);
  }

  // Make room in the left margin for a mark at height y.
  /** @param {number} y */
  clear(y) {
    for (const row of this.rows) {
      put(row.text, "visibility", Math.abs(row.y - y) < 16 ? "hidden" : "inherit");
    }
  }

  // Say beside the title what the curves are held against, if anything.
  /** @param {string | false} text */
  remark(text) {
    say(this.note, text || this.scaleName);
    this.note.classList.toggle("dtviz-ochre", Boolean(text));
  }

  // Draw curve k over the steps first .. last, or nothing.
  /** @type {(k: number, value: Curve, first?: number, last?: number) => void} */
  curve(k, value, first = 0, last = this.steps) {
    put(this.curves[k].line, "d", value ? `M${this.stairs(value, first, last).join("L")}` : "");
  }

  // Fill between two curves, or nothing.
  /** @type {(upper: Curve, lower: (step: number) => number) => void} */
  fill(upper, lower) {
    /** @param {(step: number) => number} value */
    const around = (value) => this.stairs(value, 0, this.steps);
    const outline = () => upper && [...around(upper), ...around(lower).reverse()].join("L");
    put(this.area, "d", upper ? `M${outline()}Z` : "");
  }

  // Set the playhead; values[k] is of curve k, or is empty where it says nothing here.
  /** @type {(step: number, values: Entry[]) => void} */
  point(step, values) {
    this.read(this.x(step), values.map((entry) => entry && { y: this.y(entry.value), text: entry.text }));
  }

  // Hear how high an element is dragged, 0 .. 1.
  /** @type {(element: SVGElement, move: (share: number) => void) => void} */
  onDragUp(element, move) {
    onDrag(element, this.canvas, (_, py) => {
      move(clamp((this.low - py) / (this.low - this.margins.top), 0, 1));
    });
  }
}
