// Greedy growth of a truth table, the reader's splits first, and the path of the trees it makes. As in dtviz,
// scores this close in proportion are tied, and sums are trusted this far. Nothing here knows a page.

import { ROUNDING, SCORE_TIE } from "./constants.js";
import { pathShape } from "./path.js";

/**
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
 * A node: its points stand in inside[from .. to - 1]; the bits fixed on the way, as a mask; how far left it is.
 * @typedef {{ from: number, to: number, fixed: number, depth: number, place: number }} Place
 * @typedef {Place & { weight: Weight, label: number, best: number, halves: Node[], number: number, rank: number }} Node
 * @typedef {{ f: Table, inside: Uint16Array, nodes: Node[], split: number[], variable: number[] }} Grown
 * @typedef {ReturnType<typeof greedyPath>} GreedyPath
 */

// The last digit must not hang on rounding where the exact value ends in 5; what is not 0 never reads as 0.
/** @type {(value: number, places: number) => string} */
export const decimals = (value, places) => {
  const text = (value * (1 + ROUNDING)).toFixed(places);
  return Number(text) === 0 && Math.abs(value) > ROUNDING ? decimals(value, places + 1) : text;
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

/**
 * All that is known where the biases are. Pair x * n + i has the probability that the point is x and bit i becomes
 * another one, and f with it: if it is drawn again, or surely, if it is flipped.
 * @param {Table} f
 * @param {number[]} p
 * @param {boolean} [flipped]
 * @returns {Weights}
 */
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
/** @type {(values: ArrayLike<number>) => number} */
export const strongest = (values) => {
  let best = 0;
  for (let i = 0; i < values.length; i += 1) if (values[i] > best) best = values[i];
  if (best === 0) return -1;
  let at = 0;
  while (values[at] < best * (1 - SCORE_TIE)) at += 1;
  return at;
};

/** @type {(f: Table, known: Weights, inside: Uint16Array, place: Place) => Weight} */
const weigh = ({ n, table }, { weights, pairs }, inside, { from, to, fixed }) => {
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
  for (let k = from; k < to; k += 1) {
    const first = inside[k] * n;
    for (let i = 0; i < n; i += 1) scores[i] += pairs[first + i];
  }
  for (let i = 0; i < n; i += 1) {
    // A pair that a fixed bit parts has its other end at another leaf.
    if ((fixed >> i) & 1) scores[i] = 0;
    cost += scores[i];
    if (scores[i] > score) score = scores[i];
  }
  return { zeros, ones, cost, scores, score };
};

// Move the points of a node whose bit is 0 before the others, each in their order; returns where the others start.
/** @type {(inside: Uint16Array, upper: Uint16Array, node: Place, variable: number) => number} */
const parted = (inside, upper, { from, to }, variable) => {
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

// Sort nodes by score; equal scores, up to SCORE_TIE from each to the next, level by level, left to right.
/** @type {(nodes: Node[]) => Node[]} */
const byScore = (nodes) => {
  nodes.sort((a, b) => a.weight.score - b.weight.score);
  let [rank, before] = [0, 0];
  for (const node of nodes) {
    const { score } = node.weight;
    if (score - before > SCORE_TIE * score) rank += 1;
    node.rank = rank;
    before = score;
  }
  return nodes.sort((a, b) => b.rank - a.rank || a.depth - b.depth || a.place - b.place);
};

/**
 * The splits that are given and, where wanted, the greedy ones after them, until no score is left. A child never
 * scores above its parent, so the order of these is one sort of all nodes.
 * @param {Table} f
 * @param {Weights} known
 * @param {Splits} [first]
 * @param {boolean} [greedy]
 * @returns {Grown}
 */
export const grow = (f, known, first = [], greedy = true) => {
  const inside = Uint16Array.from({ length: f.table.length }, (_, x) => x);
  const upper = new Uint16Array(inside.length);
  /** @type {(place: Place) => Node} */
  const make = (place) => {
    const weight = weigh(f, known, inside, place);
    const label = weight.ones > weight.zeros * (1 + ROUNDING) ? 1 : 0;
    const best = weight.score ? strongest(weight.scores) : -1;
    const { from, to, fixed, depth, place: left } = place;
    return { from, to, fixed, depth, place: left, weight, label, best, halves: [], number: 0, rank: 0 };
  };
  /** @type {(node: Node, variable: number) => Node[]} */
  const halve = (node, variable) => {
    const middle = parted(inside, upper, node, variable);
    const [fixed, depth, place] = [node.fixed | (1 << variable), node.depth + 1, 2 * node.place];
    node.halves = [
      make({ from: node.from, to: middle, fixed, depth, place }),
      make({ from: middle, to: node.to, fixed, depth, place: place + 1 }),
    ];
    return node.halves;
  };
  const nodes = [make({ from: 0, to: inside.length, fixed: 0, depth: 0, place: 0 })];
  /** @type {[number[], number[]]} */
  const [split, variable] = [[], []];
  /** @type {(node: Node, asked: number) => void} */
  const add = (node, asked) => {
    split.push(node.number);
    variable.push(asked);
    for (const half of node.halves) half.number = nodes.push(half) - 1;
  };
  for (const [k, asked] of first) {
    halve(nodes[k], asked);
    add(nodes[k], asked);
  }
  const rest = greedy ? nodes.filter(({ best, halves }) => best >= 0 && !halves.length) : [];
  for (const node of rest) rest.push(...halve(node, node.best).filter(({ best }) => best >= 0));
  for (const node of byScore(rest)) add(node, node.best);
  return { f, inside, nodes, split, variable };
};

// The path of a grown tree, for the tree view and charts: numbered in the order in which its nodes are made.
// Where growth knew draws only, `truth` says what its nodes are worth.
/** @type {(grown: Grown, truth?: Weights) => ReturnType<typeof measured>} */
export const greedyPath = (grown, truth) => {
  const { f, inside, nodes, split, variable } = grown;
  const shape = pathShape(split, variable, f.names);
  const worths = nodes.map((node) => (truth ? weigh(f, truth, inside, node) : node.weight));
  return measured(grown, shape, worths);
};

/** @type {(label: number, weight: Weight) => number} */
const errorOf = (label, { zeros, ones }) => (label ? zeros : ones);

/**
 * @param {Grown} grown
 * @param {ReturnType<typeof pathShape>} shape
 * @param {Weight[]} worths
 */
const measured = ({ f, inside, nodes }, shape, worths) => {
  const { steps, split, variable, splitAt } = shape;
  // Summed backwards from the last tree, so that rounding leaves no residue where they are 0.
  /** @param {(node: number) => number} share */
  const totals = (share) => {
    const sums = new Float64Array(steps + 1);
    for (let k = 0; k < nodes.length; k += 1) if (splitAt[k] === steps) sums[steps] += share(k);
    for (let j = steps - 1; j >= 0; j -= 1) {
      sums[j] = sums[j + 1] + share(split[j]) - share(2 * j + 1) - share(2 * j + 2);
    }
    return sums;
  };
  /** @param {number} k */
  const error = (k) => errorOf(nodes[k].label, worths[k]);
  /** @param {number} k */
  const probability = (k) => worths[k].zeros + worths[k].ones;
  /** @param {number} k */
  const score = (k) => nodes[k].weight.score;
  const seen = totals((k) => errorOf(nodes[k].label, nodes[k].weight));
  return {
    ...shape,
    n: f.n,
    best: nodes.map(({ best }) => best),
    errors: totals(error),
    costs: totals((k) => worths[k].cost),
    // Of the split that comes next; 0 after the last.
    scores: Float64Array.from({ length: steps + 1 }, (_, j) => (j < steps ? score(split[j]) : 0)),
    probability,
    error,
    score,
    // What a node weighs in truth.
    /** @type {(k: number) => Weight} */
    worth: (k) => worths[k],
    // The score of the variable that a node asks.
    /** @type {(k: number) => number} */
    asked: (k) => nodes[k].weight.scores[variable[splitAt[k]]],
    // The variables not fixed with their scores, what the points there weigh, and the values of f at them.
    /** @type {(k: number) => { free: number[], scores: number[], share: number, values: Uint16Array }} */
    contest(k) {
      const { fixed, weight, from, to } = nodes[k];
      const free = Array.from({ length: f.n }, (_, i) => i).filter((i) => !((fixed >> i) & 1));
      const scores = free.map((i) => weight.scores[i]);
      const values = inside.slice(from, to).map((x) => f.table[x]);
      return { free, scores, share: weight.zeros + weight.ones, values };
    },
    /** @type {(k: number) => number} */
    label: (k) => nodes[k].label,
    /** @type {(k: number) => number} */
    mixed: (k) => (2 * Math.min(worths[k].zeros, worths[k].ones)) / probability(k),
    // The first step at which growth sees an error of at most epsilon, else the last one.
    /** @type {(epsilon: number) => number} */
    stop(epsilon) {
      const first = seen.findIndex((value) => value <= epsilon * (1 + ROUNDING));
      return first < 0 ? steps : first;
    },
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
