// What is on display: the examples, the tree that grew on them, and what the methods make of it.

import { growCart, sortedRows } from "../explorers/static/cart.js";
import { namesOf, tableOf } from "../explorers/static/functions.js";
import { checks, entryOf, memory } from "../explorers/static/kit.js";
import { prunable, prunedBy } from "./kernel.js";
import { dealtExamples, drawnExamples, noisyLabels, ownRows } from "./kernel_examples.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { Dials, PrunableTree } from "./kernel.js"
 * @import { Draws, Examples, Hidden, Rows } from "./kernel_examples.js"
 * @import { Decided } from "./kernel_reasons.js"
 *
 * @typedef {keyof Dials} DialName
 * @typedef {ReturnType<typeof pruningState>} State
 * @typedef {{ examples: Examples, labels: [Uint8Array, Uint8Array], tree: PrunableTree }} Grown
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

/** @type {(examples: Examples & { sorted: Int32Array[] }, noise: number, flips: number[]) => Grown} */
const grownOn = (examples, noise, flips) => {
  const labels = noisyLabels(examples, noise, flips);
  const sample = { columns: examples.parts[0].columns, labels: labels[0], classes: 2 };
  const path = growCart(sample, "gini", Infinity, examples.sorted);
  return { examples, labels, tree: prunable(examples, { labels, noise, path }) };
};

/** @param {Model} model */
export const pruningState = (model) => {
  /** @type {Draws} */
  const draws = model.get("_draws");
  /** @type {Record<string, DialName[]>} */
  const methods = model.get("_methods");
  /** @type {Record<string, Hidden | Rows>} */
  const records = model.get("_paths");
  const memo = memory();
  const own = () => [model.get("rows"), model.get("names")];
  const isEmpty = () => !records[YOURS] && !model.get("rows").length;

  // What is offered or the reader's own; nothing for the text of a function.
  const record = () => {
    const sample = model.get("sample");
    if (sample !== YOURS || records[YOURS]) return entryOf(records, sample);
    const [given, names] = own();
    // Until there are rows, the first sample stands for them.
    return isEmpty() ? Object.values(records)[0] : memo("rows", [given, names], () => ownRows(given, names));
  };
  const rows = () => {
    const known = record();
    return known && "labels" in known ? known : null;
  };
  /** @returns {Hidden} */
  const hidden = () => {
    const known = record();
    return known && "table" in known ? known : (tableOf(model, "sample") ?? { table: "0" });
  };
  /** @type {() => Examples & { sorted: Int32Array[] }} */
  const examples = () =>
    memo("examples", [model.get("sample"), ...own()], () => {
      const dealt = rows();
      const found = dealt ? dealtExamples(dealt) : drawnExamples(hidden(), draws, namesOf(model, model.get("sample")));
      const [{ columns, labels }] = found.parts;
      return { ...found, sorted: sortedRows({ columns, labels, classes: 2 }) };
    });
  /** @type {() => Grown} */
  const grown = () => {
    const [known, noise, flips] = [examples(), model.get("noise"), model.get("flips")];
    // A tree for each noise that the slider was at.
    /** @type {Map<number, Grown>} */
    const trees = memo("trees", [known, String(flips)], () => new Map());
    const found = trees.get(noise) ?? grownOn(known, noise, flips);
    trees.set(noise, found);
    return found;
  };
  const tree = () => grown().tree;

  // What is asked for, as far as the tree on display can follow: no tree makes more errors than its root.
  const asked = () => {
    const [d, c, delta, alpha] = DIALS.map((name) => model.get(name));
    /** @type {[string, string, number]} */
    const [method, beside, noise] = [model.get("method"), model.get("beside"), model.get("noise")];
    return { method, beside, noise, dials: { d: Math.min(d, tree().counted.training.wrong[0]), c, delta, alpha } };
  };
  /** @type {(method: string) => Decided} */
  const outcomeOf = (method) => {
    const { dials } = asked();
    const values = (methods[method] ?? []).map((name) => dials[name]);
    return memo(method, [tree(), ...values], () => ({ method, dials, ...prunedBy(tree(), method, dials) }));
  };
  return {
    ...{ model, methods, asked, isEmpty, rows, grown, tree, outcomeOf },
    // Those of the rows that it grows on.
    flips: () => /** @type {number[]} */ (model.get("flips")).filter((row) => row < grown().labels[0].length),
    outcome: () => outcomeOf(model.get("method")),
  };
};
