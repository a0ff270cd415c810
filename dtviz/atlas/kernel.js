// What a card says of a function of at most CARD_VARIABLES variables, in integers: one programme over
// its 3^n subcubes. A function is a code: bit x of it is the value at point x, bit i of which is x_i.
// Nothing here knows a page.

/**
 * What a tree, or the best there is, has of each kind.
 * @typedef {{ leaves: number, depth: number, rank: number, queries: number }} Shape  queries: 2^n times the average depth
 * @typedef {{ best: number, worst: number }} Luck  leaves, as ties are broken for best and worst
 *
 * @typedef {object} Measures
 * @property {number} ones  the points where it is 1
 * @property {number[]} edges  for each variable, the pairs of neighbours that differ
 * @property {Shape} least  the fewest leaves, the least depth, ...: each may need a tree of its own
 * @property {Shape} greedy  of the greedy tree, ties to the lowest variable
 * @property {Luck} ties  of greedy trees by influence
 * @property {Luck} purity  of trees grown by Gini, or any strictly concave cost
 */

/** @typedef {{ n: number, free: Uint8Array[], steps: Int32Array, point: Uint8Array, around: number[][] }} Plan */

export const CARD_VARIABLES = 5;

/** @type {Plan[]} */
const plans = [];

// The subcubes in ascending order of their codes to base 3, digit 2 for a free variable: so the halves
// of a subcube come before it. `around` are those that hold a point.
/** @type {(n: number) => Plan} */
const planOf = (n) => {
  if (plans[n]) return plans[n];
  const total = 3 ** n;
  const steps = Int32Array.from({ length: n }, (_, i) => 3 ** i);
  const digits = Array.from({ length: total }, (_, cube) => Array.from(steps, (step) => Math.floor(cube / step) % 3));
  const point = Uint8Array.from(digits, (row) => row.reduce((sum, digit, i) => sum | ((digit % 2) << i), 0));
  const free = digits.map((row) => Uint8Array.from(row.flatMap((digit, i) => (digit === 2 ? [i] : []))));
  const around = Array.from({ length: 2 ** n }, (_, x) =>
    digits.flatMap((row, cube) => (row.every((digit, i) => digit === 2 || digit === ((x >> i) & 1)) ? [cube] : [])),
  );
  plans[n] = { n, free, steps, point, around };
  return plans[n];
};

/** @typedef {{ leaves: Uint8Array, depth: Uint8Array, rank: Uint8Array, queries: Uint8Array }} Shapes */

// What is known of each subcube; one block, so that a copy is quick.
class Cubes {
  /** @param {number} n */
  constructor(n) {
    const total = 3 ** n;
    this.n = n;
    this.block = new Uint8Array(total * (13 + n));
    let at = 0;
    const rows = (length = total) => this.block.subarray(at, (at += length));
    /** @type {() => Shapes} */
    const shapes = () => ({ leaves: rows(), depth: rows(), rank: rows(), queries: rows() });
    const luck = () => ({ best: rows(), worst: rows() });
    this.ones = rows();
    this.least = shapes();
    this.greedy = shapes();
    this.ties = luck();
    this.purity = luck();
    this.edges = rows(total * n);
  }
}

// A tree that asks first what has these halves.
/** @type {(shapes: Shapes, low: number, high: number, points: number) => Shape} */
const joined = ({ leaves, depth, rank, queries }, low, high, points) => ({
  leaves: leaves[low] + leaves[high],
  depth: 1 + Math.max(depth[low], depth[high]),
  rank: Math.max(rank[low], rank[high]) + (rank[low] === rank[high] ? 1 : 0),
  queries: points + queries[low] + queries[high],
});

/** @type {(shapes: Shapes, cube: number, shape: Shape) => void} */
const store = (shapes, cube, { leaves, depth, rank, queries }) => {
  shapes.leaves[cube] = leaves;
  shapes.depth[cube] = depth;
  shapes.rank[cube] = rank;
  shapes.queries[cube] = queries;
};

const LEAF = { leaves: 1, depth: 0, rank: 0, queries: 0 };

// The halves of the subcube in hand, by each of its free variables, and how each query scores: kept
// between calls, for thousands of subcubes are solved at a time.
const halves = { low: new Int32Array(CARD_VARIABLES), high: new Int32Array(CARD_VARIABLES), count: 0 };
const scores = new Int32Array(CARD_VARIABLES);

// The least of each number that a tree for the subcube can have.
/** @type {(shapes: Shapes, cube: number, points: number) => void} */
const settle = ({ leaves, depth, rank, queries }, cube, points) => {
  let [fewest, shallowest, lowest, quickest] = [255, 255, 255, 255];
  for (let k = 0; k < halves.count; k += 1) {
    const [low, high] = [halves.low[k], halves.high[k]];
    fewest = Math.min(fewest, leaves[low] + leaves[high]);
    shallowest = Math.min(shallowest, 1 + Math.max(depth[low], depth[high]));
    lowest = Math.min(lowest, Math.max(rank[low], rank[high]) + (rank[low] === rank[high] ? 1 : 0));
    quickest = Math.min(quickest, points + queries[low] + queries[high]);
  }
  leaves[cube] = fewest;
  depth[cube] = shallowest;
  rank[cube] = lowest;
  queries[cube] = quickest;
};

