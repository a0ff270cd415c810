// A small picture of a function whose points can be flipped: up to 4 variables the cube, as
// dt.plot.hypercube draws it; of 5 and 6 a map, in which neighbors differ in one bit.

import { OWN_KEYS, html, place, put, putAll, say, setBox, svg } from "../hosting/kit.js";
import { variableName } from "../computing/text.js";

/**
 * @import { Table } from "../hosting/functions.js"
 *
 * @typedef {{ x: number, y: number }} Spot
 * @typedef {{ root: SVGGElement, text: SVGTextElement }} Mark
 * @typedef {{ width: number, height: number, spots: Spot[], marks: SVGElement[], cell: Spot }} Layout
 */

// Where one step along each variable leads, in pixels: as dtviz/plot/cubes.py. Of 4 variables one cube
// stands below another.
const STEPS = [[80, 0], [0, -52], [36, -21]];
const STEPS_OF_4 = [[124, 0], [0, -50], [62, -21], [28, 98]];
const CELL = { x: 26, y: 24 };
const BOX = { x: 36, y: 24 };
const HEAD = { x: 44, y: 16 };
// Of so many variables of a map the values stand at its rows.
/** @param {number} n */
const downOf = (n) => (n === 6 ? 3 : 2);

/** @type {(x: number, variables: number[]) => string} */
export const bitsOf = (x, variables) => variables.map((i) => (x >> i) & 1).join("");

/** @type {(from: number, to: number) => number[]} */
export const range = (from, to) => Array.from({ length: to - from }, (_, k) => from + k);

// The points of some variables, neighbors one bit apart; the first variable changes least often.
/** @type {(variables: number[]) => number[]} */
export const grayPoints = (variables) => {
  const last = variables.length - 1;
  return range(0, 1 << variables.length).map((k) => {
    const code = k ^ (k >> 1);
    return variables.reduce((x, i, j) => x | (((code >> (last - j)) & 1) << i), 0);
  });
};

/** @type {(n: number) => Layout} */
const cubeLayout = (n) => {
  const [steps, height] = n < 4 ? [STEPS, 112] : [STEPS_OF_4, 200];
  const raw = range(0, 1 << n).map((point) => {
    const on = steps.filter((_, i) => (point >> i) & 1);
    return { x: on.reduce((sum, [dx]) => sum + dx, 0), y: on.reduce((sum, [, dy]) => sum + dy, 0) };
  });
  const [xs, ys] = [raw.map(({ x }) => x), raw.map(({ y }) => y)];
  const lift = (height - Math.max(...ys) - Math.min(...ys)) / 2;
  const spots = raw.map(({ x, y }) => ({ x: x + BOX.x / 2 + 2, y: y + lift }));
  return { width: Math.max(...xs) + BOX.x + 4, height, spots, marks: [], cell: BOX };
};

/** @type {(n: number) => Layout} */
const mapLayout = (n) => {
  const [rowed, columned] = [range(0, downOf(n)), range(downOf(n), n)];
  const [rows, columns] = [grayPoints(rowed), grayPoints(columned)];
  const top = HEAD.y;
  /** @type {Spot[]} */
  const spots = [];
  rows.forEach((row, r) => {
    columns.forEach((column, c) => {
      spots[row | column] = { x: HEAD.x + CELL.x * (c + 1 / 2), y: top + CELL.y * (r + 1 / 2) };
    });
  });
  /** @type {(x: number, y: number, text: string, anchor?: string) => SVGTextElement} */
  const word = (x, y, text, anchor = "middle") => svg("text", { class: "dtviz-head", x, y, "text-anchor": anchor }, text);
  const marks = [
    ...rows.map((row, r) => word(HEAD.x - 6, top + CELL.y * r + 16, bitsOf(row, rowed), "end")),
    ...columns.map((column, c) => word(HEAD.x + CELL.x * (c + 1 / 2), top - 4, bitsOf(column, columned))),
  ];
  const width = HEAD.x + CELL.x * columns.length + 1;
  return { width, height: top + CELL.y * rows.length + 1, spots, marks, cell: CELL };
};

// The point nearest in the direction of an arrow key, or the same one.
/** @type {(spots: Spot[], from: number, key: string) => number} */
export const towards = (spots, from, key) => {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  let [best, least] = [from, Infinity];
  spots.forEach(({ x, y }, k) => {
    const [across, down] = [x - spots[from].x, y - spots[from].y];
    const ahead = across * dx + down * dy;
    const far = ahead + 3 * Math.abs(across * dy + down * dx);
    if (ahead > 1 && far < least) [best, least] = [k, far];
  });
  return best;
};

