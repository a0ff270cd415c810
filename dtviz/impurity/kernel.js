// What the page of chapter 4 computes: costs, what a split gains under them, and the regions of a
// tree of thresholds. Nothing here knows a page.

import { ROUNDING } from "../explorers/static/constants.js";
import { CLASS_MARKS, digits, shortDigits } from "../explorers/static/text.js";

/**
 * @import { Box, Span } from "../explorers/static/plane.js"
 *
 * @typedef {"error" | "gini" | "entropy" | "sqrt"} Cost
 *
 * A split into children of class shares p (weight 1 - tau) and r (weight tau).
 * @typedef {{ p: number, r: number, tau: number }} Split
 *
 * A path as the Python side packs it: step j splits node split[j] at x[variable[j]] <= threshold[j]
 * into nodes 2j + 1 and 2j + 2; counts[k][node] says how many points of class k are there, and
 * score[node] what its best split gains.
 * @typedef {object} PackedCuts
 * @property {number[]} split
 * @property {number[]} variable
 * @property {number[]} threshold
 * @property {number[][]} counts
 * @property {number[]} score
 *
 * @typedef {ReturnType<typeof planePath>} PlanePath
 */

/** @param {number} x */
const xlog2 = (x) => (x > 0 ? x * Math.log2(x) : 0);

// The costs of a node whose share of class 1 is q. All are 1/2 at q = 1/2 and 0 at 0 and 1.
/** @type {Record<Cost, { formula: string, of: (q: number) => number }>} */
export const COSTS = {
  error: { formula: "min(q, 1 − q)", of: (q) => Math.min(q, 1 - q) },
  gini: { formula: "2q(1 − q)", of: (q) => 2 * q * (1 - q) },
  entropy: { formula: "H(q)/2, H in bits", of: (q) => -(xlog2(q) + xlog2(1 - q)) / 2 },
  sqrt: { formula: "√(q(1 − q))", of: (q) => Math.sqrt(q * (1 - q)) },
};
export const COST_NAMES = /** @type {Cost[]} */ (Object.keys(COSTS));

/** @type {(values: number[]) => number} */
const sum = (values) => values.reduce((total, value) => total + value, 0);

// The costs for the shares of any number of classes; for two, those above.
/** @type {Record<Cost, (shares: number[]) => number>} */
export const CLASS_COSTS = {
  error: (shares) => 1 - Math.max(...shares),
  gini: (shares) => sum(shares.map((p) => p * (1 - p))),
  entropy: (shares) => -sum(shares.map(xlog2)) / 2,
  sqrt: (shares) => Math.max(0, (sum(shares.map(Math.sqrt)) ** 2 - 1) / 2),
};

/** @type {(cost: Cost, split: Split) => { q: number, before: number, after: number, drop: number }} */
export const splitDrop = (cost, { p, r, tau }) => {
  const { of } = COSTS[cost];
  const q = (1 - tau) * p + tau * r;
  const [before, after] = [of(q), (1 - tau) * of(p) + tau * of(r)];
  // Concavity makes it at least 0; what is left of a difference of equal numbers is rounding.
  const drop = before - after > ROUNDING ? before - after : 0;
  return { q, before, after, drop };
};

// The weight of r for which the parent has share q, on the slider's grid; null where p = r.
/** @type {(split: Split, q: number, step: number) => number | null} */
export const weightAt = ({ p, r }, q, step) => {
  if (p === r) return null;
  return Math.min(Math.max(Number(((q - p) / (r - p)).toFixed(2)), step), 1 - step);
};

// The box of each node: the whole plane for the root, halves of the parent's box below.
/** @type {(packed: PackedCuts) => Box[]} */
const cutBoxes = ({ split, variable, threshold }) => {
  /** @type {Span} */
  const everything = [-Infinity, Infinity];
  /** @type {Box[]} */
  const boxes = [[everything, everything]];
  split.forEach((node, j) => {
    for (const side of [0, 1]) {
      const [from, to] = boxes[node][variable[j]];
      /** @type {[Span, Span]} */
      const box = [...boxes[node]];
      box[variable[j]] = side ? [threshold[j], to] : [from, threshold[j]];
      boxes[2 * j + 1 + side] = box;
    }
  });
  return boxes;
};

