// The functions on display with all that is known of them, and which of their trees is drawn.

import { BEST_VARIABLES, bestTrees } from "../explorers/static/best.js";
import { fromPreorder, splitsOf } from "../explorers/static/beside.js";
import { readFunction } from "../explorers/static/expressions.js";
import { namesOf } from "../explorers/static/functions.js";
import { change, checks, entryOf, memory } from "../explorers/static/kit.js";
import { growth } from "../explorers/static/path.js";
import { fromHex } from "../explorers/static/tables.js";
import { epsilonBelow } from "./kernel.js";
import { grow, lawful, sensitivePoints } from "./kernel_grow.js";

/**
 * @import { BestTrees } from "../explorers/static/best.js"
 * @import { Model } from "../explorers/static/kit.js"
 * @import { Growth, PackedPath } from "../explorers/static/path.js"
 * @import { Splits, Table } from "./kernel_grow.js"
 *
 * A record of Python, with what the page cannot find itself.
 * @typedef {PackedPath & { table: string, rank: number | null }} Packed
 * @typedef {{ function: string, epsilon: number, step: number | null, splits: Splits | null }} Settings
 *
 * A tree on display: the first `step` splits of a path, which stops after `stop`.
 * @typedef {{ known: Known, path: Growth, stop: number, step: number }} Drawn
 * @typedef {ReturnType<typeof pathState>} State
 */

// Python grows the trees of functions that are too large for the page, up to so many.
const MOST_VARIABLES = 16;
// Of so many functions all that was found is kept.
const MOST_KNOWN = 50;
// A tree of so many splits takes a frame to be read, and another one to be drawn.
const LONG = 4000;

// What is known of a function; what takes work is found when asked for.
export class Known {
  /**
   * @param {number} n
   * @param {Table} table
   * @param {string[]} names
   * @param {Packed} [packed]
   */
  constructor(n, table, names, packed) {
    this.n = n;
    this.names = names;
    this.table = table;
    this.packed = packed;
    /** @type {BestTrees | null} */
    this.best = n <= BEST_VARIABLES ? bestTrees(n, table) : null;
    this.greedy = growth({ ...(packed ?? grow(n, table)), names, size: this.size });
    this.fresh = memory();
  }

  get size() {
    return this.best?.size ?? this.packed?.size ?? null;
  }

  // Of each variable the points at which it matters.
  get influences() {
    return this.fresh("influences", [], () => sensitivePoints(this.n, this.table, { fixed: 0, bits: 0 }));
  }

  get rank() {
    return this.best?.rank ?? this.packed?.rank ?? null;
  }

  // A tree of the reader's splits, as far as they can be made.
  /** @param {Splits} splits */
  own(splits) {
    const { n, table, names, size } = this;
    const path = () => growth({ ...grow(n, table, lawful(n, splits), false), names, size });
    return this.fresh("own", [JSON.stringify(splits)], path);
  }

  // The smallest tree, null where nobody knows one.
  /** @returns {Growth | null} */
  get smallest() {
    const { best, packed } = this;
    const packedTree = packed?.smallest ?? null;
    return this.fresh("smallest", [], () => {
      if (!best && !packedTree) return null;
      const tree = best ? best.tree() : fromPreorder(/** @type {NonNullable<typeof packedTree>} */ (packedTree));
      const path = grow(this.n, this.table, splitsOf(tree), false);
      return growth({ ...path, names: this.names, size: this.size });
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

// From a record of Python, or from the text of a function of the reader's own.
/** @type {(model: Model, text: string) => Known} */
const makeKnown = (model, text) => {
  /** @type {Packed | undefined} */
  const packed = entryOf(model.get("_paths"), text);
  const names = namesOf(model, text);
  if (packed) return new Known(packed.n, fromHex(packed.n, packed.table), names, packed);
  const { n, table } = readFunction(text);
  return new Known(n, table, names);
};

checks.splits = (value) => {
  const pairs = Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2);
  if (value !== null && !pairs) return "splits are pairs of a node and a variable";
  return value === null || lawful(MOST_VARIABLES, value).length === value.length ? "" : "no tree has these splits";
};

// How many splits Python's tree of the function has, if they are many; 0 if they are few.
/** @type {(model: Model) => number} */
export const manySplits = (model) => {
  /** @type {Packed | undefined} */
  const packed = entryOf(model.get("_paths"), model.get("function"));
  return packed && packed.split.length > LONG ? packed.split.length : 0;
};

/** @param {Model} model */
export const pathState = (model) => {
  /** @type {Map<string, Known>} */
  const met = new Map();
  /** @type {(name: string) => Known} */
  const known = (name) => {
    const found = met.get(name) ?? makeKnown(model, name);
    if (met.size > MOST_KNOWN) met.clear();
    met.set(name, found);
    return found;
  };
  /** @returns {Settings} */
  const settings = () => ({
    function: model.get("function"),
    epsilon: model.get("epsilon"),
    step: model.get("step"),
    splits: model.get("splits"),
  });
  /** @type {(wanted?: Settings) => Drawn} */
  const drawn = ({ function: name, epsilon, step, splits } = settings()) => {
    const one = known(name);
    if (splits) {
      const path = one.own(splits);
      return { known: one, path, stop: path.steps, step: path.steps };
    }
    const stop = one.greedy.stop(epsilon);
    return { known: one, path: one.greedy, stop, step: Math.min(step ?? stop, stop) };
  };
  // What stands beside, if anything does.
  /** @returns {Drawn | null} */
  const second = () => {
    const beside = model.get("beside");
    const kept = model.get("kept");
    if (beside === "kept") return Object.keys(kept).length ? drawn({ ...settings(), ...kept }) : null;
    const one = known(model.get("function"));
    const path = beside === "best" ? one.smallest : null;
    return path && { known: one, path, stop: path.steps, step: path.steps };
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
  const racing = () => model.get("splits") !== null;
  const now = () => known(model.get("function"));
  // The reader's splits that stand, and with all greedy ones after them.
  const made = () => lawful(now().n, model.get("splits") ?? []);
  const complete = () => {
    const { n, table } = now();
    const { split, variable } = grow(n, table, made());
    return split.map((node, j) => [node, variable[j]]);
  };
  return { model, now, drawn, second, goTo, racing, made, complete };
};
