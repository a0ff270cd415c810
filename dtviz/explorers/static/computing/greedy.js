// Greedy growth of a truth table, the reader's splits first, and the path of the trees it makes. As in dtviz,
// scores this close in proportion are tied, and sums are trusted this far. Nothing here knows a page.

import { ROUNDING, SCORE_TIE } from "./constants.js";
import { growBestFirst } from "./growth.js";
import { pathShape } from "./path.js";

/**
 * @import { Candidate, Place } from "./growth.js"
 *
 * A function by its truth table; bit i of an index is x_i.
 * @typedef {{ n: number, table: ArrayLike<number>, names?: string[] }} Table
 * @typedef {readonly (readonly [number, number])[]} Splits  nodes and the variables they are split on, in order
 *
 * What growth knows, exactly or from draws: the weights of points and of pairs (entry x * n + i).
 * @typedef {{ weights: Float64Array, pairs: Float64Array }} Weights
 *
 * What the points of a node weigh, by value; the score of each variable, their sum and the largest.
 * @typedef {{ zeros: number, ones: number, cost: number, scores: number[], score: number }} Weight
 *
 * A node: its points stand in inside[from .. to - 1].
 * @typedef {Place & Candidate<number> & { weight: Weight, label: number }} Node
 * @typedef {{ f: Table, inside: Int32Array, nodes: Node[], split: number[], variable: number[] }} Grown
 * @typedef {ReturnType<typeof greedyPath>} GreedyPath
 */

// The last digit must not hang on rounding where the exact value ends in 5; 0 alone reads as 0.
/** @type {(value: number, places?: number) => string} */
export const decimals = (value, places = 3) => {
  if (Math.abs(value) <= ROUNDING) return "0";
  const text = (value * (1 + ROUNDING)).toFixed(places);
  return Number(text) === 0 ? decimals(value, places + 1) : text;
};

// The probability of every point; bit i of a point is 1 with probability p[i].
/** @type {(p: number[]) => Float64Array} */
export const pointWeights = (p) => {
  const weights = new Float64Array(2 ** p.length);
  weights[0] = 1;
  p.forEach((one, i) => {
    for (let x = 2 ** i - 1; x >= 0; x -= 1) {
      weights[x + 2 ** i] = one * weights[x];
      weights[x] *= 1 - one;
    }
  });
  return weights;
};

// All that is known where the biases are. Pair x * n + i has the probability that the point is x and bit i becomes
// another one, and f with it: if it is drawn again, or surely, if it is flipped.
/** @type {(f: Table, p: number[], flipped?: boolean) => Weights} */
export const truthOf = ({ n, table }, p, flipped = false) => {
  const weights = pointWeights(p);
  const pairs = new Float64Array(n * table.length);
  for (let x = 0; x < table.length; x += 1) {
    for (let i = 0; i < n; i += 1) {
      if (table[x] === table[x ^ (1 << i)]) continue;
      const chance = (x >> i) & 1 ? 1 - p[i] : p[i];
      pairs[x * n + i] = flipped ? weights[x] : weights[x] * chance;
    }
  }
  return { weights, pairs };
};

// The lowest index of a value tied with the largest, -1 if all are 0.
/** @type {(values: readonly number[], most?: number) => number} */
export const strongest = (values, most = Math.max(...values)) =>
  most > 0 ? values.findIndex((value) => value >= most * (1 - SCORE_TIE)) : -1;

// The variables that are not fixed at a node, as a mask: among its points the first has all their bits 0, the last 1.
/** @type {(inside: Int32Array, from: number, to: number) => number} */
const freeBits = (inside, from, to) => inside[from] ^ inside[to - 1];

/** @type {(f: Table, known: Weights, inside: Int32Array, from: number, to: number) => Weight} */
const weigh = ({ n, table }, { weights, pairs }, inside, from, to) => {
  let [zeros, ones, positive, cost, score] = [0, 0, 0, 0, 0];
  for (let k = from; k < to; k += 1) {
    const x = inside[k];
    if (table[x]) {
      ones += weights[x];
      positive += 1;
    } else zeros += weights[x];
  }
  /** @type {number[]} */
  const scores = new Array(n).fill(0);
  // Of points of one value no pair differs: most nodes of a large tree.
  if (positive === 0 || positive === to - from) return { zeros, ones, cost, scores, score };
  const free = freeBits(inside, from, to);
  for (let i = 0; i < n; i += 1) {
    let own = 0;
    // A pair that a fixed bit parts has its other end at another leaf.
    if ((free >> i) & 1) for (let k = from; k < to; k += 1) own += pairs[inside[k] * n + i];
    scores[i] = own;
    cost += own;
    if (own > score) score = own;
  }
  return { zeros, ones, cost, scores, score };
};

