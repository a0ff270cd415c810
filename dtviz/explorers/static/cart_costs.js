// What a cut gains under a cost, as `dtviz.core.cart.class_target` works it out: the book's four to the last
// bit, as sums of integers, for entropy and the square root in fixed point. Nothing here knows a page.

import { DROP_TIE } from "./constants.js";
import { criterionOf, squaredLoss } from "./criteria.js";

/**
 * @import { Sample } from "./cart.js"
 * @import { Cost } from "./criteria.js"
 *
 * How many rows of each class lie on the two sides of a cut, and in all.
 * @typedef {{ low: Uint32Array, high: Uint32Array, all: Uint32Array }} Sides
 *
 * A cost, worked out for a sample.
 * @typedef {object} Rule
 * @property {(all: Uint32Array) => Score} scorer  how good the cuts of a node are, each at least 0
 * @property {(best: number, all: Uint32Array) => number} floor  the least score that is as good as the best
 * @property {(sides: Sides) => Fraction} [exact]  by which scores from the floor on are compared
 * @property {(sides: Sides) => { drop: number, ratio: Fraction }} drop  what it takes off the cost of the tree
 *
 * Of the cut after a row: it hears of every row of an order, with its class.
 * @typedef {(low: Uint32Array, high: Uint32Array, nLow: number, nHigh: number, label: number) => number} Score
 *
 * A fraction of integers; [0, 1] where there is nothing to compare.
 * @typedef {[above: number, below: number]} Fraction
 */

/** @type {(counts: Uint32Array) => number} */
const most = (counts) => {
  let largest = 0;
  for (const one of counts) if (one > largest) largest = one;
  return largest;
};

/** @type {(counts: Uint32Array) => number} */
const sizeOf = (counts) => {
  let total = 0;
  for (const one of counts) total += one;
  return total;
};

/** @type {(counts: Uint32Array) => number} */
const squares = (counts) => {
  let total = 0;
  for (const one of counts) total += one * one;
  return total;
};

// To the nearest integer, to the even one of two as near: numbers from 0 to 2^51.
/** @param {number} value */
const nearest = (value) => value + 2 ** 52 - 2 ** 52;

// --- logarithms, rounded rightly: those of browsers differ in their last bit ---------------------

const BITS = 110n;
const ONE = 1n << BITS;

// Twice the area tangent of 1 / k, which is ln((k + 1) / (k - 1)), in units of 2^-110.
/** @param {number} k */
const lnStep = (k) => {
  const square = BigInt(k * k);
  let power = (2n * ONE) / BigInt(k);
  let total = 0n;
  for (let i = 1n; power > 0n; i += 2n, power /= square) total += power / i;
  return total;
};

const LN2 = lnStep(3);
const logs = { ln: [0n, 0n], table: [0, 0] };

// The logarithms of 0 (as if of 1), 1, .., m to base 2.
/** @param {number} m */
const logTable = (m) => {
  const { ln, table } = logs;
  for (let n = ln.length; n <= m; n += 1) {
    ln.push(ln[n - 1] + lnStep(2 * n - 1));
    table.push(Number((ln[n] << 64n) / LN2) / 2 ** 64);
  }
  return table;
};

// --- costs in fixed point ------------------------------------------------------------------------

const HALF = 2 ** 30;

// g(0), .., g(m) as integers below 2^61, each in two parts, `high` 2^30 + `low`.
/** @type {(values: number[]) => { high: Float64Array, low: Float64Array, unit: number }} */
const fixedTable = (values) => {
  let bits = 61;
  while (2 ** (61 - bits) < values[values.length - 1] + 1) bits -= 1;
  const high = new Float64Array(values.length);
  const low = new Float64Array(values.length);
  values.forEach((value, n) => {
    const scaled = value * 2 ** (bits - 30);
    high[n] = Math.floor(scaled);
    low[n] = nearest((scaled - high[n]) * HALF);
  });
  return { high, low, unit: 2 ** -bits };
};

// Drops to 36 bits; 0 where only rounding can be left of them.
/** @type {(drop: number, cost: number, blur: number) => number} */
const significant = (drop, cost, blur) => {
  if (!(drop > DROP_TIE * cost + blur)) return 0;
  let exponent = Math.floor(Math.log2(drop)) + 1;
  if (drop >= 2 ** exponent) exponent += 1;
  if (drop < 2 ** (exponent - 1)) exponent -= 1;
  return nearest(drop * 2 ** (36 - exponent)) * 2 ** (exponent - 36);
};

// A cost that is worked out in floats or in fixed point: `impurity` is that of a node times its rows, `gain` what
// a cut takes off it.
/** @type {(m: number, blur: number, impurity: (counts: Uint32Array) => number, gain: (sides: Sides) => number) => Pick<Rule, "floor" | "drop">} */
const roundedRule = (m, blur, impurity, gain) => ({
  floor: (best, all) => Math.max(best - DROP_TIE * impurity(all), 0),
  drop: (sides) => ({ drop: significant(gain(sides), impurity(sides.all), blur) / m, ratio: [0, 1] }),
});

