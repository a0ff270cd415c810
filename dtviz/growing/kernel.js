// Chapter 5, growing: what the page reads off the rates of growth and where it puts them, without the page.

/**
 * The rates of growth, as `dtviz.growing.explorer.growth_record` packs them.
 * @typedef {object} GrowthRecord
 * @property {string[]} costs names of the costs
 * @property {number[]} gammas edges, ascending
 * @property {number[]} powers log10 of the numbers of splits, ascending from 0
 * @property {Record<string, number[]>[]} curves for each edge, over the powers: the cost of the tree, by name of
 *   the cost, and the bound on it, by the name and "-bound"
 */

/**
 * What a cost has fallen to after so many splits, and what is promised of it.
 * @typedef {object} Rate
 * @property {string} cost
 * @property {number} reached
 * @property {number} bound
 */

/**
 * Names of all curves, each cost followed by its bound.
 * @param {GrowthRecord} record
 * @returns {string[]}
 */
export const curveKeys = ({ costs }) => costs.flatMap((cost) => [cost, `${cost}-bound`]);

/**
 * The rates at a point of the grid.
 * @param {GrowthRecord} record
 * @param {number} gamma one of the edges
 * @param {number} power one of the powers
 * @returns {{ g: number, at: number, rates: Rate[] }} the places of gamma and power in their grids, and the rates
 */
export const growthAt = ({ costs, gammas, powers, curves }, gamma, power) => {
  const [g, at] = [gammas.indexOf(gamma), powers.indexOf(power)];
  const rates = costs.map((cost) => ({ cost, reached: curves[g][cost][at], bound: curves[g][`${cost}-bound`][at] }));
  return { g, at, rates };
};

/**
 * A falling curve as far as a chart shows it: to its first value below the floor.
 * @param {number[]} values
 * @param {number} floor
 * @returns {number[]}
 */
export const downTo = (values, floor) => {
  const end = values.findIndex((value) => value < floor);
  return end < 0 ? values : values.slice(0, end + 1);
};
