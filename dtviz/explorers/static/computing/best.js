// The best trees there are, for a truth table of at most BEST_VARIABLES variables: one program over
// the 3^n subcubes, each of which is queried best for its halves' sake. Nothing here knows a page.

/**
 * @import { GreedyPath } from "./greedy.js"
 *
 * @typedef {{ variable: number, low: BestTree, high: BestTree } | { label: number }} BestTree
 *
 * For each subcube its free variables, as a mask, and 0 or 1 where f is that constant, 2 where it is mixed.
 * @typedef {{ n: number, free: Uint16Array, kinds: Uint8Array }} Cubes
 *
 * @typedef {object} BestTrees
 * @property {number} size  leaves of the smallest tree without error
 * @property {number} rank  the least rank of such a tree
 * @property {(answers: readonly (readonly number[])[]) => number} sizeWhere  that of what is left of f after answers
 * @property {() => BestTree} tree  the smallest tree without error; among equals the lowest variable
 */

export const BEST_VARIABLES = 12;

// After each split of a path: how many leaves more than the smallest tree every tree for f has that begins so.
/** @type {(best: BestTrees, path: Pick<GreedyPath, "totals" | "restriction">) => number[]} */
export const surplusAlong = ({ size, sizeWhere }, { totals, restriction }) =>
  totals((node) => sizeWhere(restriction(node))).map((leaves) => leaves - size);

// What a function is in every subcube, in ascending order of their codes, whose digit i to base 3 is 0, 1 or, free, 2:
// so the halves of a subcube come before it.
/** @type {(f: { n: number, table: ArrayLike<number> }) => Cubes} */
export const cubesOf = ({ n, table }) => {
  const [free, point] = [new Uint16Array(3 ** n), new Uint16Array(3 ** n)];
  for (let i = 0; i < n; i += 1) {
    const side = 3 ** i;
    for (let code = 0; code < side; code += 1) {
      [free[code + side], point[code + side]] = [free[code], point[code] | (1 << i)];
      [free[code + 2 * side], point[code + 2 * side]] = [free[code] | (1 << i), point[code]];
    }
  }
  const kinds = new Uint8Array(free.length);
  for (let code = 0; code < free.length; code += 1) {
    const first = 3 ** (31 - Math.clz32(free[code] & -free[code]));
    if (free[code] === 0) kinds[code] = table[point[code]];
    else kinds[code] = kinds[code - first] === kinds[code - 2 * first] ? kinds[code - first] : 2;
  }
  return { n, free, kinds };
};

// Of a truth table of 2^n bits; bit i of the index is x_i.
/** @type {(n: number, table: ArrayLike<number>) => BestTrees} */
export const bestTrees = (n, table) => {
  const { free, kinds } = cubesOf({ n, table });
  const whole = free.length - 1;
  const steps = Array.from({ length: n }, (_, i) => 3 ** i);
  const sizes = new Uint16Array(free.length).fill(1);
  const ranks = new Uint8Array(free.length);
  const query = new Int8Array(free.length).fill(-1);
  for (let code = 0; code <= whole; code += 1) {
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