// The splits that are given, and the greedy ones after them, until no score or room for a leaf is left.
/** @type {(f: Table, known: Weights, own?: Splits, mostLeaves?: number) => Grown} */
export const grow = (f, known, own, mostLeaves) => {
  const inside = Int32Array.from({ length: f.table.length }, (_, x) => x);
  /** @param {number} from @param {number} to */
  const look = (from, to) => {
    const weight = weigh(f, known, inside, from, to);
    const { zeros, ones, scores, score } = weight;
    const label = ones > zeros * (1 + ROUNDING) ? 1 : 0;
    return { weight, label, best: score ? strongest(scores, score) : null, score, tie: SCORE_TIE * score };
  };
  /** @type {(variable: number) => (point: number) => boolean} */
  const sideOf = (variable) => (point) => !((point >> variable) & 1);
  const { nodes, split, tests } = growBestFirst([inside], look, sideOf, mostLeaves, own);
  return { f, inside, nodes, split, variable: tests };
};

/** @type {(label: number, weight: Weight) => number} */
const errorOf = (label, { zeros, ones }) => (label ? zeros : ones);

// The path of a grown tree, for the tree view and charts: numbered in the order in which its nodes are made.
// Where growth knew draws only, `truth` says what its nodes are worth.
/** @param {Grown} grown @param {Weights} [truth] */
export const greedyPath = ({ f, inside, nodes, split, variable }, truth) => {
  const shape = pathShape(split, variable, f.names);
  const { steps, splitAt, totals } = shape;
  const worths = nodes.map(({ weight, from, to }) => (truth ? weigh(f, truth, inside, from, to) : weight));
  /** @param {number} k */
  const error = (k) => errorOf(nodes[k].label, worths[k]);
  /** @param {number} k */
  const probability = (k) => worths[k].zeros + worths[k].ones;
  const seen = totals((k) => errorOf(nodes[k].label, nodes[k].weight));
  return {
    ...{ ...shape, n: f.n, probability, error },
    best: nodes.map(({ best }) => best ?? -1),
    errors: totals(error),
    costs: totals((k) => worths[k].cost),
    // Of the split that comes next; 0 after the last.
    scores: [...split.map((k) => nodes[k].score), 0],
    score: (/** @type {number} */ k) => nodes[k].score,
    label: (/** @type {number} */ k) => nodes[k].label,
    mixed: (/** @type {number} */ k) => (2 * Math.min(worths[k].zeros, worths[k].ones)) / probability(k),
    // What a node weighs in truth.
    worth: (/** @type {number} */ k) => worths[k],
    // The score of the variable that a node asks.
    asked: (/** @type {number} */ k) => nodes[k].weight.scores[variable[splitAt[k]]],
    // The variables not fixed with their scores, what the points there weigh, and the values of f at them.
    /** @type {(k: number) => { free: number[], scores: number[], share: number, values: Int32Array }} */
    contest(k) {
      const { weight, from, to } = nodes[k];
      const bits = freeBits(inside, from, to);
      const free = weight.scores.map((_, i) => i).filter((i) => (bits >> i) & 1);
      const values = inside.slice(from, to).map((x) => f.table[x]);
      return { free, scores: free.map((i) => weight.scores[i]), share: weight.zeros + weight.ones, values };
    },
    // The first step at which growth sees an error of at most epsilon, else the last one.
    /** @param {number} epsilon */
    stop(epsilon) {
      const first = seen.findIndex((value) => value <= epsilon * (1 + ROUNDING));
      return first < 0 ? steps : first;
    },
    // Depth and average depth of the tree after `step` splits.
    /** @param {number} step */
    depths(step) {
      const made = split.slice(0, step);
      return {
        deepest: made.reduce((most, k) => Math.max(most, nodes[k].depth + 1), 0),
        average: made.reduce((sum, k) => sum + probability(k), 0),
      };
    },
  };
};
