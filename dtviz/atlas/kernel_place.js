// Where a function stands among all those of its number of variables, read off the tables that
// `make atlas` computes (dtviz/atlas/atlas.json). Nothing here knows a page.

/**
 * @import { Measures } from "./kernel.js"
 *
 * How many functions have each pair of values; null where a class is no unit of it.
 * @typedef {object} Joint
 * @property {number[]} first
 * @property {number[]} second
 * @property {number[][]} functions  a row for each first value
 * @property {number[][] | null} classes
 * @property {(string | null)[][]} codes  of a class that has both, in hex
 *
 * @typedef {object} Extreme
 * @property {string} key
 * @property {string} title
 * @property {string} says
 * @property {number | string} value
 * @property {number} functions
 * @property {number} classes
 * @property {string[]} codes
 *
 * @typedef {{ functions: number, classes: number, joint: Record<string, Joint>, extremes: Extreme[] }} Variables
 * @typedef {{ n: Record<string, Variables>, columns: Record<string, { title: string, unit: string, meaning: string }> }} Atlas
 *
 * A pair of values that some function has, by its places in the lists of values.
 * @typedef {{ a: number, b: number, first: number, second: number, functions: number, classes: number | null, code: string }} Cell
 * @typedef {{ fewer: number, same: number, more: number }} Shares  of all functions
 */

// What the columns of the tables are on a card.
/** @type {Record<string, (measures: Measures) => number>} */
const COLUMNS = {
  ones: ({ ones }) => ones,
  optimal: ({ least }) => least.leaves,
  depth: ({ least }) => least.depth,
  rank: ({ least }) => least.rank,
  queries: ({ least }) => least.queries,
  greedy_best: ({ ties }) => ties.best,
  greedy_worst: ({ ties }) => ties.worst,
  gini_best: ({ purity }) => purity.best,
  gini_worst: ({ purity }) => purity.worst,
};

/** @type {(column: string, measures: Measures) => number} */
export const valueOf = (column, measures) => COLUMNS[column](measures);

// The pairs of values that there are.
/** @type {(joint: Joint) => Cell[]} */
export const cellsOf = ({ first, second, functions, classes, codes }) =>
  functions.flatMap((row, a) =>
    row.flatMap((count, b) => {
      if (!count) return [];
      const cell = { a, b, first: first[a], second: second[b], functions: count };
      return [{ ...cell, classes: classes?.[a][b] ?? null, code: codes[a][b] ?? "" }];
    }),
  );

// The cell of a function; null if the tables have none.
/** @type {(cells: Cell[], name: string, measures: Measures) => Cell | null} */
export const cellOf = (cells, name, measures) => {
  const [first, second] = name.split("|").map((column) => valueOf(column, measures));
  return cells.find((cell) => cell.first === first && cell.second === second) ?? null;
};

// The shares of functions for which something about a cell is less, equal, more than a value.
/** @type {(cells: Cell[], of: (cell: Cell) => number, value: number) => Shares} */
export const sharesOf = (cells, of, value) => {
  const shares = { fewer: 0, same: 0, more: 0 };
  let all = 0;
  for (const cell of cells) {
    const difference = of(cell) - value;
    shares[difference < 0 ? "fewer" : difference > 0 ? "more" : "same"] += cell.functions;
    all += cell.functions;
  }
  return { fewer: shares.fewer / all, same: shares.same / all, more: shares.more / all };
};

// 12.3 %, and what is rare as one in so many: a share is never told as 0 or 1 unless it is.
/** @type {(share: number) => string} */
export const shareText = (share) => {
  if (share === 0) return "none";
  if (share === 1) return "all";
  if (share < 0.001) return `one in ${Math.round(1 / share).toLocaleString("en")}`;
  return `${share > 0.999 ? "over 99.9" : (100 * share).toFixed(1)} %`;
};

// How deep a cell is shaded, 0 .. 1: by the logarithm of how many functions it has.
/** @type {(functions: number, most: number) => number} */
export const shadeOf = (functions, most) => (most > 1 ? Math.log(functions) / Math.log(most) : 1);
