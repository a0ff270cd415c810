// What the explorer of chapter 3 has on display, looked up or computed from its traits.

import { bestTrees, cubesOf, surplusAlong } from "../explorers/static/computing/best.js";
import { splitsOf } from "../explorers/static/controls/beside.js";
import { keptBeside, keptModel } from "../explorers/static/controls/kept.js";
import { namesOf, tableNamed } from "../explorers/static/hosting/functions.js";
import { greedyPath, grow, truthOf } from "../explorers/static/computing/greedy.js";
import { change, recalling } from "../explorers/static/hosting/kit.js";
import { lawful } from "../explorers/static/computing/splits.js";
import { onEpsilonGrid } from "../explorers/static/controls/level.js";
import { clamp } from "../explorers/static/computing/text.js";
import { averageDepths, leastDepth, shortestTree } from "./kernel_depths.js";
import { drawsOf, sampledRuns } from "./kernel_samples.js";
import { sweepRoot } from "./kernel_sweep.js";

/**
 * @import { BestTrees, Cubes } from "../explorers/static/computing/best.js"
 * @import { GreedyPath, Splits, Table } from "../explorers/static/computing/greedy.js"
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Averages } from "./kernel_depths.js"
 * @import { SampledRun } from "./kernel_samples.js"
 * @import { Sweep } from "./kernel_sweep.js"
 *
 * A function with what all its biases share; `steps` and `cost` are room enough on the charts.
 * @typedef {Table & { depth: number, cubes: Cubes, best: BestTrees, steps: number, cost: number }} Subject
 * @typedef {{ path: GreedyPath, step: number, p: number[], kept: Model | null }} Other  the tree beside
 * The reader's own path or the greedy one.
 * @typedef {{ f: Subject, p: number[], greedy: GreedyPath, path: GreedyPath, averages: Averages, epsilon: number, stop: number }} Now
 * @typedef {ReturnType<typeof productState>} State
 */

export const SWEEP = Array.from({ length: 99 }, (_, k) => (k + 1) / 100);

/** @type {(model: Model, name: string) => Table} */
const functionOf = (model, name) => {
  // The traits refuse what is no function.
  const table = tableNamed(model, name) ?? { n: 1, table: [0, 0] };
  return { ...table, names: namesOf(model, name) };
};

/** @type {(f: Table, p: number[]) => GreedyPath} */
export const exactPath = (f, p) => greedyPath(grow(f, truthOf(f, p)));

// That of a reader's splits, as far as they can be made, and no more.
/** @type {(f: Table, p: number[], splits: Splits) => GreedyPath} */
const ownPath = (f, p, splits) => greedyPath(grow(f, truthOf(f, p), lawful(f.n, splits), 1));

// What nine common biases need is room enough on the charts for most others.
/** @type {(f: Table) => Subject} */
const makeSubject = (f) => {
  const paths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => exactPath(f, Array(f.n).fill(tenth / 10)));
  const steps = Math.max(...paths.map((path) => path.steps));
  const cost = Math.max(0.5, ...paths.map((path) => path.costs[0]));
  const cubes = cubesOf(f);
  return { ...f, cubes, best: bestTrees(f.n, f.table), depth: leastDepth(cubes), steps, cost };
};

/** @type {(n: number, settings: Model) => number[]} */
const biasesOf = (n, settings) => Array.from({ length: n }, (_, i) => settings.get("biases")[i] ?? settings.get("bias"));

// The tree beside that of the exact learner: of the least average depth, or of the settings kept.
/** @type {(model: Model, now: Now) => Other | null} */
const besideTree = (model, { f, p }) => {
  if (model.get("beside") === "best") {
    const path = ownPath(f, p, splitsOf(shortestTree(f.cubes, p)));
    return { path, step: path.steps, p, kept: null };
  }
  if (!keptBeside(model)) return null;
  const kept = keptModel(model);
  const g = functionOf(model, kept.get("function"));
  const q = biasesOf(g.n, kept);
  const splits = kept.get("splits");
  const path = splits ? ownPath(g, q, splits) : exactPath(g, q);
  return { path, step: splits ? path.steps : path.stop(kept.get("epsilon")), p: q, kept };
};

