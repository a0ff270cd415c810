// The function on display, with all that its card says.

import { tableOf } from "../explorers/static/functions.js";
import { change, memory } from "../explorers/static/kit.js";
import { tableText } from "../explorers/static/tables.js";
import { epsilonBelow } from "../influence/kernel.js";
import { Known } from "../influence/state.js";
import { codeOf, measuresOf, neighboursOf, tableOfCode } from "./kernel.js";
import { classOf } from "./kernel_npn.js";
import { cellsOf } from "./kernel_place.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { State as Grown } from "../influence/state.js"
 * @import { Measures } from "./kernel.js"
 * @import { Atlas, Cell, Extreme, Joint } from "./kernel_place.js"
 *
 * @typedef {{ n: number, table: Uint8Array, code: number, measures: Measures, known: Known }} Card
 * @typedef {ReturnType<typeof cardState>} State
 */

// Of so many functions the card is kept.
const MOST_KNOWN = 60;

// A function as the chooser shows it.
/** @type {(n: number, code: number) => string} */
export const textOf = (n, code) => tableText(tableOfCode(n, code));

// A code of the tables, which may lack leading zeros.
/** @type {(n: number, hex: string) => string} */
export const textOfHex = (n, hex) => textOf(n, Number(hex));

/** @param {Model} model */
export const cardState = (model) => {
  /** @type {Atlas} */
  const atlas = model.get("_atlas");
  /** @type {Map<string, Card>} */
  const met = new Map();
  const fresh = memory();
  /** @returns {Card} */
  const now = () => {
    const { n, table } = tableOf(model, "function") ?? { n: 1, table: Uint8Array.of(0, 0) };
    const name = `${n} ${codeOf(table)}`;
    const old = met.get(name);
    if (old) return old;
    if (met.size > MOST_KNOWN) met.clear();
    const code = codeOf(table);
    const card = { n, table, code, measures: measuresOf(n, code), known: new Known(n, table, []) };
    met.set(name, card);
    return card;
  };
  /** @param {string} text */
  const show = (text) => change(model, { function: text });
  // The cells of a table of pairs, for the number of variables on display.
  /** @type {(name: string, n: number) => { joint: Joint, cells: Cell[] }} */
  const pairs = (name, n) =>
    fresh(`pairs ${name} ${n}`, [], () => {
      const joint = atlas.n[n].joint[name];
      return { joint, cells: cellsOf(joint) };
    });
  return {
    ...{ model, atlas, now, show, pairs },
    /** @param {Card} card */
    classed: ({ n, code }) => fresh("class", [n, code], () => classOf(n, code)),
    /** @param {Card} card */
    neighbours: ({ n, code }) => fresh("neighbours", [n, code], () => neighboursOf(n, code)),
    // The list of extremes chosen, if functions of so many variables have one.
    /** @type {(n: number) => Extreme | null} */
    extreme: (n) => atlas.n[n].extremes.find(({ key }) => key === model.get("extreme")) ?? null,
    // What the trees of chapter 1 ask for: greed's tree at this error, and the smallest beside it.
    grown: grownState(model, now),
  };
};

/** @type {(model: Model, now: () => Card) => Grown} */
const grownState = (model, now) => {
  const known = () => now().known;
  /** @type {Grown["drawn"]} */
  const drawn = () => {
    const one = known();
    const stop = one.greedy.stop(model.get("epsilon"));
    return { known: one, path: one.greedy, stop, step: stop };
  };
  /** @type {Grown["second"]} */
  const second = () => {
    const one = known();
    const path = one.smallest;
    return path && { known: one, path, stop: path.steps, step: path.steps };
  };
  return {
    model: {
      // The smallest tree always stands beside greed's.
      get: (name) => (name === "beside" ? "best" : model.get(name)),
      set: (name, value) => model.set(name, value),
      save_changes: () => model.save_changes(),
      on: (event, handler) => model.on(event, handler),
    },
    ...{ now: known, drawn, second },
    goTo(step) {
      const { path } = drawn();
      if (step >= 0 && step <= path.steps) change(model, { epsilon: step ? epsilonBelow(path.errors[step - 1]) : 0.5 });
    },
    racing: () => false,
    made: () => [],
    complete: () => [],
    dropped: 0,
  };
};
