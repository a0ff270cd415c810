// The best average depth of every subcube, and the bounds on size it gives. Nothing here knows a page.

import { ROUNDING } from "../explorers/static/constants.js";
import { variableName } from "../explorers/static/text.js";

/**
 * @import { Query } from "./kernel.js"
 *
 * Subcubes of {0,1}^n as numbers in base 3: digit i is the value of bit i, or 2 where it is free.
 * free[start[c]] .. free[start[c + 1] - 1] are the free bits of subcube c.
 * @typedef {{ n: number, powers: number[], start: Int32Array, free: Uint8Array }} CubePlan
 *
 * @typedef {object} Averages
 * @property {number} least  the least average depth of f
 * @property {number} most  the largest least average depth of a restriction of f
 * @property {string} at  which restriction that is, "" for f itself
 */

/** @type {(n: number) => CubePlan} */
export const cubePlan = (n) => {
  const powers = Array.from({ length: n + 1 }, (_, i) => 3 ** i);
  const start = new Int32Array(powers[n] + 1);
  /** @type {number[]} */
  const free = [];
  for (let c = 0; c < powers[n]; c += 1) {
    for (let i = 0; i < n; i += 1) if (Math.floor(c / powers[i]) % 3 === 2) free.push(i);
    start[c + 1] = free.length;
  }
  return { n, powers, start, free: Uint8Array.from(free) };
};

// For each subcube: 0 or 1 where f is that constant, 2 where it is mixed.
/** @type {(plan: CubePlan, table: Uint8Array) => Uint8Array} */
export const cubeKinds = ({ powers, start, free }, table) => {
  const kinds = new Uint8Array(start.length - 1);
  for (let c = 0; c < kinds.length; c += 1) {
    if (start[c] === start[c + 1]) {
      let point = 0;
      for (let rest = c, i = 0; rest; rest = Math.floor(rest / 3), i += 1) point += (rest % 3) << i;
      kinds[c] = table[point];
    } else {
      const step = powers[free[start[c]]];
      kinds[c] = kinds[c - 2 * step] === kinds[c - step] ? kinds[c - step] : 2;
    }
  }
  return kinds;
};

// The least depth on every subcube, if a question about x_i adds 1 to what its halves have together.
/** @type {(plan: CubePlan, kinds: Uint8Array, together: (low: number, high: number, i: number) => number) => Float64Array} */
const cubeDepths = ({ powers, start, free }, kinds, together) => {
  const depth = new Float64Array(kinds.length);
  for (let c = 0; c < kinds.length; c += 1) {
    if (kinds[c] < 2) continue;
    let least = Infinity;
    for (let k = start[c]; k < start[c + 1]; k += 1) {
      const step = powers[free[k]];
      const below = together(depth[c - 2 * step], depth[c - step], free[k]);
      if (below < least) least = below;
    }
    depth[c] = 1 + least;
  }
  return depth;
};

// The least depth of a tree for f (as dtviz.optimal(f).depth).
/** @type {(plan: CubePlan, kinds: Uint8Array) => number} */
export const leastDepth = (plan, kinds) =>
  cubeDepths(plan, kinds, (low, high) => Math.max(low, high))[kinds.length - 1];

/** @type {(p: number[]) => (low: number, high: number, i: number) => number} */
const meanOf = (p) => (low, high, i) => (1 - p[i]) * low + p[i] * high;

// A tree without error of the least average depth; the lowest variable among
// equals (as dtviz.optimal(f, mu).tree("average_depth")).
/** @type {(plan: CubePlan, kinds: Uint8Array, p: number[]) => Query} */
export const shortestTree = (plan, kinds, p) => {
  const { powers, start, free } = plan;
  const depth = cubeDepths(plan, kinds, meanOf(p));
  /** @param {number} c @param {number} i */
  const mean = (c, i) => 1 + meanOf(p)(depth[c - 2 * powers[i]], depth[c - powers[i]], i);
  /** @type {(c: number) => Query} */
  const below = (c) => {
    if (kinds[c] < 2) return { label: kinds[c] };
    const options = free.subarray(start[c], start[c + 1]);
    // Rounding of a mean must not choose between equal variables.
    const variable = /** @type {number} */ (options.find((i) => mean(c, i) <= depth[c] * (1 + ROUNDING)));
    return { variable, low: below(c - 2 * powers[variable]), high: below(c - powers[variable]) };
  };
  return below(kinds.length - 1);
};

// The least average depth of f, and the largest one of a restriction, with where that is: of equals
// the restriction of the fewest bits, then the first in the order of its bits.
/** @type {(plan: CubePlan, kinds: Uint8Array, p: number[], names?: string[]) => Averages} */
export const averageDepths = (plan, kinds, p, names = []) => {
  const { n, powers } = plan;
  const depth = cubeDepths(plan, kinds, meanOf(p));
  let most = 0;
  for (let c = 0; c < depth.length; c += 1) if (depth[c] > most) most = depth[c];
  let where = { key: "", bits: /** @type {number[]} */ ([]) };
  depth.forEach((value, c) => {
    if (value < most * (1 - ROUNDING)) return;
    const bits = Array.from({ length: n }, (_, i) => Math.floor(c / powers[i]) % 3);
    const key = `${bits.filter((bit) => bit < 2).length} ${bits.join("")}`;
    if (!where.key || key < where.key) where = { key, bits };
  });
  const fixed = where.bits.flatMap((bit, i) => (bit < 2 ? `${variableName(names, i)}=${bit}` : []));
  return { least: depth[depth.length - 1], most, at: fixed.join(", ") };
};

/** @type {(largest: number, base: number, depth: number) => number} */
const power = (largest, base, depth) => largest * depth * (Math.LOG2E + Math.max(Math.log2(base), 0));

// log2 of the leaves that Theorem 1.1 allows (as dtviz.product.proved_bound_bits): with L for the average
// depth of every restriction where it is proved, with the average depth of f where it is as printed.
/** @type {(averages: Averages, depth: number, epsilon: number) => number[]} */
export const boundBits = ({ least, most }, depth, epsilon) => {
  if (depth === 0) return [0, 0, 0, 0];
  if (epsilon === 0) return [Infinity, Infinity, Infinity, Infinity];
  const base = least / (2 * epsilon * depth);
  return [
    power(most, base, depth),
    power(depth, base, depth),
    Math.min((least * depth) / epsilon, (least / (2 * epsilon)) ** 2) * Math.LOG2E,
    power(least, 2 * base, depth),
  ];
};

// The lower bound on the score of the split after step j, for a depth or average depth delta.
/** @type {(errors: Float64Array, j: number, delta: number) => number} */
export const scoreFloor = (errors, j, delta) => errors[j] / ((j + 1) * delta);