// Of the queries that score most, the luckiest and the unluckiest; returned is the first of them.
/** @type {(luck: { best: Uint8Array, worst: Uint8Array }, cube: number) => number} */
const gamble = ({ best, worst }, cube) => {
  let [most, first, lucky, unlucky] = [-1, -1, 255, 0];
  for (let k = 0; k < halves.count; k += 1) {
    if (scores[k] < most) continue;
    if (scores[k] > most) [most, first, lucky, unlucky] = [scores[k], k, 255, 0];
    const [low, high] = [halves.low[k], halves.high[k]];
    lucky = Math.min(lucky, best[low] + best[high]);
    unlucky = Math.max(unlucky, worst[low] + worst[high]);
  }
  best[cube] = lucky;
  worst[cube] = unlucky;
  return first;
};

// Write what a mixed subcube has, from what its halves have.
/** @type {(cubes: Cubes, plan: Plan, cube: number) => void} */
const solve = ({ ones, edges, least, greedy, ties, purity }, { n, free, steps }, cube) => {
  const asked = free[cube];
  const points = 1 << asked.length;
  halves.count = asked.length;
  for (let k = 0; k < asked.length; k += 1) {
    halves.low[k] = cube - 2 * steps[asked[k]];
    halves.high[k] = cube - steps[asked[k]];
    // Halves of equal weight: the further apart their shares of ones, the purer they are.
    scores[k] = Math.abs(ones[halves.low[k]] - ones[halves.high[k]]);
  }
  settle(least, cube, points);
  gamble(purity, cube);
  for (let k = 0; k < asked.length; k += 1) scores[k] = edges[cube * n + asked[k]];
  const first = gamble(ties, cube);
  store(greedy, cube, joined(greedy, halves.low[first], halves.high[first], points));
};

// Count the ones of a subcube, and the pairs of its neighbours that differ.
/** @type {(cubes: Cubes, plan: Plan, cube: number, code: number) => void} */
const countIn = ({ ones, edges }, { n, free, steps, point }, cube, code) => {
  const asked = free[cube];
  if (!asked.length) {
    ones[cube] = (code >>> point[cube]) & 1;
    return;
  }
  const [low, high] = [cube - 2 * steps[asked[0]], cube - steps[asked[0]]];
  ones[cube] = ones[low] + ones[high];
  for (let k = 1; k < asked.length; k += 1) edges[cube * n + asked[k]] = edges[low * n + asked[k]] + edges[high * n + asked[k]];
  if (asked.length === 1) {
    edges[cube * n + asked[0]] = ones[cube] & 1;
    return;
  }
  const [left, right] = [cube - 2 * steps[asked[1]], cube - steps[asked[1]]];
  edges[cube * n + asked[0]] = edges[left * n + asked[0]] + edges[right * n + asked[0]];
};

// Solve some subcubes, of which the smaller ones come first.
/** @type {(cubes: Cubes, plan: Plan, which: number[], code: number) => void} */
const solveAll = (cubes, plan, which, code) => {
  for (const cube of which) {
    countIn(cubes, plan, cube, code);
    if (cubes.ones[cube] % (1 << plan.free[cube].length)) solve(cubes, plan, cube);
    else {
      store(cubes.least, cube, LEAF);
      store(cubes.greedy, cube, LEAF);
      for (const { best, worst } of [cubes.ties, cubes.purity]) best[cube] = worst[cube] = 1;
    }
  }
};

/** @type {(cubes: Cubes) => Measures} */
const told = ({ n, ones, edges, least, greedy, ties, purity }) => {
  const whole = 3 ** n - 1;
  /** @type {(shapes: Shapes) => Shape} */
  const last = ({ leaves, depth, rank, queries }) => ({
    leaves: leaves[whole],
    depth: depth[whole],
    rank: rank[whole],
    queries: queries[whole],
  });
  /** @type {(luck: { best: Uint8Array, worst: Uint8Array }) => Luck} */
  const range = ({ best, worst }) => ({ best: best[whole], worst: worst[whole] });
  return {
    ones: ones[whole],
    edges: [...edges.subarray(whole * n)],
    least: last(least),
    greedy: last(greedy),
    ties: range(ties),
    purity: range(purity),
  };
};

/** @type {(n: number, code: number) => Cubes} */
const solved = (n, code) => {
  const plan = planOf(n);
  const cubes = new Cubes(n);
  solveAll(cubes, plan, [...plan.free.keys()], code);
  return cubes;
};

/** @type {(n: number, code: number) => Measures} */
export const measuresOf = (n, code) => told(solved(n, code));

// The functions that differ from this one at a single point, by that point: only the subcubes that hold
// it have to be solved again.
/** @type {(n: number, code: number) => { code: number, measures: Measures }[]} */
export const neighboursOf = (n, code) => {
  const plan = planOf(n);
  const { block } = solved(n, code);
  const cubes = new Cubes(n);
  return plan.around.map((which, x) => {
    const flipped = (code ^ (1 << x)) >>> 0;
    cubes.block.set(block);
    solveAll(cubes, plan, which, flipped);
    return { code: flipped, measures: told(cubes) };
  });
};

// --- codes -------------------------------------------------------------------------------------

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
export const restricted = (n, code, i, bit) => {
  const below = (1 << i) - 1;
  const table = Uint8Array.from({ length: 1 << (n - 1) }, (_, x) => {
    const point = (x & below) | (bit << i) | ((x & ~below) << 1);
    return (code >>> point) & 1;
  });
  return codeOf(table);
};
