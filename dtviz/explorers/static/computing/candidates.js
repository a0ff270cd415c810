// Why this split: the tests it won against, by falling score, and in words what decided. Nothing
// here knows a page.

import { listed } from "./text.js";

/**
 * @import { Candidates } from "../controls/controls.js"
 *
 * What could be asked at a node.
 * @typedef {object} Contest
 * @property {string[]} names  of the tests, in the order of the tie rule
 * @property {number[]} scores
 * @property {number} chosen  which one is asked there, or would be
 * @property {string} head  what the scores are
 * @property {(score: number) => string} text
 * @property {string} [tie]  what decides among equals
 * @property {string} [none]  what is said where no test scores
 * @property {number} [slack]  shares of the best score that are no difference
 * @property {(k: number) => void} [split]  ask test k there instead
 * @property {boolean} [isAsked]  whether the one chosen is asked there already
 */

// Among equals the first wins, unless the reader asks another.
/** @type {(contest: Contest, top: string[], least: number) => string} */
const tied = ({ names, scores, chosen, text, tie = "the lowest variable wins" }, top, least) => {
  const all = top.length === names.length && top.length > 3 ? `All ${top.length}` : listed(top);
  const first = scores.findIndex((score) => score >= least);
  const why = chosen >= 0 && chosen !== first ? `${names[chosen]} is asked here` : tie;
  return `${all} tie at ${text(Math.max(...scores))}: ${why}.`;
};

/** @type {(contest: Contest) => string} */
const verdict = (contest) => {
  const { names, scores, chosen, text, none = "f is constant here: nothing to ask", slack = 0 } = contest;
  const best = Math.max(0, ...scores);
  if (best === 0) return `${none}.`;
  const least = best * (1 - slack);
  const top = names.filter((_, k) => scores[k] >= least);
  if (chosen >= 0 && scores[chosen] < least) {
    const by = text(best - scores[chosen]);
    return `${names[chosen]} is asked here, with ${text(scores[chosen])}; ${listed(top)} would score ${text(best)}, ${by} more.`;
  }
  if (top.length > 1) return tied(contest, top, least);
  const rest = scores.filter((score) => score < least);
  if (rest.length === 0) return `${top[0]} is all there is to ask.`;
  const second = Math.max(...rest);
  const runners = names.filter((_, k) => scores[k] < least && scores[k] >= second * (1 - slack));
  if (second === 0) return `${top[0]} alone scores.`;
  return `${top[0]} wins with ${text(best)}, ${text(best - second)} ahead of ${listed(runners)}.`;
};

// The table of a contest: the runner-up is the best of those not asked.
/** @type {(contest: Contest) => Candidates} */
export const candidates = (contest) => {
  const { names, scores, chosen, head, text, split, isAsked } = contest;
  const best = Math.max(0, ...scores);
  // Where nothing scores there is nothing to compare.
  const order = (best === 0 ? [] : names.map((_, k) => k)).sort((a, b) => scores[b] - scores[a] || a - b);
  const runner = order.find((k) => k !== chosen);
  const rows = order.map((k) => ({
    cells: [names[k], text(scores[k])],
    share: best > 0 ? scores[k] / best : 0,
    chosen: k === chosen,
    // What scores more than a choice of the reader's is not second to it.
    runnerUp: k === runner && scores[k] <= scores[chosen],
    split: split && !(isAsked && k === chosen) ? () => split(k) : undefined,
  }));
  return { heads: ["asks", head], rows, note: verdict(contest) };
};
