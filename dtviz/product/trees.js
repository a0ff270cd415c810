// The tree of the exact learner, and the one grown from samples.

import { brief } from "../explorers/static/text.js";
import { treeView } from "../explorers/static/tree.js";
import { decimals } from "./kernel.js";

/**
 * @import { Fact } from "../explorers/static/controls.js"
 * @import { BiasedPath } from "./kernel.js"
 */

/** @type {(path: BiasedPath, node: number, state: "inner" | "leaf", sampled: boolean) => Fact[]} */
const factsOf = (path, node, state, sampled) => {
  const best = path.best[node];
  /** @type {Fact[]} */
  const lines = [["probability", brief(path.probability(node))]];
  if (state === "inner") lines.push(["splits on", `x${best}`]);
  lines.push([sampled ? "estimated score" : "score", decimals(path.score(node), 4)]);
  if (sampled) lines.push(["true score", decimals(path.trueScore(node), 4)]);
  if (state === "leaf") {
    const none = sampled ? "none seen" : "none, f is constant here";
    lines.push(["most influential", best < 0 ? none : `x${best}`], ["label", path.label(node)]);
  }
  lines.push(["error", decimals(path.error(node), 4)]);
  return lines;
};

/** @type {(name: string, sampled: boolean) => { view: ReturnType<typeof treeView>, draw: (path: BiasedPath, stop: number) => void }} */
export const grownTree = (name, sampled) => {
  /** @type {BiasedPath | null} */
  let path = null;
  const view = treeView({
    name,
    facts: (node, state) => (path ? factsOf(path, node, state, sampled) : []),
  });
  return {
    view,
    // Draw a tree of so many splits; nodes stand where they stood if the splits are those of before.
    draw(newPath, stop) {
      const before = path;
      path = newPath;
      if (!before || !path.sameSplits(before)) view.show(path);
      else if (before !== path) view.update(path);
      view.draw(stop, stop < path.steps ? path.split[stop] : -1);
    },
  };
};
