// The best trees there are, for a truth table of at most BEST_VARIABLES variables: one program over
// the 3^n subcubes, each of which is queried best for its halves' sake. Nothing here knows a page.

/**
 * @typedef {{ variable: number, low: BestTree, high: BestTree } | { label: number }} BestTree
 *
 * @typedef {object} BestTrees
 * @property {number} size  leaves of the smallest tree without error
 * @property {number} rank  the least rank of such a tree
 * @property {() => ArrayLike<number>} errors  entry k: the least error of a tree of at most k + 1 leaves, to `size`
 * @property {() => BestTree} tree  the smallest tree without error; among equals the lowest variable
 */

export const BEST_VARIABLES = 6;

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

// The least errors of two trees below one root, leaf by leaf.
/** @type {(into: Float64Array, low: Float64Array, high: Float64Array) => void} */
const merge = (into, low, high) => {
  for (let a = 0; a < low.length; a += 1) {
    for (let b = 0; b < high.length; b += 1) {
      const error = low[a] + high[b];
      // a + 1 and b + 1 leaves make the tree of a + b + 2.
      if (error < into[a + b + 1]) into[a + b + 1] = error;
    }
  }
};

// Entry k from the least errors of trees of exactly k + 1 leaves to those of at most so many.
/** @param {Float64Array} errors */
const descend = (errors) => {
  for (let k = 1; k < errors.length; k += 1) errors[k] = Math.min(errors[k], errors[k - 1]);
};

// The least errors of trees of each number of leaves, for f and before it for every subcube: what only
// a race asks for, and takes longer than all the rest.
/** @type {(cubes: Subcube[], sizes: Int32Array, mass: Float64Array[]) => Float64Array} */
const leastErrors = (cubes, sizes, [zeros, ones]) => {
  /** @type {Float64Array[]} */
  const errors = [];
  cubes.forEach(({ free }, code) => {
    errors[code] = new Float64Array(sizes[code]).fill(Infinity);
    errors[code][0] = Math.min(zeros[code], ones[code]);
    if (sizes[code] === 1) return;
    for (const i of free) merge(errors[code], errors[code - 2 * 3 ** i], errors[code - 3 ** i]);
    descend(errors[code]);
  });
  return errors[cubes.length - 1];
};

/**
 * @param {number} n
 * @param {ArrayLike<number>} table  2^n bits; bit i of the index is x_i
 * @returns {BestTrees}
 */
export const bestTrees = (n, table) => {
  const cubes = subcubes(n);
  const sizes = new Int32Array(cubes.length).fill(1);
  const ranks = new Uint8Array(cubes.length);
  const query = new Int8Array(cubes.length).fill(-1);
  const mass = [0, 1].map(() => new Float64Array(cubes.length));
  cubes.forEach(({ free, point }, code) => {
    if (free.length === 0) {
      mass[table[point]][code] = 2 ** -n;
      return;
    }
    const step = 3 ** free[0];
    for (const side of mass) side[code] = side[code - 2 * step] + side[code - step];
    if (mass[0][code] === 0 || mass[1][code] === 0) return;
    [sizes[code], ranks[code]] = [2 ** n + 1, n];
    for (const i of free) {
      const [low, high] = [code - 2 * 3 ** i, code - 3 ** i];
      const rank = Math.max(ranks[low], ranks[high]) + (ranks[low] === ranks[high] ? 1 : 0);
      ranks[code] = Math.min(ranks[code], rank);
      const size = sizes[low] + sizes[high];
      if (size < sizes[code]) [sizes[code], query[code]] = [size, i];
    }
  });
  /** @type {(code: number) => BestTree} */
  const below = (code) => {
    const variable = query[code];
    if (variable < 0) return { label: mass[1][code] > 0 ? 1 : 0 };
    const step = 3 ** variable;
    return { variable, low: below(code - 2 * step), high: below(code - step) };
  };
  const whole = cubes.length - 1;
  /** @type {Float64Array | undefined} */
  let errors;
  return {
    size: sizes[whole],
    rank: ranks[whole],
    errors: () => (errors ??= leastErrors(cubes, sizes, mass)),
    tree: () => below(whole),
  };
};
