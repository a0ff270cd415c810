// The three samples of the explorer, to grow on, to prune with and to judge by: how they are drawn or dealt, whose
// labels are flipped, and the tree that grows on the first.

import { scrambled } from "../explorers/static/computing/scrambled.js";

/**
 * Labeled examples: columns of numbers, a label 0 or 1 for each row.
 * @typedef {{ columns: ArrayLike<number>[], labels: Uint8Array }} Part
 *
 * A Boolean function by its truth table, bit i of an index being x_i; or rows in the order in which they are dealt,
 * and how many of them each sample gets.
 * @typedef {{ table: string | ArrayLike<number> }} Hidden
 * @typedef {{ features: string[], classes: string[], columns: number[][], labels: number[], sizes: [number, number, number] }} Rows
 *
 * The examples of every Boolean function: the points drawn for the first two samples, and the orders in which their
 * labels are flipped.
 * @typedef {{ bits: number, points: [number[], number[]], orders: [number[], number[]] }} Draws
 *
 * @typedef {object} Examples
 * @property {[Part, Part, Part]} parts
 * @property {[ArrayLike<number>, ArrayLike<number>]} orders  in which the labels of the first two are flipped
 * @property {string[]} features
 * @property {boolean[]} bits  which variables are bits
 * @property {string} truth  what the errors on the third sample are called
 * @property {string[]} classes  what the labels mean
 *
 * A grown tree: step j splits node split[j] into nodes 2j + 1 and 2j + 2.
 * @typedef {{ split: ArrayLike<number>, variable: ArrayLike<number>, threshold: ArrayLike<number> }} Grown
 *
 * Nodes in preorder: what they ask, and their children.
 * @typedef {{ variable: number[], threshold: number[] }} Tests
 * @typedef {{ low: Int32Array, high: Int32Array }} Children
 *
 * For each node, the points of a sample that reach it, by label.
 * @typedef {{ zeros: number[], ones: number[] }} LabelCounts
 */

// Examples of a Boolean function among irrelevant bits, judged on the whole cube; its variables may have names.
/** @type {(hidden: Hidden, draws: Draws, names?: string[]) => Examples} */
export const drawnExamples = (hidden, { bits, points, orders }, names = []) => {
  const table = Uint8Array.from(/** @type {ArrayLike<number>} */ (hidden.table), Number);
  /** @type {(drawn: number[]) => Part} */
  const part = (drawn) => ({
    columns: Array.from({ length: bits }, (_, i) => Uint8Array.from(drawn, (point) => (point >> i) & 1)),
    labels: Uint8Array.from(drawn, (point) => table[point & (table.length - 1)]),
  });
  const features = Array.from({ length: bits }, (_, i) => names[i] ?? (names.includes(`x${i}`) ? `x${i}'` : `x${i}`));
  /** @type {[Part, Part, Part]} */
  const parts = [part(points[0]), part(points[1]), part([...Array(2 ** bits).keys()])];
  return { parts, orders, features, bits: features.map(() => true), truth: "true", classes: ["0", "1"] };
};

// The numbers below m in an order that looks random, the same in Python: another one for each stream.
/** @type {(m: number, stream: number) => number[]} */
export const shuffled = (m, stream) => {
  const start = scrambled(stream);
  const keys = Uint32Array.from({ length: m }, (_, i) => scrambled(start + i));
  return [...keys.keys()].sort((a, b) => keys[a] - keys[b] || a - b);
};

// The stream of the order in which the reader's rows are dealt; 1 and 2 are those of the flips.
const ORDER = 3;

// The reader's rows, each with its label at the end: half of them to grow on, a quarter to prune with, one to judge by.
// The names are of the columns and of the labels, if they fit.
/** @type {(rows: number[][], names: string[]) => Rows} */
export const ownRows = (rows, names) => {
  const n = rows[0].length - 1;
  const fits = names.length === n + 2;
  const dealt = shuffled(rows.length, ORDER).map((row) => rows[row]);
  const quarter = Math.floor(0.25 * rows.length + 0.5);
  return {
    features: fits ? names.slice(0, n) : Array.from({ length: n }, (_, i) => `x${i}`),
    classes: fits ? names.slice(n) : ["0", "1"],
    columns: Array.from({ length: n }, (_, i) => dealt.map((row) => row[i])),
    labels: dealt.map((row) => row[n]),
    sizes: [rows.length - 2 * quarter, quarter, quarter],
  };
};

