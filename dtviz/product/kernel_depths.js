// The best average depth of every subcube, and the bounds on size it gives. Nothing here knows a page.

import { ROUNDING } from "../explorers/static/computing/constants.js";
import { variableName } from "../explorers/static/computing/text.js";

/**
 * @import { BestTree, Cubes } from "../explorers/static/computing/best.js"
 *
 * The least average depth of f, the largest one of a restriction, and which that is, "" for f itself.
 * @typedef {{ least: number, most: number, at: string }} Averages
 */

// The least depth on every subcube, if a question about x_i adds 1 to what its halves have together.
/** @type {(cubes: Cubes, together: (low: number, high: number, i: number) => number) => Float64Array} */
const cubeDepths = ({ n, free, kinds }, together) => {
  const depth = new Float64Array(kinds.length);
  kinds.forEach((kind, c) => {
    if (kind < 2) return;
    let least = Infinity;
    for (let i = 0; i < n; i += 1) {
      if ((free[c] >> i) & 1) least = Math.min(least, together(depth[c - 2 * 3 ** i], depth[c - 3 ** i], i));
    }
    depth[c] = 1 + least;
  });
  return depth;
};

// The least depth of a tree for f (as dtviz.optimal(f).depth).
/** @type {(cubes: Cubes) => number} */
export const leastDepth = (cubes) => cubeDepths(cubes, (low, high) => Math.max(low, high))[cubes.kinds.length - 1];

/** @type {(p: number[]) => (low: number, high: number, i: number) => number} */
const meanOf = (p) => (low, high, i) => (1 - p[i]) * low + p[i] * high;

// A tree without error of the least average depth; the lowest variable among
// equals (as dtviz.optimal(f, mu).tree("average_depth")).
/** @type {(cubes: Cubes, p: number[]) => BestTree} */
export const shortestTree = (cubes, p) => {
  const { free, kinds } = cubes;
  const depth = cubeDepths(cubes, meanOf(p));
  /** @param {number} c @param {number} i */
  const mean = (c, i) => 1 + meanOf(p)(depth[c - 2 * 3 ** i], depth[c - 3 ** i], i);
  /** @type {(c: number) => BestTree} */
  const below = (c) => {
    if (kinds[c] < 2) return { label: kinds[c] };
    const options = [...p.keys()].filter((i) => (free[c] >> i) & 1);
    // Rounding of a mean must not choose between equal variables.
    const variable = /** @type {number} */ (options.find((i) => mean(c, i) <= depth[c] * (1 + ROUNDING)));
    return { variable, low: below(c - 2 * 3 ** variable), high: below(c - 3 ** variable) };
  };
  return below(kinds.length - 1);
};

// The least average depth of f, and the largest one of a restriction, with where that is: of equals
// the restriction of the fewest bits, then the first in the order of its bits.
/** @type {(cubes: Cubes, p: number[], names?: string[]) => Averages} */
export const averageDepths = (cubes, p, names = []) => {
  const depth = cubeDepths(cubes, meanOf(p));
  const most = Math.max(...depth);
  let where = { key: "", bits: /** @type {number[]} */ ([]) };
  depth.forEach((value, c) => {
    if (value < most * (1 - ROUNDING)) return;
    const bits = p.map((_, i) => Math.floor(c / 3 ** i) % 3);
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
/** @type {(errors: number[], j: number, delta: number) => number} */
export const scoreFloor = (errors, j, delta) => errors[j] / ((j + 1) * delta);
