// What is on display: the examples, the tree that grew on them, and what the methods make of it.

import { growCart, sortedRows } from "../explorers/static/cart.js";
import { namesOf, tableOf } from "../explorers/static/functions.js";
import { checks, entryOf, memory } from "../explorers/static/kit.js";
import { prunable, prunedBy } from "./kernel.js";
import { dealtExamples, dealtSizes, drawnExamples, noisyLabels, ownRows } from "./kernel_examples.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { Dials, PrunableTree } from "./kernel.js"
 * @import { Draws, Examples, Hidden, Rows } from "./kernel_examples.js"
 * @import { Decided } from "./kernel_reasons.js"
 *
 * @typedef {keyof Dials} DialName
 * @typedef {ReturnType<typeof pruningState>} State
 * @typedef {{ key: string, noise: number, examples: Examples, labels: [Uint8Array, Uint8Array], tree: PrunableTree }} Grown
 * @typedef {Decided & { rates: ReturnType<typeof prunedBy>["rates"] }} Outcome
 */

/** @type {DialName[]} */
export const DIALS = ["d", "c", "delta", "alpha"];
export const NOTHING = "nothing";
export const FULL = "the full tree";

export const YOURS = "yours";
// As in Python.
export const LIMITS = { least: 20, most: 2000, columns: 30 };

// What a link may bring: the same rules as Python's.
checks.flips = (value) => {
  /** @param {unknown} row */
  const isRow = (row) => Number.isInteger(row) && Number(row) >= 0 && Number(row) < LIMITS.most;
  const right = Array.isArray(value) && value.every(isRow) && new Set(value).size === value.length;
  return right ? "" : "flips must be different integers from 0 to 1999";
};

checks.rows = (value) => {
  const { least, most, columns } = LIMITS;
  /** @param {unknown} row */
  const isRow = (row) =>
    Array.isArray(row) && row.length === value[0].length && row.every(Number.isFinite) && [0, 1].includes(row.at(-1));
  if (Array.isArray(value) && value.length === 0) return "";
  const right = Array.isArray(value) && Array.isArray(value[0]) && value.length >= least && value.length <= most;
  const wide = right && value[0].length >= 2 && value[0].length <= columns + 1;
  return wide && value.every(isRow) ? "" : `rows must be ${least} to ${most} rows of numbers, with a label 0 or 1 each`;
};
checks.columns = (value) => {
  const right = Array.isArray(value) && value.length <= LIMITS.columns + 2 && value.every((name) => typeof name === "string");
  return right ? "" : "names must be texts";
};

// Values by key, the latest of them kept.
class Latest {
  /** @param {number} most */
  constructor(most) {
    this.most = most;
    /** @type {Map<string, any>} */
    this.kept = new Map();
  }

  /** @type {<Value>(key: string, make: () => Value) => Value} */
  get(key, make) {
    const { kept } = this;
    const known = kept.has(key) ? kept.get(key) : make();
    kept.delete(key);
    kept.set(key, known);
    if (kept.size > this.most) kept.delete(kept.keys().next().value ?? "");
    return known;
  }

  /** @param {string} key */
  has(key) {
    return this.kept.has(key);
  }
}

// What is offered or the reader's own; nothing for the text of a function.
/** @param {Model} model */
const chosenRecord = (model) => {
  /** @type {Record<string, Hidden | Rows>} */
  const records = model.get("_paths");
  const memo = memory();
  let tables = 0;
  const own = () => [model.get("rows"), model.get("names")];
  return {
    record() {
      const sample = model.get("sample");
      if (sample !== YOURS || records[YOURS]) return entryOf(records, sample);
      const [rows, names] = own();
      // Until there are rows, the first sample stands for them.
      return rows.length ? memo("rows", own(), () => ownRows(rows, names)) : Object.values(records)[0];
    },
    // Whether the reader has brought none.
    isEmpty: () => !records[YOURS] && !model.get("rows").length,
    // Every table of the reader's has a number.
    tableNumber: () => memo("table", own(), () => (tables += 1)),
  };
};

// What is asked for, as far as the tree on display can follow.
/** @type {(model: Model, grown: () => Grown) => { dials: () => Dials, flips: () => number[] }} */
const bounded = (model, grown) => ({
  // No tree makes more errors than its root.
  dials() {
    const [d, c, delta, alpha] = DIALS.map((name) => model.get(name));
    return { d: Math.min(d, grown().tree.counted.training.wrong[0]), c, delta, alpha };
  },
  // Those of the rows that it grows on.
  flips: () => /** @type {number[]} */ (model.get("flips")).filter((row) => row < grown().labels[0].length),
});

/** @param {Model} model */
export const pruningState = (model) => {
  /** @type {Draws} */
  const draws = model.get("_draws");
  /** @type {Record<string, DialName[]>} */
  const methods = model.get("_methods");
  const [keptExamples, keptTrees, keptOutcomes] = [16, 120, 8].map((most) => new Latest(most));

  const asked = () => {
    const [d, c, delta, alpha] = DIALS.map((name) => model.get(name));
    /** @type {[string, string, number]} */
    const [method, beside, noise] = [model.get("method"), model.get("beside"), model.get("noise")];
    return { method, beside, dials: { d, c, delta, alpha }, noise };
  };
  const { record, tableNumber, isEmpty } = chosenRecord(model);
  const rows = () => {
    const known = record();
    return known && "labels" in known ? known : null;
  };
  /** @type {() => [number, number, number] | null} */
  const sizes = () => {
    const dealt = rows();
    return dealt && dealtSizes(dealt.sizes, model.get("prune_share"), model.get("judge_share"));
  };
  const examplesOf = () => {
    const [dealt, parts] = [rows(), sizes()];
    const found = dealt && parts ? dealtExamples(dealt, parts) : drawnExamples(hidden(), draws, namesOf(model, model.get("sample")));
    const [{ columns, labels }] = found.parts;
    return { ...found, sorted: sortedRows({ columns, labels, classes: 2 }) };
  };
  /** @returns {Hidden} */
  const hidden = () => {
    const known = record();
    return known && "table" in known ? known : tableOf(model, "sample") ?? { table: "0" };
  };
  const key = () => `${model.get("sample")} ${tableNumber()} ${sizes()}`;
  /** @type {() => Examples & { sorted: Int32Array[] }} */
  const examples = () => keptExamples.get(key(), examplesOf);
  /** @returns {string} */
  const treeKey = () => `${key()} ${model.get("noise")} ${model.get("flips")}`;
  /** @type {() => Grown} */
  const grown = () =>
    keptTrees.get(treeKey(), () => {
      const [known, noise] = [examples(), model.get("noise")];
      const labels = noisyLabels(known, noise, model.get("flips"));
      const sample = { columns: known.parts[0].columns, labels: labels[0], classes: 2 };
      const path = growCart(sample, "gini", Infinity, known.sorted);
      return { key: treeKey(), noise, examples: known, labels, tree: prunable(known, { labels, noise, path }) };
    });
  /** @type {(method: string) => Outcome} */
  const outcomeOf = (method) => {
    const { dials } = asked();
    const values = (methods[method] ?? []).map((name) => dials[name]);
    const now = grown();
    const make = () => ({ method, dials, ...prunedBy(now.tree, method, dials) });
    return keptOutcomes.get(`${now.key} ${method} ${values}`, make);
  };
  return {
    ...{ model, methods, asked, isEmpty, rows, sizes, grown, outcomeOf, ...bounded(model, grown) },
    noises: /** @type {number[]} */ (model.get("_noises")),
    tree: () => grown().tree,
    outcome: () => outcomeOf(asked().method),
  };
};
