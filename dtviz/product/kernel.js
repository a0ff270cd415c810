// Greedy growth under biased bits, computed in the page: no bias is precomputed. As in dtviz, scores
// this close in proportion are tied, and sums are trusted this far. Nothing here knows a page.

import { ROUNDING, SCORE_TIE } from "../explorers/static/constants.js";
import { pathShape } from "../explorers/static/path.js";

/**
 * A function by its truth table; bit i of an index is x_i.
 * @typedef {{ n: number, table: Uint8Array, names?: string[] }} Table
 *
 * What growth knows: the weights of points and of pairs (entry x * n + i), of one draw or of many.
 * @typedef {{ draws: number, weights: Float64Array, pairs: Float64Array }} Known
 *
 * @typedef {{ zeros: number, ones: number, cost: number, scores: Float64Array, score: number }} Weight
 *
 * A node of growth; its points stand in inside[from .. to - 1].
 * @typedef {object} GrownNode
 * @property {number} from
 * @property {number} to
 * @property {number} fixed  the bits fixed on the way, as a mask
 * @property {Weight} weight
 * @property {Weight | null} worth  what it is truly worth, once asked
 * @property {number} label
 * @property {number} variable  that it is split on, -1 for none
 * @property {Query | null} query  what a given tree asks there
 * @property {number} low  its 0-child, low + 1 the other
 * @property {number} rank
 * @property {number} created
 *
 * @typedef {{ variable: number, low: Query, high: Query } | { label: number }} Query  a tree from its root
 * @typedef {{ f: Table, known: Known, inside: Uint16Array, made: GrownNode[], order: number[] }} Grown
 * @typedef {ReturnType<typeof biasedPath>} BiasedPath
 */

// The last digit must not hang on rounding where the exact value ends in 5.
/** @type {(value: number, places: number) => string} */
export const decimals = (value, places) => (value * (1 + ROUNDING)).toFixed(places);

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

// All that is known where the biases are: what growth, and the truth of a sampled tree, start from. Pair
// x * n + i has the probability that the point is x, bit i drawn again changes, and f with it.
/** @type {(f: Table, p: number[]) => Known} */
export const truthOf = ({ n, table }, p) => {
  const weights = pointWeights(p);
  const pairs = new Float64Array(n * table.length);
  for (let x = 0; x < table.length; x += 1) {
    for (let i = 0; i < n; i += 1) {
      if (table[x] === table[x ^ (1 << i)]) continue;
      pairs[x * n + i] = weights[x] * ((x >> i) & 1 ? 1 - p[i] : p[i]);
    }
  }
  return { draws: 1, weights, pairs };
};

/** @type {(pairs: Float64Array, n: number) => Float64Array} */
export const rootInfluences = (pairs, n) => {
  const sums = new Float64Array(n);
  for (let at = 0; at < pairs.length; at += n) {
    for (let i = 0; i < n; i += 1) sums[i] += pairs[at + i];
  }
  return sums;
};

// The lowest index of a value tied with the largest, -1 if all are 0.
/** @type {(values: Float64Array) => number} */
export const strongest = (values) => {
  let best = 0;
  for (let i = 0; i < values.length; i += 1) if (values[i] > best) best = values[i];
  if (best === 0) return -1;
  let at = 0;
  while (values[at] < best * (1 - SCORE_TIE)) at += 1;
  return at;
};

// What the points of a node weigh, and their score for each bit not fixed.
/** @type {(f: Table, known: Known, inside: Uint16Array, node: { from: number, to: number, fixed: number }) => Weight} */
const weigh = ({ n, table }, { weights, pairs }, inside, { from, to, fixed }) => {
  let [zeros, ones, cost, score] = [0, 0, 0, 0];
  const scores = new Float64Array(n);
  for (let k = from; k < to; k += 1) {
    const x = inside[k];
    if (table[x]) ones += weights[x];
    else zeros += weights[x];
    for (let i = 0; i < n; i += 1) scores[i] += pairs[x * n + i];
  }
  for (let i = 0; i < n; i += 1) {
    // A pair that a fixed bit parts has its other end at another leaf.
    if ((fixed >> i) & 1) scores[i] = 0;
    cost += scores[i];
    if (scores[i] > score) score = scores[i];
  }
  return { zeros, ones, cost, scores, score };
};

// Move the points of a node whose bit is 0 before the others; returns where the others start.
/** @type {(inside: Uint16Array, upper: Uint16Array, node: GrownNode) => number} */
const parted = (inside, upper, { from, to, variable }) => {
  let [lows, highs] = [from, 0];
  for (let j = from; j < to; j += 1) {
    if ((inside[j] >> variable) & 1) {
      upper[highs] = inside[j];
      highs += 1;
    } else {
      inside[lows] = inside[j];
      lows += 1;
    }
  }
  inside.set(upper.subarray(0, highs), lows);
  return lows;
};

// Sort splits by score; equal scores, up to SCORE_TIE from each to the next, level by level, left to right.
/** @type {(made: GrownNode[], order: number[]) => void} */
const sortByScore = (made, order) => {
  order.sort((a, b) => made[a].weight.score - made[b].weight.score);
  let rank = 0;
  let before = 0;
  for (const k of order) {
    const { score } = made[k].weight;
    if (score - before > SCORE_TIE * score) rank += 1;
    made[k].rank = rank;
    before = score;
  }
  order.sort((a, b) => made[b].rank - made[a].rank || a - b);
};

