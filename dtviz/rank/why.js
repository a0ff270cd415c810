// Why a variable was kept or passed over: what FIND makes of each of them at a call.

import { variableName } from "../explorers/static/text.js";
import { triedAt } from "./kernel_find.js";

/**
 * @import { Candidates } from "../explorers/static/controls.js"
 * @import { Facts, Plan, Tried } from "./kernel_find.js"
 */

/** @type {(tried: Tried, facts: Facts, bound: number) => string} */
const outcomeOf = ({ low, high, used }, { size, rank }, bound) => {
  if (used === "same") return `is ${size[high] ? 1 : 0} in all rows`;
  const ranks = `ranks ${rank[low]}, ${rank[high]}`;
  /** @type {(fits: number, half: number) => string} */
  const again = (fits, half) => `${fits} fits, ${1 - fits} again, ${rank[half] <= bound ? "tree" : "none"}`;
  return {
    failed: `${ranks}: neither fits`,
    both: `${ranks}: both fit`,
    low: `${ranks}: ${again(0, high)}`,
    high: `${ranks}: ${again(1, low)}`,
    left: "not tried",
  }[used];
};

// The variables free at a subcube, tried in turn with a bound.
/** @type {(plan: Plan, facts: Facts, c: number, bound: number, names?: string[]) => Candidates} */
export const whyAt = (plan, facts, c, bound, names = []) => {
  const { size, ones } = facts;
  const heads = ["tries", "outcome"];
  if (ones[c] === 0 || ones[c] === size[c]) {
    return { heads, rows: [], note: "All labels are equal here: a leaf, and nothing to try." };
  }
  if (bound === 0) return { heads, rows: [], note: "Labels differ, and the bound is 0: none." };
  const tried = triedAt(plan, facts, c, bound);
  const rows = tried.map((one) => {
    const cells = [variableName(names, one.variable), outcomeOf(one, facts, bound)];
    return { cells, chosen: ["both", "low", "high"].includes(one.used) };
  });
  const kept = rows.find(({ chosen }) => chosen)?.cells[0];
  const settled = kept ? `${kept} is the first one` : "none has one";
  const note = `Variables are tried in turn until a half has rank ${bound - 1} or less: ${settled}.`;
  return { heads, rows, note };
};
