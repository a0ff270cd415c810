// Boolean functions as text: formulas, bits and hex, as Python reads them (dtviz/core/boolean/expressions.py).
// Nothing here knows a page.

import { MOST_CHARACTERS, MOST_VARIABLES } from "./constants.js";
import { BLANK, Parser, TextError, tokensOf } from "./parser.js";
import { fromHex } from "./tables.js";

/**
 * @import { Token } from "./parser.js"
 *
 * names: of the variables in their order, where they are not x0, x1, ...
 * @typedef {{ n: number, table: Uint8Array, names: string[] }} Read
 *
 * How many variables there are, which one each name is, and what is wrong with the names, if something is.
 * @typedef {{ n: number, place: Map<string, number>, names: string[], wrong?: TextError }} Placed
 */

const TABLE = new RegExp(`^[${BLANK}]*(?:0(?<base>[xXbB])|(?=[01][${BLANK}_]*[01]))`, "u");
const PASSED_OVER = new RegExp(`[${BLANK}_]+`, "gu");
const INDEXED = /^x(?:_?(0|[1-9][0-9]*)|\[(0|[1-9][0-9]*)\])$/;
// How many points a digit has, and what is none.
const HEX = { each: 4, foreign: new RegExp(`[^0-9a-fA-F${BLANK}_]`, "u"), only: "have only 0 to 9 and a to f after 0x" };
const BITS = { each: 1, foreign: new RegExp(`[^01${BLANK}_]`, "u"), only: "have only 0 and 1 in a table of bits" };

// A text that sorts as the code points of another one.
/** @param {string} text */
const codes = (text) => Array.from(text, (sign) => (sign.codePointAt(0) ?? 0).toString(16).padStart(6, "0")).join("");

// A key that puts a2 before a10: the length first compares numbers.
/** @param {string} name */
const keyOf = (name) => {
  const parts = (name.match(/[0-9]+|[^0-9]+/g) ?? []).map((part) => {
    const digits = /^[0-9]/.test(part) ? part.replace(/^0+/, "") : null;
    return `${String(digits === null ? 0 : 1 + digits.length).padStart(4, "0")}${codes(digits ?? part)}`;
  });
  return [...parts, `0000${codes(name)}`].join(" ");
};

/** @type {(text: string, tokens: Token[]) => Placed} */
const placed = (text, tokens) => {
  /** @type {Map<string, number>} */
  const first = new Map();
  for (const { kind, written, start } of tokens) {
    if (kind === "name" && !first.has(written)) first.set(written, start);
  }
  /** @type {(rule: string, name: string) => Placed} */
  const refused = (rule, name) => {
    const wrong = new TextError(text, rule, first.get(name) ?? 0, name.length);
    return { n: 0, place: new Map(), names: [], wrong };
  };
  const all = [...first.keys()];
  const free = all.filter((name) => !INDEXED.test(name));
  if (free.length && free.length < all.length) return refused("name x0, x1, ... alone, or none of them", free[0]);
  if (free.length > MOST_VARIABLES) {
    return refused(`have at most ${MOST_VARIABLES} variables, not ${free.length}`, free[MOST_VARIABLES]);
  }
  const names = free.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const numbers = all.map((name) => Number(INDEXED.exec(name)?.slice(1).join("") ?? names.indexOf(name)));
  const far = numbers.findIndex((i) => i >= MOST_VARIABLES);
  if (far >= 0) return refused(`name variables from x0 to x${MOST_VARIABLES - 1} only`, all[far]);
  return { n: Math.max(-1, ...numbers) + 1, place: new Map(all.map((name, k) => [name, numbers[k]])), names };
};

/** @type {(text: string) => Read} */
const readFormula = (text) => {
  const tokens = tokensOf(text);
  const { n, place, names, wrong } = placed(text, tokens);
  /** @param {string} name */
  const column = (name) => Uint8Array.from({ length: 1 << n }, (_, x) => (x >> (place.get(name) ?? 0)) & 1);
  const table = new Parser(text, tokens, 1 << n, column).read();
  // A fault of the formula comes first.
  if (wrong) throw wrong;
  return { n, table, names };
};

// A number is about the first points by its last digit, bits by their first.
/** @type {(text: string, begun: RegExpMatchArray) => Read} */
const readTable = (text, begun) => {
  const base = (begun.groups?.base ?? "").toLowerCase();
  const { each, foreign, only } = base === "x" ? HEX : BITS;
  const from = begun[0].length;
  /** @type {(rule: string, at?: number, length?: number) => never} */
  const fail = (rule, at = from - (base ? 2 : 0), length = text.length - at) => {
    throw new TextError(text, rule, at, length);
  };
  const odd = foreign.exec(text.slice(from));
  if (odd) fail(only, from + odd.index, odd[0].length);
  const digits = text.slice(from).replace(PASSED_OVER, "");
  if (!digits) fail(`have digits after 0${base}`, text.length, 0);
  const n = Math.floor(Math.log2(each * digits.length));
  if (each * digits.length !== 2 ** n) {
    fail(`have 1, 2, 4, 8, ... ${each > 1 ? "hex digits, four points each" : "bits"}, not ${digits.length}`);
  }
  if (n > MOST_VARIABLES) fail(`have at most ${MOST_VARIABLES} variables, not ${n}`);
  if (each > 1) return { n, table: fromHex(n, digits), names: [] };
  const table = Uint8Array.from(digits, Number);
  return { n, table: base ? table.reverse() : table, names: [] };
};

// Whether a text is a table rather than a formula.
/** @type {(text: string) => boolean} */
export const isTable = (text) => TABLE.test(text);

// Read a function of at most MOST_VARIABLES variables, or throw a TextError.
/** @type {(text: string) => Read} */
export const readFunction = (text) => {
  if (text.length > MOST_CHARACTERS) {
    throw new TextError(text, `have at most ${MOST_CHARACTERS} characters`, MOST_CHARACTERS, 1);
  }
  const begun = text.match(TABLE);
  return begun ? readTable(text, begun) : readFormula(text);
};
