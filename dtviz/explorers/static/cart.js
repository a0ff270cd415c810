// Best-first growth on numbers with classes, as `dtviz.grow` does it, with the same tolerance for ties.
// Nothing here knows a page.

import { DROP_TIE } from "./constants.js";
import { ruleOf } from "./cart_costs.js";

/**
 * @import { Rule } from "./cart_costs.js"
 * @import { Cost } from "./criteria.js"
 *
 * Examples: columns of finite numbers, and for each row a class 0, 1, .., `classes` - 1.
 * @typedef {object} Sample
 * @property {ArrayLike<number>[]} columns
 * @property {ArrayLike<number>} labels
 * @property {number} classes
 * @property {readonly number[]} [values]  the numbers that the classes stand for: the cost is squared loss
 *
 * A cut of a node: x[feature] <= threshold; feature -1 if there is none. Drops within `tie` of its own are equal.
 * @typedef {{ feature: number, threshold: number, drop: number, tie: number }} Cut
 *
 * A node and its best cut; it holds the places from `from` to `to` of every order.
 * @typedef {{ node: number, parent: Leaf | null, depth: number, from: number, to: number, all: Uint32Array, cut: Cut }} Leaf
 *
 * A path: step j splits node split[j] at x[variable[j]] <= threshold[j] into nodes 2j + 1 and 2j + 2;
 * counts[k][node] says how many rows of class k are there, score[node] what its best cut gains.
 * @typedef {object} CartPath
 * @property {number[]} split
 * @property {number[]} variable
 * @property {number[]} threshold
 * @property {number[][]} counts
 * @property {number[]} score
 * @property {Cut[]} cuts  the best of each node
 * @property {(node: number) => Int32Array} rows  of a node
 */

const NO_CUT = Object.freeze({ feature: -1, threshold: 0.5, drop: 0, tie: 0 });

// Between two values: at least the lower, and below the upper.
/** @type {(low: number, high: number) => number} */
const midpoint = (low, high) => {
  const middle = low / 2 + high / 2;
  return low <= middle && middle < high ? middle : low;
};

// The rows in the order of each column.
/** @type {(sample: Sample) => Int32Array[]} */
export const sortedRows = ({ columns, labels }) =>
  columns.map((column) => Int32Array.from(labels, (_, row) => row).sort((a, b) => column[a] - column[b]));

/**
 * The best cut of rows, among some features; `orders` holds the rows in the order of each feature.
 * Ties: the lowest feature, then the lowest threshold.
 * @type {(sample: Sample, rule: Rule, orders: Int32Array[], all: Uint32Array, features: number[]) => Cut}
 */
const bestCut = ({ columns, labels }, rule, orders, all, features) => {
  const tie = DROP_TIE * rule.impurity(all);
  let [chosen, place, most] = [-1, 0, -Infinity];
  for (const feature of features) {
    const [column, order, gain] = [columns[feature], orders[feature], rule.scorer(all)];
    const [low, high, last] = [new Uint32Array(all.length), all.slice(), order.length - 1];
    for (let i = 0; i < last; i += 1) {
      const label = labels[order[i]];
      low[label] += 1;
      high[label] -= 1;
      const own = gain(low, high, i + 1, last - i, label);
      // No cut is between equal values.
      if (own > most + tie && column[order[i]] !== column[order[i + 1]]) [chosen, place, most] = [feature, i, own];
    }
  }
  if (chosen < 0) return NO_CUT;
  const [order, column, m] = [orders[chosen], columns[chosen], labels.length];
  const threshold = midpoint(column[order[place]], column[order[place + 1]]);
  return { feature: chosen, threshold, drop: most > tie ? most / m : 0, tie: tie / m };
};

// Put the rows of a node that go low first, in every order; how many they are.
/** @type {(orders: Int32Array[], column: ArrayLike<number>, threshold: number) => number} */
const part = (orders, column, threshold) => {
  const later = new Int32Array(orders[0].length);
  let nLow = 0;
  for (const order of orders) {
    let nHigh = 0;
    nLow = 0;
    for (let i = 0; i < order.length; i += 1) {
      if (column[order[i]] > threshold) later[nHigh++] = order[i];
      else order[nLow++] = order[i];
    }
    order.set(later.subarray(0, nHigh), nLow);
  }
  return nLow;
};

