// What a card says of a function of at most 5 variables, in integers. A function is a code: bit x of it is
// the value at point x, bit i of which is x_i. Nothing here knows a page.

/**
 * What a tree, or the best there is, has of each kind.
 * @typedef {{ leaves: number, depth: number, rank: number, queries: number }} Shape  queries: 2^n times the average depth
 * @typedef {{ best: number, worst: number }} Luck  leaves, as ties are broken for best and worst
 *
 * @typedef {object} Measures
 * @property {number} ones  the points where it is 1
 * @property {number[]} edges  for each variable, the pairs of neighbors that differ
 * @property {Shape} least  the fewest leaves, the least depth, ...: each may need a tree of its own
 * @property {Shape} greedy  of the greedy tree, ties to the lowest variable
 * @property {Luck} ties  of greedy trees by influence
 * @property {Luck} purity  of trees grown by Gini, or any strictly concave cost
 */

/** @type {(table: ArrayLike<number>) => number} */
export const codeOf = (table) => {
  let code = 0;
  for (let x = 0; x < table.length; x += 1) code |= table[x] << x;
  return code >>> 0;
};

/** @type {(n: number, code: number) => Uint8Array} */
export const tableOfCode = (n, code) => Uint8Array.from({ length: 1 << n }, (_, x) => (code >>> x) & 1);

// The function with x_i fixed: the other variables keep their order.
/** @type {(n: number, code: number, i: number, bit: number) => number} */
const restricted = (n, code, i, bit) => {
  const below = (1 << i) - 1;
  return codeOf(tableOfCode(n - 1, 0).map((_, x) => (code >>> ((x & below) | (bit << i) | ((x & ~below) << 1))) & 1));
};

/** @type {(code: number) => number} */
const countOnes = (code) => {
  let ones = 0;
  for (let left = code; left; left &= left - 1) ones += 1;
  return ones;
};

// A tree that asks first what has these halves.
/** @type {(halves: Shape[], points: number) => Shape} */
const joined = ([low, high], points) => ({
  leaves: low.leaves + high.leaves,
  depth: 1 + Math.max(low.depth, high.depth),
  rank: Math.max(low.rank, high.rank) + (low.rank === high.rank ? 1 : 0),
  queries: points + low.queries + high.queries,
});

/** @type {(shapes: Shape[], part: keyof Shape) => number} */
const fewest = (shapes, part) => Math.min(...shapes.map((shape) => shape[part]));

// Of the questions that score most, the luckiest and the unluckiest.
/** @type {(scores: number[], halves: Luck[][]) => Luck} */
const gamble = (scores, halves) => {
  const asked = halves.filter((_, i) => scores[i] === Math.max(...scores));
  return {
    best: Math.min(...asked.map(([low, high]) => low.best + high.best)),
    worst: Math.max(...asked.map(([low, high]) => low.worst + high.worst)),
  };
};

const LEAF = { leaves: 1, depth: 0, rank: 0, queries: 0 };
const ONE = { best: 1, worst: 1 };

/** @type {(n: number, code: number, known: Map<string, Measures>) => Measures} */
const measure = (n, code, known) => {
  const name = `${n} ${code}`;
  const old = known.get(name);
  if (old) return old;
  const [points, ones] = [1 << n, countOnes(code)];
  const each = Array.from({ length: n }, (_, i) => i);
  const codes = each.map((i) => [0, 1].map((bit) => restricted(n, code, i, bit)));
  const edges = codes.map(([low, high]) => countOnes(low ^ high));
  /** @type {Measures} */
  let found = { ones, edges, least: LEAF, greedy: LEAF, ties: ONE, purity: ONE };
  if (ones % points) {
    const halves = codes.map((pair) => pair.map((half) => measure(n - 1, half, known)));
    const trees = halves.map((pair) => joined(pair.map(({ least }) => least), points));
    const [leaves, depth] = [fewest(trees, "leaves"), fewest(trees, "depth")];
    const least = { leaves, depth, rank: fewest(trees, "rank"), queries: fewest(trees, "queries") };
    const first = edges.indexOf(Math.max(...edges));
    const greedy = joined(halves[first].map((half) => half.greedy), points);
    const ties = gamble(edges, halves.map((pair) => pair.map((half) => half.ties)));
    // Halves of equal weight: the further apart their shares of ones, the purer they are.
    const apart = halves.map(([low, high]) => Math.abs(low.ones - high.ones));
    const purity = gamble(apart, halves.map((pair) => pair.map((half) => half.purity)));
    found = { ones, edges, least, greedy, ties, purity };
  }
  known.set(name, found);
  return found;
};

/** @type {(n: number, code: number) => Measures} */
export const measuresOf = (n, code) => measure(n, code, new Map());

// The points where each variable is 0.
const LOW = [0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff];

/**
 * The least code of the class, and how many functions it has: all that come of negating the value or a
 * variable, and of exchanging two variables, again and again.
 * @type {(n: number, code: number) => { code: number, size: number }}
 */
export const classOf = (n, code) => {
  const all = 2 ** 2 ** n - 1;
  /** @type {((code: number) => number)[]} */
  const moves = [(one) => all - one];
  for (let i = 0; i < n; i += 1) {
    moves.push((one) => (((one & LOW[i]) << (1 << i)) | ((one >>> (1 << i)) & LOW[i])) >>> 0);
    if (i === 0) continue;
    // A point with x_i-1 = 1, x_i = 0 trades its value with its mirror image.
    const [far, moved] = [1 << (i - 1), ~LOW[i - 1] & LOW[i]];
    moves.push((one) => {
      const differ = (one ^ (one >>> far)) & moved;
      return (one ^ differ ^ (differ << far)) >>> 0;
    });
  }
  const met = new Set([code]);
  // What is added while the set is walked is walked too.
  for (const one of met) for (const move of moves) met.add(move(one));
  return { code: Math.min(...met), size: met.size };
};
