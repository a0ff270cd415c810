// The mosaic of the examples that a tree grows on: a square for each, row after row, without the page.

/**
 * @typedef {{ side: number, columns: number, rows: number }} Mosaic  side: of a square with its gap, in pixels
 */

const SIDES = { large: 20, small: 15, most: 260 };

/** @type {(m: number, width: number) => Mosaic} */
export const mosaicOf = (m, width) => {
  const side = m > SIDES.most ? SIDES.small : SIDES.large;
  const columns = Math.max(1, Math.floor(width / side));
  return { side, columns, rows: Math.ceil(m / columns) };
};

// The example at a place, -1 for none.
/** @type {(mosaic: Mosaic, m: number, x: number, y: number) => number} */
export const exampleAt = ({ side, columns }, m, x, y) => {
  const [column, row] = [Math.floor(x / side), Math.floor(y / side)];
  const at = row * columns + column;
  return column >= 0 && column < columns && row >= 0 && at < m ? at : -1;
};

// Squares of some examples, as one path: `gap` of the side is left free.
/** @type {(mosaic: Mosaic, examples: ArrayLike<number>, gap: number) => string} */
export const squares = ({ side, columns }, examples, gap) => {
  const a = side - 2 * gap;
  let d = "";
  for (let i = 0; i < examples.length; i += 1) {
    const at = examples[i];
    const [x, y] = [(at % columns) * side + gap, Math.floor(at / columns) * side + gap];
    d += `M${x} ${y}h${a}v${a}h${-a}z`;
  }
  return d;
};

/**
 * The examples of a sample, sorted by what their squares show.
 * @param {ArrayLike<number>} labels  as the tree sees them
 * @param {ArrayLike<number>} truth  before any was flipped
 * @param {ArrayLike<number>} flips  those flipped by hand
 * @returns {{ zeros: number[], ones: number[], noisy: number[], byHand: number[] }}
 */
export const kindsOf = (labels, truth, flips) => {
  /** @type {{ zeros: number[], ones: number[], noisy: number[], byHand: number[] }} */
  const kinds = { zeros: [], ones: [], noisy: [], byHand: [] };
  for (let row = 0; row < labels.length; row += 1) {
    kinds[labels[row] ? "ones" : "zeros"].push(row);
    if (labels[row] !== truth[row]) kinds.noisy.push(row);
  }
  kinds.byHand = Array.from(flips).filter((row) => row < labels.length);
  return kinds;
};

/**
 * The rows of a sample that come to a node of a tree.
 * @param {{ variable: number[], threshold: number[], low: Int32Array, high: Int32Array, parent: Int32Array }} tree
 * @param {ArrayLike<number>[]} columns
 * @param {number} size
 * @param {number} k
 * @returns {number[]}
 */
export const rowsAt = ({ variable, threshold, low, parent }, columns, size, k) => {
  let rows = Array.from({ length: size }, (_, row) => row);
  for (let at = k; parent[at] >= 0; at = parent[at]) {
    const up = parent[at];
    const goesLow = at === low[up];
    const column = columns[variable[up]];
    rows = rows.filter((row) => column[row] <= threshold[up] === goesLow);
  }
  return rows;
};

// With some rows more, each as likely, among those that are not yet flipped.
/** @type {(flips: number[], size: number, more: number, random: () => number) => number[]} */
export const flippedMore = (flips, size, more, random) => {
  const known = new Set(flips);
  const free = Array.from({ length: size }, (_, row) => row).filter((row) => !known.has(row));
  const found = [...flips];
  for (let i = 0; i < more && free.length; i += 1) {
    const [row] = free.splice(Math.floor(random() * free.length), 1);
    found.push(row);
  }
  return found.sort((a, b) => a - b);
};

/** @type {(flips: number[], row: number) => number[]} */
export const toggled = (flips, row) =>
  flips.includes(row) ? flips.filter((other) => other !== row) : [...flips, row].sort((a, b) => a - b);
