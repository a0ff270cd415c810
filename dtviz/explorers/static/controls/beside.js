// A second tree beside the first: the control that chooses it, and the first node where the two differ, with its words.

import { decimals } from "../computing/greedy.js";
import { capital, count } from "../computing/text.js";
import { buttonControl, selectControl } from "./controls.js";
import { change, html, say, setter } from "../hosting/kit.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { BestTree } from "../computing/best.js"
 * @import { TreePath } from "../computing/path.js"
 *
 * What two trees are compared by: a path, of which a node may have a score, how many of its splits are drawn, and what
 * the tree is called; and whether it is of another function than the one before.
 * @typedef {Pick<TreePath, "splitAt" | "test" | "label" | "where"> & { asked?: (node: number) => number }} Path
 * @typedef {{ path: Path, step: number, who?: string, another?: boolean }} Compared
 * @typedef {{ one: number, other: number }} Nodes  one of each
 */

// The splits of a tree, level by level: [node, variable], numbered as a path's.
/** @type {(tree: BestTree) => [number, number][]} */
export const splitsOf = (tree) => {
  /** @type {[number, number][]} */
  const splits = [];
  const queue = [{ node: 0, tree }];
  for (const { node, tree: one } of queue) {
    if (!("variable" in one)) continue;
    const j = splits.push([node, one.variable]) - 1;
    queue.push({ node: 2 * j + 1, tree: one.low }, { node: 2 * j + 2, tree: one.high });
  }
  return splits;
};

// The first nodes, level by level, where two trees ask different things, or null. One that asks where the other has
// ended counts only if no two ask differently, and two answers only if both trees ask the same.
/** @type {(one: Compared, other: Compared) => Nodes | null} */
export const firstDifference = (one, other) => {
  /** @type {[Nodes | null, Nodes | null]} */
  let [ended, answered] = [null, null];
  const queue = other.another ? [] : [{ one: 0, other: 0 }];
  for (const pair of queue) {
    const [j, k] = [one.path.splitAt[pair.one], other.path.splitAt[pair.other]];
    const [asks, answers] = [j < one.step, k < other.step];
    if (asks && answers) {
      if (one.path.test(pair.one) !== other.path.test(pair.other)) return pair;
      for (const side of [1, 2]) queue.push({ one: 2 * j + side, other: 2 * k + side });
    } else if (asks !== answers) ended ??= pair;
    else if (one.path.label(pair.one) !== other.path.label(pair.other)) answered ??= pair;
  }
  return ended ?? answered;
};

// That in words, and what a question is worth.
/** @type {(one: Compared, other: Compared) => string} */
export const differenceText = (one, other) => {
  if (other.another) return "The two trees are of different functions.";
  const at = firstDifference(one, other);
  if (!at) return "Both trees are the same.";
  const place = at.one ? `at ${one.path.where(at.one)}` : "at the root";
  /** @type {(tree: Compared, node: number) => string} */
  const says = ({ path, step, who }, node) => {
    const score = path.asked ? `, which scores ${decimals(path.asked(node))}` : "";
    return `${who} ${path.splitAt[node] < step ? `asks ${path.test(node)}${score}` : `answers ${path.label(node)}`}`;
  };
  return `First difference, ringed in both: ${place} ${says(one, at.one)}; ${says(other, at.other)}.`;
};

// What a status says of the second tree.
/** @type {(one: Compared, other: Compared) => string} */
export const besideText = (one, other) =>
  ` ${capital(other.who ?? "")} has ${count(other.step + 1, "leaf", "leaves")}. ${differenceText(one, other)}`;

/** @type {Record<string, string>} */
const WORDS = { best: "the smallest tree", kept: "the settings kept" };

/**
 * What is offered, and what reads and sets it, where that is not the trait alone.
 * @typedef {{ options: string[], readValue: () => string, onChange: (value: string) => void }} Choice
 * @typedef {{ model: Model, keeps?: string[], name?: string, label?: string, words?: Record<string, string> }} Options
 */

// The control of what stands beside or is compared, where words are what some options are called; and a button that
// keeps the settings of some traits, if any are kept.
/** @param {Options & Partial<Choice>} given */
export const besideControl = ({ model, keeps = [], name = "beside", label = "Beside it", words = {}, ...given }) => {
  const { options = model.get("_rules").beside.choices, readValue = () => String(model.get("beside")), onChange = setter(model, "beside") } = given;
  const which = selectControl({ name, label, options, onChange });
  for (const option of which.input.options) say(option, words[option.value] ?? WORDS[option.value] ?? option.value);
  const keep = buttonControl({
    name: "keep",
    label: "Keep these settings to compare",
    text: "Keep this to compare",
    onClick() {
      const kept = Object.fromEntries(keeps.map((trait) => [trait, model.get(trait)]));
      change(model, { kept, beside: "kept" });
    },
  });
  const parts = keeps.length ? [which.root, keep.root] : [which.root];
  return {
    name: "beside",
    root: html("div", { class: "dtviz-beside-controls", "data-no-picture": "" }, ...parts),
    draw() {
      which.input.value = readValue();
    },
  };
};
