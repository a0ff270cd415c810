// The marks of a node and of the edge to it: the same in every tree that shows its tests and labels.

import { OWN_KEYS, put, putAll, say, svg } from "../hosting/kit.js";

/**
 * @import { Details } from "../controls/controls.js"
 *
 * What a node stands for: a split, a leaf, or a subtree that there is no room to draw.
 * @typedef {"inner" | "leaf" | "folded"} Shown
 *
 * @typedef {object} Marks
 * @property {SVGRectElement} box
 * @property {SVGPathElement} hatch
 * @property {SVGTextElement} text
 * @property {SVGTextElement} note
 *
 * @typedef {{ px: number, py: number }} Place
 */

// Pixels.
const BOX = { width: 28, height: 20 };

const WORDS = { inner: "Split", leaf: "Leaf", folded: "Folded subtree" };

// A node with every mark it may need, of which its class shows some: the triangle of a fold reaches
// so far to each side.
/** @type {(reach: number, ...more: SVGElement[]) => SVGGElement} */
export const blankNode = (reach, ...more) => {
  const { width: w, height: h } = BOX;
  return svg(
    "g",
    { role: "treeitem", tabindex: -1, ...OWN_KEYS },
    svg("path", { d: `M0 ${-h / 2}L${reach} ${h / 2 + 12}H${-reach}Z` }),
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h }),
    svg("path", { class: "dtviz-hatch" }),
    svg("text", { class: "dtviz-name", y: 4 }),
    svg("text", { class: "dtviz-note", y: h / 2 + 13 }),
    ...more,
  );
};

/** @type {(group: SVGGElement) => Marks} */
export const marksOf = (group) => {
  const [, box, hatch, text, note] = /** @type {any[]} */ ([...group.children]);
  return { box, hatch, text, note };
};

// Slanted lines over a share of a node: over all of a leaf, over the base of a fold that reaches so far.
/** @type {(share: number, state: Shown, wide?: number, reach?: number) => string} */
export const hatching = (share, state, wide = BOX.width, reach = 17) => {
  if (!share) return "";
  const [top, rise] = [-BOX.height / 2, BOX.height + 12];
  // Half as wide as this at height y: side + slope * y.
  const slope = state === "folded" ? reach / rise : 0;
  const side = state === "folded" ? -slope * top : wide / 2;
  const [from, to] = state === "folded" ? [top + rise * Math.sqrt(1 - share), top + rise] : [top, -top];
  let lines = "";
  for (let c = -60; c <= 60; c += 5) {
    const [high, low] = [Math.max(from, (c - side) / (1 + slope)), Math.min(to, (c + side) / (1 - slope))];
    if (high < low) lines += `M${(c - high).toFixed(1)} ${high.toFixed(1)}L${(c - low).toFixed(1)} ${low.toFixed(1)}`;
  }
  return lines;
};

/** @type {(marks: Marks, said: { state: Shown, name: string, below: string, wide?: number }) => void} */
export const writeNode = ({ box, text, note }, { state, name, below, wide = BOX.width }) => {
  const folded = state === "folded";
  putAll(box, { x: -wide / 2, width: wide, rx: state === "inner" ? 10 : 3 });
  say(text, name);
  say(note, below);
  put(text, "y", folded ? 18 : 4);
  put(note, "y", folded ? 35 : 23);
};

// What a screen reader says of a node: what its tip does.
/** @type {(state: Shown, details: Details) => string} */
export const spoken = (state, { title, lines }) =>
  `${WORDS[state]}, ${title}: ${lines.map((line) => line.join(" ")).join(", ")}`;

// The edge to a node from the one above, with what is written on it.
/** @type {(from: Place, to: Place, ...texts: SVGTextElement[]) => SVGGElement} */
export const edgeBetween = (from, to, ...texts) =>
  svg("g", {}, svg("line", { x1: from.px, y1: from.py, x2: to.px, y2: to.py }), ...texts);

// The answer that leads to the low side, 0, or to the high one, 1: beside an edge that is so thick to each side,
// above it if it is flat.
/** @type {(from: Place, to: Place, side: 0 | 1, answer: string, thick?: number) => SVGTextElement} */
export const answerOn = (from, to, side, answer, thick = 0) => {
  const flat = Math.abs(to.px - from.px) > 3 * Math.abs(to.py - from.py);
  const away = 7 + thick;
  const at = {
    x: (from.px + to.px) / 2 + (side ? away : -away),
    y: (from.py + to.py) / 2 - thick - (flat ? 6 : 0),
  };
  return svg("text", { ...at, "text-anchor": side ? "start" : "end" }, answer);
};
