// The guarantee: how many examples each way of counting asks for, and what it says of those there are.

import { html, say } from "../explorers/static/kit.js";
import { epsilonText, grouped, raised } from "../explorers/static/text.js";
import { drawsOfAll, errorPromised, examplesAsked } from "./kernel.js";

/**
 * Natural logarithms of the number of trees or functions of each rank.
 * @typedef {{ paper: number[], leaves: number[], exact: number[] }} LogCounts
 *
 * @typedef {object} Promised
 * @property {{ n: number, rank: number, log_counts: LogCounts }} record  of the target
 * @property {number} bound
 * @property {number} m
 * @property {number} seen  points of the cube among the m draws
 * @property {number} epsilon
 * @property {number} delta
 */

// The ways to count, with the logarithm of each count.
/** @type {(promised: Promised) => [string, number][]} */
const countings = ({ record, bound }) => {
  const { paper, leaves, exact } = record.log_counts;
  const points = 2 ** record.n;
  /** @type {[string, number | null][]} */
  const rows = [
    ["by the theorem", paper[bound]],
    ["with the exact leaf count", leaves[bound]],
    ["with the exact class count", bound < record.n ? exact[bound] : null],
    [`all 2${raised(points)} functions`, points * Math.LN2],
  ];
  return rows.flatMap(([name, log]) => (log === null ? [] : [[name, log]]));
};

// Rows that other bounds have and this one has not, as many as keep the table's height.
/** @type {(promised: Promised, rows: [string, number][]) => string[]} */
const unseen = (promised, rows) => {
  const tables = promised.record.log_counts.paper.map((_, bound) => countings({ ...promised, bound }));
  const most = Math.max(...tables.map(({ length }) => length));
  const names = new Set(tables.flat().map(([name]) => name));
  for (const [name] of rows) names.delete(name);
  return [...names].slice(0, most - rows.length);
};

/** @type {(promised: Promised) => string} */
const verdictOn = ({ record, bound, m, seen, epsilon, delta }) => {
  const points = 2 ** record.n;
  const draws = m === 1 ? "this draw shows" : `these ${m} draws show`;
  const remarks = [`The cube has ${points} points; ${draws} ${seen} of them.`];
  const asked = bound > 0 ? examplesAsked(record.log_counts.paper[bound], epsilon, delta) : 0;
  const everything = drawsOfAll(points, delta);
  if (asked >= everything) {
    const whole = `${grouped(everything)} draws show the whole cube`;
    remarks.unshift(`The theorem is vacuous here: with the same probability ${whole}.`);
  }
  if (bound < record.rank) {
    const covered = "a tree that it does return is covered by Occam's razor";
    remarks.unshift(`The target has rank ${record.rank}, so FIND may return none; ${covered}.`);
  }
  return remarks.join(" ");
};

export const promiseTable = () => {
  const caption = html("caption", {});
  const heads = ["Counting", "m asked", ""].map((text) => html("th", { scope: "col" }, text));
  const head = html("thead", {}, html("tr", {}, ...heads));
  const body = html("tbody", {});
  const room = html("tfoot", { class: "dtviz-room", "aria-hidden": "true" });
  const table = html("table", { class: "dtviz-promise" }, caption, head, body, room);
  const verdict = html("p", { class: "dtviz-verdict" });
  return {
    root: html("div", { class: "dtviz-promised" }, table, verdict),
    /** @param {Promised} promised */
    draw(promised) {
      const { bound, m, epsilon, delta } = promised;
      const sure = Number((1 - delta).toFixed(4));
      const aim = `error ≤ ${epsilonText(epsilon)} with probability ${sure}`;
      say(caption, `How many examples for ${aim}, rank ≤ ${bound}`);
      say(heads[2], `error promised at m = ${m}`);
      const counted = countings(promised);
      const rows = counted.map(([name, log]) => {
        const error = errorPromised(log, m, delta);
        const asked = html("td", {}, grouped(examplesAsked(log, epsilon, delta)));
        const cell = html("td", {}, error >= 1 ? "none" : `≤ ${error.toFixed(3)}`);
        return html("tr", {}, html("th", { scope: "row" }, name), asked, cell);
      });
      body.replaceChildren(...rows);
      const others = unseen(promised, counted);
      room.replaceChildren(...others.map((name) => html("tr", {}, html("td", {}, name))));
      say(verdict, verdictOn(promised));
    },
  };
};
