// The function on display: one that the explorer offers, or the reader's own.
// What is offered stands in the trait _about, which Python makes (dtviz/explorers/functions.py).

import { hexText, readFunction } from "./expressions.js";
import { count, listed } from "./text.js";

/**
 * @import { Model } from "./kit.js"
 *
 * @typedef {{ n: number, table: Uint8Array }} Table
 * @typedef {[string, number[]]} Role  what some of the variables are
 *
 * What is said of a function; the table in hex, if the page can draw it; own: not one offered.
 * @typedef {{ n: number, formula: string, words: string, roles: Role[], table: string | null, own?: boolean }} About
 */

// The table whose number is written in hex.
/** @type {(n: number, hex: string) => Table} */
export const fromHex = (n, hex) => {
  const table = new Uint8Array(1 << n);
  table.forEach((_, x) => {
    const digit = parseInt(hex[hex.length - 1 - (x >> 2)], 16);
    table[x] = (digit >> (x & 3)) & 1;
  });
  return { n, table };
};

/** @type {(text: string) => Table | null} */
const readOrNull = (text) => {
  try {
    const { n, table } = readFunction(text);
    return { n, table };
  } catch {
    return null;
  }
};

// Read once: the same text comes with every event.
let last = { text: "", found: /** @type {Table | null} */ (null) };

// The function that a trait names; null if it is too large for the page.
/** @type {(model: Model, trait: string) => Table | null} */
export const tableOf = (model, trait) => {
  const text = model.get(trait);
  /** @type {About | undefined} */
  const about = model.get("_about")[text];
  const key = about ? `${about.n} ${about.table}` : text;
  if (last.text !== key) {
    const known = about && (about.table === null ? null : fromHex(about.n, about.table));
    last = { text: key, found: known === undefined ? readOrNull(text) : known };
  }
  return last.found;
};

// What the explorer offers, by name.
/** @type {(model: Model) => string[]} */
export const offered = (model) => {
  /** @type {[string, About][]} */
  const entries = Object.entries(model.get("_about"));
  return entries.flatMap(([name, { own }]) => (own ? [] : [name]));
};

/** @type {(table: Uint8Array, i: number) => boolean} */
const dependsOn = (table, i) => table.some((value, x) => value !== table[x ^ (1 << i)]);

// A line about a function that nothing else is known of.
/** @type {(given: Table) => string} */
export const wordsOf = ({ n, table }) => {
  const ones = table.reduce((sum, value) => sum + value, 0);
  const variables = Array.from({ length: n }, (_, i) => i);
  const needed = variables.filter((i) => dependsOn(table, i)).map((i) => `x${i}`);
  const kind = `a function of ${count(n, "variable")}`;
  if (!needed.length) return `${kind}, always ${table[0]}`;
  const share = `${kind}, true at ${ones} of ${count(table.length, "point")}`;
  if (needed.length === n) return share;
  return `${share}; only ${listed(needed)} ${needed.length > 1 ? "matter" : "matters"}`;
};

// What is said of the function that a trait names.
/** @type {(model: Model, trait: string) => About} */
export const aboutOf = (model, trait) => {
  const text = model.get(trait);
  const known = model.get("_about")[text];
  if (known) return known;
  const found = tableOf(model, trait) ?? { n: 0, table: new Uint8Array(1) };
  return { n: found.n, formula: text, words: wordsOf(found), roles: [], table: hexText(found.table) };
};
