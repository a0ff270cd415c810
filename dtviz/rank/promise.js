// The guarantee: how many examples each way of counting asks for, and what it says of those there are.

import { html, say } from "../explorers/static/kit.js";
import { epsilonText, grouped, raised } from "../explorers/static/text.js";
import { drawsOfAll, errorPromised, examplesAsked } from "./kernel.js";

/**
 * @import { LogCounts } from "./kernel.js"
 *
 * @typedef {object} Promised
 * @property {number} n
 * @property {number | null} rank  of the target, null where there is none
 * @property {LogCounts} logs
 * @property {Float64Array} weights  of the points
 * @property {number} bound
 * @property {number} m
 * @property {number[]} points  those among the m examples
 * @property {number} flipped  how many of them have a wrong label
 * @property {boolean} own  whether a reader wrote the examples
 * @property {number} epsilon
 * @property {number} delta
 */

// The ways to count, with the logarithm of each count.
/** @type {(promised: Promised) => [string, number][]} */
const countings = ({ n, logs: { paper, leaves, exact }, bound }) => {
  const points = 2 ** n;
  /** @type {[string, number | null][]} */
  const rows = [
    ["by the theorem", paper[bound]],
    ["with the exact leaf count", leaves[bound]],
    ["with the exact class count", bound < n ? exact[bound] : null],
    [`all 2${raised(points)} functions`, points * Math.LN2],
  ];
  return rows.flatMap(([name, log]) => (log === null ? [] : [[name, log]]));
};

// Rows that other bounds have and this one has not, as many as keep the table's height.
/** @type {(promised: Promised, rows: [string, number][]) => string[]} */
const unseen = (promised, rows) => {
  const tables = promised.logs.paper.map((_, bound) => countings({ ...promised, bound }));
  const most = Math.max(...tables.map(({ length }) => length));
  const names = new Set(tables.flat().map(([name]) => name));
  for (const [name] of rows) names.delete(name);
  return [...names].slice(0, most - rows.length);
};

// What keeps the promise from speaking of these examples, if anything does.
/** @type {(promised: Promised) => string[]} */
const reservations = ({ own, flipped, rank, bound }) => {
  if (own) return ["The promise is about independent draws: of rows that somebody chose it says nothing."];
  if (flipped) {
    const wrong = flipped === 1 ? "1 example has" : `${flipped} examples have`;
    return [`${wrong} a wrong label: the promise is about right ones.`];
  }
  if (rank === null || bound >= rank) return [];
  const covered = "a tree that it does return is covered by Occam's razor";
  return [`The target has rank ${rank}, so FIND may return none; ${covered}.`];
};

/** @type {(promised: Promised) => string} */
const verdictOn = (promised) => {
  const { n, logs, weights, bound, m, points, epsilon, delta, own } = promised;
  const all = 2 ** n;
  const rows = own ? (m === 1 ? "this row shows" : `these ${m} rows show`) : m === 1 ? "this draw shows" : `these ${m} draws show`;
  const remarks = [`The cube has ${all} points; ${rows} ${points.length} of them.`];
  const seen = points.reduce((sum, x) => sum + weights[x], 0);
  if (weights.some((weight) => weight !== weights[0])) {
    remarks.push(`A draw is one of these with probability ${seen.toFixed(3)}.`);
  }
  const paper = logs.paper[bound];
  const asked = paper === null ? 0 : examplesAsked(paper, epsilon, delta);
  const everything = drawsOfAll(weights, delta);
  if (asked >= everything) {
    const whole = `${grouped(everything)} draws show the whole cube`;
    remarks.unshift(`The theorem is vacuous here: with the same probability ${whole}.`);
  }
  return [...reservations(promised), ...remarks].join(" ");
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