/** @param {Model} host */
export const productState = (host) => {
  const { model, recall } = recalling(host);
  /** @type {number[]} */
  const budgets = model.get("_rules").samples.choices;
  const isRace = () => model.get("view") === "race";
  // The race is one of greedy trees.
  const isOwn = () => !isRace() && model.get("splits") !== null;
  const subject = () => recall("subject", () => makeSubject(functionOf(model, model.get("function"))));
  /** @type {() => Now} */
  const now = () => {
    const f = subject();
    const epsilon = model.get("epsilon");
    const p = biasesOf(f.n, model);
    const known = recall("known", () => ({ greedy: exactPath(f, p), averages: averageDepths(f.cubes, p, f.names) }), [f, p.join()]);
    const path = isOwn() ? recall("own", () => ownPath(f, p, model.get("splits")), [f, p.join()]) : known.greedy;
    return { f, p, ...known, path, epsilon, stop: isOwn() ? path.steps : path.stop(epsilon) };
  };
  // The variables without a bias of their own.
  const sharing = () => {
    const own = model.get("biases");
    return Array.from({ length: subject().n }, (_, i) => i).filter((i) => (own[i] ?? null) === null);
  };
  // Those whose bias the slider moves, and the chart of influences: where each has its own, the first.
  const moving = () => (sharing().length ? sharing() : [0]);
  // Let the slider move the bias of one variable, and set it.
  /** @type {(i: number, bias?: number) => void} */
  const setOne = (i, bias) => {
    const { p } = now();
    const own = p.map((one, k) => (k === i ? null : one));
    const isIt = sharing().join() === String(i);
    change(model, { ...(isIt ? {} : { biases: [...own, ...model.get("biases").slice(p.length)] }), bias: bias ?? p[i] });
  };
  return {
    ...{ model, budgets, now, subject, isRace, isOwn, moving, setOne },
    drawn: () => ({ path: now().path, step: now().stop }),
    /** @type {(shown: Now) => number} */
    surplus: ({ f, path, stop }) => recall("surplus", () => surplusAlong(f.best, path), [path])[stop],
    // The bias that the slider moves.
    bias: () => now().p[moving()[0]],
    /** @param {number} bias */
    setBias(bias) {
      if (sharing().length) change(model, { bias });
      else setOne(0, bias);
    },
    // Let it move all biases.
    moveAll: () => change(model, { bias: now().p[moving()[0]], biases: [] }),
    // What the chart of influences shows.
    /** @type {(shown: Now) => Sweep} */
    sweep({ f, p }) {
      const at = moving();
      const others = p.filter((_, i) => !at.includes(i));
      return recall("sweep", () => sweepRoot(f, p, at, SWEEP), [f, at.join(), others.join()]);
    },
    // What the sampled learner makes of its draws.
    /** @type {(shown: Now) => SampledRun[]} */
    runs({ f, p, greedy, epsilon }) {
      const draws = () => drawsOf(p, model.get("seed"), budgets[budgets.length - 1]);
      return recall("runs", () => sampledRuns(f, truthOf(f, p), draws(), budgets, epsilon), [greedy, epsilon]);
    },
    /** @type {(shown: Now) => Other | null} */
    beside: (shown) => (isRace() ? null : besideTree(model, shown)),
    // Allow the error of the tree of so many splits, so that the learner stops there.
    /** @param {number} step */
    goTo(step) {
      const { greedy } = now();
      const error = greedy.errors[Math.min(step, greedy.steps)];
      change(model, { epsilon: onEpsilonGrid(error, (value) => Math.ceil(value - 1e-9)), splits: null });
    },
  };
};

// The value of a slider of biases nearest to a share of the axis.
/** @type {(share: number) => number} */
export const toBias = (share) => clamp(Math.round(share * 100), 1, 99) / 100;
