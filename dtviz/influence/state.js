// The functions on display with all that is known of them, and which of their trees is drawn.

import { BEST_VARIABLES, bestTrees } from "../explorers/static/computing/best.js";
import { fromPreorder, splitsOf } from "../explorers/static/controls/beside.js";
import { namesOf, tableNamed } from "../explorers/static/hosting/functions.js";
import { greedyPath, grow, truthOf } from "../explorers/static/computing/greedy.js";
import { change, checks, entryOf, memory } from "../explorers/static/hosting/kit.js";
import { fromHex } from "../explorers/static/computing/tables.js";
import { epsilonBelow, lawful } from "./kernel.js";

/**
 * @import { BestTrees } from "../explorers/static/computing/best.js"
 * @import { GreedyPath, Splits, Table } from "../explorers/static/computing/greedy.js"
 * @import { Model } from "../explorers/static/hosting/kit.js"
 *
 * What Python knows of a function too large for the page: the smallest tree and its rank, up to 12 variables.
 * @typedef {{ variable: number[], label: number[] }} Preorder
 * @typedef {{ n: number, table: string, size: number | null, rank: number | null, smallest: Preorder | null }} Packed
 * @typedef {{ function: string, epsilon: number, step: number | null, splits: Splits | null }} Settings
 *
 * A tree on display: the first `step` splits of a path, which stops after `stop`.
 * @typedef {{ known: Known, path: GreedyPath, stop: number, step: number }} Drawn
 * @typedef {ReturnType<typeof pathState>} State
 */

const MOST_VARIABLES = 16;

// What is known of a function; what takes work is found when asked for.
export class Known {
  /**
   * @param {Table} f
   * @param {Packed} [packed]
   */
  constructor(f, packed) {
    this.f = f;
    this.packed = packed;
    /** @type {BestTrees | null} */
    this.best = f.n <= BEST_VARIABLES ? bestTrees(f.n, f.table) : null;
    this.size = this.best?.size ?? packed?.size ?? null;
    this.rank = this.best?.rank ?? packed?.rank ?? null;
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
      const packed = this.packed?.smallest;
      const tree = this.best?.tree() ?? (packed && fromPreorder(packed));
      return tree ? this.grown(splitsOf(tree), 1) : null;
    });
  }

  // The leaves of the smallest tree of at most this error, null where nobody knows it.
  /** @param {number} error */
  leavesFor(error) {
    if (!this.best) return error === 0 ? this.size : null;
    return 1 + Array.from(this.best.errors()).findIndex((least) => least <= error);
  }

  // The least error of a tree of so many leaves, null where nobody knows it.
  /** @param {number} leaves */
  least(leaves) {
    if (!this.best) return this.size !== null && leaves >= this.size ? 0 : null;
    return this.best.errors()[Math.min(leaves, this.best.size) - 1];
  }
}

checks.splits = (value) => {
  const pairs = Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
  if (value !== null && !pairs) return "splits are pairs of a node and a variable";
  return value === null || lawful(MOST_VARIABLES, value).length === value.length ? "" : "no tree has these splits";
};

/** @type {(model: Model, name: string) => Known} */
const makeKnown = (model, name) => {
  /** @type {Packed | undefined} */
  const packed = entryOf(model.get("_paths"), name);
  const names = namesOf(model, name);
  if (packed) return new Known({ n: packed.n, table: fromHex(packed.n, packed.table), names }, packed);
  // The traits refuse what is no function.
  return new Known({ ...(tableNamed(model, name) ?? { n: 0, table: [0] }), names });
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
  const racing = () => model.get("splits") !== null;
  /** @returns {Settings} */
  const settings = () => ({
    function: model.get("function"),
    epsilon: model.get("epsilon"),
    step: model.get("step"),
    splits: model.get("splits"),
  });
  /** @type {(known: Known, path: GreedyPath) => Drawn} */
  const whole = (one, path) => ({ known: one, path, stop: path.steps, step: path.steps });
  /** @type {(wanted?: Settings) => Drawn} */
  const drawn = ({ function: name, epsilon, step, splits } = settings()) => {
    const one = known(name);
    if (splits) return whole(one, one.own(splits));
    const stop = one.greedy.stop(epsilon);
    return { known: one, path: one.greedy, stop, step: Math.min(step ?? stop, stop) };
  };
  // What stands beside, if anything does.
  /** @returns {Drawn | null} */
  const second = () => {
    const beside = model.get("beside");
    const kept = model.get("kept");
    if (beside === "kept") return Object.keys(kept).length ? drawn({ ...settings(), ...kept }) : null;
    const path = beside === "best" ? now().smallest : null;
    return path && whole(now(), path);
  };
  // Show `step` splits; beyond what epsilon asks for, ask for less error.
  /** @param {number} step */
  const goTo = (step) => {
    const { path, stop } = drawn();
    if (step < 0 || step > path.steps || racing()) return;
    const epsilon = step <= stop ? model.get("epsilon") : epsilonBelow(path.errors[step - 1]);
    // epsilon first: its handler forgets the step.
    change(model, { epsilon, step: step === path.stop(epsilon) ? null : step });
  };
  // The reader's splits that stand, and with all greedy ones after them.
  const made = () => lawful(now().f.n, model.get("splits") ?? []);
  const complete = () => {
    const { split, variable } = now().grown(made());
    return split.map((node, j) => [node, variable[j]]);
  };
  return { model, now, drawn, second, goTo, racing, made, complete };
};
