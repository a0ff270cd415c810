// What is on display, computed from the traits.

import { keptBeside, keptModel } from "../explorers/static/controls/kept.js";
import { namesOf, offered, tableNamed } from "../explorers/static/hosting/functions.js";
import { recalling, setter } from "../explorers/static/hosting/kit.js";
import { foundPath } from "./kernel.js";
import { cubePlan, errorOf, factsOf, findRun } from "./kernel_find.js";
import { conflictOf, drawPoints, examplesOf, manySamples, pointOf } from "./kernel_samples.js";

/**
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Facts } from "./kernel_find.js"
 *
 * @typedef {ReturnType<typeof runState>} State
 * @typedef {ReturnType<State["now"]>} Now
 *
 * @typedef {{ n: number, table: Uint8Array, facts: Facts, rank: number }} Target
 */

// What makes a tree; the rest of the settings only judge it.
export const KEEPS = ["target", "m", "rank", "seed", "flipped", "rows"];

/** @param {Model} host */
export const runState = (host) => {
  const { model, recall } = recalling(host);
  /** @type {number[]} */
  const grid = model.get("_rules").m.choices;
  const longest = grid[grid.length - 1];
  const names = offered(model);

  // What is to be learned: the function that the trait names, or else the first one offered; null where the
  // reader's rows are all that is known, or are of another number of variables.
  /** @returns {{ n: number, named: string, target: Target | null, called: string[] }} */
  const learned = () => {
    const [row] = model.get("rows");
    const named = model.get("target") || (row ? "" : [...names, "x0"][0]);
    const columns = model.get("_names");
    const found = named ? tableNamed(model, named) : null;
    const n = row ? row.length - 1 : (found?.n ?? 1);
    if (found?.n !== n) return { n, named, target: null, called: columns.length === n ? columns : [] };
    const plan = cubePlan(n);
    const facts = factsOf(plan, found.table);
    const called = row && columns.length === n ? columns : namesOf(model, named);
    return { n, named, target: { ...found, facts, rank: facts.rank[plan.whole] }, called };
  };

  // The reader's rows, or draws that the target labels, but for the flipped points.
  /** @type {(n: number, target: Target | null) => { own: boolean, drawn: number[], labelOf: (x: number) => number, flipped: Set<number> }} */
  const sampleOf = (n, target) => {
    /** @type {string[]} */
    const rows = model.get("rows");
    const labels = new Map(rows.map((row) => [pointOf(row), Number(row[n])]));
    const flipped = new Set(model.get("flipped"));
    /** @param {number} x */
    const labelOf = (x) => labels.get(x) ?? Number(target?.table[x]) ^ Number(flipped.has(x));
    const own = rows.length > 0;
    const drawn = own ? rows.map(pointOf) : [...drawPoints(n, model.get("seed"), 0, longest)];
    return { own, drawn, labelOf, flipped };
  };

  const compute = () => {
    const { n, named, target, called } = learned();
    const { own, drawn, labelOf, flipped } = sampleOf(n, target);
    const k = Math.max(0, grid.indexOf(model.get("m")));
    const examples = examplesOf(n, drawn.slice(0, grid[k]), labelOf);
    const whole = examplesOf(n, drawn, labelOf);
    const highest = Math.min(n, Math.max(target?.rank ?? 0, whole.facts.rank[whole.plan.whole]) + 1);
    const bound = Math.min(model.get("rank"), highest);
    const run = findRun(examples.plan, examples.facts, bound, called);
    return {
      path: run.tree && foundPath(run.tree, run.names),
      ...{ n, named, target, own, examples, k, m: Math.min(grid[k], drawn.length), highest, bound, run },
      wrong: own ? [] : examples.points.filter((x) => flipped.has(x)),
      // Where FIND finds no tree, rows that are to blame.
      conflict: run.tree ? [] : conflictOf(examples, bound),
      // The true error of the tree found; null where none is, or no truth is known.
      error: run.tree && target && errorOf(examples.plan, target.facts, run.tree),
    };
  };

  const now = () => {
    const shown = recall("run", compute);
    const { calls } = shown.run;
    const second = Math.max(0, calls.findIndex(({ again }) => again));
    /** @type {number} */
    const call = Math.min(model.get("call") ?? second, calls.length - 1);
    /** @type {[number, number]} */
    const [epsilon, delta] = [model.get("epsilon"), model.get("delta")];
    return { ...shown, call, epsilon, delta };
  };
  return {
    ...{ model, grid, names, now, goTo: setter(model, "call") },
    // Many samples of the target; null where there is none.
    many() {
      const { target, named } = now();
      const draws = () => ({ seed: model.get("seed"), times: model.get("_draws"), grid });
      return target && recall("many", () => manySamples(target, draws()), [named]);
    },
  };
};

// What the settings kept make: null where they do not stand beside, or have neither target nor rows.
/** @type {(model: Model) => () => Now | null} */
export const keptState = (model) => {
  const kept = keptModel(model);
  const { now } = runState(kept);
  return () => (keptBeside(model) && (kept.get("target") || kept.get("rows").length) ? now() : null);
};