// Whether a leaf is split before another: a larger drop; else the shallower one, else the one farther left.
/** @type {(one: Leaf, other: Leaf) => boolean} */
const goesFirst = (one, other) => {
  const more = one.cut.drop - other.cut.drop;
  if (Math.abs(more) > Math.max(one.cut.tie, other.cut.tie)) return more > 0;
  if (one.depth !== other.depth) return one.depth < other.depth;
  let [a, b] = [one, other];
  while (a.parent && b.parent && a.parent !== b.parent) [a, b] = [a.parent, b.parent];
  return a.node < b.node;
};

/** @type {(sample: Sample, rows: ArrayLike<number>) => Uint32Array} */
const countsOf = ({ labels, classes }, rows) => {
  const all = new Uint32Array(classes);
  for (let i = 0; i < rows.length; i += 1) all[labels[rows[i]]] += 1;
  return all;
};

// The best cut of each feature, where some rows of a sample come.
/** @type {(sample: Sample, cost: Cost, rows: number[]) => Cut[]} */
export const featureCuts = (sample, cost, rows) => {
  const { columns } = sample;
  const all = countsOf(sample, rows);
  if (all.filter(Boolean).length < 2) return columns.map(() => NO_CUT);
  const rule = ruleOf(cost, sample);
  const orders = columns.map((column) => Int32Array.from(rows).sort((a, b) => column[a] - column[b]));
  return columns.map((_, feature) => bestCut(sample, rule, orders, all, [feature]));
};

/**
 * Grow best-first, to at most so many leaves. For more costs than one the rows may be sorted once; a reader's splits
 * [node, feature, threshold] of leaves may come first.
 * @type {(sample: Sample, cost: Cost, mostLeaves?: number, sorted?: Int32Array[], own?: readonly (readonly number[])[]) => CartPath}
 */
export const growCart = (sample, cost, mostLeaves = Infinity, sorted = sortedRows(sample), own = []) => {
  const { columns, labels, classes } = sample;
  const orders = sorted.map((order) => order.slice());
  const features = columns.map((_, feature) => feature);
  const rule = ruleOf(cost, sample);
  /** @type {Leaf[]} */
  const nodes = [];
  /** @type {(parent: Leaf | null, from: number, to: number) => Leaf} */
  const add = (parent, from, to) => {
    const rows = orders.map((order) => order.subarray(from, to));
    const all = countsOf(sample, rows[0]);
    const cut = all.filter(Boolean).length > 1 ? bestCut(sample, rule, rows, all, features) : NO_CUT;
    const leaf = { node: nodes.length, parent, depth: parent ? parent.depth + 1 : 0, from, to, all, cut };
    nodes.push(leaf);
    return leaf;
  };
  let open = [add(null, 0, labels.length)];
  /** @type {{ node: number, feature: number, threshold: number }[]} */
  const made = [];
  /** @type {(leaf: Leaf, feature: number, threshold: number) => void} */
  const divide = (leaf, feature, threshold) => {
    const { node, from, to } = leaf;
    open.splice(open.indexOf(leaf), 1);
    made.push({ node, feature, threshold });
    const middle = from + part(orders.map((rows) => rows.subarray(from, to)), columns[feature], threshold);
    open.push(add(leaf, from, middle), add(leaf, middle, to));
  };
  for (const [node, feature, threshold] of own) divide(nodes[node], feature, threshold);
  while (made.length < mostLeaves - 1) {
    open = open.filter(({ cut }) => cut.feature >= 0);
    if (!open.length) break;
    const next = open.reduce((first, leaf) => (goesFirst(leaf, first) ? leaf : first));
    divide(next, next.cut.feature, next.cut.threshold);
  }
  return {
    split: made.map(({ node }) => node),
    variable: made.map(({ feature }) => feature),
    threshold: made.map(({ threshold }) => threshold),
    counts: Array.from({ length: classes }, (_, k) => nodes.map(({ all }) => all[k])),
    score: nodes.map(({ cut }) => cut.drop),
    cuts: nodes.map(({ cut }) => cut),
    rows: (node) => orders[0].slice(nodes[node].from, nodes[node].to),
  };
};