// Rows, dealt out one sample after the other.
/** @type {(rows: Rows) => Examples} */
export const dealtExamples = ({ features, classes, columns, labels, sizes: [grow, prune, judge] }) => {
  /** @type {(from: number, to: number) => Part} */
  const part = (from, to) => ({
    columns: columns.map((column) => Float64Array.from(column.slice(from, to))),
    labels: Uint8Array.from(labels.slice(from, to)),
  });
  const end = grow + prune;
  /** @type {[Part, Part, Part]} */
  const parts = [part(0, grow), part(grow, end), part(end, end + judge)];
  const bits = columns.map((column) => column.every((value) => value === 0 || value === 1));
  return { parts, orders: [shuffled(grow, 1), shuffled(prune, 2)], features, bits, truth: "test", classes };
};

// The labels of the first two samples when a share of each is flipped, and of the first some rows by hand.
/** @type {(examples: Examples, noise: number, flips: ArrayLike<number>) => [Uint8Array, Uint8Array]} */
export const noisyLabels = ({ parts, orders }, noise, flips) => {
  const [first, second] = [0, 1].map((k) => {
    const labels = Uint8Array.from(parts[k].labels);
    const flipped = Math.floor(noise * labels.length + 0.5);
    for (let i = 0; i < flipped; i += 1) labels[orders[k][i]] ^= 1;
    return labels;
  });
  for (let i = 0; i < flips.length; i += 1) if (flips[i] < first.length) first[flips[i]] ^= 1;
  return [first, second];
};

// A grown tree with its nodes in preorder, and these in the order of their splits.
/** @type {(grown: Grown) => { variable: number[], threshold: number[], order: number[] }} */
export const preorder = ({ split, variable, threshold }) => {
  const steps = split.length;
  const stepOf = new Int32Array(2 * steps + 1).fill(-1);
  for (let j = 0; j < steps; j += 1) stepOf[split[j]] = j;
  /** @type {{ variable: number[], threshold: number[], order: number[] }} */
  const tree = { variable: [], threshold: [], order: Array.from({ length: steps }) };
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const j = stepOf[node];
    if (j >= 0) {
      tree.order[j] = tree.variable.length;
      waiting.push(2 * j + 2, 2 * j + 1);
    }
    tree.variable.push(j < 0 ? -1 : variable[j]);
    tree.threshold.push(j < 0 ? 0.5 : threshold[j]);
  }
  return tree;
};

// The node at which each of so many rows ends: the first on its way that is no longer split.
/** @type {(tree: Tests & Children, states: ArrayLike<string>, columns: ArrayLike<number>[], rows: number) => Int32Array} */
export const endsOf = ({ variable, threshold, low, high }, states, columns, rows) =>
  Int32Array.from({ length: rows }, (_, row) => {
    let k = 0;
    while (states[k] === "inner") k = columns[variable[k]][row] <= threshold[k] ? low[k] : high[k];
    return k;
  });

// The examples of each label that reach each node of a tree.
/** @type {(tree: Tests, family: Children, columns: ArrayLike<number>[], labels: ArrayLike<number>) => LabelCounts} */
export const labelCounts = ({ variable, threshold }, { low, high }, columns, labels) => {
  const counts = [new Int32Array(variable.length), new Int32Array(variable.length)];
  for (let row = 0; row < labels.length; row += 1) {
    const count = counts[labels[row]];
    let k = 0;
    count[0] += 1;
    while (low[k] >= 0) {
      k = columns[variable[k]][row] <= threshold[k] ? low[k] : high[k];
      count[k] += 1;
    }
  }
  return { zeros: Array.from(counts[0]), ones: Array.from(counts[1]) };
};
