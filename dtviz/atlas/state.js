// The function on display, with all that its card says.

import { tableOf } from "../explorers/static/functions.js";
import { change, memory } from "../explorers/static/kit.js";
import { tableText } from "../explorers/static/tables.js";
import { Known } from "../influence/state.js";
import { codeOf, measuresOf, tableOfCode } from "./kernel.js";
import { cellsOf } from "./kernel_place.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { State as Grown } from "../influence/state.js"
 * @import { Measures } from "./kernel.js"
 * @import { Atlas, Cell } from "./kernel_place.js"
 *
 * @typedef {{ n: number, code: number, measures: Measures, known: Known }} Card
 * @typedef {ReturnType<typeof cardState>} State
 */

// A function as the chooser shows it.
/** @type {(n: number, code: number) => string} */
export const textOf = (n, code) => tableText(tableOfCode(n, code));

/** @param {Model} model */
export const cardState = (model) => {
  /** @type {Atlas} */
  const atlas = model.get("_atlas");
  const fresh = memory();
  /** @returns {Card} */
  const now = () => {
    const { n, table } = tableOf(model, "function") ?? { n: 1, table: Uint8Array.of(0, 0) };
    const code = codeOf(table);
    return fresh("card", [n, code], () => ({ n, code, measures: measuresOf(n, code), known: new Known(n, table, []) }));
  };
  /** @param {string} text */
  const show = (text) => change(model, { function: text });
  // The cells of a table of pairs, for the number of variables on display.
  /** @type {(name: string, n: number) => Cell[]} */
  const pairs = (name, n) => fresh(`pairs ${name} ${n}`, [], () => cellsOf(atlas.n[n].joint[name]));
  return { model, atlas, now, show, pairs, grown: grownState(model, now) };
};

// What the trees of chapter 1 ask for: the whole greedy tree, and the smallest beside it.
/** @type {(model: Model, now: () => Card) => Grown} */
const grownState = (model, now) => {
  const known = () => now().known;
  /** @type {Grown["drawn"]} */
  const drawn = () => {
    const path = known().greedy;
    return { known: known(), path, stop: path.steps, step: path.steps };
  };
  /** @type {Grown["second"]} */
  const second = () => {
    const path = known().smallest;
    return path && { known: known(), path, stop: path.steps, step: path.steps };
  };
  return {
    model: {
      get: (name) => (name === "beside" ? "best" : model.get(name)),
      set: (name, value) => model.set(name, value),
      save_changes: () => model.save_changes(),
      on: (event, handler) => model.on(event, handler),
    },
    ...{ now: known, drawn, second },
    goTo: () => {},
    racing: () => false,
    made: () => [],
    complete: () => [],
    dropped: 0,
  };
};
