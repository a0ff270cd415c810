// The best trees there are, for a truth table of at most BEST_VARIABLES variables: one program over
// the 3^n subcubes, each of which is queried best for its halves' sake. Nothing here knows a page.

/**
 * @import { GreedyPath } from "./greedy.js"
 *
 * @typedef {{ variable: number, low: BestTree, high: BestTree } | { label: number }} BestTree
 *
 * @typedef {object} BestTrees
 * @property {number} size  leaves of the smallest tree without error
 * @property {number} rank  the least rank of such a tree
 * @property {(answers: readonly (readonly number[])[]) => number} sizeWhere  that of what is left of f after answers
 * @property {() => BestTree} tree  the smallest tree without error; among equals the lowest variable
 */

export const BEST_VARIABLES = 12;

/** @typedef {{ free: number[], point: number }} Subcube */

/** @type {Subcube[][]} */
const made = [];

// The subcubes in ascending order of their codes, whose digit i to base 3 is 0, 1 or, free, 2: so the
// halves of a subcube come before it. `free` are its free variables.
/** @type {(n: number) => Subcube[]} */
export const subcubes = (n) =>
  (made[n] ??= Array.from({ length: 3 ** n }, (_, code) => {
    /** @type {number[]} */
    const free = [];
    let point = 0;
    for (let i = 0, left = code; i < n; i += 1, left = Math.floor(left / 3)) {
      if (left % 3 === 2) free.push(i);
      else point += (left % 3) * 2 ** i;
    }
    return { free, point };
  }));

// After each split of a path: how many leaves more than the smallest tree every tree for f has that begins so.
/** @type {(best: BestTrees, path: Pick<GreedyPath, "totals" | "restriction">) => number[]} */
export const surplusAlong = ({ size, sizeWhere }, { totals, restriction }) =>
  totals((node) => sizeWhere(restriction(node))).map((leaves) => leaves - size);

// The free variables of every subcube, as masks, and its point where these are 0: objects would take too much room.
/** @param {number} n */
const packedCubes = (n) => {
  const [free, point] = [new Uint16Array(3 ** n), new Uint16Array(3 ** n)];
  for (let i = 0; i < n; i += 1) {
    const side = 3 ** i;
    for (let code = 0; code < side; code += 1) {
      [free[code + side], point[code + side]] = [free[code], point[code] | (1 << i)];
      [free[code + 2 * side], point[code + 2 * side]] = [free[code] | (1 << i), point[code]];
    }
  }
  return { free, point };
};

// Of a truth table of 2^n bits; bit i of the index is x_i.
/** @type {(n: number, table: ArrayLike<number>) => BestTrees} */
export const bestTrees = (n, table) => {
  const { free, point } = packedCubes(n);
  const whole = free.length - 1;
  const steps = Array.from({ length: n }, (_, i) => 3 ** i);
  const sizes = new Uint16Array(free.length).fill(1);
  const ranks = new Uint8Array(free.length);
  const query = new Int8Array(free.length).fill(-1);
  // What f is in a subcube: 0, 1, or 2 where it is both.
  const kinds = new Uint8Array(free.length);
  for (let code = 0; code <= whole; code += 1) {
    const first = steps[31 - Math.clz32(free[code] & -free[code])];
    if (free[code] === 0) kinds[code] = table[point[code]];
    else kinds[code] = kinds[code - first] === kinds[code - 2 * first] ? kinds[code - first] : 2;
    if (kinds[code] < 2) continue;
    [sizes[code], ranks[code]] = [2 ** n + 1, n];
    for (let i = 0; i < n; i += 1) {
      if (!((free[code] >> i) & 1)) continue;
      const [low, high] = [code - 2 * steps[i], code - steps[i]];
      const rank = Math.max(ranks[low], ranks[high]) + (ranks[low] === ranks[high] ? 1 : 0);
      ranks[code] = Math.min(ranks[code], rank);
      const size = sizes[low] + sizes[high];
      if (size < sizes[code]) [sizes[code], query[code]] = [size, i];
    }
  }
  /** @type {(code: number) => BestTree} */
  const below = (code) => {
    const variable = query[code];
    if (variable < 0) return { label: kinds[code] };
    return { variable, low: below(code - 2 * steps[variable]), high: below(code - steps[variable]) };
  };
  return {
    size: sizes[whole],
    rank: ranks[whole],
    tree: () => below(whole),
    sizeWhere: (answers) => sizes[answers.reduce((code, [i, bit]) => code - (2 - bit) * steps[i], whole)],
  };
};
