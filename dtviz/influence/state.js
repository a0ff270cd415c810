// The functions on display with all that is known of them, and which of their trees is drawn.

import { BEST_VARIABLES, bestTrees, surplusAlong } from "../explorers/static/computing/best.js";
import { splitsOf } from "../explorers/static/controls/beside.js";
import { keptBeside, keptModel } from "../explorers/static/controls/kept.js";
import { aboutOf, tableNamed } from "../explorers/static/hosting/functions.js";
import { greedyPath, grow, truthOf } from "../explorers/static/computing/greedy.js";
import { change, entryOf, memory } from "../explorers/static/hosting/kit.js";
import { lawful } from "../explorers/static/computing/splits.js";
import { fromHex } from "../explorers/static/computing/tables.js";
import { epsilonBelow } from "./kernel.js";

/**
 * @import { BestTrees } from "../explorers/static/computing/best.js"
 * @import { GreedyPath, Splits, Table } from "../explorers/static/computing/greedy.js"
 * @import { Model } from "../explorers/static/hosting/kit.js"
 *
 * A tree on display: the first `step` splits of a path, which stops after `stop`.
 * @typedef {{ known: Known, path: GreedyPath, stop: number, step: number }} Drawn
 * @typedef {ReturnType<typeof pathState>} State
 */

// What is known of a function; what takes work is found when asked for.
export class Known {
  /** @param {Table} f */
  constructor(f) {
    this.f = f;
    /** @type {BestTrees | null} */
    this.best = f.n <= BEST_VARIABLES ? bestTrees(f.n, f.table) : null;
    this.size = this.best?.size ?? null;
    this.rank = this.best?.rank ?? null;
    this.greedy = this.grown([]);
    this.fresh = memory();
  }

  // The path of a reader's splits, as far as they can be made, and of the greedy ones to so many leaves after them.
  /** @type {(splits: Splits, mostLeaves?: number) => GreedyPath} */
  grown(splits, mostLeaves) {
    const { f } = this;
    const flips = truthOf(f, Array(f.n).fill(1 / 2), true);
    return greedyPath(grow(f, flips, lawful(f.n, splits), mostLeaves));
  }

  // The reader's tree alone.
  /** @param {Splits} splits */
  own(splits) {
    return this.fresh("own", [JSON.stringify(splits)], () => this.grown(splits, 1));
  }

  // The smallest tree, null where nobody knows one.
  /** @returns {GreedyPath | null} */
  get smallest() {
    return this.fresh("smallest", [], () => {
      const tree = this.best?.tree();
      return tree ? this.grown(splitsOf(tree), 1) : null;
    });
  }

  // How many leaves more than the smallest tree every tree for f has that begins with the first `step` splits of a
  // path, null where nobody knows.
  /** @type {(path: GreedyPath, step: number) => number | null} */
  surplus(path, step) {
    const { best } = this;
    return best && this.fresh("surplus", [path], () => surplusAlong(best, path))[step];
  }
}

/** @type {(model: Model, name: string) => Known} */
const makeKnown = (model, name) => {
  const { n, names } = aboutOf(model, name);
  /** @type {string | undefined} */
  const large = entryOf(model.get("_paths"), name);
  const f = large === undefined ? tableNamed(model, name) : { n, table: fromHex(n, large) };
  // The traits refuse what is no function.
  return new Known({ ...(f ?? { n: 0, table: [0] }), names });
};

/** @param {Model} model */
export const pathState = (model) => {
  const fresh = memory();
  /** @type {(name: string) => Known} */
  const known = (name) => {
    const slot = name === model.get("function") ? "now" : "kept";
    return fresh(slot, [name], () => makeKnown(model, name));
  };
  const now = () => known(model.get("function"));
  const isOwn = () => model.get("splits") !== null;
  /** @type {(known: Known, path: GreedyPath) => Drawn} */
  const whole = (one, path) => ({ known: one, path, stop: path.steps, step: path.steps });
  /** @type {(settings?: Pick<Model, "get">) => Drawn} */
  const drawn = (settings = model) => {
    const one = known(settings.get("function"));
    if (settings.get("splits")) return whole(one, one.own(settings.get("splits")));
    const stop = one.greedy.stop(settings.get("epsilon"));
    return { known: one, path: one.greedy, stop, step: Math.min(settings.get("step") ?? stop, stop) };
  };
  // What stands beside, if anything does.
  /** @returns {Drawn | null} */
  const second = () => {
    if (keptBeside(model)) return drawn(keptModel(model));
    const path = model.get("beside") === "best" ? now().smallest : null;
    return path && whole(now(), path);
  };
  // Show `step` greedy splits; beyond what epsilon asks for, ask for less error.
  /** @param {number} step */
  const goTo = (step) => {
    const { greedy } = now();
    if (step < 0 || step > greedy.steps) return;
    const asked = model.get("epsilon");
    const epsilon = step <= greedy.stop(asked) ? asked : epsilonBelow(greedy.errors[step - 1]);
    // epsilon first: its handler forgets the step.
    change(model, { epsilon, step: step === greedy.stop(epsilon) ? null : step, splits: null });
  };
  // The reader's splits that stand, and with all greedy ones after them.
  const made = () => lawful(now().f.n, model.get("splits") ?? []);
  const complete = () => {
    const { split, variable } = now().grown(made());
    return split.map((node, j) => [node, variable[j]]);
  };
  return { model, now, drawn, second, goTo, isOwn, made, complete };
};
