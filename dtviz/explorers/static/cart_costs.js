// What a cut gains under a cost, as `dtviz.core.cart.class_target` works it out: the book's four to the last
// bit, as sums of integers, for entropy and the square root in fixed point. Nothing here knows a page.

import { DROP_TIE } from "./constants.js";
import { criterionOf } from "./criteria.js";

/**
 * @import { Cost } from "./criteria.js"
 *
 * A node along one column: its rows in ascending order, and how many of each class they are.
 * @typedef {{ order: Int32Array, column: ArrayLike<number>, labels: ArrayLike<number>, all: Uint32Array }} Along
 *
 * How many rows of each class lie on the two sides of a cut, and in all.
 * @typedef {{ low: Uint32Array, high: Uint32Array, all: Uint32Array }} Sides
 *
 * A cost, worked out for a sample.
 * @typedef {object} Rule
 * @property {(along: Along, scores: Float64Array) => void} scan  write the score of the cut after each row
 * @property {(best: number, all: Uint32Array) => number} floor  the least score that is as good as the best
 * @property {(sides: Sides) => Fraction} [exact]  by which scores from the floor on are compared
 * @property {(sides: Sides) => { drop: number, ratio: Fraction }} drop  what it takes off the cost of the tree
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

// The score of a cut between equal values; that of any other is at least 0.
export const CLOSED = -1;

/** @type {(along: Along, i: number) => boolean} */
const isClosed = ({ order, column }, i) => column[order[i]] === column[order[i + 1]];

/** @type {(m: number, kinds: number) => Rule} */
const entropyRule = (m, kinds) => {
  const { high, low, unit } = fixedTable(logTable(m).slice(0, m + 1).map((log, n) => (n * log) / 2));
  // The impurity of a node, times its rows, in the two parts.
  /** @type {(counts: Uint32Array) => [number, number]} */
  const impurity = (counts) => {
    const n = sizeOf(counts);
    let [h, l] = [high[n], low[n]];
    for (let k = 0; k < counts.length; k += 1) {
      h -= high[counts[k]];
      l -= low[counts[k]];
    }
    return [h, l];
  };
  return {
    scan(along, scores) {
      const { order, labels, all } = along;
      const [left, n] = [new Uint32Array(all.length), order.length];
      // What the low side adds, the high side already there; so much more that no score is below 0.
      let [h, l] = impurity(all);
      h += high[n];
      l += low[n];
      for (let i = 0; i < n - 1; i += 1) {
        const k = labels[order[i]];
        const [a, b] = [left[k], all[k] - left[k]];
        h += high[a + 1] - high[a] + high[b - 1] - high[b];
        l += low[a + 1] - low[a] + low[b - 1] - low[b];
        left[k] = a + 1;
        scores[i] = CLOSED;
        if (isClosed(along, i)) continue;
        const [x, y] = [h - high[i + 1] - high[n - i - 1], l - low[i + 1] - low[n - i - 1]];
        scores[i] = x * HALF + y;
      }
    },
    floor(best, all) {
      const [h, l] = impurity(all);
      return Math.max(best - DROP_TIE * (h * HALF + l), 0);
    },
    drop(sides) {
      const [[h, l], [h0, l0], [h1, l1]] = [sides.all, sides.low, sides.high].map(impurity);
      const drop = ((h - h0 - h1) * HALF + (l - l0 - l1)) * unit;
      const before = (h * HALF + l) * unit;
      return { drop: significant(drop, before, (4 * kinds + 4) * unit) / m, ratio: [0, 1] };
    },
  };
};

/** @type {(m: number, kinds: number) => Rule} */
const sqrtRule = (m, kinds) => {
  const { high, low, unit } = fixedTable(Array.from({ length: m + 1 }, (_, n) => Math.sqrt(n)));
  /** @type {(counts: Uint32Array) => [number, number]} */
  const roots = (counts) => {
    let [h, l] = [0, 0];
    for (let k = 0; k < counts.length; k += 1) {
      h += high[counts[k]];
      l += low[counts[k]];
    }
    return [h, l];
  };
  /** @type {(parts: readonly [number, number]) => number} */
  const value = ([h, l]) => (h * HALF + l) * unit;
  /** @type {(counts: Uint32Array) => number} */
  const impurity = (counts) => {
    const root = value(roots(counts));
    return (root * root - sizeOf(counts)) / 2 / unit;
  };
  return {
    scan(along, scores) {
      const { order, labels, all } = along;
      const [left, n] = [new Uint32Array(all.length), order.length];
      let [[h1, l1], h0, l0] = [roots(all), 0, 0];
      const whole = value([h1, l1]) ** 2;
      for (let i = 0; i < n - 1; i += 1) {
        const k = labels[order[i]];
        const [a, b] = [left[k], all[k] - left[k]];
        h0 += high[a + 1] - high[a];
        l0 += low[a + 1] - low[a];
        h1 += high[b - 1] - high[b];
        l1 += low[b - 1] - low[b];
        left[k] = a + 1;
        const [x, y] = [(h0 * HALF + l0) * unit, (h1 * HALF + l1) * unit];
        scores[i] = isClosed(along, i) ? CLOSED : whole + (i + 1) + (n - i - 1) - x * x - y * y;
      }
    },
    floor: (best, all) => Math.max(best - DROP_TIE * ((impurity(all) * unit) / m) * m, 0),
    drop(sides) {
      const before = impurity(sides.all);
      const drop = (before - impurity(sides.low) - impurity(sides.high)) * unit;
      return { drop: significant(drop, before * unit, (4 * kinds + 4) * unit) / m, ratio: [0, 1] };
    },
  };
};

/** @type {(m: number) => Rule} */
const errorRule = (m) => ({
  scan(along, scores) {
    const { order, labels, all } = along;
    const [low, high] = [new Uint32Array(all.length), all.slice()];
    for (let i = 0; i < order.length - 1; i += 1) {
      low[labels[order[i]]] += 1;
      high[labels[order[i]]] -= 1;
      scores[i] = isClosed(along, i) ? CLOSED : most(low) + most(high);
    }
  },
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
  scan(along, scores) {
    const { order, labels, all } = along;
    const [low, n] = [new Uint32Array(all.length), order.length];
    for (let i = 0; i < n - 1; i += 1) {
      low[labels[order[i]]] += 1;
      scores[i] = isClosed(along, i) ? CLOSED : giniAbove(low, i + 1, all, n) / ((i + 1) * (n - i - 1));
    }
  },
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
    scan(along, scores) {
      const { order, labels, all } = along;
      const [low, high, twice] = [new Uint32Array(all.length), all.slice(), 2 * impurity(all)];
      for (let i = 0; i < order.length - 1; i += 1) {
        low[labels[order[i]]] += 1;
        high[labels[order[i]]] -= 1;
        scores[i] = isClosed(along, i) ? CLOSED : twice - (impurity(low) + impurity(high));
      }
    },
    floor: (best, all) => Math.max(best - DROP_TIE * impurity(all), 0),
    drop({ low, high, all }) {
      const before = impurity(all);
      return { drop: significant(before - impurity(low) - impurity(high), before, 0) / m, ratio: [0, 1] };
    },
  };
};

/** @type {Record<Cost, (m: number, kinds: number) => Rule>} */
const RULES = { error: errorRule, gini: giniRule, entropy: entropyRule, sqrt: sqrtRule };

/** @type {(cost: Cost, m: number, kinds: number) => Rule} */
export const ruleOf = (cost, m, kinds) =>
  Object.hasOwn(RULES, cost) ? RULES[cost](m, kinds) : formulaRule(cost, m);
