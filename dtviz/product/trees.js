// The tree of the exact learner, the one grown from samples, and the one that stands beside.

import { firstDifference } from "../explorers/static/beside.js";
import { candidates } from "../explorers/static/candidates.js";
import { SCORE_TIE } from "../explorers/static/constants.js";
import { html, say } from "../explorers/static/kit.js";
import { brief, count, epsilonText } from "../explorers/static/text.js";
import { treeView } from "../explorers/static/tree.js";
import { dockBox } from "../explorers/static/why.js";
import { biasText } from "./bars.js";
import { decimals } from "./kernel.js";

/**
 * @import { Fact, Details } from "../explorers/static/controls.js"
 * @import { AnyDock } from "../explorers/static/why.js"
 * @import { BiasedPath } from "./kernel.js"
 * @import { Later } from "../explorers/static/later.js"
 * @import { Now, Other, Rival, State } from "./state.js"
 *
 * @typedef {{ view: ReturnType<typeof treeView>, draw: (path: BiasedPath, stop: number, next: boolean) => void }} Grown
 */

/** @type {(path: BiasedPath, node: number, state: "inner" | "leaf", sampled: boolean) => Fact[]} */
const factsOf = (path, node, state, sampled) => {
  const best = path.best[node];
  /** @type {Fact[]} */
  const lines = [["probability", brief(path.probability(node))]];
  if (state === "inner") lines.push(["splits on", path.test(node)]);
  const score = state === "inner" ? path.asked(node) : path.score(node);
  lines.push([sampled ? "estimated score" : "score", decimals(score, 4)]);
  if (sampled) lines.push(["true score", decimals(path.trueScore(node), 4)]);
  if (state === "leaf") {
    const none = sampled ? "none seen" : "none, f is constant here";
    lines.push(["most influential", best < 0 ? none : path.nameOf(best)], ["label", path.label(node)]);
  }
  lines.push(["error", decimals(path.error(node), 4)]);
  return lines;
};

// The resample influence of each variable on what is left of f there.
/** @type {(path: BiasedPath, node: number, state: "inner" | "leaf", sampled: boolean) => Partial<Details>} */
const whyOf = (path, node, state, sampled) => {
  const { free, influences } = path.contest(node);
  const asked = state === "inner" ? path.variable[path.splitAt[node]] : path.best[node];
  return {
    candidates: candidates({
      names: free.map(path.nameOf),
      // What differs by rounding only stands in the order of the names.
      scores: influences.map((influence) => Number(influence.toPrecision(12))),
      chosen: free.indexOf(asked),
      head: sampled ? "influence seen" : "influence",
      text: (influence) => decimals(influence, 4),
      none: sampled ? "The draws here show no change of f" : "f is constant here: no variable matters",
      slack: SCORE_TIE,
    }),
  };
};

/** @type {(name: string, dock: AnyDock, sampled: boolean) => Grown} */
const grownTree = (name, dock, sampled) => {
  /** @type {BiasedPath | null} */
  let path = null;
  const view = treeView({
    name,
    facts: (node, state) => (path ? factsOf(path, node, state, sampled) : []),
    why: (node, state) => (path ? whyOf(path, node, state, sampled) : {}),
    dock,
    steady: true,
    still: name === "Tree beside it",
  });
  return {
    view,
    // Draw a tree of so many splits; nodes stand where they stood if the splits are those of before.
    draw(newPath, stop, next) {
      const before = path;
      path = newPath;
      if (!before || !path.sameSplits(before)) view.show(path);
      else if (before !== path) view.update(path);
      view.draw(stop, next && stop < path.steps ? path.split[stop] : -1);
    },
  };
};

/** @type {(f: Other, model: State["model"]) => string} */
const besideTitle = ({ path, stop, p, kept }, model) => {
  const leaves = count(stop + 1, "leaf", "leaves");
  const average = `Δ ${decimals(path.depths(stop).average, 3)}`;
  if (!kept) return `Best tree: ${leaves}, ${average}`;
  const name = kept.function === undefined || kept.function === model.get("function") ? "" : `${kept.function}, `;
  const biases = p.every((one) => one === p[0]) ? biasText(p[0]) : `(${p.map(biasText).join(", ")})`;
  const epsilon = epsilonText(kept.epsilon ?? model.get("epsilon"));
  return `Kept: ${name}p = ${biases}, ε ${epsilon}: ${leaves}, ${average}`;
};

// Where the two first ask differently, and what that is worth to the greedy one.
/** @type {(now: Now, other: Other, at: { one: number, other: number } | null) => string} */
const differenceText = ({ path, stop }, other, at) => {
  if (!at) return "Both trees ask the same.";
  const place = at.one ? `at ${path.where(at.one)}` : "at the root";
  /** @type {(one: { path: BiasedPath, stop: number }, node: number) => string} */
  const asks = (one, node) =>
    one.path.splitAt[node] < one.stop ? `${one.path.test(node)}, which scores ${decimals(one.path.asked(node), 4)}` : "nothing";
  const whose = other.kept ? "the tree kept" : "the best tree";
  return `First difference, ringed in both: ${place} the greedy tree asks ${asks({ path, stop }, at.one)}; ${whose} asks ${asks(other, at.other)}.`;
};

/**
 * The exact tree; beside it the one from samples, or another one; and the dock for all.
 * @param {State} state
 * @param {Later} later
 */
export const treesPart = (state, later) => {
  const { model } = state;
  const dock = dockBox({ why: true });
  const exact = grownTree("Decision tree", dock, false);
  const sampled = grownTree("Decision tree from samples", dock, true);
  const second = grownTree("Tree beside it", dock, false);
  const beside = html("div", {}, sampled.view.root, second.view.root);
  /** @type {(now: Now, other: Other) => { one: number, other: number } | null} */
  const parting = ({ path, stop }, other) => firstDifference({ path, step: stop }, { path: other.path, step: other.stop });
  /** @type {(now: Now, other: Other) => void} */
  const drawSecond = (now, other) => {
    second.draw(other.path, other.stop, false);
    const at = parting(now, other);
    exact.view.encircle(at?.one ?? -1);
    second.view.encircle(at?.other ?? -1);
    say(second.view.title, besideTitle(other, model));
  };
  return {
    ...{ root: exact.view.root, beside, dock: dock.root },
    /** @type {(now: Now, other: Other) => string} */
    difference: (now, other) => differenceText(now, other, parting(now, other)),
    /** @type {(width: number, side: number, n: number) => void} */
    resize(width, side, n) {
      const height = Math.min(76 + 62 * n, 300);
      exact.view.resize(width, height);
      for (const { view } of [sampled, second]) view.resize(side, height);
    },
    /** @type {(now: Now, run: Rival | null, other: Other | null) => void} */
    draw(now, run, other) {
      const { path, stop } = now;
      sampled.view.root.hidden = !run;
      second.view.root.hidden = !other;
      exact.draw(path, stop, true);
      const leaves = count(stop + 1, "leaf", "leaves");
      const average = `Δ ${decimals(path.depths(stop).average, 3)}`;
      const alone = run ? `Exact tree: ${leaves}` : model.get("function");
      say(exact.view.title, other ? `Greedy tree: ${leaves}, ${average}` : alone);
      if (other) later.draw("second", () => drawSecond(now, other));
      else exact.view.encircle(-1);
      if (!run) return;
      say(sampled.view.title, `From ${count(run.draws, "draw")}: ${count(run.stop + 1, "leaf", "leaves")}`);
      later.draw("tree", () => sampled.draw(run.path, run.stop, true));
    },
  };
};