// Growth by score until no score is left, from the weights of points and of pairs, true or seen in
// a sample: the nodes made, and which of them are split, in order. A child never scores above its
// parent, so that order is one sort of all nodes. Or else the tree that is given, split by split.
/** @type {(f: Table, known: Known, tree?: Query | null) => Grown} */
export const growBiased = (f, known, tree = null) => {
  const points = f.table.length;
  const inside = Uint16Array.from({ length: points }, (_, x) => x);
  const upper = new Uint16Array(points);
  const later = { worth: null, low: -1, rank: 0, created: -1 };
  /** @type {(from: number, to: number, fixed: number, query: Query | null) => GrownNode} */
  const fresh = (from, to, fixed, query) => {
    const weight = weigh(f, known, inside, { from, to, fixed });
    const label = weight.ones > weight.zeros * (1 + ROUNDING) ? 1 : 0;
    const variable = query ? ("variable" in query ? query.variable : -1) : strongest(weight.scores);
    return { from, to, fixed, weight, label, variable, query, ...later };
  };
  const made = [fresh(0, points, 0, tree)];
  /** @type {number[]} */
  const order = [];
  for (let k = 0; k < made.length; k += 1) {
    const node = made[k];
    if (node.variable < 0) continue;
    order.push(k);
    const middle = parted(inside, upper, node);
    const fixed = node.fixed | (1 << node.variable);
    node.low = made.length;
    const [low, high] = node.query && "low" in node.query ? [node.query.low, node.query.high] : [null, null];
    made.push(fresh(node.from, middle, fixed, low), fresh(middle, node.to, fixed, high));
  }
  sortByScore(made, order);
  return { f, known, inside, made, order };
};

// What a node is truly worth, where growth knew a sample only.
/** @type {(grown: Grown, node: GrownNode, truth?: Known) => Weight} */
export const worthOf = ({ f, inside }, node, truth) => {
  node.worth ??= truth ? weigh(f, truth, inside, node) : node.weight;
  return node.worth;
};

// The path of a grown tree: its nodes in the order of their creation, for the tree view and charts.
/** @type {(grown: Grown, truth?: Known) => ReturnType<typeof measured>} */
export const biasedPath = (grown, truth) => {
  const { made, order } = grown;
  const nodes = [made[0]];
  for (const k of order) nodes.push(made[made[k].low], made[made[k].low + 1]);
  nodes.forEach((node, k) => {
    node.created = k;
  });
  return measured(grown, nodes, truth);
};

/**
 * @param {Grown} grown
 * @param {GrownNode[]} nodes  in the order of their creation
 * @param {Known} [truth]
 */
const measured = (grown, nodes, truth) => {
  const { f, known, made, order } = grown;
  const steps = order.length;
  const split = order.map((k) => made[k].created);
  const shape = pathShape(split, order.map((k) => made[k].variable), f.names);
  // Summed backwards from the last tree, so that rounding leaves no residue where they are 0.
  /** @param {(node: number) => number} share */
  const totals = (share) => {
    const sums = new Float64Array(steps + 1);
    nodes.forEach((_, k) => {
      if (shape.splitAt[k] === steps) sums[steps] += share(k);
    });
    for (let j = steps - 1; j >= 0; j -= 1) {
      sums[j] = sums[j + 1] + share(split[j]) - share(2 * j + 1) - share(2 * j + 2);
    }
    return sums;
  };
  /** @param {number} k */
  const worth = (k) => worthOf(grown, nodes[k], truth);
  /** @param {number} k */
  const probability = (k) => worth(k).zeros + worth(k).ones;
  /** @param {number} k */
  const error = (k) => (nodes[k].label ? worth(k).zeros : worth(k).ones);
  /** @param {number} k */
  const score = (k) => nodes[k].weight.score / known.draws;
  const errors = totals(error);
  return {
    ...shape,
    n: f.n,
    best: nodes.map((node) => node.variable),
    errors,
    costs: totals((k) => worth(k).cost),
    scores: Float64Array.from({ length: steps + 1 }, (_, j) => (j < steps ? score(split[j]) : 0)),
    probability,
    error,
    score,
    // The score of the variable that a node asks.
    /** @type {(k: number) => number} */
    asked: (k) => nodes[k].weight.scores[nodes[k].variable] / known.draws,
    // The influence that each variable not fixed has on what is left of f.
    /** @type {(k: number) => { free: number[], influences: number[] }} */
    contest(k) {
      const { fixed, weight } = nodes[k];
      const free = Array.from({ length: f.n }, (_, i) => i).filter((i) => !((fixed >> i) & 1));
      const share = weight.zeros + weight.ones;
      return { free, influences: free.map((i) => (share > 0 ? weight.scores[i] / share : 0)) };
    },
    /** @type {(k: number) => number} */
    trueScore: (k) => worth(k).score,
    /** @type {(k: number) => number} */
    label: (k) => nodes[k].label,
    /** @type {(k: number) => number} */
    mixed: (k) => (2 * Math.min(worth(k).zeros, worth(k).ones)) / probability(k),
    // The first step whose error is at most epsilon.
    /** @type {(epsilon: number) => number} */
    stop: (epsilon) => errors.findIndex((value) => value <= epsilon * (1 + ROUNDING)),
    /** @type {(other: { steps: number, split: number[], variable: number[] }) => boolean} */
    sameSplits: (other) =>
      other.steps === steps &&
      split.every((node, j) => other.split[j] === node && other.variable[j] === shape.variable[j]),
    // Depth and average depth of the tree after `step` splits.
    /** @type {(step: number) => { deepest: number, average: number }} */
    depths(step) {
      let [deepest, average] = [0, 0];
      for (let j = 0; j < step; j += 1) {
        deepest = Math.max(deepest, shape.depth[split[j]] + 1);
        average += probability(split[j]);
      }
      return { deepest, average };
    },
  };
};
