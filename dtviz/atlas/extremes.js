// The functions at the ends: where the greedy algorithm loses most, where cost functions disagree, and what else
// `make atlas` looked for. A click shows one.

import { selectControl } from "../explorers/static/controls.js";
import { shortFormula } from "../explorers/static/formulas.js";
import { OWN_KEYS, html, put, say, setter } from "../explorers/static/kit.js";
import { count } from "../explorers/static/text.js";
import { measuresOf, tableOfCode } from "./kernel.js";
import { rangeText } from "./numbers.js";
import { textOf } from "./state.js";

/**
 * @import { Extreme } from "./kernel_place.js"
 * @import { Card, State } from "./state.js"
 */

const HEADS = ["function", "smallest", "greedy", "by Gini", "depth", "rank"];

/** @type {(state: State, n: number, code: number) => HTMLElement} */
const rowOf = (state, n, code) => {
  const text = textOf(n, code);
  const { least, ties, purity } = measuresOf(n, code);
  const label = `Show ${text}`;
  const show = html("button", { type: "button", class: "dtviz-link", "aria-label": label, ...OWN_KEYS }, text);
  show.addEventListener("click", () => state.show(text));
  const formula = shortFormula({ n, table: tableOfCode(n, code) });
  const name = html("th", { scope: "row" }, show, html("span", { class: "dtviz-aside" }, formula));
  const cells = [least.leaves, rangeText(ties), rangeText(purity), least.depth, least.rank];
  const root = html("tr", {}, name, ...cells.map((cell) => html("td", {}, String(cell))));
  root.dataset.code = text;
  return root;
};

/** @param {State} state */
export const extremesView = (state) => {
  const { atlas, model } = state;
  const every = Object.values(atlas.n).reverse().flatMap(({ extremes }) => extremes);
  const titles = new Map(every.map(({ key, title }) => [key, title]));
  const choice = selectControl({
    ...{ name: "extreme", label: "Extreme functions", options: [...titles.keys()] },
    onChange: setter(model, "extreme"),
  });
  for (const option of choice.input.options) say(option, titles.get(option.value) ?? "");
  const says = html("p", { class: "dtviz-key" });
  const body = html("tbody");
  const heads = HEADS.map((text) => html("th", { scope: "col" }, text));
  const table = html("table", { class: "dtviz-promise dtviz-extremes" }, html("thead", {}, html("tr", {}, ...heads)), body);
  const room = html("div", { class: "dtviz-scroll", tabindex: 0, role: "region", "aria-label": "Extreme functions", ...OWN_KEYS }, table);
  /** @type {Extreme | undefined | null} */
  let listed = null;
  return {
    root: html("div", {}, choice.root, says, room),
    /** @param {Card} card */
    draw({ n, code }) {
      choice.input.value = model.get("extreme");
      const list = atlas.n[n].extremes.find(({ key }) => key === model.get("extreme"));
      if (listed !== list) {
        listed = list;
        room.hidden = !list;
        body.replaceChildren(...(list?.codes ?? []).map((hex) => rowOf(state, n, Number(hex))));
      }
      const among = `of ${count(n, "variable")}`;
      const how = list && `It is ${list.value} for ${count(list.functions, "function")} ${among} in ${count(list.classes, "class", "classes")}`;
      const which = list && (list.classes > list.codes.length ? `the first ${list.codes.length} classes are listed` : "the first of each class is listed");
      say(says, list ? `${list.says} ${how}; ${which}.` : `No function ${among} is listed here: a larger n has more.`);
      const now = textOf(n, code);
      for (const row of body.children) put(row, "data-now", /** @type {HTMLElement} */ (row).dataset.code === now);
    },
  };
};
