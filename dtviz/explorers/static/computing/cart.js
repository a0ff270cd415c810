// Best-first growth on numbers with classes, as `dtviz.grow` does it, with the same tolerance for ties.
// Nothing here knows a page.

import { DROP_TIE } from "./constants.js";
import { ruleOf } from "./criteria.js";
import { growBestFirst } from "./growth.js";

/**
 * @import { Cost, Rule } from "./criteria.js"
 *
 * Examples: columns of finite numbers, and for each row a class 0, 1, .., `classes` - 1.
 * @typedef {object} Sample
 * @property {ArrayLike<number>[]} columns
 * @property {ArrayLike<number>} labels
 * @property {number} classes
 * @property {readonly number[]} [values]  the numbers that the classes stand for: the cost is squared loss
 *
 * A cut of a node: x[feature] <= threshold. Drops within `tie` of its own are equal.
 * @typedef {{ feature: number, threshold: number, drop: number, tie: number }} Cut
 *
 * Rows in the order of a feature, and how many of each class they are.
 * @typedef {{ order: Int32Array, counts: Uint32Array, feature: number }} Ordered
 *
 * The gains of cuts: gains[k] is that of the thresholds from values[k] on and below values[k + 1], in the unit of a `Cut`.
 * @typedef {{ values: number[], gains: number[], middles: number[] }} Curve
 *
 * A path: step j splits node split[j] at x[variable[j]] <= threshold[j] into nodes 2j + 1 and 2j + 2;
 * counts[node][k] says how many rows of class k are there, score[node] what its best cut gains.
 * @typedef {object} CartPath
 * @property {number[]} split
 * @property {number[]} variable
 * @property {number[]} threshold
 * @property {Uint32Array[]} counts
 * @property {number[]} score
 * @property {(Cut | null)[]} best
 * @property {(node: number) => Int32Array} rows  of a node
 */

// Between two values: at least the lower, and below the upper.
/** @type {(low: number, high: number) => number} */
const midpoint = (low, high) => {
  const middle = low / 2 + high / 2;
  return low <= middle && middle < high ? middle : low;
};

/** @type {(column: ArrayLike<number>, rows: Int32Array) => Int32Array} */
const sorted = (column, rows) => rows.slice().sort((a, b) => column[a] - column[b]);

// The rows in the order of each column.
/** @type {(sample: Sample) => Int32Array[]} */
export const sortedRows = ({ columns, labels }) => {
  const rows = Int32Array.from(labels, (_, row) => row);
  return columns.map((column) => sorted(column, rows));
};

/** @type {(sample: Sample, rows: Int32Array) => Uint32Array} */
const countsOf = ({ labels, classes }, rows) => {
  const counts = new Uint32Array(classes);
  for (let i = 0; i < rows.length; i += 1) counts[labels[rows[i]]] += 1;
  return counts;
};

// Visit each cut of ordered rows with what it scores: after row `order[i]`, and never between equal values.
/** @type {(sample: Sample, rule: Rule, rows: Ordered, visit: (i: number, score: number) => void) => void} */
const visitCuts = ({ columns, labels }, rule, { order, counts, feature }, visit) => {
  const [column, score] = [columns[feature], rule.scorer(counts)];
  const [low, high, last] = [new Uint32Array(counts.length), counts.slice(), order.length - 1];
  for (let i = 0; i < last; i += 1) {
    const label = labels[order[i]];
    low[label] += 1;
    high[label] -= 1;
    score.add?.(label);
    if (column[order[i]] !== column[order[i + 1]]) visit(i, score.gain(low, high, i + 1, last - i));
  }
};

// The best cut of ordered rows; none if all values are equal. Ties: the lowest threshold.
/** @type {(sample: Sample, rule: Rule, rows: Ordered) => Cut[]} */
const bestCut = (sample, rule, rows) => {
  const { order, counts, feature } = rows;
  const [column, tie, m] = [sample.columns[feature], DROP_TIE * rule.impurity(counts), sample.labels.length];
  let [place, most] = [-1, -Infinity];
  visitCuts(sample, rule, rows, (i, own) => {
    if (own > most + tie) [place, most] = [i, own];
  });
  if (place < 0) return [];
  const threshold = midpoint(column[order[place]], column[order[place + 1]]);
  return [{ feature, threshold, drop: most > tie ? most / m : 0, tie: tie / m }];
};

