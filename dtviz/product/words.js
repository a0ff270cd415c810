// What the explorer says in words: the state, and what the bounds are worth here.

import { SCORE_TIE } from "../explorers/static/computing/constants.js";
import { decimals } from "../explorers/static/computing/greedy.js";
import { besideText } from "../explorers/static/controls/beside.js";
import { keptText } from "../explorers/static/controls/kept.js";
import { surplusText } from "../explorers/static/controls/own.js";
import { count, epsilonText, raised } from "../explorers/static/computing/text.js";
import { biasText } from "./bars.js";
import { scoreFloor } from "./kernel_depths.js";
import { movingText } from "./sweep.js";

/**
 * @import { Shown } from "../explorers/static/drawing/pair.js"
 * @import { SampledRun } from "./kernel_samples.js"
 * @import { Now, State } from "./state.js"
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
/** @param {Now} now */
export const scoreVerdict = ({ f, greedy, averages: { at, least, most } }) => {
  const below = greedy.split.findIndex(
    (_, j) => greedy.scores[j] < scoreFloor(greedy.errors, j, least) * (1 - SCORE_TIE),
  );
  if (below < 0) return f.depth > 0 ? "The score bound by Δ(f) happens to hold here; elsewhere it fails." : "";
  const when = below ? `after ${count(below, "split")}` : "before the first split";
  return (
    `The score bound by Δ(f) fails ${when}: where ${at}, f needs ${decimals(most)} questions ` +
    `on average, f itself ${decimals(least)}.`
  );
};

// The biases in words: the one that moves, and of whom, if it is not that of all.
/** @type {(moving: number[], now: Now) => string} */
const biasesText = (moving, now) => {
  const others = now.p.filter((_, i) => !moving.includes(i)).map(biasText);
  const same = others.every((text) => text === others[0]);
  const rest = others.length ? ` of ${movingText(moving, now)} and ${same ? others[0] : `(${others.join(", ")})`} of the others` : "";
  return `${biasText(now.p[moving[0]])}${rest}`;
};

// The state in words, with the run of the sampled learner or what stands beside.
/** @type {(state: State, now: Now, run: SampledRun | null, shown: [Shown, Shown | null]) => string} */
export const statusOf = (state, now, run, [one, other]) => {
  const { f, path, epsilon, stop } = now;
  const bias = biasesText(state.moving(), now);
  const exact = `${count(stop + 1, "leaf", "leaves")} has error ${decimals(path.errors[stop])}`;
  const allowed = `at most ε = ${epsilonText(epsilon)}`;
  if (run) {
    const made = `a tree of ${count(run.stop + 1, "leaf", "leaves")} with true error ${decimals(run.error)}`;
    const splits = run.stop ? `, ${run.good} of ${count(run.stop, "split")} a best choice` : "";
    return `With p = ${bias}, ${count(run.draws, "draw")} give ${made}${splits}; the exact tree of ${exact}, ${allowed}.`;
  }
  const root = f.depth === 0 ? "f is constant" : stop ? `the root asks ${path.nameOf(path.best[0])}` : "nothing is queried";
  const average = decimals(now.averages.least);
  const asks = decimals(path.depths(stop).average);
  const tree = state.isOwn()
    ? `your tree of ${exact} and cost ${decimals(path.costs[stop])}; it asks ${asks} questions on average.${surplusText(one, state.surplus(now))}`
    : `${root}: a tree of ${exact}, ${allowed}, and cost ${decimals(path.costs[stop])}.`;
  return `With p = ${bias} ${tree} The best tree for f asks ${average} questions on average, ${f.depth} at most.${other ? besideText(one, other) : keptText(state.model)}`;
};
