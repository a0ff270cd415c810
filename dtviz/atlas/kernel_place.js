// Where a function stands among all those of its number of variables, read off the tables that
// `make atlas` computes (dtviz/atlas/atlas.json). Nothing here knows a page.

/**
 * @import { Measures } from "./kernel.js"
 *
 * How many functions and classes have each pair of values, a row for each first value; the codes of
 * classes that have both, in hex.
 * @typedef {{ first: number[], second: number[], functions: number[][], classes: number[][], codes: (string | null)[][] }} Joint
 *
 * @typedef {{ key: string, title: string, says: string }} Titled
 * @typedef {Titled & { value: number | string, functions: number, classes: number, codes: string[] }} Extreme
 * @typedef {{ functions: number, joint: Record<string, Joint>, extremes: Extreme[] }} Variables
 * @typedef {{ n: Record<string, Variables>, columns: Record<string, { title: string }> }} Atlas
 *
 * A pair of values that some function has.
 * @typedef {{ first: number, second: number, functions: number, classes: number, code: string }} Cell
 */

// What the columns of the tables are on a card.
/** @type {Record<string, (measures: Measures) => number>} */
const COLUMNS = {
  optimal: ({ least }) => least.leaves,
  depth: ({ least }) => least.depth,
  rank: ({ least }) => least.rank,
  greedy_best: ({ ties }) => ties.best,
  greedy_worst: ({ ties }) => ties.worst,
  gini_best: ({ purity }) => purity.best,
};

// The pairs of values that there are.
/** @type {(joint: Joint) => Cell[]} */
export const cellsOf = ({ first, second, functions, classes, codes }) =>
  codes.flatMap((row, a) =>
    row.flatMap((code, b) =>
      code === null ? [] : [{ first: first[a], second: second[b], functions: functions[a][b], classes: classes[a][b], code }],
    ),
  );

// Which of the cells a function is in.
/** @type {(cells: Cell[], name: string, measures: Measures) => number} */
export const cellOf = (cells, name, measures) => {
  const [first, second] = name.split("|").map((column) => COLUMNS[column](measures));
  return cells.findIndex((cell) => cell.first === first && cell.second === second);
};

// 12.3 %, and what is rare as one in so many: a share is never shown as 0 or 1 unless it is.
/** @type {(share: number) => string} */
export const shareText = (share) => {
  if (share === 0) return "none";
  if (share === 1) return "all";
  if (share < 0.001) return `one in ${Math.round(1 / share).toLocaleString("en")}`;
  return `${share > 0.999 ? "over 99.9" : (100 * share).toFixed(1)} %`;
};
