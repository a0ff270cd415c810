// Why a variable was kept or passed over: what FIND makes of each of them at a call.

import { variableName } from "../explorers/static/computing/text.js";
import { settling } from "./kernel_find.js";

/**
 * @import { Candidates } from "../explorers/static/controls/controls.js"
 * @import { Facts, Plan } from "./kernel_find.js"
 */

// The variables free at a subcube, tried in turn with a bound.
/** @type {(known: { plan: Plan, facts: Facts }, c: number, bound: number, names: string[]) => Candidates} */
export const whyAt = ({ plan, facts: { size, ones, rank } }, c, bound, names) => {
  const heads = ["tries", "outcome"];
  if (ones[c] === 0 || ones[c] === size[c]) {
    return { heads, rows: [], note: "All labels are equal here: a leaf, and nothing to try." };
  }
  if (bound === 0) return { heads, rows: [], note: "Labels differ, and the bound is 0: none." };
  const { start, free, lows, highs } = plan;
  const kept = settling(plan, { size, ones, rank }, c, bound);
  /** @param {number} j */
  const outcome = (j) => {
    const halves = [lows[j], highs[j]];
    if (!size[halves[0]] || !size[halves[1]]) return `is ${size[halves[1]] ? 1 : 0} in all rows`;
    if (kept >= 0 && j > kept) return "not tried";
    const [ranks, fits] = [halves.map((half) => rank[half]), halves.map((half) => rank[half] < bound)];
    const other = fits.indexOf(false);
    const again = `${1 - other} fits, ${other} again, ${ranks[other] <= bound ? "tree" : "none"}`;
    const result = other < 0 ? "both fit" : j === kept ? again : "neither fits";
    return `ranks ${ranks.join(", ")}: ${result}`;
  };
  const tried = Array.from({ length: start[c + 1] - start[c] }, (_, k) => start[c] + k);
  /** @param {number} j */
  const named = (j) => variableName(names, free[j]);
  const rows = tried.map((j) => ({ cells: [named(j), outcome(j)], chosen: j === kept }));
  const settled = kept < 0 ? "none has one" : `${named(kept)} is the first one`;
  const note = `Variables are tried in turn until a half has rank ${bound - 1} or less: ${settled}.`;
  return { heads, rows, note };
};
