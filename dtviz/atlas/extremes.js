// The functions at the ends: where the greedy algorithm loses most, where cost functions disagree, and what else
// `make atlas` looked for. A click shows one.

import { selectControl } from "../explorers/static/controls/controls.js";
import { shortFormula } from "../explorers/static/computing/formulas.js";
import { OWN_KEYS, html, put, say, setter } from "../explorers/static/hosting/kit.js";
import { count } from "../explorers/static/computing/text.js";
import { tableOfCode } from "./kernel.js";
import { textOf } from "./state.js";

/** @import { Card, State } from "./state.js" */

/** @type {(state: State, n: number, code: number) => HTMLElement} */
const itemOf = (state, n, code) => {
  const text = textOf(n, code);
  const look = { type: "button", class: "dtviz-link", value: text, "aria-label": `Show ${text}`, ...OWN_KEYS };
  const show = html("button", look, text);
  show.addEventListener("click", () => state.show(text));
  return html("li", {}, show, " ", shortFormula({ n, table: tableOfCode(n, code) }));
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
  const items = html("ul", { class: "dtviz-extremes" });
  let listed = "";
  return {
    root: html("div", {}, choice.root, says, items),
    /** @param {Card} card */
    draw({ n, code }) {
      const key = model.get("extreme");
      choice.input.value = key;
      const list = atlas.n[n].extremes.find((one) => one.key === key);
      if (listed !== `${n} ${key}`) {
        listed = `${n} ${key}`;
        items.replaceChildren(...(list?.codes ?? []).map((hex) => itemOf(state, n, Number(hex))));
      }
      const among = `of ${count(n, "variable")}`;
      const how = list && `It is ${list.value} for ${count(list.functions, "function")} ${among} in ${count(list.classes, "class", "classes")}`;
      const which = list && (list.classes > list.codes.length ? `the first ${list.codes.length} classes are listed` : "the first of each class is listed");
      say(says, list ? `${list.says} ${how}; ${which}.` : `No function ${among} is listed here: a larger n has more.`);
      const now = textOf(n, code);
      for (const button of items.querySelectorAll("button")) put(button, "aria-current", button.value === now);
    },
  };
};
