// The learner that sees samples only: draws, their weights, and what it makes of them. Nothing here
// knows a page.

import { ROUNDING, SCORE_TIE } from "../explorers/static/constants.js";
import { growBiased, worthOf } from "./kernel.js";

/**
 * @import { Grown, Known, Table } from "./kernel.js"
 *
 * @typedef {object} SampledRun
 * @property {number} draws
 * @property {Grown} grown
 * @property {number} stop  splits made
 * @property {number} error  the true error
 * @property {number} least  the least true score of a choice, as a share of the best there was
 * @property {number} good  choices that were best, up to ties
 */

// Pairs for each variable before the first split (as dtviz.product.pairs_needed).
/** @type {(n: number, epsilon: number, failure: number) => number} */
export const pairsNeeded = (n, epsilon, failure) => Math.ceil(((12 * n) / epsilon) * Math.log((4 * n) / failure));

// A number from 0 to 2^32 - 1 for each place of a sequence, without memory (Wellons' lowbias32).
/** @type {(place: number) => number} */
export const scrambled = (place) => {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
};

// Draws of x and of a fresh copy of each bit, in one number: bit i is that of x, bit n + i its copy.
// A bit is 1 if its chance, which stays, is below its bias; so a bias that moves a little flips few.
/** @type {(n: number, seed: number, draws: number) => (p: number[]) => Uint16Array} */
export const drawsOf = (n, seed, draws) => {
  const columns = 2 * n;
  const offset = scrambled(seed + 1);
  // For each bit the draws by their chances: both in one number.
  const sorted = Array.from({ length: columns }, (_, c) => {
    const chances = new Float64Array(draws);
    for (let k = 0; k < draws; k += 1) chances[k] = scrambled((k * columns + c + offset) | 0) * draws + k;
    return chances.sort();
  });
  const bits = new Uint16Array(draws);
  const ones = new Int32Array(columns);
  return (p) => {
    sorted.forEach((chances, c) => {
      const limit = Math.ceil(p[c % n] * 2 ** 32) * draws;
      let at = ones[c];
      for (; at < draws && chances[at] < limit; at += 1) bits[chances[at] % draws] ^= 1 << c;
      for (; at > 0 && chances[at - 1] >= limit; at -= 1) bits[chances[at - 1] % draws] ^= 1 << c;
      ones[c] = at;
    });
    return bits;
  };
};

// For each point the directions in which f changes, as a mask.
/** @type {(f: Table) => Int32Array} */
const sensitivities = ({ n, table }) =>
  Int32Array.from({ length: table.length }, (_, x) => {
    let directions = 0;
    for (let i = 0; i < n; i += 1) if (table[x] !== table[x ^ (1 << i)]) directions |= 1 << i;
    return directions;
  });

// The weights of points and pairs in the first m draws, for every m of the budgets.
/** @type {(f: Table, bits: Uint16Array, budgets: number[]) => Known[]} */
export const sampleWeights = (f, bits, budgets) => {
  const { n, table } = f;
  const points = table.length;
  const sensitive = sensitivities(f);
  const [seen, pairs] = [new Float64Array(points), new Float64Array(n * points)];
  let drawn = 0;
  return budgets.map((draws) => {
    for (; drawn < draws; drawn += 1) {
      const x = bits[drawn] & (points - 1);
      seen[x] += 1;
      for (let changes = (x ^ (bits[drawn] >> n)) & sensitive[x]; changes; changes &= changes - 1) {
        pairs[x * n + 31 - Math.clz32(changes & -changes)] += 1;
      }
    }
    return { draws, weights: seen.slice(), pairs: pairs.slice() };
  });
};

// The learner that knows a sample only, held against the truth. It stops at the first tree that errs
// on at most a share epsilon of its draws, or when it sees no split left to make.
/** @type {(f: Table, truth: Known, sample: Known, epsilon: number, grown?: Grown) => SampledRun} */
export const sampledRun = (f, truth, sample, epsilon, grown = growBiased(f, sample)) => {
  const { made, order } = grown;
  /** @param {{ weight: { zeros: number, ones: number } }} node */
  const wrong = ({ weight: { zeros, ones } }) => Math.min(zeros, ones);
  const leaves = [0];
  const scores = [worthOf(grown, made[0], truth).score];
  const enough = epsilon * (1 + ROUNDING);
  let seen = wrong(made[0]);
  let [stop, least, good] = [0, 1, 0];
  for (; stop < order.length && seen / sample.draws > enough; stop += 1) {
    const node = made[order[stop]];
    // The true score of the choice, as a share of the best true score there was.
    const share = worthOf(grown, node, truth).scores[node.variable] / Math.max(...scores);
    least = Math.min(least, share);
    if (share >= 1 - SCORE_TIE) good += 1;
    const place = leaves.indexOf(order[stop]);
    const [low, high] = [made[node.low], made[node.low + 1]];
    leaves[place] = node.low;
    leaves.push(node.low + 1);
    scores[place] = worthOf(grown, low, truth).score;
    scores.push(worthOf(grown, high, truth).score);
    seen += wrong(low) + wrong(high) - wrong(node);
  }
  const error = leaves.reduce((sum, k) => {
    const { zeros, ones } = worthOf(grown, made[k], truth);
    return sum + (made[k].label ? zeros : ones);
  }, 0);
  return { draws: sample.draws, grown, stop, error, least, good };
};
