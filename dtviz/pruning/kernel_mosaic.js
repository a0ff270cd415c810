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

/** @type {(flips: number[], row: number) => number[]} */
export const toggled = (flips, row) =>
  flips.includes(row) ? flips.filter((other) => other !== row) : [...flips, row].sort((a, b) => a - b);