// Where a box is: "x0 ≤ 2.5, 1 < x1 ≤ 3".
/** @type {(box: Box) => string} */
const boxText = (box) => {
  const sides = box.map(([from, to], k) => {
    if (from === -Infinity && to === Infinity) return "";
    if (from === -Infinity) return `x${k} ≤ ${digits(to)}`;
    return to === Infinity ? `x${k} > ${digits(from)}` : `${digits(from)} < x${k} ≤ ${digits(to)}`;
  });
  return sides.filter(Boolean).join(", ") || "the whole plane";
};

// A path of cuts: it answers what the tree view, the plane and the charts ask.
/** @type {(packed: PackedCuts, cost: Cost) => ReturnType<typeof assembled>} */
export const planePath = (packed, cost) => {
  const { split, counts } = packed;
  const nodes = 2 * split.length + 1;
  const splitAt = new Int32Array(nodes).fill(split.length);
  split.forEach((node, j) => {
    splitAt[node] = j;
  });
  const nodeCounts = Array.from({ length: nodes }, (_, k) => counts.map((column) => column[k]));
  const sizes = nodeCounts.map(sum);
  const wrong = nodeCounts.map((often, k) => sizes[k] - Math.max(...often));
  const impurities = nodeCounts.map((often, k) => CLASS_COSTS[cost](often.map((one) => one / sizes[k])));
  return assembled(packed, { splitAt, nodeCounts, sizes, wrong, impurities });
};

/**
 * @param {PackedCuts} packed
 * @param {{ splitAt: Int32Array, nodeCounts: number[][], sizes: number[], wrong: number[], impurities: number[] }} facts
 */
const assembled = ({ split, variable, threshold, score }, { splitAt, nodeCounts, sizes, wrong, impurities }) => {
  const steps = split.length;
  const total = sizes[0];
  const classes = nodeCounts[0].length;
  const boxes = cutBoxes({ split, variable, threshold, counts: [], score });
  /** @type {(node: number, step: number) => boolean} */
  const isLeaf = (node, step) => (node === 0 || (node - 1) >> 1 < step) && splitAt[node] >= step;
  // Sums over the leaves of each tree of the path, leaf by leaf.
  /** @type {(share: (node: number) => number) => number[]} */
  const totals = (share) =>
    Array.from({ length: steps + 1 }, (_, step) => {
      let whole = 0;
      for (let node = 0; node <= 2 * step; node += 1) if (isLeaf(node, step)) whole += share(node);
      return whole;
    });
  return {
    steps,
    split,
    variable,
    threshold,
    splitAt,
    isLeaf,
    /** @type {(node: number) => number} */
    size: (node) => sizes[node],
    /** @type {(node: number) => number} */
    impurity: (node) => impurities[node],
    /** @type {(node: number) => number[]} */
    counts: (node) => nodeCounts[node],
    /** @type {(node: number) => Box} */
    box: (node) => boxes[node],
    errors: totals((node) => wrong[node] / total),
    costs: totals((node) => (sizes[node] / total) * impurities[node]),
    /** @type {(node: number) => number} */
    error: (node) => wrong[node] / total,
    /** @type {(node: number) => number} */
    score: (node) => score[node],
    /** @type {(node: number) => number} */
    label: (node) => nodeCounts[node].indexOf(Math.max(...nodeCounts[node])),
    /** @type {(node: number) => number} */
    mixed: (node) => (wrong[node] / sizes[node]) * (classes / (classes - 1)),
    /** @type {(node: number) => string} */
    fullTest: (node) => `x${variable[splitAt[node]]} ≤ ${digits(threshold[splitAt[node]])}`,
    // The leaf that a point falls into.
    /** @type {(point: Span, step: number) => number} */
    find(point, step) {
      let node = 0;
      while (splitAt[node] < step) {
        const j = splitAt[node];
        node = 2 * j + (point[variable[j]] <= threshold[j] ? 1 : 2);
      }
      return node;
    },
    // The last split of the tree after `step` > 0 splits as a chord: shares of class 1, weight.
    /** @type {(step: number) => Split} */
    chord(step) {
      const [p, r] = [2 * step - 1, 2 * step].map((node) => nodeCounts[node][1] / sizes[node]);
      return { p, r, tau: sizes[2 * step] / (sizes[2 * step - 1] + sizes[2 * step]) };
    },
    /** @type {(node: number) => string} */
    test: (node) => `x${variable[splitAt[node]]}≤${shortDigits(threshold[splitAt[node]])}`,
    testWidth: 56,
    answers: /** @type {const} */ (["yes", "no"]),
    /** @type {(label: number) => string} */
    mark: (label) => CLASS_MARKS[label],
    /** @type {(node: number) => string} */
    where: (node) => boxText(boxes[node]),
  };
};
