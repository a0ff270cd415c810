// The plane: points of two or three classes, and the regions that a tree of thresholds cuts it into.

import { html, place, put, setBox, svg } from "../hosting/kit.js";
import { categoriesOf, shareOf, spansOf, tintOf } from "../computing/points.js";
import { axisOf, tickText } from "../computing/scale.js";
import { CLASS_MARKS, clamp, count, digits } from "../computing/text.js";

/**
 * @import { Details } from "../controls/controls.js"
 * @import { Dock } from "./why.js"
 *
 * @typedef {readonly [number, number]} Span
 * @typedef {readonly [Span, Span]} Box
 * @typedef {{ left: number, top: number, width: number, height: number }} Frame
 *
 * @typedef {object} Plane
 * @property {string[]} features
 * @property {string[]} classes
 * @property {[number[], number[]]} points  the two columns
 * @property {number[]} labels
 * @property {boolean[]} [held]  the points that the tree does not see
 * @property {number[]} [values]  ascending, what the labels stand for where they are numbers and there are no classes
 * @property {readonly Span[]} [ranges]  what is shown, if not just the points
 *
 * What a tree of thresholds says of the regions of its nodes.
 * @typedef {object} Regions
 * @property {number} steps
 * @property {number[]} split
 * @property {number[]} variable
 * @property {number[]} threshold
 * @property {(node: number) => Box} box
 * @property {(node: number) => number} label
 * @property {(node: number) => number} mixed
 * @property {(node: number) => ArrayLike<number>} counts  of each class
 * @property {((node: number) => string) | undefined} [tint]  its color, if that is not that of a class
 * @property {(node: number, step: number) => boolean} isLeaf
 * @property {(node: number) => string} where
 * @property {(point: Span, step: number) => number} find
 *
 * @typedef {object} PlaneScale
 * @property {(value: number) => number} x
 * @property {(value: number) => number} y
 * @property {(px: number, py: number) => Span} back
 * @property {(box: Box) => Record<string, number>} rect
 * @property {number[][]} ticks  of each axis
 */

// From coordinates to pixels of a frame, and back.
/** @type {(plane: Plane, frame: Frame) => PlaneScale} */
const planeScale = (plane, { left, top, width, height }) => {
  const ranges = plane.ranges ?? spansOf(plane.points);
  const [across, up] = plane.points.map((values, k) => axisOf(values, ranges[k]));
  /** @param {number} value */
  const x = (value) => left + across.at(value) * width;
  /** @param {number} value */
  const y = (value) => top + height - up.at(value) * height;
  return {
    x,
    y,
    back: (px, py) => [across.back((px - left) / width), up.back((top + height - py) / height)],
    // The part of a node's box within the frame.
    rect: ([[a, b], [c, d]]) => ({ x: x(a), y: y(d), width: x(b) - x(a), height: y(c) - y(d) }),
    ticks: [across.ticks(width / 56), up.ticks(height / 36)],
  };
};

// A mark of radius r for each class, distinguished by shape as well as by color, from its middle on: so
// a point costs two short numbers.
/** @type {((r: number) => (string | number)[])[]} */
const SHAPES = [
  (r) => ["m", -r, 0, "a", r, r, 0, 1, 0, 2 * r, 0, "a", r, r, 0, 1, 0, -2 * r, 0],
  (r) => ["m", 0, -1.25 * r, "l", 1.2 * r, 2.1 * r, "h", -2.4 * r, "z"],
  (r) => ["m", -0.9 * r, -0.9 * r, "h", 1.8 * r, "v", 1.8 * r, "h", -1.8 * r, "z"],
];
/** @type {(k: number, r: number) => string} */
const shapeOf = (k, r) =>
  SHAPES[k](r).map((part) => (typeof part === "number" ? Number(part.toFixed(2)) : part)).join(" ");

// Where each point is drawn, to a tenth of a pixel.
/** @type {(plane: Plane, scale: PlaneScale) => Span[]} */
const placesOf = ({ points: [first, second] }, scale) =>
  first.map((value, i) => [Math.round(10 * scale.x(value)) / 10, Math.round(10 * scale.y(second[i])) / 10]);

// Colors of numbers that are told apart among points.
const TINTS = 12;

// A path for the points of about one number.
/** @type {(plane: Plane, values: number[], places: Span[], r: number) => SVGPathElement[]} */
const numberPaths = ({ labels }, values, places, r) => {
  const d = Array.from({ length: TINTS + 1 }, () => "");
  labels.forEach((label, i) => {
    d[Math.round(TINTS * shareOf(values, values[label]))] += `M${places[i][0]} ${places[i][1]}${shapeOf(0, r)}`;
  });
  return d.map((text, k) => svg("path", { class: "dtviz-points", style: `--dtviz-label: ${tintOf(k / TINTS)}`, d: text }));
};

