// Scales of axes, their ticks, and the spreading of what would overlap. Nothing here knows a page.

import { clamp, digits, raised } from "./text.js";

/**
 * A scale takes a value to 0 .. 1 and proposes ticks.
 * @typedef {{ at: (value: number) => number, ticks: number[] }} Scale
 */

/** @type {(max: number) => Scale} */
export const rootScale = (max) => ({
  at: (value) => Math.sqrt(clamp(value / max, 0, 1)),
  ticks: [0, 0.1, 0.25, 0.5, 1, 2, 4, 8].filter((tick) => tick <= max),
});

/** @type {(min: number, max: number) => Scale} */
export const logScale = (min, max) => {
  const [low, high] = [Math.log10(min), Math.log10(max)];
  const between = high - low < 1.6 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(low); power <= high; power += 1) {
    for (const digit of between) {
      const tick = digit * 10 ** power;
      if (tick >= min && tick <= max && (digit === 1 || tick > 0.001)) ticks.push(tick);
    }
  }
  /** @type {Scale["at"]} */
  const at = (value) => clamp((Math.log10(Math.max(value, min)) - low) / (high - low || 1), 0, 1);
  return { at, ticks };
};

const large = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });

// 0.25, 0.001, 10⁻⁴, 5·10⁻⁴, 250K: a tick has at most four digits.
/** @type {(tick: number) => string} */
export const tickText = (tick) => {
  const size = Math.abs(tick);
  if (size >= 1e5) return large.format(tick);
  if (size >= 0.001 || size === 0) return digits(tick);
  const [mantissa, power] = Number(digits(tick)).toExponential().split("e-");
  return `${mantissa === "1" ? "" : `${mantissa}·`}10⁻${raised(power)}`;
};

// The least of 1, 2, 5, 10, 20, 50, ... times a power of ten that is at least `rough`.
/** @type {(rough: number) => number} */
const roundStep = (rough) => {
  const decade = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((digit) => digit * decade >= rough) ?? 10) * decade;
};

// About `wanted` round numbers between 1 and max, and these two.
/** @type {(max: number, wanted: number) => number[]} */
export const roundTicks = (max, wanted) => {
  const step = Math.max(1, roundStep(max / wanted));
  const ticks = [1];
  for (let tick = step; tick < max - step / 2; tick += step) if (tick > 1) ticks.push(tick);
  return max > 1 ? [...ticks, max] : ticks;
};

// Round numbers from low to high, about `wanted` of them.
/** @type {(low: number, high: number, wanted: number) => number[]} */
export const niceTicks = (low, high, wanted) => {
  const step = roundStep((high - low) / wanted);
  // 0.3 / 0.1 is a little less than 3.
  const first = Math.ceil(low / step - 1e-9);
  const length = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length }, (_, k) => Number(((first + k) * step).toPrecision(12)));
};

/** @type {(top: number, wanted: number) => Scale} */
export const plainScale = (top, wanted) => ({
  at: (value) => value / top,
  ticks: niceTicks(0, top, wanted),
});

// Move sorted heights apart until they are `gap` away from each other and within low .. high.
/** @type {(heights: number[], gap: number, low: number, high: number) => number[]} */
export const spread = (heights, gap, low, high) => {
  const places = [...heights];
  for (let k = 0; k < places.length; k += 1) {
    places[k] = Math.max(places[k], k ? places[k - 1] + gap : low);
  }
  for (let k = places.length - 1; k >= 0; k -= 1) {
    places[k] = Math.min(places[k], k < places.length - 1 ? places[k + 1] - gap : high);
  }
  return places;
};

/** @typedef {readonly [number, number]} Point */

// The path of a curve through points.
/** @type {(points: Point[]) => string} */
export const through = (points) =>
  `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

// Amounts of which a few are huge, such as fares, are drawn on a log scale, as `dtviz.explorers.planes` does.
const SKEW = 10;
const LOG_TICKS = [0, ...Array.from({ length: 13 }, (_, k) => [10 ** k, 3 * 10 ** k]).flat()];

// A coordinate as a share of its axis, and back, and its ticks.
/** @type {(values: number[], span: readonly [number, number]) => { at: (value: number) => number, back: (share: number) => number, ticks: (most: number) => number[] }} */
export const axisOf = (values, [from, to]) => {
  const largest = Math.max(...values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (!(Math.min(...values) >= 0 && largest > SKEW * mean)) {
    return {
      at: (value) => clamp((value - from) / (to - from), 0, 1),
      back: (share) => from + share * (to - from),
      ticks: (most) => niceTicks(from, to, most),
    };
  }
  const [top, room] = [Math.log1p(largest), 0.04];
  return {
    at: (value) => clamp((Math.log1p(Math.max(value, -0.99)) / top + room) / (1 + 2 * room), 0, 1),
    back: (share) => Math.expm1((share * (1 + 2 * room) - room) * top),
    ticks: () => LOG_TICKS.filter((tick) => tick <= largest),
  };
};
