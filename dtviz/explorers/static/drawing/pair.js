// Two greedily grown trees side by side: the details of their nodes, what else could have been asked there, and
// where the two first differ.

import { firstDifference } from "../controls/beside.js";
import { candidates } from "../computing/candidates.js";
import { SCORE_TIE } from "../computing/constants.js";
import { decimals } from "../computing/greedy.js";
import { html, say } from "../hosting/kit.js";
import { epsilonText } from "../computing/text.js";
import { TreeView } from "./tree.js";
import { Dock } from "./why.js";

/**
 * @import { Fact, Details, Strip } from "../controls/controls.js"
 * @import { GreedyPath } from "../computing/greedy.js"
 * @import { Model } from "../hosting/kit.js"
 *
 * A tree on display: the first `step` splits of a path.
 * @typedef {object} Shown
 * @property {GreedyPath} path
 * @property {number} step
 * @property {string} title
 * @property {string} [who]  what it is called; one without is not compared
 * @property {boolean} [another]  whether it is of another function than the tree before
 * @property {number} [next]  the leaf to be split next, -1 for none
 * @property {number} [enough]  leaves beyond so many are hatched
 * @property {boolean} [sampled]  whether growth saw draws only
 * @property {(node: number, variable: number) => void} [ask]  ask a variable at a node
 *
 * What a chapter says of a node.
 * @typedef {object} Words
 * @property {string} head  what candidates are compared by
 * @property {(probability: number) => string} share
 * @property {(contest: ReturnType<GreedyPath["contest"]>) => number[]} scores
 * @property {(path: GreedyPath, node: number) => Strip} [strip]
 */

/** @type {(shown: Shown, node: number, state: "inner" | "leaf", words: Words) => Fact[]} */
const factsOf = ({ path, sampled }, node, state, { share }) => {
  const best = path.best[node];
  /** @type {Fact[]} */
  const lines = [["probability", share(path.probability(node))]];
  if (state === "inner") lines.push(["splits on", path.test(node)]);
  const score = state === "inner" ? path.asked(node) : path.score(node);
  lines.push([sampled ? "estimated score" : "score", decimals(score)]);
  if (sampled) lines.push(["true score", decimals(path.worth(node).score)]);
  if (state === "leaf") {
    const none = sampled ? "none seen" : "none, f is constant here";
    lines.push(["most influential", best < 0 ? none : path.nameOf(best)], ["label", path.label(node)]);
  }
  lines.push(["error", decimals(path.error(node))]);
  return lines;
};

/** @type {(shown: Shown, node: number, state: "inner" | "leaf", words: Words) => Partial<Details>} */
const whyOf = ({ path, sampled, ask }, node, state, { head, scores, strip }) => {
  const contest = path.contest(node);
  const { free } = contest;
  const asked = state === "inner" ? path.variable[path.splitAt[node]] : path.best[node];
  return {
    candidates: candidates({
      names: free.map(path.nameOf),
      // What differs by rounding only stands in the order of the names.
      scores: scores(contest).map((score) => Number(score.toPrecision(12))),
      chosen: free.indexOf(asked),
      head: sampled ? `${head} seen` : head,
      text: (score) => decimals(score),
      none: sampled ? "The draws here show no change of f" : "f is constant here: no variable matters",
      slack: SCORE_TIE,
      split: ask && path.best[node] >= 0 ? (k) => ask(node, free[k]) : undefined,
      isAsked: state === "inner",
    }),
    strip: strip?.(path, node),
  };
};

// The title of a tree of settings kept: its size, its function and its epsilon, if they are others, and what else there
// is to say.
/** @type {(model: Model, kept: Model, size: string, more?: string) => string} */
export const keptTitle = (model, kept, size, more = "") => {
  const [name, epsilon] = [kept.get("function"), kept.get("epsilon")];
  const isGreedy = !kept.get("splits") && !model.get("splits");
  const grown = kept.get("splits") ? "your tree" : `ε ${epsilonText(epsilon)}`;
  const parts = [size, name !== model.get("function") && name, more, !(isGreedy && epsilon === model.get("epsilon")) && grown];
  return `Kept: ${parts.filter(Boolean).join(", ")}`;
};

// The two trees, of which the second comes and goes, and the dock for both.
/** @param {Words} words */
export const treePair = (words) => {
  const dock = new Dock({ why: true });
  const [first, second] = ["Decision tree", "Tree beside it"].map((name, k) => {
    /** @type {Shown | null} */
    let shown = null;
    const view = new TreeView({
      name,
      facts: (node, state) => (shown ? factsOf(shown, node, state, words) : []),
      why: (node, state) => (shown ? whyOf(shown, node, state, words) : {}),
      dock,
      steady: true,
      still: k === 1,
    });
    /** @param {Shown} now */
    const draw = (now) => {
      const before = shown?.path;
      const { path, step, title, next = -1, enough } = now;
      shown = now;
      // Nodes stand where they stood if the splits are those of before.
      if (!before || !sameSplits(path, before)) view.show(path);
      else if (before !== path) view.update(path);
      view.draw(step, next, enough);
      say(view.title, title);
    };
    return { view, draw };
  });
  return {
    first: first.view,
    second: second.view,
    beside: html("div", {}, second.view.root),
    dock: dock.root,
    /** @type {(one: Shown, other: Shown | null) => void} */
    draw(one, other) {
      first.draw(one);
      second.view.root.hidden = !other;
      if (other) second.draw(other);
      const at = other?.who ? firstDifference(one, other) : null;
      first.view.encircle(at?.one ?? -1);
      second.view.encircle(at?.other ?? -1);
    },
  };
};

/** @type {(one: GreedyPath, other: GreedyPath) => boolean} */
const sameSplits = (one, other) =>
  one.steps === other.steps &&
  one.testWidth === other.testWidth &&
  one.split.every((node, j) => node === other.split[j] && one.variable[j] === other.variable[j]);
