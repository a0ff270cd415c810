// What the page of chapter 2 computes besides FIND: what a call tried before, the shape of the tree
// found, and what the theorems promise. Nothing here knows a page.

import { pathShape } from "../explorers/static/path.js";
import { variableName } from "../explorers/static/text.js";

/**
 * @import { FoundTree, Run } from "./kernel_find.js"
 *
 * Natural logarithms of the numbers of trees or functions of each rank, null where none is known.
 * @typedef {{ paper: (number | null)[], leaves: (number | null)[], exact: (number | null)[] }} LogCounts
 *
 * @typedef {ReturnType<typeof foundPath>} FoundPath
 */

// The next call after k that is a second try, cyclically, or -1.
/** @type {(run: { again: Int8Array }, k: number) => number} */
export const nextAgain = (run, k) => {
  const after = run.again.indexOf(1, k + 1);
  return after < 0 ? run.again.indexOf(1) : after;
};

// What a call has tried before the running call `next` below it: the variables that failed in both
// halves, and the earlier calls on the variable that is being tried.
/** @type {(run: Run, call: number, next: number) => { failed: number[], same: number[] }} */
export const triedBefore = (run, call, next) => {
  const before = run.children(call).filter((child) => child < next);
  const variable = run.variable[next];
  const others = before.map((child) => run.variable[child]).filter((other) => other !== variable);
  const same = before.filter((child) => run.variable[child] === variable);
  return { failed: [...new Set(others)], same };
};

// The tree found as a path that splits level by level, at[node] being the place in preorder.
/** @param {Pick<FoundTree, "variable" | "rank"> & { names?: string[] }} tree */
export const foundPath = ({ variable, rank, names = [] }) => {
  const size = new Int32Array(variable.length).fill(1);
  for (let k = variable.length - 1; k >= 0; k -= 1) {
    if (variable[k] < 0) continue;
    size[k] += size[k + 1];
    size[k] += size[k + size[k]];
  }
  const at = [0];
  /** @type {number[]} */
  const split = [];
  for (let node = 0; node < at.length; node += 1) {
    const k = at[node];
    if (variable[k] < 0) continue;
    split.push(node);
    at.push(k + 1, k + 1 + size[k + 1]);
  }
  /** @type {(k: number) => string} */
  const words = (k) => {
    if (variable[k] < 0) return String(-1 - variable[k]);
    return `${variableName(names, variable[k])}: if 0 (${words(k + 1)}), if 1 (${words(k + 1 + size[k + 1])})`;
  };
  const shape = pathShape(split, split.map((node) => variable[at[node]]), names);
  return {
    ...shape,
    at,
    most: rank[0],
    words: words(0),
    /** @type {(node: number) => number} */
    rank: (node) => rank[at[node]],
    // The nodes below an inner one, for the answers 0 and 1.
    /** @type {(node: number) => number[]} */
    halves: (node) => [1, 2].map((side) => 2 * shape.splitAt[node] + side),
    /** @type {(node: number) => number} */
    leaves: (node) => (size[at[node]] + 1) / 2,
    /** @type {(node: number) => boolean} */
    inner: (node) => variable[at[node]] >= 0,
    /** @type {(node: number) => string} */
    name: (node) => (variable[at[node]] < 0 ? String(-1 - variable[at[node]]) : variableName(names, variable[at[node]])),
  };
};

// Bounds on ln |F_n^r|, r = 0 .. n: of the theorem, by leaves, and exact where it is known. `sizes` are
// the numbers of functions of n variables whose rank is at most r, if they are known.
/** @type {(n: number, sizes: number[] | undefined) => LogCounts} */
export const logCounts = (n, sizes) => {
  /** @type {LogCounts} */
  const logs = { paper: [null], leaves: [null], exact: [] };
  let [leaves, term] = [1, 1];
  for (let r = 0; r <= n; r += 1) {
    // All trees of rank 0 are constants; every function has rank at most n.
    if (sizes) logs.exact.push(Math.log(sizes[r]));
    else logs.exact.push(r === 0 ? Math.LN2 : r === n ? 2 ** n * Math.LN2 : null);
    if (r === 0) continue;
    term = (term * (n - r + 1)) / r;
    leaves += term;
    logs.paper.push(((Math.E * n) / r) ** r * Math.log(8 * n));
    logs.leaves.push(leaves * Math.log(8 * n));
  }
  return logs;
};

// The least m with m >= (ln |F| + ln(1/delta)) / epsilon, and the error that m examples promise.
/** @type {(log: number, epsilon: number, delta: number) => number} */
export const examplesAsked = (log, epsilon, delta) => Math.ceil((log - Math.log(delta)) / epsilon);
/** @type {(log: number, m: number, delta: number) => number} */
export const errorPromised = (log, m, delta) => (log - Math.log(delta)) / m;

// Draws that show every point: a point of weight w is missed with probability at most exp(-m w).
/** @type {(weights: Float64Array, delta: number) => number} */
export const drawsOfAll = (weights, delta) => {
  /** @param {number} m */
  const missed = (m) => weights.reduce((sum, weight) => sum + Math.exp(-m * weight), 0);
  let [low, high] = [0, 1];
  while (missed(high) > delta) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (missed(middle) > delta) low = middle;
    else high = middle;
  }
  return high;
};

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