/** @type {(m: number, kinds: number) => Rule} */
const entropyRule = (m, kinds) => {
  const { high, low, unit } = fixedTable(logTable(m).slice(0, m + 1).map((log, n) => (n * log) / 2));
  // The impurity of a node, times its rows, in one of the two parts.
  /** @type {(table: Float64Array, counts: Uint32Array) => number} */
  const part = (table, counts) => {
    let left = table[sizeOf(counts)];
    for (let k = 0; k < counts.length; k += 1) left -= table[counts[k]];
    return left;
  };
  /** @type {(h: number, l: number) => number} */
  const value = (h, l) => (h * HALF + l) * unit;
  /** @param {Uint32Array} counts */
  const impurity = (counts) => value(part(high, counts), part(low, counts));
  /** @param {Sides} sides */
  const gain = (sides) => {
    const [h, l] = [high, low].map((table) => part(table, sides.all) - part(table, sides.low) - part(table, sides.high));
    return value(h, l);
  };
  return {
    scorer(all) {
      const [h, l] = [2 * part(high, all), 2 * part(low, all)];
      return (one, other) => value(h - part(high, one) - part(high, other), l - part(low, one) - part(low, other));
    },
    ...roundedRule(m, (4 * kinds + 4) * unit, impurity, gain),
  };
};

/** @type {(m: number, kinds: number) => Rule} */
const sqrtRule = (m, kinds) => {
  const { high, low, unit } = fixedTable(Array.from({ length: m + 1 }, (_, n) => Math.sqrt(n)));
  // The sum of the roots, squared.
  /** @param {Uint32Array} counts */
  const square = (counts) => {
    let [h, l] = [0, 0];
    for (let k = 0; k < counts.length; k += 1) {
      h += high[counts[k]];
      l += low[counts[k]];
    }
    const root = (h * HALF + l) * unit;
    return root * root;
  };
  /** @param {Uint32Array} counts */
  const impurity = (counts) => (square(counts) - sizeOf(counts)) / 2;
  return {
    scorer(all) {
      const whole = square(all);
      return (one, other, nLow, nHigh) => whole + nLow + nHigh - square(one) - square(other);
    },
    ...roundedRule(m, (4 * kinds + 4) * unit, impurity, (sides) => impurity(sides.all) - impurity(sides.low) - impurity(sides.high)),
  };
};

/** @type {(m: number) => Rule} */
const errorRule = (m) => ({
  scorer: () => (low, high) => most(low) + most(high),
  floor: (best) => best,
  drop: ({ low, high, all }) => ({ drop: (most(low) + most(high) - most(all)) / m, ratio: [0, 1] }),
});

// n times the drop of the Gini impurity, as a fraction.
/** @type {(low: Uint32Array, nLow: number, all: Uint32Array, n: number) => number} */
const giniAbove = (low, nLow, all, n) => {
  let above = 0;
  for (let k = 0; k < all.length; k += 1) {
    const one = n * low[k] - all[k] * nLow;
    above += one * one;
  }
  return above;
};

/** @type {(m: number) => Rule} */
const giniRule = (m) => ({
  scorer: (all) => (low, _, nLow, nHigh) => giniAbove(low, nLow, all, nLow + nHigh) / (nLow * nHigh),
  // A score is rounded three times, and this is more.
  floor: (best) => best * (1 - 1e-14),
  exact({ low, high, all }) {
    const [nLow, nHigh] = [sizeOf(low), sizeOf(high)];
    return [giniAbove(low, nLow, all, nLow + nHigh), nLow * nHigh];
  },
  drop({ low, high, all }) {
    const [nLow, nHigh] = [sizeOf(low), sizeOf(high)];
    const n = nLow + nHigh;
    const above = (squares(low) * nHigh + squares(high) * nLow) * n - squares(all) * nLow * nHigh;
    const below = nLow * nHigh * n;
    return { drop: above / below / m, ratio: [above, below] };
  },
});

// Squared loss, where class k stands for the number values[k].
/** @type {(m: number, values: readonly number[]) => Rule} */
const squaredRule = (m, values) => {
  /** @param {Uint32Array} counts */
  const lossOf = (counts) => squaredLoss(counts, values).loss;
  return {
    scorer(all) {
      const { mean, loss } = squaredLoss(all, values);
      const n = sizeOf(all);
      let sum = 0; // of what the labels of the low side are above the mean
      return (_low, _high, nLow, nHigh, label) => {
        sum += values[label] - mean;
        // So that a cut that gains nothing is above 0.
        return loss + sum * (sum / nLow) * (n / nHigh);
      };
    },
    ...roundedRule(m, 0, lossOf, ({ low, high, all }) => {
      const [nLow, nHigh] = [sizeOf(low), sizeOf(high)];
      const gap = squaredLoss(low, values).mean - squaredLoss(high, values).mean;
      return nLow * (nHigh / sizeOf(all)) * gap * gap;
    }),
  };
};

// Any other cost, from its formula.
/** @type {(cost: Cost, m: number) => Rule} */
const formulaRule = (cost, m) => {
  const { ofShares } = criterionOf(cost);
  // The impurity of a node, times its rows.
  /** @type {(counts: Uint32Array) => number} */
  const impurity = (counts) => {
    const n = sizeOf(counts);
    return n * ofShares(Array.from(counts, (count) => count / n));
  };
  return {
    scorer(all) {
      const twice = 2 * impurity(all);
      return (low, high) => twice - (impurity(low) + impurity(high));
    },
    ...roundedRule(m, 0, impurity, ({ low, high, all }) => impurity(all) - impurity(low) - impurity(high)),
  };
};

/** @type {Record<Cost, (m: number, kinds: number) => Rule>} */
const RULES = { error: errorRule, gini: giniRule, entropy: entropyRule, sqrt: sqrtRule };

/** @type {(cost: Cost, sample: Pick<Sample, "labels" | "classes" | "values">) => Rule} */
export const ruleOf = (cost, { labels: { length: m }, classes, values }) => {
  if (values) return squaredRule(m, values);
  return Object.hasOwn(RULES, cost) ? RULES[cost](m, classes) : formulaRule(cost, m);
};
