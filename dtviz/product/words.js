// What the explorer says in words: the state, and what the bounds are worth here.

import { SCORE_TIE } from "../explorers/static/constants.js";
import { count, epsilonText, raised } from "../explorers/static/text.js";
import { biasText } from "./bars.js";
import { decimals } from "./kernel.js";
import { scoreFloor } from "./kernel_depths.js";

/**
 * @import { Averages } from "./kernel_depths.js"
 * @import { Now, Other, Rival, State } from "./state.js"
 */

// What the bounds on the size say here.
/** @type {(now: Now, bounds: number[]) => string} */
export const sizeVerdict = ({ f, epsilon }, bounds) => {
  if (f.depth === 0) return "f is constant: there is nothing to learn.";
  if (epsilon === 0) return "At ε = 0 the bounds promise nothing.";
  if (Math.min(...bounds.slice(0, 3)) < f.n) return "";
  const enough = `2${raised(f.n)} leaves always suffice`;
  return `Vacuous here: ${enough}, and the three bounds that hold allow more.`;
};

// Where the score bound with the average depth of f first fails, if it does.
/** @type {(now: Now, averages: Averages) => string} */
export const scoreVerdict = ({ f, path }, { at, least, most }) => {
  const below = path.split.findIndex(
    (_, j) => path.scores[j] < scoreFloor(path.errors, j, least) * (1 - SCORE_TIE),
  );
  if (below < 0) return f.depth > 0 ? "The score bound by Δ(f) happens to hold here; elsewhere it fails." : "";
  const when = below ? `after ${count(below, "split")}` : "before the first split";
  return (
    `The score bound by Δ(f) fails ${when}: where ${at}, f needs ${decimals(most, 3)} questions ` +
    `on average, f itself ${decimals(least, 3)}.`
  );
};

// What the tree beside has, and where the two part.
/** @type {(state: State, other: Other | null, difference: string) => string} */
const besideWords = ({ model, isRace }, other, difference) => {
  if (isRace() || model.get("beside") === "nothing") return "";
  if (!other) return " Nothing is kept yet.";
  return ` The ${other.kept ? "tree kept" : "best tree"} has ${count(other.stop + 1, "leaf", "leaves")}. ${difference}`;
};

/** @type {(state: State, now: Now, run: Rival | null, other: Other | null, difference: string) => string} */
export const words = (state, now, run, other, difference) => {
  const { f, p, path, epsilon, stop } = now;
  const bias = state.ownBiases() ? `(${p.map(biasText).join(", ")})` : biasText(p[0] ?? state.model.get("bias"));
  const exact = `${count(stop + 1, "leaf", "leaves")} has error ${decimals(path.errors[stop], 3)}`;
  const allowed = `at most ε = ${epsilonText(epsilon)}`;
  if (run) {
    const made = `a tree of ${count(run.stop + 1, "leaf", "leaves")} with true error ${decimals(run.error, 3)}`;
    const splits = run.stop ? `, ${run.good} of ${count(run.stop, "split")} a best choice` : "";
    return `With p = ${bias}, ${count(run.draws, "draw")} give ${made}${splits}; the exact tree of ${exact}, ${allowed}.`;
  }
  const root = f.depth === 0 ? "f is constant" : stop ? `the root asks ${path.nameOf(path.best[0])}` : "nothing is queried";
  const average = decimals(state.averages(now).least, 2);
  return (
    `With p = ${bias} ${root}: a tree of ${exact}, ${allowed}, and cost ${decimals(path.costs[stop], 2)}. ` +
    `The best tree for f asks ${average} questions on average, ${f.depth} at most.${besideWords(state, other, difference)}`
  );
};
