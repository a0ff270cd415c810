// The guarantee: how many examples each way of counting asks for, and what it says of those there are.

import { html, say } from "../explorers/static/hosting/kit.js";
import { epsilonText, grouped, raised } from "../explorers/static/computing/text.js";
import { drawsOfAll, examplesAsked, logCounts } from "./kernel.js";

/** @import { Now } from "./state.js" */

// The ways to count, with the logarithm of each count.
/** @type {(now: Now) => [string, number | undefined][]} */
const countings = ({ n, bound }) => {
  const logs = logCounts(n, bound);
  return [
    ["by the theorem", logs?.paper],
    ["with the exact leaf count", logs?.leaves],
    [`all 2${raised(2 ** n)} functions`, 2 ** n * Math.LN2],
  ];
};

// What keeps the promise from speaking of these examples, if anything does.
/** @type {(now: Now) => string[]} */
const reservations = ({ own, wrong, target, bound }) => {
  if (own) return ["The promise is about independent draws: of rows that somebody chose it says nothing."];
  if (wrong.length) {
    const some = wrong.length === 1 ? "1 example has" : `${wrong.length} examples have`;
    return [`${some} a wrong label: the promise is about right ones.`];
  }
  if (!target || bound >= target.rank) return [];
  const covered = "a tree that it does return is covered by Occam's razor";
  return [`The target has rank ${target.rank}, so FIND may return none; ${covered}.`];
};

/** @type {(now: Now) => string} */
const verdictOn = (now) => {
  const { n, bound, m, examples, epsilon, delta, own } = now;
  const remarks = reservations(now);
  const paper = logCounts(n, bound)?.paper;
  const everything = drawsOfAll(n, delta);
  if (paper && examplesAsked(paper, epsilon, delta) >= everything) {
    const whole = `${grouped(everything)} draws show the whole cube`;
    remarks.push(`The theorem is vacuous here: with the same probability ${whole}.`);
  }
  const noun = own ? "row" : "draw";
  const shown = m === 1 ? `this ${noun} shows` : `these ${m} ${noun}s show`;
  return [...remarks, `The cube has ${2 ** n} points; ${shown} ${examples.points.length} of them.`].join(" ");
};

export const promiseTable = () => {
  const caption = html("caption", {});
  const heads = ["Counting", "m asked", ""].map((text) => html("th", { scope: "col" }, text));
  const body = html("tbody", {});
  const table = html("table", { class: "dtviz-promise" }, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const verdict = html("p", { class: "dtviz-verdict" });
  return {
    root: html("div", { class: "dtviz-promised" }, table, verdict),
    /** @param {Now} now */
    draw(now) {
      const { bound, m, epsilon, delta } = now;
      const sure = Number((1 - delta).toFixed(4));
      const aim = `error ≤ ${epsilonText(epsilon)} with probability ${sure}`;
      say(caption, `How many examples for ${aim}, rank ≤ ${bound}`);
      say(heads[2], `error promised at m = ${m}`);
      const rows = countings(now).map(([name, log]) => {
        const error = log ? (log - Math.log(delta)) / m : 1;
        const asked = log ? grouped(examplesAsked(log, epsilon, delta)) : "–";
        const promised = error >= 1 ? "none" : `≤ ${error.toFixed(3)}`;
        const cells = [asked, promised].map((cell) => html("td", {}, cell));
        return html("tr", {}, html("th", { scope: "row" }, name), ...cells);
      });
      body.replaceChildren(...rows);
      say(verdict, verdictOn(now));
    },
  };
};