// What each cut of some rows by a feature gains.
/** @type {(sample: Sample, cost: Cost, rows: Int32Array, feature: number) => Curve} */
export const cutGains = (sample, cost, rows, feature) => {
  const [column, rule, counts] = [sample.columns[feature], ruleOf(cost, sample), countsOf(sample, rows)];
  const [order, tie] = [sorted(column, rows), DROP_TIE * rule.impurity(counts)];
  /** @type {Curve} */
  const curve = { values: order.length ? [column[order[0]]] : [], gains: [], middles: [] };
  visitCuts(sample, rule, { order, counts, feature }, (i, own) => {
    curve.values.push(column[order[i + 1]]);
    curve.gains.push(own > tie ? own / sample.labels.length : 0);
    curve.middles.push(midpoint(column[order[i]], column[order[i + 1]]));
  });
  return curve;
};

// What a node could ask: the best cut of each feature that has one, nothing where all rows are of one class.
/** @type {(sample: Sample, rule: Rule, orders: Int32Array[], counts: Uint32Array) => Cut[]} */
const candidateCuts = (sample, rule, orders, counts) =>
  counts.filter(Boolean).length < 2 ? [] : orders.flatMap((order, feature) => bestCut(sample, rule, { order, counts, feature }));

// The same of some rows of a sample, in any order.
/** @type {(sample: Sample, cost: Cost, rows: Int32Array) => Cut[]} */
export const featureCuts = (sample, cost, rows) => {
  const orders = sample.columns.map((column) => sorted(column, rows));
  return candidateCuts(sample, ruleOf(cost, sample), orders, countsOf(sample, rows));
};

// Grow best-first, to at most so many leaves. For more costs than one the rows may be sorted once; a reader's splits
// [node, feature, threshold] of leaves may come first. Ties: the lowest feature, then the lowest threshold.
/** @type {(sample: Sample, cost: Cost, mostLeaves?: number, sorted?: Int32Array[], own?: readonly (readonly number[])[]) => CartPath} */
export const growCart = (sample, cost, mostLeaves, inOrder = sortedRows(sample), own = []) => {
  const rule = ruleOf(cost, sample);
  const orders = inOrder.map((order) => order.slice());
  /** @type {(from: number, to: number) => { counts: Uint32Array, best: Cut | null, score: number, tie: number }} */
  const look = (from, to) => {
    const rows = orders.map((order) => order.subarray(from, to));
    const counts = countsOf(sample, rows[0]);
    const cuts = candidateCuts(sample, rule, rows, counts);
    const most = cuts.reduce((drop, cut) => Math.max(drop, cut.drop), 0);
    const best = cuts.find(({ drop, tie }) => drop >= most - tie) ?? null;
    return { counts, best, score: best?.drop ?? 0, tie: best?.tie ?? 0 };
  };
  /** @type {(cut: Cut) => (row: number) => boolean} */
  const sideOf = ({ feature, threshold }) => {
    const column = sample.columns[feature];
    return (row) => column[row] <= threshold;
  };
  /** @type {[number, Cut][]} */
  const first = own.map(([node, feature, threshold]) => [node, { feature, threshold, drop: 0, tie: 0 }]);
  const { nodes, split, tests } = growBestFirst(orders, look, sideOf, mostLeaves, first);
  return {
    split,
    variable: tests.map(({ feature }) => feature),
    threshold: tests.map(({ threshold }) => threshold),
    counts: nodes.map(({ counts }) => counts),
    score: nodes.map(({ score }) => score),
    best: nodes.map(({ best }) => best),
    rows: (node) => orders[0].slice(nodes[node].from, nodes[node].to),
  };
};
