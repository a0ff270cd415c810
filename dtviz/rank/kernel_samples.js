// Samples: draws that a seed names, rows that a reader wrote, and what two hundred samples of each size
// say. Nothing here knows a page.

import { ROUNDING } from "../explorers/static/constants.js";
import { cubePlan, errorFound, factsOf, massesOf, noFacts } from "./kernel_find.js";

/**
 * @import { Facts, Plan } from "./kernel_find.js"
 *
 * What many samples of one size give with one bound: the errors of the trees, sorted, and how many
 * samples gave no tree.
 * @typedef {{ errors: Float64Array, none: number }} Column
 *
 * @typedef {ReturnType<typeof summaryOf>} Summary
 * @typedef {ReturnType<typeof manySamples>} Many
 */

// A number for each place of a sequence, without memory (Wellons' lowbias32), as
// dtviz.rank.draws.scramble, but from -2^31 to 2^31 - 1.
/** @type {(place: number) => number} */
const scrambled = (place) => {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
};

const TOP = 2 ** 31;

// The points of a sequence of draws, as numbers; a shorter sample is its beginning. A bit is 1 if its
// number, counted from 0, is below its bias times 2^32.
/** @type {(p: number[], seed: number, which: number, draws: number) => Uint8Array} */
export const drawPoints = (p, seed, which, draws) => {
  const n = p.length;
  const limits = p.map((bias) => Math.ceil(bias * 2 * TOP) - TOP);
  let place = scrambled((scrambled(seed + 1) + which) | 0);
  const points = new Uint8Array(draws);
  for (let k = 0; k < draws; k += 1) {
    let x = 0;
    for (let i = 0; i < n; i += 1) {
      if ((scrambled(place) ^ TOP) < limits[i]) x |= 1 << i;
      place = (place + 1) | 0;
    }
    points[k] = x;
  }
  return points;
};

// Samples in a slice of the work: so many of 6 variables take about a millisecond.
const A_FEW = 50;

// The probability of each point.
/** @type {(p: number[]) => Float64Array} */
export const pointWeights = (p) =>
  Float64Array.from({ length: 2 ** p.length }, (_, x) =>
    p.reduce((product, bias, i) => product * ((x >> i) & 1 ? bias : 1 - bias), 1),
  );

/**
 * The distinct examples of a sample, in the order of first appearance, with how often each came.
 * @typedef {{ points: number[], times: number[], labels: Int8Array, facts: Facts, plan: Plan }} Examples
 */

/** @type {(n: number, drawn: ArrayLike<number>, m: number, labelOf: (x: number) => number) => Examples} */
export const examplesOf = (n, drawn, m, labelOf) => {
  const plan = cubePlan(n);
  const labels = new Int8Array(2 ** n).fill(-1);
  /** @type {number[]} */
  const points = [];
  /** @type {number[]} */
  const often = Array(2 ** n).fill(0);
  for (let k = 0; k < Math.min(m, drawn.length); k += 1) {
    const x = drawn[k];
    if (!often[x]) {
      points.push(x);
      labels[x] = labelOf(x);
    }
    often[x] += 1;
  }
  return { points, times: points.map((x) => often[x]), labels, facts: factsOf(plan, labels), plan };
};

// Many samples of a target: column(k) is what those of grid[k] examples give, for every bound, computed
// at once or by advance(k), a few samples each time.
/** @type {(target: { n: number, table: ArrayLike<number> }, p: number[], draws: { seed: number, times: number, grid: number[] }) => { ready: (k: number) => boolean, advance: (k: number) => void, column: (k: number) => Column[], all: number }} */
export const manySamples = ({ n, table }, p, { seed, times, grid }) => {
  const plan = cubePlan(n);
  const masses = massesOf(plan, table, pointWeights(p));
  const labels = new Int8Array(2 ** n);
  const facts = noFacts(plan);
  const all = factsOf(plan, Int8Array.from(table));
  // Of each bound whether the whole cube fits it, and the error then.
  const errors = Array.from({ length: n + 1 }, (_, r) =>
    r < all.rank[plan.whole] ? null : errorFound(plan, all, masses, r),
  );
  // What a sample that shows m points gives: most of the long ones show the whole cube.
  /** @type {(drawn: Uint8Array) => (number | null)[]} */
  const errorsOf = (drawn) => {
    labels.fill(-1);
    let left = labels.length;
    for (const x of drawn) {
      if (labels[x] < 0) left -= 1;
      labels[x] = table[x];
    }
    if (left === 0) return errors;
    factsOf(plan, labels, facts);
    const least = facts.rank[plan.whole];
    return errors.map((_, r) => (r < least ? null : errorFound(plan, facts, masses, r)));
  };
  /** @type {Column[][]} */
  const columns = [];
  // What is not computed to the end: the errors for every bound, and the samples that are left.
  const parts = grid.map(() => ({ found: errors.map(() => /** @type {number[]} */ ([])), done: 0 }));
  /** @param {number} k */
  const advance = (k) => {
    const part = parts[k];
    const last = Math.min(part.done + A_FEW, times);
    while (part.done < last) {
      part.done += 1;
      errorsOf(drawPoints(p, seed, part.done, grid[k])).forEach((error, r) => {
        if (error !== null) part.found[r].push(error);
      });
    }
    if (last < times) return;
    columns[k] = part.found.map((one) => ({ errors: Float64Array.from(one).sort(), none: times - one.length }));
  };
  /** @param {number} k */
  const ready = (k) => Boolean(columns[k]);
  return {
    ...{ all: times, ready, advance },
    column(k) {
      while (!ready(k)) advance(k);
      return columns[k];
    },
  };
};

