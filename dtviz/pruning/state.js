// What is on display: the examples, the tree that grew on them, and what the methods make of it.

import { growCart, sortedRows } from "../explorers/static/computing/cart.js";
import { namesOf, tableOf } from "../explorers/static/hosting/functions.js";
import { checks, entryOf, recalling } from "../explorers/static/hosting/kit.js";
import { PRUNERS, prunable, prunedBy } from "./kernel.js";
import { dealtExamples, drawnExamples, noisyLabels, ownRows } from "./kernel_examples.js";
import { LIMITS } from "./kernel_table.js";

/**
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Dials, PrunableTree } from "./kernel.js"
 * @import { Draws, Examples, Hidden, Rows } from "./kernel_examples.js"
 * @import { Decided } from "./kernel_reasons.js"
 *
 * @typedef {ReturnType<typeof pruningState>} State
 * @typedef {{ examples: Examples, labels: [Uint8Array, Uint8Array], tree: PrunableTree }} Grown
 */

export const NOTHING = "nothing";
export const FULL = "the full tree";

export const YOURS = "yours";

// What a link may bring: the same rules as Python's.
checks.rows = (value) => {
  const { least, most, columns } = LIMITS;
  /** @param {unknown} row */
  const isRow = (row) =>
    Array.isArray(row) && row.length === value[0].length && row.every(Number.isFinite) && [0, 1].includes(row.at(-1));
  const isTable = () => value.every(isRow) && value.length >= least && value.length <= most && value[0].length >= 2;
  const right = Array.isArray(value) && (value.length === 0 || (isTable() && value[0].length <= columns + 1));
  return right ? "" : `rows must be ${least} to ${most} rows of numbers, with a label 0 or 1 each`;
};
checks.columns = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? "" : "names must be texts";

/** @param {Model} host */
export const pruningState = (host) => {
  const { model, recall } = recalling(host);
  /** @type {Draws} */
  const draws = model.get("_draws");
  /** @type {Record<string, Hidden | Rows>} */
  const records = model.get("_paths");
  const isEmpty = () => model.get("sample") === YOURS && !records[YOURS] && !model.get("rows").length;

  // What is offered or the reader's own; nothing for the text of a function.
  const record = () => {
    // Until there are rows, the first sample stands for them.
    if (isEmpty()) return Object.values(records)[0];
    const [sample, own] = [model.get("sample"), records[YOURS]];
    return sample === YOURS && !own ? ownRows(model.get("rows"), model.get("names")) : entryOf(records, sample);
  };
  const examples = () =>
    recall("examples", () => {
      const known = record() ?? tableOf(model, "sample") ?? { table: "0" };
      const found = "labels" in known ? dealtExamples(known) : drawnExamples(known, draws, namesOf(model, model.get("sample")));
      const [{ columns, labels }] = found.parts;
      return { ...found, sorted: sortedRows({ columns, labels, classes: 2 }) };
    });
  // Those of the rows that it grows on.
  const flips = () => {
    const size = examples().parts[0].labels.length;
    return [...new Set(/** @type {number[]} */ (model.get("flips")))].filter((row) => row < size);
  };
  /** @type {() => Grown} */
  const grown = () =>
    recall("grown", () => {
      const [known, noise] = [examples(), model.get("noise")];
      const labels = noisyLabels(known, noise, flips());
      const sample = { columns: known.parts[0].columns, labels: labels[0], classes: 2 };
      const path = growCart(sample, "gini", Infinity, known.sorted);
      return { examples: known, labels, tree: prunable(known, { labels, noise, path }) };
    });
  const tree = () => grown().tree;

  // What is asked for, as far as the tree on display can follow: no tree makes more errors than its root.
  /** @returns {Dials} */
  const dials = () => {
    const [c, delta, alpha] = [model.get("c"), model.get("delta"), model.get("alpha")];
    return { d: Math.min(model.get("d"), tree().counted.training.wrong[0]), c, delta, alpha };
  };
  /** @type {(method: string) => Decided} */
  const outcomeOf = (method) => {
    const now = dials();
    const values = PRUNERS[method].asks.map((name) => now[name]);
    return recall(method, () => ({ method, dials: now, ...prunedBy(tree(), method, now) }), values);
  };
  const outcome = () => outcomeOf(model.get("method"));
  return { model, isEmpty, flips, grown, tree, dials, outcomeOf, outcome };
};
