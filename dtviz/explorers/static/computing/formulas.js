// A short formula of a table, as dtviz/core/boolean/formulas.py finds it. Nothing here knows a page.

import { variableName } from "./text.js";

/**
 * @typedef {Map<number, number>} Term  the bit of each variable in it
 */

// The most characters of a formula that is looked for.
const LONGEST = 80;

// The variables that matter.
/** @type {(n: number, table: Uint8Array) => number[]} */
export const relevant = (n, table) =>
  Array.from({ length: n }, (_, i) => i).filter((i) => table.some((value, x) => value !== table[x ^ (1 << i)]));

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

// Parities and thresholds of variables, with the value that each has where so many are 1.
/** @type {(names: string[]) => [string, (ones: number) => number][]} */
const byCount = (names) => {
  const parity = names.join(" ^ ");
  const all = names.join(", ");
  return [
    [parity, (ones) => ones & 1],
    [`~(${parity})`, (ones) => 1 - (ones & 1)],
    ...names.slice(2).map((_, k) => /** @type {[string, (ones: number) => number]} */ ([
      2 * k + 3 === names.length ? `maj(${all})` : `atleast(${k + 2}, ${all})`,
      (ones) => Number(ones >= k + 2),
    ])),
  ];
};

// A short formula, or nothing.
/** @type {(given: { n: number, table: Uint8Array, names?: string[] }) => string} */
export const shortFormula = ({ n, table, names: called = [] }) => {
  const matter = relevant(n, table);
  if (!matter.length) return String(table[0]);
  const ones = table.map((_, x) => matter.reduce((sum, i) => sum + ((x >> i) & 1), 0));
  const forms = byCount(matter.map((i) => variableName(called, i)));
  const counted = forms.filter(([, value]) => table.every((bit, x) => bit === value(ones[x])));
  const [sum, negated] = [0, 1].map((flip) => sumOfTerms(n, Array.from(table, (value) => value ^ flip), called));
  const found = [...counted.map(([formula]) => formula), sum, `~(${negated})`];
  const short = found.reduce((best, formula) => (formula.length < best.length ? formula : best));
  return short.length <= LONGEST ? short : "";
};
