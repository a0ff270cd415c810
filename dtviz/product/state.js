// What the explorer of chapter 3 has on display, looked up or computed from its traits.

import { onEpsilonGrid } from "../explorers/static/level.js";
import { change, memory } from "../explorers/static/kit.js";
import { namesOf, tableOf } from "../explorers/static/functions.js";
import { clamp } from "../explorers/static/text.js";
import { biasedPath, growBiased, truthOf } from "./kernel.js";
import { averageDepths, cubeKinds, cubePlan, leastDepth, shortestTree } from "./kernel_depths.js";
import { drawsOf, sampleWeights, sampledRun } from "./kernel_samples.js";
import { sweepRoot } from "./kernel_sweep.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { BiasedPath, Known, Table } from "./kernel.js"
 * @import { CubePlan } from "./kernel_depths.js"
 * @import { SampledRun } from "./kernel_samples.js"
 * @import { Sweep } from "./kernel_sweep.js"
 *
 * A function with what all its biases share; `steps` and `cost` are room enough on the charts.
 * @typedef {Table & { depth: number, plan: CubePlan, kinds: Uint8Array, steps: number, cost: number }} Subject
 * @typedef {Known & { path: BiasedPath }} Truth
 * @typedef {SampledRun & { path?: BiasedPath }} RacedRun
 * @typedef {SampledRun & { path: BiasedPath }} Rival
 * @typedef {{ path: BiasedPath, stop: number, p: number[], kept: Kept | null }} Other  the tree beside
 * @typedef {{ function?: string, bias?: number, biases?: number[], epsilon?: number }} Kept
 * @typedef {ReturnType<typeof productState>} State
 *
 * @typedef {object} Now
 * @property {Subject} f
 * @property {number[]} p
 * @property {Truth} truth
 * @property {BiasedPath} path
 * @property {unknown[]} facts  what the rest depends on
 * @property {number} epsilon
 * @property {number} stop  splits on display
 */

/** @type {(f: Table, p: number[]) => Truth} */
const grownExactly = (f, p) => {
  const truth = truthOf(f, p);
  return { ...truth, path: biasedPath(growBiased(f, truth)) };
};

// What nine common biases need is room enough on the charts for most others.
/** @type {(table: Table) => Subject} */
const makeSubject = (f) => {
  const plan = cubePlan(f.n);
  const kinds = cubeKinds(plan, f.table);
  const tenths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => tenth / 10);
  const paths = tenths.map((p) => grownExactly(f, Array(f.n).fill(p)).path);
  const steps = Math.max(...paths.map((path) => path.steps));
  const cost = Math.max(0.5, ...paths.map((path) => path.costs[0]));
  return { ...f, plan, kinds, depth: leastDepth(plan, kinds), steps, cost };
};

/** @type {Table} */
const NOTHING = { n: 1, table: new Uint8Array(2) };

// The function of a name, or of a text; the traits refuse what has no table.
/** @type {(model: Model, name: string) => Table} */
const tableNamed = (model, name) => {
  /** @type {Model["get"]} */
  const get = (trait) => (trait === "function" ? name : model.get(trait));
  const given = tableOf({ get, set() {}, save_changes() {}, on() {} }, "function") ?? NOTHING;
  return { ...given, names: namesOf(model, name) };
};

/** @type {(n: number, settings: { bias: number, biases: number[] }) => number[]} */
const biasesOf = (n, { bias, biases }) => Array.from({ length: n }, (_, i) => biases[i] ?? bias);

// The bias moved last is the axis of the chart of influences; null for all of them together.
/** @type {(model: Model, variables: () => number) => { axis: () => number | null, ownBiases: () => boolean, noteMoved: () => void }} */
const axisState = (model, variables) => {
  let last = 0;
  /** @type {number[]} */
  let before = model.get("biases");
  const ownBiases = () => model.get("biases").length > 0;
  return {
    ownBiases,
    axis: () => (ownBiases() ? Math.min(last, variables() - 1) : null),
    noteMoved() {
      /** @type {number[]} */
      const after = model.get("biases");
      const moved = after.findIndex((value, i) => value !== (before[i] ?? model.get("bias")));
      if (moved >= 0) last = moved;
      before = after;
    },
  };
};

// What the chart of influences shows.
/** @type {(model: Model, axis: () => number | null) => (now: Now) => { axis: number | null, sweep: Sweep }} */
const sweepState = (model, axis) => {
  const memo = memory();
  return ({ f, p }) => {
    const along = axis();
    const moving = along === null ? p.map((_, i) => i) : [along];
    const others = p.filter((_, i) => !moving.includes(i));
    const make = () => sweepRoot(f, p, moving, model.get("_sweep"));
    return { axis: along, sweep: memo("sweep", [f, along, others.join()], make) };
  };
};

