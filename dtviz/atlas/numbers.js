// The numbers of a card: what the best trees and the greedy one have, the class and the influences.

import { OWN_KEYS, html, say } from "../explorers/static/hosting/kit.js";
import { count, digits } from "../explorers/static/computing/text.js";
import { classOf } from "./kernel.js";
import { textOf } from "./state.js";

/**
 * @import { Shape } from "./kernel.js"
 * @import { Card, State } from "./state.js"
 */

const HEADS = ["", "leaves", "depth", "mean depth", "rank"];

/** @type {(shape: Shape, n: number) => string[]} */
const cellsOfShape = ({ leaves, depth, rank, queries }, n) =>
  [leaves, depth, digits(queries / 2 ** n), rank].map(String);

/** @type {(luck: { best: number, worst: number }) => string} */
export const rangeText = ({ best, worst }) => (best === worst ? String(best) : `${best} to ${worst}`);

/** @type {(name: string, title: string, cells: string[]) => HTMLElement} */
const row = (name, title, cells) => {
  const wide = cells.length === 1 ? HEADS.length - 1 : null;
  return html("tr", {}, html("th", { scope: "row", title }, name), ...cells.map((text) => html("td", { colspan: wide }, text)));
};

/** @type {(card: Card) => HTMLElement[]} */
const rowsOf = ({ n, measures: { least, greedy, ties, purity } }) => [
  row("Least there is", "Each number may need a tree of its own", cellsOfShape(least, n)),
  row("Greedy by influence", "Ties go to the variable with the lowest number", cellsOfShape(greedy, n)),
  row("… by luck with ties", "Leaves, if ties are broken for best and for worst", [`${rangeText(ties)} leaves`]),
  row(
    "Greedy by Gini",
    "Leaves, if ties are broken for best and for worst; entropy and the square root grow the same trees",
    [`${rangeText(purity)} leaves`],
  ),
];

/** @param {State} state */
export const numbersView = (state) => {
  const heads = HEADS.map((text) => (text ? html("th", { scope: "col" }, text) : html("td")));
  const body = html("tbody");
  const table = html("table", { class: "dtviz-promise dtviz-measures" }, html("thead", {}, html("tr", {}, ...heads)), body);
  const size = html("span");
  const first = html("button", { type: "button", class: "dtviz-link", name: "representative", ...OWN_KEYS });
  first.addEventListener("click", () => state.show(first.value));
  const moments = html("p", { class: "dtviz-function-facts" });
  const lines = html("p", { class: "dtviz-class-line" }, size, first);
  return {
    root: html("div", { class: "dtviz-numbers" }, table, moments, lines),
    /** @param {Card} card */
    draw(card) {
      const { n, code, measures: { ones, edges } } = card;
      body.replaceChildren(...rowsOf(card));
      const influences = edges.map((pairs, i) => `x${i} ${pairs / 2 ** (n - 1)}`).join(", ");
      say(moments, `1 at ${ones} of ${count(2 ** n, "point")}, variance ${digits((4 * ones * (2 ** n - ones)) / 4 ** n)}. Influences: ${influences}.`);
      const member = classOf(n, code);
      const others = `It stands for ${count(member.size, "function")}: itself under other names of variables and values. `;
      say(size, others + (member.code === code ? "It is the first of its class." : "First of its class: "));
      first.hidden = member.code === code;
      first.value = textOf(n, member.code);
      say(first, textOf(n, member.code));
    },
  };
};
