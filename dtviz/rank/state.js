// What is on display, computed from the traits, each part only when something it depends on changed.

import { namesOf, offered, tableOf } from "../explorers/static/functions.js";
import { change, memory } from "../explorers/static/kit.js";
import { fromHex } from "../explorers/static/tables.js";
import { logCounts } from "./kernel.js";
import { cubePlan, errorFound, factsOf, findRun, massesOf } from "./kernel_find.js";
import { bitsOf, drawPoints, examplesOf, manySamples, pointOf, pointWeights } from "./kernel_samples.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 *
 * @typedef {{ n: number, table: Uint8Array, rank: number, names: string[] }} Target
 * @typedef {ReturnType<typeof runState>} State
 * @typedef {ReturnType<State["now"]>} Now
 */

/** @type {string[]} */
const NONE = [];

// The function that the trait names, null if none; or the first one offered.
/** @type {(model: Model, names: string[]) => (none: boolean) => Target | null} */
const targetsOf = (model, names) => {
  /** @type {Map<string, Target>} */
  const known = new Map();
  return (none) => {
    const text = model.get("target");
    const name = text || names[0];
    const target = known.get(name);
    if (target || !name || (none && !text)) return none && !text ? null : (target ?? null);
    const { n, table } = model.get("_about")[names[0]] ?? { n: 1, table: "0x2" };
    const found = (text && tableOf(model, "target")) || { n, table: fromHex(n, table) };
    const plan = cubePlan(found.n);
    const rank = factsOf(plan, Int8Array.from(found.table)).rank[plan.whole];
    const made = { n: found.n, table: found.table, rank, names: namesOf(model, name) };
    known.set(name, made);
    return made;
  };
};

// The sample: of the reader's rows, or of draws that the target labels, but for the flipped points.
/** @type {(model: Model, known: ReturnType<typeof memory>, target: Target | null, longest: number) => { n: number, p: number[], drawn: Uint8Array, labelOf: (x: number) => number }} */
const sampleOf = (model, known, target, longest) => {
  /** @type {any[]} */
  const [rows, flipped, own, bias, seed] = ["rows", "flipped", "biases", "bias", "seed"].map(model.get);
  const n = rows.length ? rows[0].length - 1 : (target?.n ?? 1);
  const biases = known("biases", [n, own, bias], () => [...own, ...Array(n).fill(bias)].slice(0, n));
  const p = known("p", biases, () => biases);
  return known("sample", [rows, flipped, p, seed, target], () => {
    if (rows.length) {
      const labels = new Map(rows.map((/** @type {string} */ row) => [pointOf(row), Number(row[n])]));
      return { n, p, drawn: Uint8Array.from(rows, pointOf), labelOf: (x) => labels.get(x) ?? 0 };
    }
    const table = target?.table ?? [];
    const wrong = new Set(flipped);
    const drawn = drawPoints(p, seed, 0, longest);
    return { n, p, drawn, labelOf: (x) => Number(table[x]) ^ Number(wrong.has(x)) };
  });
};

/** @param {Model} model */
export const runState = (model) => {
  /** @type {number[]} */
  const grid = model.get("_grid");
  const longest = grid[grid.length - 1];
  const names = offered(model);
  const named = targetsOf(model, names);
  const known = memory();
  const now = () => {
    /** @type {string[]} */
    const rows = model.get("rows");
    /** @type {number[]} */
    const flipped = model.get("flipped");
    const chosen = named(rows.length > 0);
    /** @type {string} */
    const name = model.get("target") || names[0];
    const sample = sampleOf(model, known, chosen, longest);
    const { n, p, drawn, labelOf } = sample;
    const target = chosen?.n === n ? chosen : null;
    const k = Math.max(0, grid.indexOf(model.get("m")));
    const m = Math.min(grid[k], drawn.length);
    const whole = known("whole", [sample], () => examplesOf(n, drawn, longest, labelOf));
    const examples = known("examples", [sample, m], () => examplesOf(n, drawn, m, labelOf));
    const needed = Math.max(target?.rank ?? 0, whole.facts.rank[whole.plan.whole]);
    const highest = Math.min(n, needed + 1);
    const bound = Math.min(model.get("rank"), highest);
    // Of the columns of the reader's own table, or of the variables of the target.
    const called = rows.length && model.get("_names").length === n ? model.get("_names") : (target?.names ?? NONE);
    const run = known("run", [examples, bound, called], () => findRun(examples.plan, examples.facts, bound, called));
    /** @type {number} */
    const call = Math.min(model.get("call") ?? Math.max(0, run.again.indexOf(1)), run.calls - 1);
    /** @type {[number, number]} */
    const [epsilon, delta] = [model.get("epsilon"), model.get("delta")];
    const weights = known("weights", [p], () => pointWeights(p));
    const logs = known("logs", [n], () => logCounts(n, model.get("_counts")[n - 1]));
    const about = { n, p, weights, logs, rows, flipped, drawn, target, named: name, examples };
    return { ...about, k, m, highest, bound, run, call, epsilon, delta };
  };
  /** @param {number} call */
  const goTo = (call) => {
    if (call >= 0 && call < now().run.calls) change(model, { call });
  };
  return {
    ...{ model, grid, names, now, goTo },
    // The true error of the tree found; null where none is, or no truth is known.
    /** @type {(shown: ReturnType<typeof now>) => number | null} */
    error({ examples: { plan, facts }, run, bound, target, weights }) {
      if (!run.tree || !target) return null;
      const masses = known("masses", [target, weights], () => massesOf(plan, target.table, weights));
      return errorFound(plan, facts, masses, bound);
    },
    // Many samples of the target; null where there is none.
    many() {
      const { target, p } = now();
      const draws = { seed: model.get("seed"), times: model.get("_draws"), grid };
      return target && known("many", [target, p, draws.seed], () => manySamples(target, p, draws));
    },
  };
};

// The examples on display as rows, each example once.
/** @type {(now: Now) => string[]} */
export const rowsOnDisplay = ({ n, examples }) =>
  examples.points.map((x) => `${bitsOf(n, x)}${examples.labels[x]}`);