// What a column says of the error allowed; `often` has each error that occurred, and how often it did.
/** @type {(column: Column, epsilon: number) => { none: number, all: number, above: number, median: number | null, often: [number, number][] }} */
export const summaryOf = ({ errors, none }, epsilon) => {
  const trees = errors.length;
  /** @type {[number, number][]} */
  const often = [];
  for (const error of errors) {
    const last = often[often.length - 1];
    if (last && error - last[0] <= ROUNDING) last[1] += 1;
    else often.push([error, 1]);
  }
  const above = errors.reduce((sum, error) => sum + (error > epsilon * (1 + ROUNDING) ? 1 : 0), 0);
  const median = trees ? (errors[(trees - 1) >> 1] + errors[trees >> 1]) / 2 : null;
  return { none, all: none + trees, above, median, often };
};

// --- rows that a reader wrote ------------------------------------------------------------------

const MOST_ROWS = 256;
const MOST_VARIABLES = 6;

/** @type {(text: string) => string} */
const quoted = (text) => `"${text.length > 24 ? `${text.slice(0, 24)}...` : text}"`;

// What is wrong with a row of bits, "" if nothing; `width` is that of the rows before, 0 if none.
/** @type {(row: string, width: number, from: string) => string} */
const flawOf = (row, width, from) => {
  const wrong = row.match(/[^01]/u);
  if (wrong) return `must hold only 0 and 1, got ${quoted(wrong[0])}`;
  if (row.length < 2 || row.length > MOST_VARIABLES + 1) {
    return `must have 1 to ${MOST_VARIABLES} variables and a label, got ${quoted(row)}`;
  }
  return width && row.length !== width ? `must have ${width} bits, as ${from}, got ${row.length}` : "";
};

// The rows of a text, a line each: the bits of x0, x1, ... and the label, with blanks or commas between
// them or not. A first line of names is passed over. `before` are rows that stand already, and `label`
// gives that of a line which has none.
/** @type {(text: string, before?: string[], label?: ((bits: string) => string) | null) => string[]} */
export const readRows = (text, before = [], label = null) => {
  const rows = [...before];
  /** @type {Map<string, [string, string]>} */
  const known = new Map(rows.map((row) => [row.slice(0, -1), [row.slice(-1), "a row above"]]));
  let from = "the rows above have";
  /** @type {(bits: string, width: number) => string} */
  const whole = (bits, width) =>
    label && /^[01]+$/.test(bits) && bits.length === width - 1 ? bits + label(bits) : bits;
  text.split(/\r\n|\r|\n/).forEach((line, k) => {
    const place = `line ${k + 1}`;
    const bits = line.replace(/[\s,;]/g, "");
    if (!bits || (rows.length === before.length && /[A-Za-z]/.test(bits))) return;
    const width = rows.length ? rows[0].length : 0;
    const row = whole(bits, width);
    const flaw = flawOf(row, width, from);
    if (flaw) throw new Error(`${place} ${flaw}`);
    if (!width) from = `${place} has`;
    const [point, value] = [row.slice(0, -1), row.slice(-1)];
    const other = known.get(point);
    if (other && other[0] !== value) {
      throw new Error(`${place} must give ${point} the label ${other[0]} that it has in ${other[1]}, got ${value}`);
    }
    if (!other) known.set(point, [value, place]);
    rows.push(row);
  });
  if (rows.length === before.length) throw new Error("the text must hold at least one row, got none");
  if (rows.length > MOST_ROWS) throw new Error(`there must be at most ${MOST_ROWS} rows, got ${rows.length}`);
  return rows;
};

// The point of a row, as a number, and its label.
/** @type {(row: string) => number} */
export const pointOf = (row) =>
  [...row.slice(0, -1)].reduce((sum, bit, i) => sum + (bit === "1" ? 2 ** i : 0), 0);

/** @type {(n: number, x: number) => string} */
export const bitsOf = (n, x) => Array.from({ length: n }, (_, i) => (x >> i) & 1).join("");