// A path for each class, and for those of its points that are held out, which are hollow.
/** @type {(plane: Plane, places: Span[], r: number) => SVGPathElement[]} */
const pointPaths = ({ labels, classes, held }, places, r) =>
  classes.flatMap((_, k) => {
    const parts = held?.includes(true) ? [false, true] : [false];
    const shape = shapeOf(k, r);
    return parts.map((isHeld) => {
      let d = "";
      for (let i = 0; i < labels.length; i += 1) {
        if (labels[i] === k && (held?.[i] ?? false) === isHeld) d += `M${places[i][0]} ${places[i][1]}${shape}`;
      }
      return svg("path", { class: `dtviz-points dtviz-label${k}${isHeld ? " dtviz-held" : ""}`, d });
    });
  });

// Slanted lines, the same ones over the whole plane, as far as they lie in a box.
/** @type {(box: Record<string, number>) => string} */
const hatching = ({ x, y, width, height }) => {
  let d = "";
  for (let c = Math.ceil((x + y) / 7) * 7; c < x + y + width + height; c += 7) {
    const [from, to] = [Math.max(x, c - y - height), Math.min(x + width, c - y)];
    if (to > from) d += `M${from.toFixed(1)} ${(c - from).toFixed(1)}L${to.toFixed(1)} ${(c - to).toFixed(1)}`;
  }
  return d;
};

const MAP = { left: 44, right: 6, top: 24, bottom: 42 };
// Pixels that a letter of a tick takes.
const LETTER = 6.4;

// A category at its tick, as much of it as fits.
/** @type {(text: string, room: number, at: Record<string, string | number>) => SVGTextElement} */
const category = (text, room, at) => {
  const most = Math.max(2, Math.floor(room / LETTER));
  const short = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return svg("text", at, short, ...(short === text ? [] : [svg("title", {}, text)]));
};

// The plane, large.
export class PlaneView {
  /**
   * @param {object} options
   * @param {string} options.name  for a screen reader
   * @param {Dock} options.dock  describes the region that the reader points at
   * @param {(node: number, state: "inner" | "leaf") => Details} options.details  what the dock says
   * @param {(node: number) => void} options.onActivate  hears which region the reader points at, -1 for none
   */
  constructor({ name, dock, details, onActivate }) {
    this.name = name;
    this.details = details;
    this.onActivate = onActivate;
    this.axes = svg("g", { class: "dtviz-axes" });
    this.regions = svg("g", { class: "dtviz-regions" });
    this.dots = svg("g", {});
    this.last = svg("line", { class: "dtviz-last-cut" });
    this.coming = svg("line", { class: "dtviz-next-cut" });
    this.activeRegion = svg("rect", { class: "dtviz-active-region", visibility: "hidden" });
    this.others = svg("path", { class: "dtviz-other-label" });
    const parts = [this.axes, this.regions, this.others, this.dots, this.last, this.coming, this.activeRegion];
    this.canvas = svg("svg", { class: "dtviz-canvas", role: "img" }, ...parts);
    this.dock = dock;
    dock.views.push(this);
    const stage = html("div", { class: "dtviz-stage" }, this.canvas);
    this.stage = stage;
    this.title = html("span");
    this.legend = html("span", { class: "dtviz-legend" });
    const heading = html("div", { class: "dtviz-heading" }, this.title, " ", this.legend);
    this.root = html("div", { class: "dtviz-plane" }, heading, stage);

    /** @type {{ plane: Plane, path: Regions, scale: PlaneScale, places: Span[], size: { width: number, height: number } } | null} */
    this.shown = null;
    // Of the nodes that were leaves so far: most never are.
    /** @type {SVGRectElement[]} */
    this.boxes = [];
    this.size = { width: 0, height: 0 };
    this.map = MAP;
    this.step = 0;
    this.outlined = -1;
    this.pointed = false;
    this.pinned = -1; // the node that is described while none is pointed at
    // Whether the pointer works on the points, and regions keep quiet.
    this.busy = false;

    stage.addEventListener("pointermove", (event) => this.over(event));
    stage.addEventListener("pointerleave", () => this.forget());
    stage.addEventListener("click", (event) => {
      const node = this.nodeAt(event);
      const isAgain = node === this.pinned;
      for (const view of dock.views) view.pinned = -1;
      this.pinned = isAgain ? -1 : node;
      this.activate(this.pinned);
      if (this.pinned >= 0) dock.reveal(this.activeRegion);
    });
  }

