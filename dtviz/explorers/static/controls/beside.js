// A second tree beside the first: the smallest there is, or that of settings kept before; and the
// first node where the two ask different things.

import { buttonControl, selectControl } from "./controls.js";
import { change, checks, html, say, setter } from "../hosting/kit.js";
import { wrong } from "../hosting/link.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { BestTree } from "../computing/best.js"
 * @import { TreePath } from "../computing/path.js"
 *
 * What two trees are compared by: a path, and how many of its splits are drawn.
 * @typedef {{ path: Pick<TreePath, "splitAt" | "test">, step: number }} Drawn
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

// The first nodes, level by level, where two trees ask different things, or null. One that asks where
// the other has ended counts only if no two ask differently.
/** @type {(one: Drawn, other: Drawn) => { one: number, other: number } | null} */
export const firstDifference = (one, other) => {
  /** @type {{ one: number, other: number } | null} */
  let ended = null;
  const queue = [{ one: 0, other: 0 }];
  for (const pair of queue) {
    const [j, k] = [one.path.splitAt[pair.one], other.path.splitAt[pair.other]];
    const [asks, answers] = [j < one.step, k < other.step];
    if (asks && answers) {
      if (one.path.test(pair.one) !== other.path.test(pair.other)) return pair;
      for (const side of [1, 2]) queue.push({ one: 2 * j + side, other: 2 * k + side });
    } else if (asks !== answers) ended ??= pair;
  }
  return ended;
};

// A link may keep what it may set.
checks.kept = (value, model) => {
  const rules = model.get("_rules");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "no settings are kept in it";
  for (const [trait, one] of Object.entries(value)) {
    if (!Object.hasOwn(rules, trait) || ["beside", "kept"].includes(trait)) return `${trait} is not kept`;
    const check = checks[rules[trait].check ?? ""];
    const trouble = wrong(rules[trait], one, check && ((given) => check(given, model)));
    if (trouble) return trouble;
  }
  return "";
};

/**
 * The button that keeps the settings there are now.
 * @param {{ model: Model, keeps: string[] }} options
 */
export const keepButton = ({ model, keeps }) =>
  buttonControl({
    name: "keep",
    label: "Keep these settings to compare",
    text: "Keep this to compare",
    onClick() {
      const kept = Object.fromEntries(keeps.map((trait) => [trait, model.get(trait)]));
      change(model, { kept, beside: "kept" });
    },
  });

const WORDS = { nothing: "nothing", best: "the smallest tree", kept: "the settings kept" };

/**
 * The controls: what stands beside, and the button that keeps the settings there are now.
 * @param {{ model: Model, keeps: string[] }} options  the traits that are kept
 */
export const besideControls = ({ model, keeps }) => {
  const which = selectControl({
    name: "beside",
    label: "Beside it",
    options: Object.keys(WORDS),
    onChange: setter(model, "beside"),
  });
  Object.values(WORDS).forEach((text, k) => say(which.input.options[k], text));
  const keep = keepButton({ model, keeps });
  return {
    root: html("div", { class: "dtviz-beside-controls", "data-no-picture": "" }, which.root, keep.root),
    draw() {
      which.input.value = model.get("beside");
    },
  };
};
