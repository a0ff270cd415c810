// Growth on independent votes, as `dtviz.grow_votes` does it: leaves that have seen as many votes, as many of them for 1,
// are alike, one state. Nothing here knows a page.

import { STOPS, betaVoteDrop, exponentAt } from "../explorers/static/computing/beta.js";
import { costAt, criterionOf } from "../explorers/static/computing/criteria.js";

// Of a leaf with a share s of the rarer label; of the named costs in closed forms.
/** @type {Record<string, (gamma: number) => (s: number) => number>} */
const DROPS = {
  error: (gamma) => (s) => (s === 0.5 ? gamma : 0),
  gini: (gamma) => (s) => {
    const tau = s * (0.5 + gamma) + (1 - s) * (0.5 - gamma);
    return (8 * gamma ** 2 * (s * (1 - s)) ** 2) / (tau * (1 - tau));
  },
  entropy: (gamma) => (s) => {
    /** @type {(a: number, b: number, shift: number) => number} */
    const apart = (a, b, shift) => -a * Math.log1p(shift / a) - b * Math.log1p(-shift / b);
    const [right, wrong] = [0.5 + gamma, 0.5 - gamma];
    const rarer = s * apart(right, wrong, -2 * gamma * (1 - s));
    return (rarer + (1 - s) * apart(wrong, right, 2 * gamma * s)) / (2 * Math.LN2);
  },
  sqrt: (gamma) => (s) => ((4 * gamma ** 2) / (1 + Math.sqrt(1 - 4 * gamma ** 2))) * Math.sqrt(s * (1 - s)),
};

/** @type {(one: number, other: number) => number} */
const logSum = (one, other) => Math.max(one, other) + Math.log1p(Math.exp(-Math.abs(one - other)));

/**
 * The states: of a leaf that has seen d votes, j of them for 1, ln of its mass, G and ln of its score.
 * @type {(gamma: number, position: number) => (d: number, j: number) => { mass: number, G: number, score: number }}
 */
const statesOf = (gamma, position) => {
  const { of } = criterionOf(costAt(position));
  const name = STOPS[position];
  const drop = name ? DROPS[name](gamma) : betaVoteDrop(exponentAt(position), gamma);
  const [a, b] = [Math.log(0.5 + gamma), Math.log(0.5 - gamma)];
  /** @type {{ G: number, drop: number }[]} */
  const known = []; // by how far the votes are from even
  return (d, j) => {
    const [one, zero] = [j * a + (d - j) * b, j * b + (d - j) * a];
    const lead = Math.abs(2 * j - d);
    const odds = Math.exp(-lead * (a - b));
    const s = odds / (1 + odds);
    known[lead] ??= { G: of(s), drop: drop(s) };
    const mass = logSum(zero, one) - Math.LN2;
    return { mass, G: known[lead].G, score: mass + Math.log(known[lead].drop) };
  };
};

/** @typedef {{ d: number, j: number, score: number, number: number }} Waiting */

// Which of two states is split first: one that scores higher than some split leaf, the shallowest of these; else the
// higher score.
/** @type {(one: Waiting, other: Waiting, lowest: number) => boolean} */
const goesFirst = (one, other, lowest) => {
  const [ready, rival] = [one.score > lowest, other.score > lowest];
  if (ready !== rival) return ready;
  if (!ready && one.score !== other.score) return one.score > other.score;
  return one.d === other.d ? one.j < other.j : one.d < other.d;
};

/** @type {(waiting: Iterable<Waiting>, lowest: number) => Waiting | null} */
const firstOf = (waiting, lowest) => {
  let first = null;
  for (const state of waiting) {
    if (state.score > -Infinity && (!first || goesFirst(state, first, lowest))) first = state;
  }
  return first;
};

// The cost where so many splits are made, read off moments between which it falls linearly in the number of leaves.
/** @param {number[]} splits */
const reading = (splits) => {
  /** @type {number[]} */
  const found = [];
  let [before, above] = [1, 0];
  return {
    found,
    /** @type {(leaves: number, cost: number) => boolean} */
    note(leaves, cost) {
      while (found.length < splits.length && splits[found.length] + 1 <= leaves) {
        const share = (splits[found.length] + 1 - before) / (leaves - before);
        found.push(above + share * (cost - above));
      }
      [before, above] = [leaves, cost];
      return found.length === splits.length;
    },
  };
};

/**
 * The cost of the tree after so many splits, from 1 on and rising; no leaf sees more votes than `deepest`.
 * @type {(gamma: number, position: number, splits: number[], deepest: number) => number[]}
 */
export const votesCosts = (gamma, position, splits, deepest) => {
  const stateOf = statesOf(gamma, position);
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  /** @type {(d: number, j: number, number: number) => void} */
  const come = (d, j, number) => {
    const key = d * (deepest + 2) + j;
    const there = waiting.get(key);
    if (there) there.number += number;
    // Rounding must not decide between leaves of equal score.
    else waiting.set(key, { d, j, number, score: Math.round(stateOf(d, j).score * 1e9) / 1e9 });
  };
  const { found, note } = reading(splits);
  let [leaves, total, lowest] = [1, stateOf(0, 0).G, Infinity];
  come(0, 0, 1);
  for (;;) {
    const next = firstOf(waiting.values(), lowest);
    const between = !next || next.score <= lowest;
    if ((between && note(leaves, total)) || !next || next.d >= deepest) break;
    lowest = Math.min(lowest, next.score);
    const { d, j, number } = next;
    waiting.delete(d * (deepest + 2) + j);
    const whole = stateOf(d, j);
    leaves += number;
    total -= Math.exp(Math.log(number) + whole.mass) * whole.G;
    for (const k of [j, j + 1]) {
      const { mass, G } = stateOf(d + 1, k);
      total += Math.exp(Math.log(number) + mass) * G;
      come(d + 1, k, number);
    }
  }
  return [...found, ...Array(splits.length - found.length).fill(total)];
};
