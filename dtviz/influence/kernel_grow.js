// Influence-greedy growth of a truth table, in integers: what BuildTopDownDT does, and what it does
// after splits of the reader's own. Every quantity of a node is a multiple of 2^-n, n the number of
// variables, and so exact. Nothing here knows a page.

/**
 * @import { PackedPath } from "../explorers/static/path.js"
 *
 * @typedef {ArrayLike<number>} Table  of bits; bit i of the index is x_i
 * @typedef {readonly (readonly [number, number])[]} Splits  nodes and the variables they are split on, in order
 *
 * A node while it grows: the variables fixed, as bits, their values, and how far left it is.
 * @typedef {{ fixed: number, bits: number, depth: number, place: number }} Cube
 */

// The truth table of a function packed as hexadecimal digits of its code: the last digit tells of
// points 0 to 3.
/** @type {(n: number, digits: string) => Uint8Array} */
export const unpacked = (n, digits) =>
  Uint8Array.from({ length: 2 ** n }, (_, point) => {
    const digit = digits.charAt(digits.length - 1 - (point >> 2));
    return (parseInt(digit, 16) >> (point & 3)) & 1;
  });

// Call visit for each point of a subcube, in ascending order.
/** @type {(n: number, cube: { fixed: number, bits: number }, visit: (point: number) => void) => void} */
export const eachPoint = (n, { fixed, bits }, visit) => {
  const free = (2 ** n - 1) & ~fixed;
  let part = 0;
  do {
    visit(bits | part);
    part = (part - free) & free;
  } while (part);
};

// For each variable the points of a subcube at which it matters: its influence there times the
// probability of the subcube, times 2^n. -1 for a variable that is fixed.
/** @type {(n: number, table: Table, cube: { fixed: number, bits: number }) => number[]} */
export const sensitivePoints = (n, table, cube) =>
  Array.from({ length: n }, (_, i) => {
    const flip = 2 ** i;
    if (cube.fixed & flip) return -1;
    let counted = 0;
    eachPoint(n, { fixed: cube.fixed | flip, bits: cube.bits }, (point) => {
      if (table[point] !== table[point | flip]) counted += 2;
    });
    return counted;
  });

// The subcube that answers lead to.
/** @type {(answers: readonly (readonly [number, number])[]) => { fixed: number, bits: number }} */
export const cubeOf = (answers) => {
  let [fixed, bits] = [0, 0];
  for (const [variable, bit] of answers) {
    fixed |= 2 ** variable;
    bits |= bit * 2 ** variable;
  }
  return { fixed, bits };
};

/** @type {(cube: Cube, variable: number, bit: number) => Cube} */
const half = ({ fixed, bits, depth, place }, variable, bit) => ({
  fixed: fixed | (2 ** variable),
  bits: bits | (bit * 2 ** variable),
  depth: depth + 1,
  place: 2 * place + bit,
});

// The next leaf: of the highest score, among equals the shallowest, then the leftmost; -1 for none.
/** @type {(leaves: Set<number>, score: number[], cubes: Cube[]) => number} */
const nextLeaf = (leaves, score, cubes) => {
  let best = -1;
  for (const leaf of leaves) {
    if (score[leaf] === 0) continue;
    const [a, b] = [cubes[leaf], cubes[best]];
    const rank = best < 0 ? 1 : score[leaf] - score[best] || b.depth - a.depth || b.place - a.place;
    if (rank > 0) best = leaf;
  }
  return best;
};

// Whether splits can be made one after the other: each of a leaf there is, on a variable still free.
/** @type {(n: number, splits: Splits) => boolean} */
export const areSplits = (n, splits) => {
  /** @type {Map<number, number>} */
  const leaves = new Map([[0, 0]]);
  return splits.every(([node, variable], j) => {
    const fixed = leaves.get(node);
    const known = Number.isInteger(variable) && variable >= 0 && variable < n;
    if (fixed === undefined || !known || fixed & (2 ** variable)) return false;
    leaves.delete(node);
    for (const child of [2 * j + 1, 2 * j + 2]) leaves.set(child, fixed | (2 ** variable));
    return true;
  });
};

/**
 * The path of splits that are given and, where wanted, of greed after them.
 * @param {number} n
 * @param {Table} table
 * @param {Splits} [first]
 * @param {boolean} [greedy]
 * @returns {Omit<PackedPath, "size">}
 */
export const grow = (n, table, first = [], greedy = true) => {
  /** @type {{ split: number[], variable: number[], best: number[], ones: number[], cost: number[], score: number[] }} */
  const path = { split: [], variable: [], best: [], ones: [], cost: [], score: [] };
  /** @type {Cube[]} */
  const cubes = [];
  /** @type {Set<number>} */
  const leaves = new Set();
  /** @param {Cube} cube */
  const add = (cube) => {
    const counts = sensitivePoints(n, table, cube);
    let ones = 0;
    eachPoint(n, cube, (point) => (ones += table[point]));
    const score = Math.max(0, ...counts);
    leaves.add(cubes.length);
    cubes.push(cube);
    path.ones.push(ones);
    path.score.push(score);
    path.best.push(score ? counts.indexOf(score) : -1);
    path.cost.push(counts.reduce((sum, one) => sum + Math.max(one, 0), 0));
  };
  /** @type {(node: number, variable: number) => void} */
  const divide = (node, variable) => {
    path.split.push(node);
    path.variable.push(variable);
    leaves.delete(node);
    for (const bit of [0, 1]) add(half(cubes[node], variable, bit));
  };
  add({ fixed: 0, bits: 0, depth: 0, place: 0 });
  for (const [node, variable] of first) divide(node, variable);
  for (let leaf = 0; greedy && leaf >= 0; ) {
    leaf = nextLeaf(leaves, path.score, cubes);
    if (leaf >= 0) divide(leaf, path.best[leaf]);
  }
  return { n, ...path };
};
