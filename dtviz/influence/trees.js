// The trees of chapter 1: the greedy one or the reader's, and the one beside it, with their titles.

import { isOfAnother, keptModel } from "../explorers/static/controls/kept.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { manyText } from "../explorers/static/controls/own.js";
import { keptTitle, treePair } from "../explorers/static/drawing/pair.js";
import { capital, count } from "../explorers/static/computing/text.js";

/**
 * @import { GreedyPath } from "../explorers/static/computing/greedy.js"
 * @import { Shown } from "../explorers/static/drawing/pair.js"
 * @import { Drawn, State } from "./state.js"
 */

export const influenceTrees = () =>
  treePair({
    head: "score",
    share: String,
    scores: ({ scores }) => scores,
    strip(path, node) {
      const { values, share } = path.contest(node);
      const ones = (path.worth(node).ones / share) * values.length;
      return { labels: values, note: `${count(values.length, "point")}, f is 1 at ${ones}` };
    },
  });

// A whole tree, which does not err.
/** @type {(path: GreedyPath, who: string) => Shown} */
export const wholeShown = (path, who) => {
  const title = `${capital(who)}: ${count(path.steps + 1, "leaf", "leaves")}, error 0`;
  return { path, step: path.steps, title, who: `the ${who}` };
};

/** @type {(drawn: Drawn) => string} */
const sizeText = ({ path, step }) => `${count(step + 1, "leaf", "leaves")}, error ${decimals(path.errors[step])}`;

/** @type {(state: State, drawn: Drawn, ask: NonNullable<Shown["ask"]>) => Shown} */
export const firstShown = ({ model, isOwn, second }, drawn, ask) => {
  const { known, path, step } = drawn;
  const [name, own] = [model.get("function"), isOwn()];
  const many = manyText(drawn, known.surplus(path, step));
  const greedy = model.get("beside") === "nothing" ? name : `Greedy tree for ${name}: ${sizeText(drawn)}${many}`;
  const title = own ? `Yours: ${sizeText(drawn)}${many}` : greedy;
  const best = model.get("beside") === "best" ? second() : null;
  const enough = best ? best.step + 1 : undefined;
  return { path, step, title, who: own ? "your tree" : "the greedy tree", next: step === path.steps ? -1 : path.split[step], enough, ask };
};

/** @type {(state: State) => Shown | null} */
export const secondShown = ({ model, second }) => {
  const other = second();
  if (!other) return null;
  const { path, step } = other;
  // Beside a tree that may err, it is said that this one does not.
  if (model.get("beside") === "best") return wholeShown(path, `smallest tree${model.get("epsilon") ? " without error" : ""}`);
  const kept = keptModel(model);
  const title = keptTitle(model, kept, sizeText(other));
  return { path, step, title, who: "the tree kept", another: isOfAnother(model, kept) };
};
