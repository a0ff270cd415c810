// Chapter 5, growing: what the page reads off the rates of growth and where it puts them, without the page.

import { brief, digits, raised } from "../explorers/static/computing/text.js";
import { votesCosts } from "./kernel_votes.js";

/**
 * The bounds on growth, as `dtviz.growing.explorer.growth_record` packs them: for each edge, over the powers, by name of
 * the cost. No leaf sees more votes than `deepest`.
 * @typedef {Record<string, number[]>} Bounds
 * @typedef {{ gammas: number[], powers: number[], bounds: Bounds[], deepest: number }} GrowthRecord
 *
 * The cost of the tree and the bounds, over the powers, and a place among these.
 * @typedef {{ costs: number[], bounds: Bounds, at: number }} Growth
 */

/** @type {(record: GrowthRecord, gamma: number, position: number, power: number) => Growth} */
export const growthAt = ({ gammas, powers, bounds, deepest }, gamma, position, power) => {
  const splits = powers.map((each) => Math.round(10 ** each));
  const costs = votesCosts(gamma, position, splits, deepest);
  return { costs, bounds: bounds[gammas.indexOf(gamma)], at: powers.indexOf(power) };
};

// Ten to a power, in the notation of the axis: 1, 5.6, 320, 10³, 1.8·10⁶.
/** @type {(power: number) => string} */
export const powerText = (power) => {
  if (power < 3) return String(Math.round(10 ** power));
  const whole = Math.floor(power);
  const mantissa = digits(10 ** (power - whole), 2);
  return `${mantissa === "1" ? "" : `${mantissa}·`}10${raised(whole)}`;
};

// A cost in two digits, or in three at the start, where all are about one half; none is left out.
/** @type {(cost: number) => string} */
export const costText = (cost) => {
  if (cost < 0.001) return brief(cost);
  return cost < 0.1 ? cost.toPrecision(2) : cost.toFixed(3);
};

// Where a scale may end.
const FLOORS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4];

// Where the scale of some curves ends: below all of them, if they do not fall too deep.
/** @type {(growth: Growth) => number} */
export const floorOf = ({ costs, bounds }) => {
  const least = Math.min(...[costs, ...Object.values(bounds)].map((values) => values[values.length - 1]));
  return FLOORS.filter((floor) => floor <= least).at(-1) ?? FLOORS[0];
};

// The ticks of a scale from a floor to 0.5.
/** @type {(floor: number) => number[]} */
export const costTicks = (floor) => [...FLOORS, 0.5].filter((tick) => tick >= floor);

// A falling curve as far as a chart shows it, to where it crosses the floor, on log scales, and whether it leaves there.
/** @type {(powers: number[], values: number[], floor: number) => { points: [number, number][], leaves: boolean }} */
export const shownPart = (powers, values, floor) => {
  const end = values.findIndex((value) => value < floor);
  /** @type {[number, number][]} */
  const points = (end < 0 ? powers : powers.slice(0, end)).map((power, j) => [power, values[j]]);
  if (end > 0) {
    const [above, below] = [values[end - 1], Math.max(values[end], Number.MIN_VALUE)].map(Math.log);
    const share = (above - Math.log(floor)) / (above - below);
    points.push([powers[end - 1] + share * (powers[end] - powers[end - 1]), floor]);
  }
  return { points, leaves: end >= 0 };
};
