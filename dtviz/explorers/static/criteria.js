// The formulas of the criteria, by their names in `dtviz.core.criteria`. Nothing here knows a page.

/**
 * A criterion: the cost G(q) of a leaf with a share q of one of two classes, and its cost for the counts of any
 * number of classes, times their sum n; n / 2 times the sum of their G if that is left out.
 * @typedef {{ formula: string, of: (q: number) => number, ofCounts?: OfCounts }} Criterion
 * @typedef {(counts: Uint32Array | number[], n: number) => number} OfCounts
 *
 * The name of one.
 * @typedef {string} Cost
 */

/** @type {(counts: Uint32Array | number[], term: (count: number) => number) => number} */
const total = (counts, term) => {
  let sum = 0;
  for (const count of counts) if (count) sum += term(count);
  return sum;
};

/** @type {(counts: Uint32Array | number[]) => number} */
const largest = (counts) => {
  let most = 0;
  for (const count of counts) if (count > most) most = count;
  return most;
};

/** @param {number} x */
const xlog2 = (x) => (x > 0 ? x * Math.log2(x) : 0);

/** @type {Record<Cost, Criterion>} */
const CRITERIA = {
  error: {
    formula: "min(q, 1 − q)",
    of: (q) => Math.min(q, 1 - q),
    ofCounts: (counts, n) => n - largest(counts),
  },
  gini: {
    formula: "2q(1 − q)",
    of: (q) => 2 * q * (1 - q),
    ofCounts: (counts, n) => (n * n - total(counts, (count) => count * count)) / n,
  },
  entropy: {
    formula: "H(q)/2, H in bits",
    of: (q) => -(xlog2(q) + xlog2(1 - q)) / 2,
    ofCounts: (counts, n) => total(counts, (count) => count * Math.log2(n / count)) / 2,
  },
  sqrt: {
    formula: "√(q(1 − q))",
    of: (q) => Math.sqrt(q * (1 - q)),
    ofCounts: (counts, n) => Math.max(0, (total(counts, Math.sqrt) ** 2 - n) / 2),
  },
};

/** @type {(values: number[]) => number} */
const sumOf = (values) => values.reduce((sum, value) => sum + value, 0);

// The mean of numbers, of which there are counts[k] of values[k], and the sum of their squared distances to it.
/** @type {(counts: ArrayLike<number>, values: readonly number[]) => { mean: number, loss: number }} */
export const squaredLoss = (counts, values) => {
  const there = values.flatMap((value, k) => (counts[k] ? [{ value, often: counts[k] }] : []));
  const [{ value: low } = { value: 0 }] = there;
  const n = sumOf(there.map(({ often }) => often));
  const mean = low + sumOf(there.map(({ value, often }) => often * (value - low))) / (n || 1);
  return { mean, loss: sumOf(there.map(({ value, often }) => often * (value - mean) ** 2)) };
};

/** @type {(cost: Cost) => Required<Criterion>} */
export const criterionOf = (cost) => {
  if (!Object.hasOwn(CRITERIA, cost)) {
    throw new RangeError(`cost must be one of ${Object.keys(CRITERIA).join(", ")}, got ${cost}`);
  }
  const { of } = CRITERIA[cost];
  return { ofCounts: (counts, n) => (n * total(counts, (count) => of(count / n))) / 2, ...CRITERIA[cost] };
};
