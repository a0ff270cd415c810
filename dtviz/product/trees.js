// The tree of the exact learner, and beside it the one grown from samples or another one, with their titles.

import { decimals } from "../explorers/static/computing/greedy.js";
import { manyText } from "../explorers/static/controls/own.js";
import { isOfAnother } from "../explorers/static/controls/kept.js";
import { keptTitle, treePair } from "../explorers/static/drawing/pair.js";
import { count } from "../explorers/static/computing/text.js";
import { biasText } from "./bars.js";

/**
 * @import { Shown } from "../explorers/static/drawing/pair.js"
 * @import { SampledRun } from "./kernel_samples.js"
 * @import { Now, Other, State } from "./state.js"
 */

export const productTrees = () =>
  treePair({
    head: "influence",
    share: decimals,
    // On what is left of f there.
    scores: ({ scores, share }) => scores.map((score) => (share > 0 ? score / share : 0)),
  });

/** @type {(shown: Pick<Shown, "path" | "step">) => string} */
const sizeText = ({ path, step }) =>
  `${count(step + 1, "leaf", "leaves")}, Δ ${decimals(path.depths(step).average)}`;

/** @type {(state: State, now: Now, other: Other | null, ask: NonNullable<Shown["ask"]>) => Shown} */
export const firstShown = ({ model, isRace, isOwn, surplus }, now, other, ask) => {
  const { path, stop: step } = now;
  const shown = { path, step, next: step < path.steps ? path.split[step] : -1 };
  if (isRace()) return { ...shown, title: `Exact tree: ${count(step + 1, "leaf", "leaves")}`, who: "the greedy tree" };
  const many = manyText(shown, surplus(now));
  if (isOwn()) {
    const title = `Yours: ${count(step + 1, "leaf", "leaves")}, error ${decimals(path.errors[step])}${many}`;
    return { ...shown, title, who: "your tree", ask };
  }
  return { ...shown, title: other ? `Greedy tree: ${sizeText(shown)}${many}` : model.get("function"), who: "the greedy tree", ask };
};

/** @type {(run: SampledRun) => Shown} */
const sampledShown = ({ path, stop: step, draws }) => {
  const title = `From ${count(draws, "draw")}: ${count(step + 1, "leaf", "leaves")}`;
  return { path, step, title, sampled: true, next: step < path.steps ? path.split[step] : -1 };
};

/** @type {(state: State, run: SampledRun | null, other: Other | null) => Shown | null} */
export const secondShown = ({ model }, run, other) => {
  if (run) return sampledShown(run);
  if (!other) return null;
  const { path, step, p, kept } = other;
  if (!kept) return { path, step, title: `Best tree: ${sizeText(other)}`, who: "the best tree" };
  const biases = p.every((one) => one === p[0]) ? biasText(p[0]) : `(${p.map(biasText).join(", ")})`;
  return { path, step, title: keptTitle(model, kept, sizeText(other), `p = ${biases}`), who: "the tree kept", another: isOfAnother(model, kept) };
};
