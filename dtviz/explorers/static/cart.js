// Best-first growth on numbers with classes, as `dtviz.grow` does it, to the last tie: what may only
// look equal is compared exactly. Nothing here knows a page.

import { ruleOf } from "./cart_costs.js";

/**
 * @import { Fraction, Rule, Sides } from "./cart_costs.js"
 * @import { Cost } from "./criteria.js"
 *
 * Examples: columns of finite numbers, and for each row a class 0, 1, .., `classes` - 1.
 * @typedef {object} Sample
 * @property {ArrayLike<number>[]} columns
 * @property {ArrayLike<number>} labels
 * @property {number} classes
 * @property {readonly number[]} [values]  the numbers that the classes stand for: the cost is squared loss
 *
 * A cut of a node: x[feature] <= threshold; feature -1 if there is none.
 * @typedef {{ feature: number, threshold: number, drop: number, ratio: Fraction }} Cut
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

// So many rows, and every product is exact.
export const MOST_ROWS = 9000;

const NO_CUT = Object.freeze({ feature: -1, threshold: 0.5, drop: 0, ratio: /** @type {Fraction} */ ([0, 1]) });

// More than 0 if the first fraction is the larger one, 0 if they are equal.
/** @type {(one: Fraction, other: Fraction) => number} */
const compared = ([a, b], [c, d]) => {
  const [one, other] = [a * d, c * b];
  if (Math.abs(one - other) > 1e-9 * Math.abs(one)) return one - other;
  return a === c && b === d ? 0 : Number(BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b));
};

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

// The counts on both sides of the cut after the first `nLow` rows of an order.
/** @type {(sample: Sample, order: Int32Array, nLow: number, all: Uint32Array) => Sides} */
const sidesOf = ({ labels }, order, nLow, all) => {
  const [low, high] = [new Uint32Array(all.length), all.slice()];
  for (let i = 0; i < nLow; i += 1) {
    low[labels[order[i]]] += 1;
    high[labels[order[i]]] -= 1;
  }
  return { low, high, all };
};

// The score of a cut between equal values; that of any other is at least 0.
const CLOSED = -1;

// The score of the cut after each row of an order but the last.
/** @type {(sample: Sample, rule: Rule, order: Int32Array, feature: number, all: Uint32Array) => Float64Array} */
const scoresAlong = ({ columns, labels }, rule, order, feature, all) => {
  const [column, n, score] = [columns[feature], order.length, rule.scorer(all)];
  const [low, high, scores] = [new Uint32Array(all.length), all.slice(), new Float64Array(n - 1)];
  for (let i = 0; i < n - 1; i += 1) {
    low[labels[order[i]]] += 1;
    high[labels[order[i]]] -= 1;
    const value = score(low, high, i + 1, n - i - 1, labels[order[i]]);
    scores[i] = column[order[i]] === column[order[i + 1]] ? CLOSED : value;
  }
  return scores;
};

/**
 * The best cut of rows, among some features; `orders` holds the rows in the order of each feature.
 * Ties: the lowest feature, then the lowest threshold.
 * @type {(sample: Sample, rule: Rule, orders: Int32Array[], all: Uint32Array, features: number[]) => Cut}
 */
const bestCut = (sample, rule, orders, all, features) => {
  const scores = features.map((feature) => scoresAlong(sample, rule, orders[feature], feature, all));
  const best = scores.reduce((most, own) => own.reduce((a, b) => Math.max(a, b), most), CLOSED);
  if (best === CLOSED) return NO_CUT;
  const floor = rule.floor(best, all);
  let [chosen, place] = [-1, 0];
  let ratio = /** @type {Fraction} */ ([-1, 1]);
  for (let k = 0; k < features.length && (chosen < 0 || rule.exact); k += 1) {
    for (let i = 0; i < scores[k].length; i += 1) {
      if (scores[k][i] < floor) continue;
      const mine = rule.exact?.(sidesOf(sample, orders[features[k]], i + 1, all)) ?? NO_CUT.ratio;
      if (compared(mine, ratio) > 0) [chosen, place, ratio] = [features[k], i, mine];
      if (!rule.exact) break;
    }
  }
  const [order, column, nLow] = [orders[chosen], sample.columns[chosen], place + 1];
  const threshold = midpoint(column[order[place]], column[order[nLow]]);
  return { feature: chosen, threshold, ...rule.drop(sidesOf(sample, order, nLow, all)) };
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

// Whether a leaf is split before another: a larger drop, compared exactly; else the shallower one,
// else the one farther left.
/** @type {(one: Leaf, other: Leaf) => boolean} */
const goesFirst = (one, other) => {
  if (one.cut.drop !== other.cut.drop) return one.cut.drop > other.cut.drop;
  const more = compared(one.cut.ratio, other.cut.ratio);
  if (more !== 0) return more > 0;
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
