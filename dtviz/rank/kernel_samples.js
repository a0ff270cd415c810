// Samples: draws that a seed names, rows that a reader wrote, and what two hundred samples of each size
// say. Nothing here knows a page.

import { scrambled } from "../explorers/static/computing/scrambled.js";
import { cubePlan, errorOf, factsOf, findTree } from "./kernel_find.js";

/**
 * @import { Facts, Plan } from "./kernel_find.js"
 *
 * What many samples of one size give with one bound: the errors of the trees, sorted, and how many
 * samples gave no tree.
 * @typedef {{ errors: Float64Array, none: number }} Column
 *
 * A function to learn, with what its whole table says of each subcube.
 * @typedef {{ n: number, table: ArrayLike<number>, facts: Facts }} Truth
 *
 * @typedef {ReturnType<typeof summaryOf>} Summary
 * @typedef {ReturnType<typeof manySamples>} Many
 */

// The points of a sequence of independent uniform draws, as numbers; a shorter sample is its beginning.
/** @type {(n: number, seed: number, which: number, draws: number) => Uint8Array} */
export const drawPoints = (n, seed, which, draws) => {
  let place = scrambled((scrambled(seed + 1) + which) | 0);
  return Uint8Array.from({ length: draws }, () => {
    let x = 0;
    for (let i = 0; i < n; i += 1) {
      if (scrambled(place) < 2 ** 31) x |= 1 << i;
      place = (place + 1) | 0;
    }
    return x;
  });
};

/**
 * The distinct examples of a sample, in the order of first appearance, with how often each came.
 * @typedef {{ points: number[], times: number[], labels: Int8Array, facts: Facts, plan: Plan }} Examples
 */

/** @type {(n: number, drawn: Iterable<number>, labelOf: (x: number) => number) => Examples} */
export const examplesOf = (n, drawn, labelOf) => {
  const plan = cubePlan(n);
  const labels = new Int8Array(2 ** n).fill(-1);
  /** @type {Map<number, number>} */
  const often = new Map();
  for (const x of drawn) often.set(x, (often.get(x) ?? 0) + 1);
  for (const x of often.keys()) labels[x] = labelOf(x);
  return { points: [...often.keys()], times: [...often.values()], labels, facts: factsOf(plan, labels), plan };
};

// A few of the examples that no tree of rank at most the bound agrees with, though one does with all but any one
// of them: whatever can be spared goes, the last drawn first.
/** @type {(examples: Examples, bound: number) => number[]} */
export const conflictOf = ({ points, labels, plan }, bound) => {
  const left = labels.slice();
  for (const x of points.slice().reverse()) {
    left[x] = -1;
    if (factsOf(plan, left).rank[plan.whole] <= bound) left[x] = labels[x];
  }
  return points.filter((x) => left[x] >= 0);
};

// Many samples of a target: column(k) is what those of grid[k] examples give, for every bound. To compute one
// takes milliseconds.
/** @type {(truth: Truth, draws: { seed: number, times: number, grid: number[] }) => { ready: (k: number) => boolean, column: (k: number) => Column[], grid: number[], all: number }} */
export const manySamples = ({ n, table, facts: truth }, { seed, times, grid }) => {
  const plan = cubePlan(n);
  /** @type {(facts: Facts) => (number | null)[]} */
  const errorsOf = (facts) =>
    Array.from({ length: n + 1 }, (_, r) => {
      const tree = findTree(plan, facts, r);
      return tree && errorOf(plan, truth, tree);
    });
  // Most of the long samples show the whole cube.
  const whole = errorsOf(truth);
  /** @type {Column[][]} */
  const columns = [];
  /** @param {number} m */
  const computed = (m) => {
    const found = Array.from({ length: times }, (_, j) => {
      const labels = new Int8Array(2 ** n).fill(-1);
      for (const x of drawPoints(n, seed, j + 1, m)) labels[x] = table[x];
      return labels.includes(-1) ? errorsOf(factsOf(plan, labels)) : whole;
    });
    return whole.map((_, r) => {
      const errors = Float64Array.from(found.flatMap((one) => one[r] ?? [])).sort();
      return { errors, none: times - errors.length };
    });
  };
  return {
    ...{ grid, all: times },
    ready: (k) => Boolean(columns[k]),
    column: (k) => (columns[k] ??= computed(grid[k])),
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
    if (last?.[0] === error) last[1] += 1;
    else often.push([error, 1]);
  }
  const above = errors.filter((error) => error > epsilon).length;
  const median = trees ? (errors[(trees - 1) >> 1] + errors[trees >> 1]) / 2 : null;
  return { none, all: none + trees, above, median, often };
};

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
// them or not. A first line of names is passed over.
/** @type {(text: string) => string[]} */
export const readRows = (text) => {
  /** @type {string[]} */
  const rows = [];
  /** @type {Map<string, [string, string]>} */
  const known = new Map();
  let from = "";
  text.split(/\r\n|\r|\n/).forEach((line, k) => {
    const place = `line ${k + 1}`;
    const row = line.replace(/[\s,;]/g, "");
    if (!row || (!rows.length && /[A-Za-z]/.test(row))) return;
    const flaw = flawOf(row, rows[0]?.length ?? 0, from);
    if (flaw) throw new Error(`${place} ${flaw}`);
    from ||= `${place} has`;
    const [point, value] = [row.slice(0, -1), row.slice(-1)];
    const other = known.get(point);
    if (other && other[0] !== value) {
      throw new Error(`${place} must give ${point} the label ${other[0]} that it has in ${other[1]}, got ${value}`);
    }
    if (!other) known.set(point, [value, place]);
    rows.push(row);
  });
  if (!rows.length) throw new Error("the text must hold at least one row, got none");
  if (rows.length > MOST_ROWS) throw new Error(`there must be at most ${MOST_ROWS} rows, got ${rows.length}`);
  return rows;
};

// The point of a row, as a number, and its label.
/** @type {(row: string) => number} */
export const pointOf = (row) =>
  [...row.slice(0, -1)].reduce((sum, bit, i) => sum + (bit === "1" ? 2 ** i : 0), 0);

/** @type {(n: number, x: number) => string} */
export const bitsOf = (n, x) => Array.from({ length: n }, (_, i) => (x >> i) & 1).join("");