// The tree beside that of the exact learner: of the least average depth, or of the settings kept.
/** @type {(model: Model) => (now: Now) => Other | null} */
const besideState = (model) => {
  const memo = memory();
  return (shown) => {
    const beside = model.get("beside");
    if (beside === "best") {
      const { f, p, facts, truth } = shown;
      return memo("best", facts, () => {
        const path = biasedPath(growBiased(f, truth, shortestTree(f.plan, f.kinds, p)));
        return { path, stop: path.steps, p, kept: null };
      });
    }
    /** @type {Kept} */
    const kept = model.get("kept");
    if (beside !== "kept" || !Object.keys(kept).length) return null;
    const current = ["function", "bias", "biases", "epsilon"].map((trait) => [trait, model.get(trait)]);
    /** @type {Required<Kept>} */
    const settings = { ...Object.fromEntries(current), ...kept };
    return memo("kept", [JSON.stringify(settings)], () => {
      const f = tableNamed(model, settings.function);
      const p = biasesOf(f.n, settings);
      const { path } = grownExactly(f, p);
      return { path, stop: path.stop(settings.epsilon), p, kept };
    });
  };
};

// What the sampled learner makes of its draws.
/** @type {(model: Model) => { isRace: () => boolean, runs: (now: Now) => RacedRun[], rival: (now: Now) => Rival | null }} */
const raceState = (model) => {
  const memo = memory();
  /** @type {number[]} */
  const budgets = model.get("_budgets");
  /** @type {(now: Now) => RacedRun[]} */
  const runs = ({ f, p, truth, facts, epsilon }) => {
    const seed = model.get("seed");
    const draws = memo("draws", [f.n, seed], () => drawsOf(f.n, seed, budgets[budgets.length - 1]));
    // What they grow does not depend on the error allowed; only where they stop does.
    const grown = memo("grown", [...facts, seed], () =>
      sampleWeights(f, draws(p), budgets).map((sample) => ({ sample, tree: growBiased(f, sample) })),
    );
    return memo("runs", [...facts, seed, epsilon], () =>
      grown.map(({ sample, tree }) => sampledRun(f, truth, sample, epsilon, tree)),
    );
  };
  /** @type {(now: Now) => Rival | null} */
  const rival = (shown) => {
    if (!isRace()) return null;
    const run = runs(shown)[budgets.indexOf(model.get("samples"))];
    run.path ??= biasedPath(run.grown, shown.truth);
    return { ...run, path: run.path };
  };
  const isRace = () => model.get("view") === "race";
  return { isRace, runs, rival };
};

/** @param {Model} model */
export const productState = (model) => {
  /** @type {number[]} */
  const budgets = model.get("_budgets");
  const memo = memory();

  /** @type {() => Subject} */
  const subject = () => {
    const name = model.get("function");
    return memo("subject", [name], () => makeSubject(tableNamed(model, name)));
  };
  /** @type {() => Now} */
  const now = () => {
    const f = subject();
    const p = biasesOf(f.n, { bias: model.get("bias"), biases: model.get("biases") });
    const facts = [f, p.join()];
    const truth = memo("truth", facts, () => grownExactly(f, p));
    /** @type {number} */
    const epsilon = model.get("epsilon");
    return { f, p, truth, path: truth.path, facts, epsilon, stop: truth.path.stop(epsilon) };
  };

  const { axis, ownBiases, noteMoved } = axisState(model, () => subject().n);
  const sweep = sweepState(model, axis);
  const { runs, rival, isRace } = raceState(model);
  const beside = besideState(model);
  // Allow the error of the tree of so many splits, so that the learner stops there.
  /** @param {number} step */
  const goTo = (step) => {
    const { path } = now();
    const error = path.errors[Math.min(step, path.steps)];
    change(model, { epsilon: onEpsilonGrid(error, (value) => Math.ceil(value - 1e-9)) });
  };
  return {
    ...{ model, budgets, memo, subject, now, goTo, noteMoved },
    ...{ axis, ownBiases, sweep, runs, rival, isRace },
    /** @param {Now} shown */
    beside: (shown) => (isRace() ? null : beside(shown)),
    /** @param {Now} now */
    averages: ({ f, p, facts }) => memo("averages", facts, () => averageDepths(f.plan, f.kinds, p, f.names)),
  };
};

// The value of a slider of biases nearest to a share of the axis.
/** @type {(share: number) => number} */
export const toBias = (share) => clamp(Math.round(share * 100), 1, 99) / 100;
