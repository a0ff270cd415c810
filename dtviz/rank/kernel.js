// What the page of chapter 2 computes: the nesting of recorded calls, the shape of the tree found,
// what many samples say, and what the theorems promise. Nothing here knows a page.

import { pathShape } from "../explorers/static/path.js";

/**
 * A run of FIND as the Python side packs it: its calls in the order they were made.
 * @typedef {object} PackedRun
 * @property {number[]} depth
 * @property {number[]} rank  the bound of each call
 * @property {number[]} size
 * @property {number[]} ones
 * @property {number[]} variable  the test that led to the call
 * @property {number[]} branch
 * @property {number[]} split
 * @property {number[]} step
 * @property {number[]} again  1 for a second try
 * @property {number[]} found  1 where a tree was returned
 * @property {PackedTree | null} tree
 *
 * A tree in preorder; a leaf with label b has variable -1 - b.
 * @typedef {{ variable: number[], rank: number[], wrong: number }} PackedTree
 *
 * @typedef {ReturnType<typeof recordedRun>} Run
 * @typedef {ReturnType<typeof foundPath>} FoundPath
 * @typedef {ReturnType<typeof drawn>} Drawn
 */

// A recorded run, with the nesting that the depths imply.
/** @param {PackedRun} packed */
export const recordedRun = (packed) => {
  const calls = packed.depth.length;
  const parent = new Int32Array(calls).fill(-1);
  const end = new Int32Array(calls).fill(calls);
  /** @type {number[]} */
  const open = [];
  packed.depth.forEach((depth, k) => {
    for (const closed of open.splice(depth)) end[closed] = k;
    if (depth) parent[k] = open[depth - 1];
    open.push(k);
  });
  return {
    ...packed,
    calls,
    parent,
    end,
    levels: Math.max(...packed.depth) + 1,
    /** @type {(k: number) => number[]} */
    children(k) {
      const made = [];
      for (let child = k + 1; child < end[k]; child = end[child]) made.push(child);
      return made;
    },
    // The calls that are running when call k is made, from call 0 to k itself.
    /** @type {(k: number) => number[]} */
    stack(k) {
      const running = [];
      for (let at = k; at >= 0; at = parent[at]) running.unshift(at);
      return running;
    },
  };
};

// How deep the deepest of several runs is nested.
/** @param {PackedRun[]} runs */
export const mostLevels = (runs) => runs.reduce((most, { depth }) => Math.max(most, ...depth), 0) + 1;

// The next call after k that is a second try, cyclically, or -1.
/** @type {(run: { again: number[] }, k: number) => number} */
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
/** @param {PackedTree} tree */
export const foundPath = ({ variable, rank }) => {
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
    return `x${variable[k]}: if 0 (${words(k + 1)}), if 1 (${words(k + 1 + size[k + 1])})`;
  };
  const shape = pathShape(split, split.map((node) => variable[at[node]]));
  return {
    ...shape,
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
    name: (node) => (variable[at[node]] < 0 ? String(-1 - variable[at[node]]) : `x${variable[at[node]]}`),
  };
};

// What a histogram of wrong points says: entry 0 counts the samples without a tree.
/** @type {(histogram: number[], points: number, epsilon: number) => { none: number, trees: number, often: number[], above: number, median: number | null, all: number }} */
export const drawn = (histogram, points, epsilon) => {
  const [none, ...often] = histogram;
  const trees = often.reduce((sum, times) => sum + times, 0);
  // The error of the sample at this place, counted from 0, once they are sorted.
  /** @param {number} place */
  const errorAt = (place) => {
    let seen = 0;
    return often.findIndex((times) => (seen += times) > place) / points;
  };
  const above = often.reduce((sum, times, wrong) => sum + (wrong / points > epsilon ? times : 0), 0);
  const median = trees ? (errorAt((trees - 1) >> 1) + errorAt(trees >> 1)) / 2 : null;
  return { none, trees, often, above, median, all: none + trees };
};

// The least m with m >= (ln |F| + ln(1/delta)) / epsilon, and the error that m examples promise.
/** @type {(log: number, epsilon: number, delta: number) => number} */
export const examplesAsked = (log, epsilon, delta) => Math.ceil((log - Math.log(delta)) / epsilon);
/** @type {(log: number, m: number, delta: number) => number} */
export const errorPromised = (log, m, delta) => (log - Math.log(delta)) / m;

// Draws that show every point of the cube: each is missed with probability at most exp(-m / points).
/** @type {(points: number, delta: number) => number} */
export const drawsOfAll = (points, delta) => Math.ceil(points * Math.log(points / delta));

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
