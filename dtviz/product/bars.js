// Rows with bars: the bias and influence of each variable, the depths of the tree, sizes and bounds.

import { EPSILON_STEP, SHARE_STEP, SCORE_TIE } from "../explorers/static/computing/constants.js";
import { rangeControl } from "../explorers/static/controls/controls.js";
import { decimals, strongest } from "../explorers/static/computing/greedy.js";
import { html, put, say } from "../explorers/static/hosting/kit.js";
import { count, variableName } from "../explorers/static/computing/text.js";
import { boundBits } from "./kernel_depths.js";

/** @import { Now } from "./state.js" */

/** @type {(p: number) => string} */
export const biasText = (p) => String(Number(p.toFixed(4))).replace(/^(0\.\d)$/, "$10");

/** @type {(i: number, name: string, onBias: (i: number, value: number) => void) => { row: HTMLElement, draw: (p: number, influence: number, mark: string) => void }} */
const biasRow = (i, name, onBias) => {
  const slider = rangeControl({
    name: "biases",
    label: name,
    min: SHARE_STEP,
    max: 1 - SHARE_STEP,
    step: SHARE_STEP,
    onInput: (value) => onBias(i, value),
  });
  put(slider.input, "aria-label", `Bias of ${name}`);
  const fill = html("span", { class: "dtviz-fill" });
  const number = html("span", { class: "dtviz-amount" });
  const word = html("span", { class: "dtviz-mark" });
  const bar = html("div", { class: "dtviz-bar" }, fill);
  const row = html("div", { class: "dtviz-bias-row" }, slider.root, bar, number, word);
  return {
    row,
    draw(p, influence, mark) {
      const amount = decimals(influence);
      slider.set(p, biasText(p), `${biasText(p)}, influence ${amount}`);
      // No resample influence exceeds one half.
      fill.style.width = `${(200 * influence).toFixed(2)}%`;
      say(number, amount);
      say(word, mark);
      row.classList.toggle("dtviz-winner", mark === "root");
    },
  };
};

/** @param {(i: number, value: number) => void} onBias */
export const biasRows = (onBias) => {
  const head = html("div", { class: "dtviz-heading" }, "Bias and resample influence");
  const list = html("div", { class: "dtviz-bias-rows" });
  /** @type {ReturnType<typeof biasRow>[]} */
  let rows = [];
  let shown = "";
  return {
    root: html("div", { class: "dtviz-biases" }, head, list),
    /** @param {Now} now */
    draw({ f: { n, names = [] }, p, path }) {
      if (rows.length !== n || shown !== names.join()) {
        shown = names.join();
        rows = Array.from({ length: n }, (_, i) => biasRow(i, variableName(names, i), onBias));
        list.replaceChildren(...rows.map(({ row }) => row));
      }
      const influences = path.contest(0).scores;
      const root = strongest(influences);
      const best = Math.max(...influences);
      rows.forEach((row, i) => {
        const tied = best > 0 && influences[i] >= best * (1 - SCORE_TIE);
        row.draw(p[i], influences[i], i === root ? "root" : tied ? "tied" : "");
      });
    },
  };
};

export const depthTable = () => {
  const caption = html("caption", {}, "Questions asked");
  const heads = ["", "this tree", "best for f", "Δmax: hardest restriction"];
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const body = html("tbody", {});
  const table = { class: "dtviz-promise dtviz-depths" };
  /** @param {string} name */
  const row = (name) => {
    const cells = [0, 1, 2].map(() => html("td", {}));
    body.append(html("tr", {}, html("th", { scope: "row" }, name), ...cells));
    return cells;
  };
  const [most, mean] = [row("at most, D"), row("on average, Δ")];
  return {
    root: html("table", table, caption, html("thead", {}, head), body),
    /** @param {Now} now */
    draw({ f: { depth }, path, stop, averages }) {
      const tree = path.depths(stop);
      [tree.deepest, depth, depth].forEach((value, k) => say(most[k], String(value)));
      const where = averages.at ? ` at ${averages.at}` : "";
      const means = [tree.average, averages.least, averages.most].map((value) => decimals(value));
      means.forEach((text, k) => say(mean[k], k < 2 ? text : `${text}${where}`));
    },
  };
};

const SIZES = [
  ["this tree", ""],
  ["always enough: 2ⁿ", "dtviz-gray"],
  ["two phases, Δmax·D", "dtviz-ochre"],
  ["two phases, D²", "dtviz-ochre"],
  ["from Δ alone, by variation", "dtviz-ochre"],
  ["average-depth reading", "dtviz-ochre"],
];

export const sizeBars = () => {
  const rows = SIZES.map(([label, color]) => {
    const fill = html("span", { class: `dtviz-fill ${color}` });
    const number = html("span", { class: "dtviz-amount" });
    const bar = html("div", { class: "dtviz-bar" }, fill);
    const name = html("span", { class: "dtviz-size-name" }, label);
    return { fill, number, row: html("div", { class: "dtviz-size-row" }, name, bar, number) };
  });
  const note = html("span", { class: "dtviz-aside" }, "log₂ of the leaves, itself on a log scale");
  const heading = html("div", { class: "dtviz-heading" }, "Size and its bounds ", note);
  return {
    root: html("div", { class: "dtviz-sizes" }, heading, ...rows.map(({ row }) => row)),
    // Draws, and returns the bounds in bits.
    /** @param {Now} now */
    draw({ f: { n, depth }, stop, averages, epsilon }) {
      const leaves = stop + 1;
      const bounds = boundBits(averages, depth, epsilon);
      const bits = [Math.log2(leaves), n, ...bounds];
      // Room for every bound of n variables down to the smallest epsilon of the slider.
      const widest = Math.log2(1 + (n * n * Math.LOG2E) / EPSILON_STEP);
      rows.forEach(({ fill, number }, k) => {
        fill.style.width = `${(100 * Math.min(1, Math.log2(1 + bits[k]) / widest)).toFixed(2)}%`;
        say(number, bits[k] < Infinity ? `${decimals(bits[k], 1)} bits` : "none at ε = 0");
      });
      say(rows[0].number, count(leaves, "leaf", "leaves"));
      return bounds;
    },
  };
};