  // Outline the box of a node, and make its line the heavy one; -1 outlines none.
  /** @param {number} node */
  point(node) {
    this.outlined = node;
    const split = this.shown?.path.split.indexOf(node) ?? -1;
    this.cut(this.last, split >= 0 && split < this.step ? split : this.step - 1);
    put(this.activeRegion, "visibility", node < 0 ? "hidden" : "inherit");
    if (node >= 0 && this.shown) place(this.activeRegion, this.shown.scale.rect(this.shown.path.box(node)));
  }

  // Describe a node.
  /** @param {number} node */
  activate(node) {
    if (node < 0) return this.forget();
    this.pointed = true;
    this.point(node);
    this.onActivate(node);
    this.dock.say(this.details(node, this.shown?.path.isLeaf(node, this.step) ? "leaf" : "inner"));
  }

  forget() {
    if (!this.pointed) return;
    this.pointed = false;
    this.point(-1);
    this.onActivate(-1);
    this.dock.clear();
  }

  // Where the pointer is, in pixels of the drawing, and whether that is in the plane.
  /** @type {(event: MouseEvent) => { px: number, py: number, inside: boolean }} */
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { left, right, top, bottom } = this.map;
    const { width, height } = this.size;
    return { px, py, inside: px >= left && px <= width - right && py >= top && py <= height - bottom };
  }

  // The leaf whose region the pointer looks at, -1 for none.
  /** @param {MouseEvent} event */
  nodeAt(event) {
    const { px, py, inside } = this.at(event);
    return inside && !this.busy && this.shown ? this.shown.path.find(this.shown.scale.back(px, py), this.step) : -1;
  }

  // The split on display whose line is nearest to a place, -1 if none is near.
  /** @type {(px: number, py: number, reach: number) => number} */
  lineAt(px, py, reach) {
    const { shown, step } = this;
    if (!shown) return -1;
    const { path, scale } = shown;
    let [found, least] = [-1, reach];
    for (let j = 0; j < step; j += 1) {
      const { x, y, width, height } = scale.rect(path.box(path.split[j]));
      const [at, here, from, to] = path.variable[j]
        ? [scale.y(path.threshold[j]), py, x - px, px - x - width]
        : [scale.x(path.threshold[j]), px, y - py, py - y - height];
      const far = Math.max(Math.abs(at - here), from, to);
      if (far <= least) [found, least] = [j, far];
    }
    return found;
  }

  /** @param {MouseEvent} event */
  over(event) {
    const node = this.nodeAt(event);
    if (node < 0) this.forget();
    else if (!this.pointed || node !== this.outlined) this.activate(node);
  }

  // Hatch boxes, in which another tree has another label.
  /** @param {Box[]} boxes */
  hatch(boxes) {
    const { shown } = this;
    put(this.others, "d", shown ? boxes.map((box) => hatching(shown.scale.rect(box))).join("") : "");
  }

  // Draw the line of split j, if there is one.
  /** @type {(line: SVGLineElement, j: number) => void} */
  cut(line, j) {
    const there = this.shown && j >= 0 && j < this.shown.path.steps;
    put(line, "visibility", there ? "inherit" : "hidden");
    if (!there || !this.shown) return;
    const { path, scale } = this.shown;
    const { x, y, width, height } = scale.rect(path.box(path.split[j]));
    const where = path.threshold[j];
    const [up, across] = [scale.y(where), scale.x(where)];
    const ends = path.variable[j]
      ? { x1: x, x2: x + width, y1: up, y2: up }
      : { x1: across, x2: across, y1: y, y2: y + height };
    place(line, ends);
  }

  // Axes and their names; no tick where it would be cut off.
  /** @type {(plane: Plane, scale: PlaneScale, frame: Frame) => void} */
  drawAxes({ features }, scale, frame) {
    const { left, top } = frame;
    const [across, up] = scale.ticks;
    const low = top + frame.height;
    const kinds = features.map(categoriesOf);
    /** @param {number} k */
    const name = (k) => kinds[k]?.name ?? features[k];
    /** @param {number} tick */
    const below = (tick) => ({ x: scale.x(tick), y: low + 16, "text-anchor": "middle" });
    const apart = scale.x(1) - scale.x(0);
    const columns =
      kinds[0]?.kinds.map((kind, k) => {
        const at = below(k);
        // As far as half way to the next one, or the edge.
        const edge = this.size.width;
        if (at.x + (LETTER * kind.length) / 2 < edge) return category(kind, Math.min(apart - 6, 2 * at.x), at);
        return category(kind, edge - at.x + apart / 2 - 3, { ...at, x: edge, "text-anchor": "end" });
      }) ??
      across.flatMap((tick) => {
        const text = tickText(tick);
        return scale.x(tick) + 3.4 * text.length > this.size.width ? [] : [svg("text", below(tick), text)];
      });
    /** @param {number} tick */
    const beside = (tick) => ({ x: left - 6, y: scale.y(tick) + 4, "text-anchor": "end" });
    const rows =
      kinds[1]?.kinds.map((kind, k) => category(kind, left - 8, beside(k))) ??
      up.map((tick) => svg("text", beside(tick), tickText(tick)));
    const ends = { x: left + frame.width, y: low + 34, "text-anchor": "end" };
    const names = [svg("text", ends, name(0)), svg("text", { x: 0, y: 12 }, name(1))];
    this.axes.replaceChildren(...columns, ...rows, ...names);
  }

  // Returns whether that is other points, another tree or another size than before.
  /** @type {(plane: Plane, path: Regions) => boolean} */
  show(plane, path) {
    const { shown } = this;
    const stays = shown?.plane === plane && shown.size === this.size;
    if (stays && shown.path === path) return false;
    this.pinned = -1;
    // Another tree of the same points: they stay.
    if (stays) shown.path = path;
    else this.drawPoints(plane, path);
    this.boxes = [];
    this.regions.replaceChildren();
    this.forget();
    return true;
  }

  /** @type {(plane: Plane, path: Regions) => void} */
  drawPoints(plane, path) {
    const { width, height } = this.size;
    const longest = Math.max(0, ...(categoriesOf(plane.features[1])?.kinds ?? []).map((kind) => kind.length));
    this.map = { ...MAP, left: clamp(LETTER * longest + 12, MAP.left, Math.max(MAP.left, width / 5)) };
    const { left, right, top, bottom } = this.map;
    const frame = { left, top, width: width - left - right, height: height - top - bottom };
    const scale = planeScale(plane, frame);
    const places = placesOf(plane, scale);
    this.shown = { plane, path, scale, places, size: this.size };
    const often = plane.classes.map((_, k) => plane.labels.filter((label) => label === k).length);
    const classes = plane.classes.map((text, k) => {
      const mark = html("b", {}, CLASS_MARKS[k]);
      return html("span", { class: `dtviz-class dtviz-label${k}` }, mark, ` ${text} (${often[k]}) `);
    });
    const { values } = plane;
    const ends = [...new Set([values?.[0], values?.at(-1)])].flatMap((end) => (end === undefined ? [] : [end]));
    const numbers = ends.map((end, k) => {
      const mark = html("b", { style: `--dtviz-label: ${tintOf(k)}` }, CLASS_MARKS[0]);
      return html("span", { class: "dtviz-class" }, mark, ` ${digits(end)} `);
    });
    this.legend.replaceChildren(...classes, ...numbers);
    setBox(this.canvas, width, height);
    this.drawAxes(plane, scale, frame);
    const r = plane.labels.length > 300 ? 2.6 : 3.4;
    this.dots.replaceChildren(...(values ? numberPaths(plane, values, places, r) : pointPaths(plane, places, r)));
  }

  // The regions of the leaves after `step` splits.
  /** @param {number} step */
  drawRegions(step) {
    if (!this.shown) return;
    const { path, scale } = this.shown;
    for (let node = 0; node <= 2 * path.steps; node += 1) {
      const there = path.isLeaf(node, step);
      // The root's, which is the whole plane, comes first.
      if (!this.boxes[node] && (there || node === 0)) {
        const box = svg("rect", { class: `dtviz-region dtviz-label${path.label(node)}`, "data-node": node });
        box.style.setProperty("--dtviz-shade", `${(38 - 26 * path.mixed(node)).toFixed(1)}%`);
        if (path.tint) box.style.setProperty("--dtviz-label", path.tint(node));
        place(box, scale.rect(path.box(node)));
        this.regions.append((this.boxes[node] = box));
      }
      if (this.boxes[node]) put(this.boxes[node], "visibility", there ? "inherit" : "hidden");
    }
  }

  /** @type {(width: number, height: number) => void} */
  resize(width, height) {
    this.size = { width, height };
  }

  // Show the regions after `step` splits, the line of the last one and, if wanted, dashed that of the next.
  /** @type {(step: number, next?: boolean) => void} */
  draw(step, next = true) {
    this.step = step;
    this.drawRegions(step);
    this.cut(this.coming, next ? step : -1);
    // The box of a node may be another one now, or gone.
    this.point(this.outlined <= 2 * (this.shown?.path.steps ?? 0) ? this.outlined : -1);
    const points = count(this.shown?.plane.labels.length ?? 0, "point");
    put(this.canvas, "aria-label", `${this.name}: ${points}, ${count(step + 1, "region")}.`);
    if (this.pinned > 2 * step) this.pinned = -1;
    this.forget();
  }
}
