// The drawing of a node and of the edge to it, the same in every tree: a box with all that it says, or a small mark.

import { OWN_KEYS, put, putAll, say, svg } from "../hosting/kit.js";

/**
 * @import { Details } from "../controls/controls.js"
 * @import { Layout, Place } from "../computing/layout.js"
 *
 * What a node stands for: a split, a leaf, or a subtree that there is no room to draw.
 * @typedef {"inner" | "leaf" | "folded"} Shown
 *
 * A node and what is in it; most nodes need no more than a box.
 * @typedef {object} Marks
 * @property {SVGGElement} group
 * @property {SVGRectElement} box
 * @property {SVGEllipseElement} [reach]
 * @property {SVGPathElement} [fold]
 * @property {SVGPathElement} [hatch]
 * @property {SVGTextElement} [text]
 * @property {SVGTextElement} [note]
 *
 * @typedef {Pick<Place, "px" | "py">} Point
 */

// Pixels.
const BOX = { width: 28, height: 20 };
// Pixels of the longest answer, "yes".
const LONGEST = 22;
// Pixels that the edge of all the data is thicker than that of none.
const THICKEST = 7;

const WORDS = { inner: "Split", leaf: "Leaf", folded: "Folded subtree" };

/** @type {SVGGElement | undefined} */
let blank;

// Copied for each node: far quicker than to make one piece by piece.
/** @type {() => Marks} */
export const blankNode = () => {
  blank ??= svg("g", { role: "treeitem", tabindex: -1, ...OWN_KEYS }, svg("rect"));
  const group = /** @type {SVGGElement} */ (blank.cloneNode(true));
  return { group, box: /** @type {SVGRectElement} */ (group.firstChild) };
};

// What is written in a node, or in its place nothing.
/** @type {(node: Marks, part: "text" | "note", kind: string, words: string) => void} */
const write = (node, part, kind, words) => {
  if (words) node[part] ??= node.group.appendChild(svg("text"));
  const text = node[part];
  if (!text) return;
  put(text, "class", kind);
  say(text, words);
};

// Hatch a share of a node, under what is written there.
/** @type {(node: Marks, lines: string) => void} */
export const writeHatch = (node, lines) => {
  if (lines && !node.hatch) node.box.after((node.hatch = svg("path", { class: "dtviz-hatch" })));
  if (node.hatch) put(node.hatch, "d", lines);
};

// The triangle of a fold: half its width, its top and its base.
/** @type {(node: Marks, wide: number, top: number, base: number) => void} */
export const writeFold = (node, wide, top, base) => {
  if (!node.fold) node.group.prepend((node.fold = svg("path")));
  put(node.fold, "d", `M0 ${top}L${wide} ${base}H${-wide}Z`);
};

// Slanted lines over a share of a node, from the base of a fold up: `mark` as wide as it is, or a box.
/** @type {(share: number, state: Shown, wide?: number, mark?: number) => string} */
export const hatching = (share, state, wide = BOX.width, mark = 0) => {
  if (!share) return "";
  const high = (mark || BOX.height) / 2;
  const [top, base] = [-high, state === "folded" ? 2 * high : high];
  const from = state === "folded" ? top + (base - top) * Math.sqrt(1 - share) : top;
  // Half as wide as this at height y: side + slope * y.
  const slope = state === "folded" ? wide / 2 / (base - top) : 0;
  const side = state === "folded" ? -slope * top : wide / 2;
  let lines = "";
  for (let c = -60; c <= 60; c += mark ? 4 : 5) {
    const [up, low] = [Math.max(from, (c - side) / (1 + slope)), Math.min(base, (c + side) / (1 - slope))];
    if (up < low) lines += `M${(c - up).toFixed(1)} ${up.toFixed(1)}L${(c - low).toFixed(1)} ${low.toFixed(1)}`;
  }
  return lines;
};

/** @type {(node: Marks, said: { state: Shown, name: string, below: string, wide?: number }) => void} */
export const writeBox = (node, { state, name, below, wide = BOX.width }) => {
  const folded = state === "folded";
  if (node.reach) putAll(node.reach, { rx: 0, ry: 0 });
  putAll(node.box, { x: -wide / 2, y: -BOX.height / 2, width: wide, height: BOX.height, rx: state === "inner" ? 10 : 3 });
  write(node, "text", "dtviz-name", name);
  write(node, "note", "dtviz-note", below);
  if (node.text) putAll(node.text, { x: 0, y: folded ? 18 : 4 });
  if (node.note) put(node.note, "y", folded ? 35 : 23);
};

// A dot for a split, a square for a leaf, a triangle for a fold; beside a split its test, if it has room.
/** @type {(node: Marks, said: { state: Shown, name: string, side: number, large?: boolean, below?: string }, layout: Pick<Layout, "mark" | "reach">) => void} */
export const writeMark = (node, { state, name, side, large, below = "" }, { mark, reach }) => {
  const inner = state === "inner";
  const wide = inner && !large ? Math.max((2 * mark) / 3, 3) : mark;
  node.reach ??= node.group.appendChild(svg("ellipse", { class: "dtviz-reach" }));
  putAll(node.reach, { rx: reach.width / 2, ry: reach.height / 2 });
  putAll(node.box, { x: -wide / 2, y: -wide / 2, width: wide, height: wide, rx: inner ? wide / 2 : 0 });
  if (state === "folded") writeFold(node, mark / 2, -mark / 2, mark);
  write(node, "text", `dtviz-name${side < 0 ? " dtviz-left" : ""}`, inner && side ? name : "");
  write(node, "note", "dtviz-note", below);
  if (node.text) putAll(node.text, { x: 5 * side, y: -5 });
  if (node.note) put(node.note, "y", mark + 10);
};

// What a screen reader says of a node: what its tip does.
/** @type {(state: Shown, details: Details) => string} */
export const spoken = (state, { title, lines }) =>
  `${WORDS[state]}, ${title}: ${lines.map((line) => line.join(" ")).join(", ")}`;

// How thick the edge is on which a share of the data comes.
/** @param {number} share */
export const thickOf = (share) => 1 + THICKEST * share;

// An edge to a node from the one above, as thick as is asked.
/** @type {(thick?: number) => SVGLineElement} */
export const blankEdge = (thick = 1.5) => {
  const edge = svg("line", { x2: 1, y2: 1, "vector-effect": "non-scaling-stroke" });
  edge.style.setProperty("--dtviz-thick", `${thick.toFixed(1)}px`);
  return edge;
};

// Scaled, not drawn again: so its ends move as the nodes do.
/** @type {(edge: SVGLineElement, from: Point, to: Point) => void} */
export const layEdge = (edge, from, to) => {
  const [dx, dy] = [to.px - from.px, to.py - from.py];
  edge.style.transform = `translate(${from.px}px,${from.py}px) scale(${dx},${dy})`;
};

// Where the answer stands that leads to the low side, 0, or to the high one, 1: beside an edge that is so thick to each
// side, above it if it is flat.
/** @type {(from: Point, to: Point, side: 0 | 1, thick?: number) => { x: number, y: number, "text-anchor": string }} */
export const answerAt = (from, to, side, thick = 0) => {
  const flat = Math.abs(to.px - from.px) > 3 * Math.abs(to.py - from.py);
  const away = 7 + thick;
  const middle = (from.px + to.px) / 2;
  return {
    x: side ? middle + away : Math.max(middle - away, LONGEST),
    y: (from.py + to.py) / 2 - thick - (flat ? 6 : 0),
    "text-anchor": side ? "start" : "end",
  };
};