// What the boxes read, for the line below the picture.
/** @type {(n: number, called?: string[]) => string} */
export const readingOf = (n, called = []) => {
  const names = (/** @type {number[]} */ variables) => variables.map((i) => variableName(called, i)).join(" ");
  if (n < 5) return n ? `Boxes read ${names(range(0, n))}` : "One point";
  return `Down ${names(range(0, downOf(n)))}, across ${names(range(downOf(n), n))}`;
};

export class CubeView {
  /** @param {(point: number) => void} onFlip */
  constructor(onFlip) {
    this.onFlip = onFlip;
    this.edges = svg("g", { class: "dtviz-edges" });
    this.points = svg("g", {});
    this.canvas = svg("svg", { class: "dtviz-canvas dtviz-cube", role: "group" }, this.edges, this.points);
    this.root = html("div", { class: "dtviz-cube-room" }, this.canvas);
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {{ line: SVGLineElement, ends: [number, number] }[]} */
    this.lines = [];
    this.layout = cubeLayout(0);
    this.n = -1;
  }

  // One of the points is reached by Tab, the others from there by arrows.
  /** @param {number} point */
  reach(point) {
    this.marks.forEach(({ root }, k) => put(root, "tabindex", k === point ? 0 : -1));
  }

  /** @type {(event: KeyboardEvent, point: number) => void} */
  onKey(event, point) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " || event.key === "Enter") this.onFlip(point);
    else if (event.key.startsWith("Arrow")) {
      const next = towards(this.layout.spots, point, event.key);
      this.reach(next);
      this.marks[next].root.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @type {(n: number, point: number) => Mark} */
  mark(n, point) {
    const { cell, spots } = this.layout;
    const gap = n < 5 ? 3 : 0;
    const sides = { x: -cell.x / 2, width: cell.x };
    const box = svg("rect", { class: "dtviz-box", ...sides, y: gap - cell.y / 2, height: cell.y - 2 * gap, rx: gap });
    const touch = svg("rect", { ...sides, y: -cell.y / 2, height: cell.y, class: "dtviz-touch" });
    const text = svg("text", { y: 4, "text-anchor": "middle" });
    const label = `f(${[...bitsOf(point, range(0, n))].join(", ")})`;
    const given = { role: "switch", "aria-label": label, "data-point": point, ...OWN_KEYS };
    const root = svg("g", given, box, text, touch);
    put(root, "transform", `translate(${spots[point].x.toFixed(1)} ${spots[point].y.toFixed(1)})`);
    root.addEventListener("click", () => {
      this.reach(point);
      root.focus({ preventScroll: true });
      this.onFlip(point);
    });
    root.addEventListener("keydown", (event) => this.onKey(event, point));
    return { root, text };
  }

  /** @param {number} n */
  build(n) {
    this.n = n;
    this.layout = n < 5 ? cubeLayout(n) : mapLayout(n);
    setBox(this.canvas, this.layout.width, this.layout.height);
    put(this.canvas, "aria-label", `f at its ${1 << n} points: a switch is on where f is 1`);
    const all = range(0, 1 << n);
    this.marks = all.map((point) => this.mark(n, point));
    this.lines = (n < 5 ? all : []).flatMap((x) => {
      const above = range(0, n).filter((i) => !((x >> i) & 1));
      return above.map((i) => ({ line: svg("line"), ends: /** @type {[number, number]} */ ([x, x | (1 << i)]) }));
    });
    for (const { line, ends } of this.lines) {
      const [from, to] = ends.map((end) => this.layout.spots[end]);
      place(line, { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
    }
    this.edges.replaceChildren(...this.lines.map(({ line }) => line), ...this.layout.marks);
    this.points.replaceChildren(...this.marks.map(({ root }) => root));
    this.reach(0);
  }

  /** @param {Table} given */
  draw({ n, table }) {
    if (n !== this.n) this.build(n);
    this.marks.forEach(({ root, text }, point) => {
      putAll(root, { "aria-checked": table[point] === 1, "data-value": table[point] });
      say(text, (n < 5 && bitsOf(point, range(0, n))) || String(table[point]));
    });
    for (const { line, ends } of this.lines) put(line, "data-changes", table[ends[0]] !== table[ends[1]]);
  }
}
