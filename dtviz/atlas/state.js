// The function on display, with all that its card says.

import { tableOf } from "../explorers/static/hosting/functions.js";
import { change, memory } from "../explorers/static/hosting/kit.js";
import { tableText } from "../explorers/static/computing/tables.js";
import { Known } from "../influence/state.js";
import { codeOf, measuresOf, tableOfCode } from "./kernel.js";

/**
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Measures } from "./kernel.js"
 * @import { Atlas } from "./kernel_place.js"
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
    return fresh("card", [n, code], () => ({ n, code, measures: measuresOf(n, code), known: new Known({ n, table }) }));
  };
  /** @param {string} text */
  const show = (text) => change(model, { function: text });
  return { model, atlas, now, show };
};
