// A short formula of a table, as dtviz/core/formulas.py finds it. Nothing here knows a page.

import { variableName } from "./text.js";

/**
 * @typedef {ArrayLike<number>} Bits
 * @typedef {Map<number, number>} Term  the bit of each variable in it
 */

// The most characters of a formula that is looked for.
const LONGEST = 80;

/** @type {(table: Bits, test: (value: number, x: number) => boolean) => boolean} */
const every = (table, test) => {
  for (let x = 0; x < table.length; x += 1) if (!test(table[x], x)) return false;
  return true;
};

// The variables that matter.
/** @type {(n: number, table: Bits) => number[]} */
export const relevant = (n, table) =>
  Array.from({ length: n }, (_, i) => i).filter((i) => !every(table, (value, x) => value === table[x ^ (1 << i)]));

// Terms that hold wherever low is 1 and nowhere that high is 0, none of them needless; and where
// they hold. Minato's recursion over the variables, the last first.
/** @type {(n: number, low: number[], high: number[]) => { terms: Term[], held: number[] }} */
const cover = (n, low, high) => {
  if (!low.includes(1)) return { terms: [], held: low };
  if (!high.includes(0)) return { terms: [new Map()], held: high };
  const half = low.length / 2;
  const [lows, highs] = [low, high].map((part) => [part.slice(0, half), part.slice(half)]);
  const sides = [0, 1].map((bit) => {
    const alone = lows[bit].map((value, x) => value & ~highs[1 - bit][x]);
    return cover(n - 1, alone, highs[bit]);
  });
  const left = lows[0].map((value, x) => (value & ~sides[0].held[x]) | (lows[1][x] & ~sides[1].held[x]));
  const both = cover(n - 1, left, highs[0].map((value, x) => value & highs[1][x]));
  const terms = sides.flatMap((side, bit) => side.terms.map((term) => new Map([...term, [n - 1, bit]])));
  const held = sides.flatMap((side) => side.held.map((value, x) => value | both.held[x]));
  return { terms: [...terms, ...both.terms], held };
};

// Shorter terms first, then by their variables, those that are not negated first.
/** @type {(a: [number, number][], b: [number, number][]) => number} */
const byLiterals = (a, b) => {
  if (a.length !== b.length) return a.length - b.length;
  const k = a.findIndex(([i, bit], at) => i !== b[at][0] || bit !== b[at][1]);
  return k < 0 ? 0 : a[k][0] - b[k][0] || b[k][1] - a[k][1];
};

/** @type {(n: number, table: number[], names: string[]) => string} */
const sumOfTerms = (n, table, names) => {
  const terms = cover(n, table, table).terms.map((term) => [...term].sort(([i], [j]) => i - j));
  const written = terms.sort(byLiterals).map((term) => term.map(([i, bit]) => (bit ? "" : "~") + variableName(names, i)).join(" & "));
  return written.join(" | ");
};

// Parities and thresholds of the variables that matter, with the value that each has where so many are 1.
/** @type {(names: string[]) => [string, (ones: number) => number][]} */
const byCount = (names) => {
  const parity = names.join(" ^ ");
  const all = names.join(", ");
  /** @type {[string, (ones: number) => number][]} */
  const forms = [
    [parity, (ones) => ones & 1],
    [`~(${parity})`, (ones) => 1 - (ones & 1)],
  ];
  if (names.length % 2) forms.push([`maj(${all})`, (ones) => Number(2 * ones > names.length)]);
  for (let k = 2; k < names.length; k += 1) forms.push([`atleast(${k}, ${all})`, (ones) => Number(ones >= k)]);
  return forms;
};

// A short formula, or nothing.
/** @type {(given: { n: number, table: Bits, names?: string[] }) => string} */
export const shortFormula = ({ n, table, names: called = [] }) => {
  const matter = relevant(n, table);
  const names = matter.map((i) => variableName(called, i));
  if (!names.length) return String(table[0]);
  const ones = Uint8Array.from(table, (_, x) => matter.reduce((sum, i) => sum + ((x >> i) & 1), 0));
  const values = Array.from(table);
  const negated = values.map((value) => 1 - value);
  const forms = [sumOfTerms(n, values, called), `~(${sumOfTerms(n, negated, called)})`];
  const counted = byCount(names).filter(([, value]) => every(table, (bit, x) => bit === value(ones[x])));
  const found = [...counted.map(([formula]) => formula), ...forms];
  const short = found.reduce((best, formula) => (formula.length < best.length ? formula : best));
  return short.length <= LONGEST ? short : "";
};
