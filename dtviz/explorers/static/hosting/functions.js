// The function on display: one that the explorer offers, or the reader's own.
// What is offered stands in the trait _about, which Python makes (dtviz/explorers/functions.py).

import { isTable, readFunction } from "../computing/expressions.js";
import { relevant, shortFormula } from "../computing/formulas.js";
import { checks, entryOf } from "./kit.js";
import { TextError } from "../computing/parser.js";
import { fromHex, hexText } from "../computing/tables.js";
import { count, listed, variableName } from "../computing/text.js";

/**
 * @import { Model } from "./kit.js"
 *
 * @typedef {{ n: number, table: Uint8Array }} Table
 *
 * What is said of a function; names of its variables, if they are not x0, x1, ...; the table in hex, if the page can draw it; own: not one offered.
 * @typedef {{ n: number, formula: string, words: string, names: string[], table: string | null, own?: boolean }} About
 */

const LONE = "be more than a name that nothing here has";
// So many texts of the reader's are remembered.
const MOST_READ = 20;

// A line about a function that nothing else is known of.
/** @type {(given: Table & { names?: string[] }) => string} */
export const wordsOf = ({ n, table, names = [] }) => {
  const ones = table.reduce((sum, value) => sum + value, 0);
  const needed = relevant(n, table).map((i) => variableName(names, i));
  const kind = `a function of ${count(n, "variable")}`;
  if (!needed.length) return `${kind}, always ${table[0]}`;
  const share = `${kind}, 1 at ${ones} of ${count(table.length, "point")}`;
  if (needed.length === n) return share;
  return `${share}; only ${listed(needed)} ${needed.length > 1 ? "matter" : "matters"}`;
};

/** @type {(text: string) => About} */
const aboutOwn = (text) => {
  try {
    const { n, table, names } = readFunction(text);
    const short = shortFormula({ n, table, names });
    // A table says less than a formula; a long formula less than a short one.
    const shorter = short && (short.length < text.length || isTable(text));
    const words = wordsOf({ n, table, names });
    return { n, formula: text, words: shorter ? `${short}: ${words}` : words, names, table: hexText(table) };
  } catch {
    // Nothing that the page can read.
    return { n: 0, formula: text, words: "", names: [], table: null };
  }
};

// Read once: the same text comes with every event.
/** @type {Map<string, About>} */
const read = new Map();

// What is said of a function, by its name or text.
/** @type {(model: Model, text: string) => About} */
export const aboutOf = (model, text) => {
  const known = entryOf(model.get("_about"), text) ?? read.get(text);
  if (known) return known;
  if (read.size >= MOST_READ) read.clear();
  const about = aboutOwn(text);
  read.set(text, about);
  return about;
};

/** @type {WeakMap<About, Table>} */
const unpacked = new WeakMap();

// The function of a name or a text, the same object as long as it is that; null if it is too large for the page.
/** @type {(model: Model, text: string) => Table | null} */
export const tableNamed = (model, text) => {
  const about = aboutOf(model, text);
  if (about.table === null) return null;
  const table = unpacked.get(about) ?? { n: about.n, table: fromHex(about.n, about.table) };
  unpacked.set(about, table);
  return table;
};

// The function that a trait names.
/** @type {(model: Model, trait: string) => Table | null} */
export const tableOf = (model, trait) => tableNamed(model, model.get(trait));

// What the variables of a function are called, if they are not x0, x1, ...
/** @type {(model: Model, text: string) => string[]} */
export const namesOf = (model, text) => aboutOf(model, text).names;

// What the explorer offers, by name.
/** @type {(model: Model) => string[]} */
export const offered = (model) => {
  /** @type {[string, About][]} */
  const entries = Object.entries(model.get("_about"));
  return entries.flatMap(([name, { own }]) => (own ? [] : [name]));
};

// What is wrong with a text as a function of the reader's own; null if nothing is.
/** @type {(text: string, least: number, most: number) => TextError | null} */
export const wrongIn = (text, least, most) => {
  try {
    const { n, names } = readFunction(text);
    // A slip of the pen in the name of what is offered must not become a function of one variable.
    if (names.length === 1 && text.trim() === names[0]) return new TextError(text, LONE, 0, text.length);
    if (least <= n && n <= most) return null;
    const rule = `have ${least ? `from ${least} to` : "at most"} ${most} variables, not ${n}`;
    return new TextError(text, rule, 0, text.length);
  } catch (error) {
    if (error instanceof TextError) return error;
    throw error;
  }
};

checks.function = (value, model) => {
  const [least, most] = model.get("_own");
  return typeof value === "string" ? (wrongIn(value, least, most)?.message ?? "") : "it must be a text";
};
