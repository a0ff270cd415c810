// The formulas of the criteria, by their names in `dtviz.core.cart.criteria`, and what cuts gain under them. Nothing here
// knows a page.

import { STOPS, betaCost, exponentAt } from "./beta.js";
import { through } from "./scale.js";

/**
 * A criterion: the cost G(q) of a leaf with a share q of one of two classes, and its cost for the counts of any
 * number of classes, times their sum n; n / 2 times the sum of their G if that is left out.
 * @typedef {{ formula: string, of: (q: number) => number, ofCounts?: OfCounts }} Criterion
 * @typedef {(counts: Uint32Array | number[], n: number) => number} OfCounts
 *
 * The name of one, or a position between two of STOPS, for two classes.
 * @typedef {string | number} Cost
 *
 * A cost, worked out for a sample: the impurity of a node, times its rows, and what its cuts take off that.
 * @typedef {{ impurity: (counts: Uint32Array) => number, scorer: (all: Uint32Array) => Score }} Rule
 *
 * Of cuts of an order: `add` hears the label of each row that comes to the low side, one after the other.
 * @typedef {(low: Uint32Array, high: Uint32Array, nLow: number, nHigh: number) => number} Gain
 * @typedef {{ add?: (label: number) => void, gain: Gain }} Score
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

/** @type {Record<string, Criterion>} */
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

/** @param {Uint32Array} counts */
const sumOf = (counts) => total(counts, (count) => count);

// The mean of numbers, of which there are counts[k] of values[k], and the sum of their squared distances to it.
/** @type {(counts: Uint32Array, values: readonly number[]) => { mean: number, loss: number }} */
export const squaredLoss = (counts, values) => {
  /** @type {(of: (value: number) => number) => number} */
  const sum = (of) => values.reduce((all, value, k) => (counts[k] ? all + counts[k] * of(value) : all), 0);
  // From one of them, so that little is lost where all are large.
  const low = values.find((_, k) => counts[k]) ?? 0;
  const mean = low + sum((value) => value - low) / (sumOf(counts) || 1);
  return { mean, loss: sum((value) => (value - mean) ** 2) };
};

// The cost at a position of the slider, from 0 to 3.
/** @type {(position: number) => Cost} */
export const costAt = (position) => STOPS[position] ?? position;

/** @param {number} position */
export const exponentText = (position) => {
  const a = exponentAt(position);
  return Math.abs(a) < 10 ? a.toFixed(2).replace("-", "−") : a.toFixed(0);
};

// What a cost is called.
/** @type {(cost: Cost) => string} */
export const costName = (cost) => (typeof cost === "number" ? `cost with a = ${exponentText(cost)}` : cost);

let between = { cost: NaN, criterion: /** @type {Required<Criterion> | null} */ (null) };

// One between two names is worked out once for many leaves.
/** @type {(cost: number) => Required<Criterion>} */
const criterionBetween = (cost) => {
  if (between.criterion && between.cost === cost) return between.criterion;
  const a = exponentAt(cost);
  const { of } = betaCost(a);
  const criterion = {
    ...{ formula: "−G″ ∝ (q(1 − q))^(a − 1)", of },
    /** @type {OfCounts} */
    ofCounts: (counts, n) => n * of(Math.min(counts[0], counts[1]) / n),
  };
  between = { cost, criterion };
  return criterion;
};

/** @type {(cost: Cost) => Required<Criterion>} */
export const criterionOf = (cost) => {
  if (typeof cost === "number") return criterionBetween(cost);
  if (!Object.hasOwn(CRITERIA, cost)) {
    throw new RangeError(`cost must be one of ${Object.keys(CRITERIA).join(", ")}, got ${cost}`);
  }
  const { of } = CRITERIA[cost];
  return { ofCounts: (counts, n) => (n * total(counts, (count) => of(count / n))) / 2, ...CRITERIA[cost] };
};

// The graph of a cost; its points lie closer together at the ends, where the root is steep.
/** @type {(cost: Cost, samples: number, x: (share: number) => number, y: (value: number) => number) => string} */
export const costCurve = (cost, samples, x, y) => {
  const { of } = criterionOf(cost);
  const shares = Array.from({ length: samples + 1 }, (_, k) => (1 - Math.cos((Math.PI * k) / samples)) / 2);
  return through(shares.map((q) => [x(q), y(of(q))]));
};

// Squared loss, where class k stands for the number values[k].
/** @type {(values: readonly number[]) => Rule} */
const squaredRule = (values) => ({
  impurity: (counts) => squaredLoss(counts, values).loss,
  scorer(all) {
    const [{ mean }, n] = [squaredLoss(all, values), sumOf(all)];
    let sum = 0; // of what the labels of the low side are above the mean
    return {
      add(label) {
        sum += values[label] - mean;
      },
      gain: (_low, _high, nLow, nHigh) => sum * (sum / nLow) * (n / nHigh),
    };
  },
});

/** @type {(cost: Cost, sample: { values?: readonly number[], classes: number }) => Rule} */
export const ruleOf = (cost, { values, classes }) => {
  if (values) return squaredRule(values);
  if (typeof cost === "number" && classes > 2) {
    const rule = `cost must be one of ${Object.keys(CRITERIA).join(", ")} where there are more than two classes`;
    throw new RangeError(`${rule}, got beta(${Number(exponentAt(cost).toPrecision(4))}) for ${classes}`);
  }
  const { ofCounts } = criterionOf(cost);
  /** @param {Uint32Array} counts */
  const impurity = (counts) => ofCounts(counts, sumOf(counts));
  return {
    impurity,
    scorer(all) {
      const whole = impurity(all);
      return { gain: (low, high, nLow, nHigh) => whole - ofCounts(low, nLow) - ofCounts(high, nHigh) };
    },
  };
};
