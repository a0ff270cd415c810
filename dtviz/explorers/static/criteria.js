// The formulas of the criteria, by their names in `dtviz.core.criteria`. Nothing here knows a page.

/**
 * A criterion: the cost G(q) of a leaf with a share q of one of two classes, and its cost for the shares
 * of any number of classes; half the sum of their G if that is left out.
 * @typedef {{ formula: string, of: (q: number) => number, ofShares?: (shares: number[]) => number }} Criterion
 *
 * The name of one.
 * @typedef {string} Cost
 */

/** @type {(values: number[]) => number} */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** @param {number} x */
const xlog2 = (x) => (x > 0 ? x * Math.log2(x) : 0);

/** @type {Record<Cost, Criterion>} */
const CRITERIA = {
  error: {
    formula: "min(q, 1 − q)",
    of: (q) => Math.min(q, 1 - q),
    ofShares: (shares) => 1 - Math.max(...shares),
  },
  gini: { formula: "2q(1 − q)", of: (q) => 2 * q * (1 - q) },
  entropy: {
    formula: "H(q)/2, H in bits",
    of: (q) => -(xlog2(q) + xlog2(1 - q)) / 2,
    ofShares: (shares) => -sum(shares.map(xlog2)) / 2,
  },
  sqrt: {
    formula: "√(q(1 − q))",
    of: (q) => Math.sqrt(q * (1 - q)),
    ofShares: (shares) => Math.max(0, (sum(shares.map(Math.sqrt)) ** 2 - 1) / 2),
  },
};

// The mean of numbers, of which there are counts[k] of values[k], and the sum of their squared distances to it.
/** @type {(counts: ArrayLike<number>, values: readonly number[]) => { mean: number, loss: number }} */
export const squaredLoss = (counts, values) => {
  const there = values.flatMap((value, k) => (counts[k] ? [{ value, often: counts[k] }] : []));
  const [{ value: low } = { value: 0 }] = there;
  const n = sum(there.map(({ often }) => often));
  const mean = low + sum(there.map(({ value, often }) => often * (value - low))) / (n || 1);
  return { mean, loss: sum(there.map(({ value, often }) => often * (value - mean) ** 2)) };
};

/** @type {(cost: Cost) => Required<Criterion>} */
export const criterionOf = (cost) => {
  if (!Object.hasOwn(CRITERIA, cost)) {
    throw new RangeError(`cost must be one of ${Object.keys(CRITERIA).join(", ")}, got ${cost}`);
  }
  const { of } = CRITERIA[cost];
  return { ofShares: (shares) => sum(shares.map(of)) / 2, ...CRITERIA[cost] };
};
