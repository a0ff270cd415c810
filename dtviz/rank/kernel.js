// What the page of chapter 2 computes besides FIND: the shape of the tree found, and what the theorems
// promise. Nothing here knows a page.

import { pathShape } from "../explorers/static/computing/path.js";
import { variableName } from "../explorers/static/computing/text.js";

/**
 * @import { FoundTree } from "./kernel_find.js"
 *
 * @typedef {ReturnType<typeof foundPath>} FoundPath
 */

// The tree found as a path that splits level by level.
/** @type {(tree: FoundTree, names?: string[]) => ReturnType<typeof pathShape> & { nodes: FoundTree[], name: (node: number) => string, label: (node: number) => number, words: string }} */
export const foundPath = (tree, names = []) => {
  const nodes = [tree];
  /** @type {number[]} */
  const split = [];
  for (let k = 0; k < nodes.length; k += 1) {
    if (!nodes[k].halves.length) continue;
    split.push(k);
    nodes.push(...nodes[k].halves);
  }
  /** @param {FoundTree} node */
  const nameOf = ({ variable, label }) => (variable < 0 ? String(label) : variableName(names, variable));
  /** @type {(node: FoundTree) => string} */
  const words = (node) => {
    const [low, high] = node.halves.map(words);
    return nameOf(node) + (low ? `: if 0 (${low}), if 1 (${high})` : "");
  };
  const shape = pathShape(split, split.map((k) => nodes[k].variable), names);
  const label = (/** @type {number} */ node) => nodes[node].label;
  return { ...shape, nodes, name: (node) => nameOf(nodes[node]), label, words: words(tree) };
};

// Bounds on ln |F_n^r|: of the theorem, and by the exact number of leaves. All trees of rank 0 are constants.
/** @type {(n: number, r: number) => { paper: number, leaves: number } | null} */
export const logCounts = (n, r) => {
  if (r === 0) return null;
  let [leaves, term] = [1, 1];
  for (let k = 1; k <= r; k += 1) {
    term = (term * (n - k + 1)) / k;
    leaves += term;
  }
  return { paper: ((Math.E * n) / r) ** r * Math.log(8 * n), leaves: leaves * Math.log(8 * n) };
};

// The least m with m >= (ln |F| + ln(1/delta)) / epsilon.
/** @type {(log: number, epsilon: number, delta: number) => number} */
export const examplesAsked = (log, epsilon, delta) => Math.ceil((log - Math.log(delta)) / epsilon);

// Draws that show every point: each is missed with probability at most exp(-m / 2^n).
/** @type {(n: number, delta: number) => number} */
export const drawsOfAll = (n, delta) => Math.ceil(2 ** n * Math.log(2 ** n / delta));

// Where between two columns of a grid a number of examples lies on a log scale, in columns.
/** @type {(grid: number[], asked: number) => number} */
export const columnOf = (grid, asked) => {
  const k = Math.max(1, grid.findIndex((m) => m >= asked));
  const part = Math.log(asked / grid[k - 1]) / Math.log(grid[k] / grid[k - 1]);
  return k - 1 + Math.max(0, part);
};

// The calls that the chart of bars shows: a window that stays while call k is well inside it.
/** @type {(calls: number, k: number, room: number) => { from: number, to: number }} */
export const windowAround = (calls, k, room) => {
  const length = Math.min(calls, room);
  const half = Math.max(1, Math.floor(length / 2));
  const middle = Math.floor(k / half) * half - Math.floor(half / 2);
  const from = Math.min(Math.max(middle, 0), calls - length);
  return { from, to: from + length };
};
