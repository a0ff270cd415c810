// Influence-greedy growth of a truth table, in integers: what BuildTopDownDT does, and what it does
// after splits of the reader's own. Every quantity of a node is a multiple of 2^-n, n the number of
// variables, and so exact. Nothing here knows a page.

/**
 * @import { PackedPath } from "../explorers/static/path.js"
 *
 * @typedef {ArrayLike<number>} Table  of bits; bit i of the index is x_i
 * @typedef {readonly (readonly [number, number])[]} Splits  nodes and the variables they are split on, in order
 *
 * A node: the variables fixed, as bits, their values, how far left it is, and what can be asked.
 * @typedef {{ fixed: number, bits: number, depth: number, place: number }} Cube
 * @typedef {Cube & { counts: number[], score: number, best: number, ones: number, halves: Grown[] }} Grown
 *
 * A path with, of each split, the score of what is asked there: of a greedy one that is the node's.
 * @typedef {Omit<PackedPath, "size"> & { asked: number[] }} OwnPath
 */

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
export const sensitivePoints = (n, table, { fixed, bits }) =>
  Array.from({ length: n }, (_, i) => {
    const flip = 2 ** i;
    if (fixed & flip) return -1;
    // As eachPoint goes, but half a million points of 16 variables are too many calls.
    const free = (2 ** n - 1) & ~(fixed | flip);
    let differing = 0;
    let part = 0;
    do {
      const point = bits | part;
      differing += table[point] ^ table[point | flip];
      part = (part - free) & free;
    } while (part);
    return 2 * differing;
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

/** @type {(n: number, table: Table, cube: Cube) => Grown} */
const measured = (n, table, cube) => {
  const counts = sensitivePoints(n, table, cube);
  const score = Math.max(0, ...counts);
  let ones = 0;
  eachPoint(n, cube, (point) => (ones += table[point]));
  return { ...cube, counts, score, best: score ? counts.indexOf(score) : -1, ones, halves: [] };
};

/** @type {(n: number, table: Table, above: Grown, variable: number) => Grown[]} */
const halvesOf = (n, table, { fixed, bits, depth, place }, variable) =>
  [0, 1].map((bit) => {
    const here = { fixed: fixed | (2 ** variable), bits: bits | (bit * 2 ** variable) };
    return measured(n, table, { ...here, depth: depth + 1, place: 2 * place + bit });
  });

// All that the greedy algorithm would split below some leaves, in its order: of the highest score, among equals the
// shallowest, then the leftmost. What a node scores is never less than its halves do, so it comes first.
/** @type {(n: number, table: Table, leaves: Grown[]) => Grown[]} */
const greedOrder = (n, table, leaves) => {
  const order = leaves.filter(({ score }) => score > 0);
  for (const node of order) {
    node.halves = halvesOf(n, table, node, node.best);
    for (const one of node.halves) if (one.score > 0) order.push(one);
  }
  return order.sort((a, b) => b.score - a.score || a.depth - b.depth || a.place - b.place);
};

// The first splits that can be made one after the other: each of a leaf there is, on a variable free.
/** @type {(n: number, splits: Splits) => Splits} */
export const lawful = (n, splits) => {
  /** @type {Map<number, number>} */
  const leaves = new Map([[0, 0]]);
  const wrong = splits.findIndex(([node, variable], j) => {
    const fixed = leaves.get(node);
    const known = Number.isInteger(variable) && variable >= 0 && variable < n;
    if (fixed === undefined || !known || fixed & (2 ** variable)) return true;
    leaves.delete(node);
    for (const child of [2 * j + 1, 2 * j + 2]) leaves.set(child, fixed | (2 ** variable));
    return false;
  });
  return wrong < 0 ? splits : splits.slice(0, wrong);
};

/**
 * The path of splits that are given and, where wanted, of the greedy ones after them.
 * @param {number} n
 * @param {Table} table
 * @param {Splits} [first]
 * @param {boolean} [greedy]
 * @returns {OwnPath}
 */
export const grow = (n, table, first = [], greedy = true) => {
  const nodes = [measured(n, table, { fixed: 0, bits: 0, depth: 0, place: 0 })];
  const split = first.map(([node]) => node);
  const variable = first.map(([, asked]) => asked);
  const asked = first.map(([node, one]) => {
    nodes.push(...halvesOf(n, table, nodes[node], one));
    return nodes[node].counts[one];
  });
  const made = new Set(split);
  const rest = greedy ? greedOrder(n, table, nodes.filter((_, k) => !made.has(k))) : [];
  const numbers = new Map(nodes.map((node, k) => [node, k]));
  for (const node of rest) {
    split.push(numbers.get(node) ?? 0);
    variable.push(node.best);
    asked.push(node.score);
    for (const one of node.halves) numbers.set(one, nodes.push(one) - 1);
  }
  return {
    n,
    split,
    variable,
    best: nodes.map(({ best }) => best),
    ones: nodes.map(({ ones }) => ones),
    cost: nodes.map(({ counts }) => counts.reduce((sum, one) => sum + Math.max(one, 0), 0)),
    score: nodes.map(({ score }) => score),
    asked,
  };
};
