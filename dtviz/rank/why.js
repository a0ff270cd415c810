// Why a variable was kept or passed over: what FIND makes of each of them at a call.

import { html, say } from "../explorers/static/kit.js";
import { triedAt } from "./kernel_find.js";

/**
 * @import { Facts, Plan, Tried } from "./kernel_find.js"
 *
 * @typedef {{ cells: string[], chosen: boolean }} WhyRow
 * @typedef {{ heads: string[], rows: WhyRow[], note: string }} Why
 */

/** @type {(tried: Tried, facts: Facts, bound: number) => string} */
const outcomeOf = ({ low, high, used }, { rank }, bound) => {
  /** @param {number} other */
  const again = (other) => (rank[other] <= bound ? "tree" : "none");
  return {
    same: "same in all rows",
    failed: "neither fits",
    both: "both fit: kept",
    low: `0 fits; 1 again: ${again(high)}`,
    high: `1 fits; 0 again: ${again(low)}`,
    left: "not tried",
  }[used];
};

// The variables free at a subcube, tried in turn with a bound.
/** @type {(plan: Plan, facts: Facts, c: number, bound: number) => Why} */
export const whyAt = (plan, facts, c, bound) => {
  const { size, ones, rank } = facts;
  const heads = ["", "rank of half 0", "half 1", "outcome"];
  if (ones[c] === 0 || ones[c] === size[c]) {
    return { heads, rows: [], note: "All labels here are equal, so FIND returns a leaf and tries nothing." };
  }
  if (bound === 0) return { heads, rows: [], note: "The bound is 0 and labels differ, so FIND returns none." };
  const rows = triedAt(plan, facts, c, bound).map((tried) => {
    /** @param {number} half */
    const told = (half) => (size[half] ? `${rank[half]} (${size[half]})` : "empty");
    const { variable, low, high, used } = tried;
    const cells = [`x${variable}`, told(low), told(high), outcomeOf(tried, facts, bound)];
    return { cells, chosen: used === "both" || used === "low" || used === "high" };
  });
  const note =
    `Variables are tried in turn until a half fits the bound ${bound - 1}: ` +
    "until its rank is no larger. In brackets: examples.";
  return { heads, rows, note };
};

// A table of it, with room for so many rows.
export const whyTable = () => {
  const body = html("tbody", {});
  const head = html("tr", {});
  const caption = html("caption", {});
  const table = html("table", { class: "dtviz-promise dtviz-why" }, caption, html("thead", {}, head), body);
  const note = html("p", { class: "dtviz-key" });
  const root = html("div", { class: "dtviz-why-room" }, table, note);
  return {
    root,
    /** @type {(title: string, why: Why, rows: number) => void} */
    draw(title, why, rows) {
      root.style.setProperty("--dtviz-rows", String(rows));
      say(caption, title);
      head.replaceChildren(...why.heads.map((text) => html("th", { scope: "col" }, text)));
      const lines = why.rows.map(({ cells: [name, ...cells], chosen }) => {
        const first = html("th", { scope: "row" }, name);
        const rest = cells.map((cell) => html("td", {}, cell));
        return html("tr", { class: chosen ? "dtviz-kept" : "" }, first, ...rest);
      });
      body.replaceChildren(...lines);
      say(note, why.note);
    },
  };
};
