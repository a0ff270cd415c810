// Who wins the root while a bias moves. Nothing here knows a page.

import { SCORE_TIE } from "../explorers/static/computing/constants.js";
import { pointWeights, strongest } from "../explorers/static/computing/greedy.js";

/**
 * @import { Table } from "../explorers/static/computing/greedy.js"
 *
 * @typedef {{ from: number, to: number, variable: number }} Reign  -1 where no variable matters
 * @typedef {{ t: number, variable: number }} Tie
 * @typedef {{ influences: Float64Array[], reigns: Reign[], ties: Tie[] }} Sweep
 */

// How closely a threshold is found, and the shortest reign that is no tie.
const CLOSE = 1e-9;
const SHORTEST = 5e-4;

// The influences on f as polynomials in t by Bernstein's coefficients over 0 .. 1, none of which a curve exceeds.
/** @type {(f: Table, p: number[], moving: number[]) => number[][]} */
const influenceCurves = ({ n, table }, p, moving) => {
  const degree = moving.length + 1;
  const mask = moving.reduce((bits, i) => bits | (1 << i), 0);
  const weights = pointWeights(p.map((old, i) => (moving.includes(i) ? 1 / 2 : old)));
  return Array.from({ length: n }, (_, i) => {
    const curve = Array.from({ length: degree + 1 }, () => 0);
    // The two ends of a pair weigh the same, so one is summed: as t ** ones * (1 - t) ** zeros.
    for (let x = 0; x < table.length; x += 1) {
      if ((x >> i) & 1 || table[x] === table[x | (1 << i)]) continue;
      let ones = 0;
      for (let bits = x & mask; bits; bits &= bits - 1) ones += 1;
      const weight = 2 ** degree * weights[x];
      curve[ones + 1] += (mask >> i) & 1 ? weight : p[i] * weight;
      if (!((mask >> i) & 1)) curve[ones] += p[i] * weight;
    }
    let choices = 1;
    return curve.map((sum, k) => {
      const coefficient = sum / choices;
      choices *= (degree - k) / (k + 1);
      return coefficient;
    });
  });
};

// The parts of a curve below and above a share of its interval; they meet in its value there.
/** @type {(curve: number[], share: number) => [number[], number[]]} */
const parted = (curve, share) => {
  /** @type {[number[], number[]]} */
  const [low, high] = [[], []];
  for (let row = curve; row.length; row = row.slice(1).map((value, k) => (1 - share) * row[k] + share * value)) {
    low.push(row[0]);
    high.unshift(row[row.length - 1]);
  }
  return [low, high];
};

// Whether a variable ties with the largest throughout, and none before it does.
/** @type {(curves: number[][], variable: number) => boolean} */
const winsThroughout = (curves, variable) => {
  /** @type {(one: number[], other: number[]) => boolean} */
  const below = (one, other) => one.every((value, k) => value < other[k] * (1 - SCORE_TIE));
  return curves.every((curve, i) =>
    i < variable
      ? curves.some((other) => below(curve, other))
      : curve.every((value, k) => value * (1 - SCORE_TIE) <= curves[variable][k]),
  );
};

// Where the winner changes in an interval, in order, by halving until one surely wins throughout.
/** @type {(curves: number[][], from: number, to: number) => Tie[]} */
const cutsBetween = (curves, from, to) => {
  const [first, last] = [0, -1].map((end) => strongest(curves.map((curve) => curve.at(end) ?? 0)));
  if (first === last && (first < 0 || winsThroughout(curves, first))) return [];
  const t = (from + to) / 2;
  if (to - from < CLOSE) return first === last ? [] : [{ t, variable: last }];
  const halves = curves.map((curve) => parted(curve, 1 / 2));
  return [...cutsBetween(halves.map(([low]) => low), from, t), ...cutsBetween(halves.map(([, high]) => high), t, to)];
};

// Two curves that only touch are tied there: no reign, and what the point parted is one.
/** @type {(reigns: Reign[]) => { reigns: Reign[], ties: Tie[] }} */
const withoutTies = (reigns) => {
  /** @param {Reign} reign */
  const short = ({ from, to }) => to - from < SHORTEST;
  const lasting = reigns.filter((reign) => !short(reign));
  const apart = lasting.filter(({ variable }, k) => lasting[k - 1]?.variable !== variable);
  const joined = apart.map((reign, k) => ({ ...reign, to: apart[k + 1]?.from ?? 1 }));
  const ties = reigns.filter(short).map(({ from, to, variable }) => ({ t: (from + to) / 2, variable }));
  return { reigns: joined, ties };
};

// Influences over a grid, and who wins the root from where to where, while the biases of the
// variables `moving` are the same t and the others stay as they are.
/** @type {(f: Table, p: number[], moving: number[], grid: number[]) => Sweep} */
export const sweepRoot = (f, p, moving, grid) => {
  const curves = influenceCurves(f, p, moving);
  const swept = grid.map((t) => Float64Array.from(curves, (curve) => parted(curve, t)[1][0]));
  // As far as a bias goes: at 0 and 1 no variable that moves has an influence.
  const [least, most] = [grid[0], grid[grid.length - 1]];
  const inside = curves.map((curve) => parted(parted(curve, most)[0], least / most)[1]);
  const cuts = cutsBetween(inside, least, most);
  const starts = [{ t: 0, variable: strongest(inside.map(([first]) => first)) }, ...cuts];
  const reigns = starts.map(({ t, variable }, k) => ({ from: t, to: cuts[k]?.t ?? 1, variable }));
  return { influences: swept, ...withoutTies(reigns) };
};
