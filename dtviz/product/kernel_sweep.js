// Who wins the root while a bias moves. Nothing here knows a page.

import { pointWeights, strongest } from "./kernel.js";

/**
 * @import { Table } from "./kernel.js"
 *
 * @typedef {{ from: number, to: number, variable: number }} Reign  -1 where no variable matters
 * @typedef {{ t: number, variable: number }} Tie
 * @typedef {{ influences: Float64Array[], reigns: Reign[], ties: Tie[] }} Sweep
 */

// How closely a threshold is found, and the shortest reign that is no tie.
const CLOSE = 1e-9;
const SHORTEST = 5e-4;

// The influences on f under any biases. The two ends of a pair weigh the same, so one is summed.
/** @type {(f: Table) => (p: number[]) => Float64Array} */
const influencesOn = ({ n, table }) => {
  const ends = Array.from({ length: n }, (_, i) =>
    Uint16Array.from(table.keys()).filter((x) => !((x >> i) & 1) && table[x] !== table[x | (1 << i)]),
  );
  return (p) => {
    const weights = pointWeights(p);
    return Float64Array.from(ends, (points, i) => {
      let sum = 0;
      for (const x of points) sum += weights[x];
      return 2 * p[i] * sum;
    });
  };
};

// Where the winner changes between two values of t, in order, by halving.
/** @type {(winner: (t: number) => number, low: Tie, high: Tie) => Tie[]} */
const cutsBetween = (winner, low, high) => {
  if (low.variable === high.variable) return [];
  const t = (low.t + high.t) / 2;
  if (high.t - low.t < CLOSE) return [{ t, variable: high.variable }];
  const middle = { t, variable: winner(t) };
  return [...cutsBetween(winner, low, middle), ...cutsBetween(winner, middle, high)];
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
  const influences = influencesOn(f);
  /** @param {number} t */
  const at = (t) => influences(p.map((old, i) => (moving.includes(i) ? t : old)));
  const swept = grid.map(at);
  const known = grid.map((t, k) => ({ t, variable: strongest(swept[k]) }));
  /** @param {number} t */
  const winner = (t) => strongest(at(t));
  const cuts = known.slice(1).flatMap((one, k) => cutsBetween(winner, known[k], one));
  const starts = [{ t: 0, variable: known[0].variable }, ...cuts];
  const reigns = starts.map(({ t, variable }, k) => ({ from: t, to: cuts[k]?.t ?? 1, variable }));
  return { influences: swept, ...withoutTies(reigns) };
};
