// The learner that sees samples only: draws, their weights, and what it makes of them. Nothing here
// knows a page.

import { SCORE_TIE } from "../explorers/static/computing/constants.js";
import { greedyPath, grow } from "../explorers/static/computing/greedy.js";
import { scrambled } from "../explorers/static/computing/scrambled.js";

/**
 * @import { GreedyPath, Table, Weights } from "../explorers/static/computing/greedy.js"
 *
 * A tree grown from draws, held against the truth: its splits and true error; the least true score of a choice, as a
 * share of the best there was; and how many choices were best, up to ties.
 * @typedef {{ draws: number, path: GreedyPath, stop: number, error: number, least: number, good: number }} SampledRun
 */

// The probability of failure for which the race says how many pairs the theorem asks for.
export const FAILURE = 0.1;

// Pairs for each variable before the first split (as dtviz.product.pairs_needed).
/** @type {(n: number, epsilon: number, failure: number) => number} */
export const pairsNeeded = (n, epsilon, failure) => Math.ceil(((12 * n) / epsilon) * Math.log((4 * n) / failure));

// Draws of x and of a fresh copy of each bit, in one number: bit i is that of x, bit n + i its copy.
// A bit is 1 if its chance, which stays, is below its bias; so a bias that moves a little flips few.
/** @type {(p: number[], seed: number, draws: number) => Uint16Array} */
export const drawsOf = (p, seed, draws) => {
  const columns = 2 * p.length;
  const offset = scrambled(seed + 1);
  const limits = [...p, ...p].map((one) => one * 2 ** 32);
  return Uint16Array.from({ length: draws }, (_, k) => {
    let bits = 0;
    for (let c = 0; c < columns; c += 1) {
      if (scrambled((k * columns + c + offset) | 0) < limits[c]) bits |= 1 << c;
    }
    return bits;
  });
};

// What the first m draws say, for every m of the budgets: shares of points, and of pairs of which one end was
// drawn, then the other. All are exact: a budget is a power of 2.
/** @type {(f: Table, bits: Uint16Array, budgets: number[]) => Weights[]} */
export const sampleWeights = ({ n, table }, bits, budgets) => {
  const seen = new Float64Array(table.length);
  const pairs = new Float64Array(n * table.length);
  let drawn = 0;
  return budgets.map((draws) => {
    for (; drawn < draws; drawn += 1) {
      const x = bits[drawn] & (table.length - 1);
      const changes = x ^ (bits[drawn] >> n);
      seen[x] += 1;
      for (let i = 0; i < n; i += 1) {
        if ((changes >> i) & 1 && table[x] !== table[x ^ (1 << i)]) pairs[x * n + i] += 1;
      }
    }
    return { weights: seen.map((times) => times / draws), pairs: pairs.map((times) => times / draws) };
  });
};

// What the learner makes of its first draws, for every number of the budgets. It stops at the first tree that errs
// on at most a share epsilon of its draws, or when it sees no split left to make.
/** @type {(f: Table, truth: Weights, bits: Uint16Array, budgets: number[], epsilon: number) => SampledRun[]} */
export const sampledRuns = (f, truth, bits, budgets, epsilon) =>
  sampleWeights(f, bits, budgets).map((sample, k) => {
    const path = greedyPath(grow(f, sample), truth);
    const stop = path.stop(epsilon);
    const leaves = new Set([0]);
    // The true score of each choice, as a share of the best true score there was.
    const shares = path.split.slice(0, stop).map((node, j) => {
      const best = Math.max(...Array.from(leaves, (leaf) => path.worth(leaf).score));
      leaves.delete(node);
      leaves.add(2 * j + 1).add(2 * j + 2);
      return path.worth(node).scores[path.variable[j]] / best;
    });
    const good = shares.filter((share) => share >= 1 - SCORE_TIE).length;
    return { draws: budgets[k], path, stop, error: path.errors[stop], least: Math.min(1, ...shares), good };
  });
