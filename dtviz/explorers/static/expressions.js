// Boolean functions as text: formulas, bits and hex, as Python reads them (dtviz/core/expressions.py).
// Nothing here knows a page.

import { MOST_CHARACTERS, MOST_VARIABLES } from "./constants.js";
import { ADDRESS_BITS, BLANK, CONSTANTS, Parser, TextError, withoutEnd } from "./parser.js";

/**
 * @import { Step } from "./parser.js"
 *
 * names: of the variables in their order, where they are not x0, x1, ...
 * @typedef {{ n: number, table: Uint8Array, names: string[] }} Read
 */

const TABLE = new RegExp(`^[${BLANK}]*(?:0(?<base>[xXbB])|(?=[01][${BLANK}_]*[01]))`, "u");
const PASSED_OVER = new RegExp(`[${BLANK}_]+`, "gu");
const NOT_BITS = new RegExp(`[^01${BLANK}_]`, "u");
const NOT_HEX = new RegExp(`[^0-9a-fA-F${BLANK}_]`, "u");
const INDEXED = /^x(?:_?(0|[1-9][0-9]*)|\[(0|[1-9][0-9]*)\])$/;

// --- variables ---------------------------------------------------------------------------------

// The text before a2 comes before that of a10; letters by their code points.
/** @type {(a: string, b: string) => number} */
const byCode = (a, b) => {
  const [left, right] = [a, b].map((text) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0));
  const k = left.findIndex((code, at) => code !== right[at]);
  if (k < 0) return left.length - right.length;
  return k < right.length ? left[k] - right[k] : 1;
};
/** @type {(a: string, b: string) => number} */
const byNumbers = (a, b) => {
  const [left, right] = [a, b].map((name) =>
    (name.match(/[0-9]+|[^0-9]+/g) ?? []).map((part) => {
      const number = /^[0-9]/.test(part) ? part.replace(/^0+/, "") : null;
      return { length: number === null ? 0 : 1 + number.length, text: number ?? part };
    }),
  );
  for (let k = 0; k < left.length && k < right.length; k += 1) {
    const order = left[k].length - right[k].length || byCode(left[k].text, right[k].text);
    if (order) return order;
  }
  // What ends first ends with its whole name, which is no number.
  if (left.length === right.length) return byCode(a, b);
  const [rest, whole, sign] = left.length < right.length ? [right[left.length], a, -1] : [left[right.length], b, 1];
  return rest.length ? sign : sign * byCode(rest.text, whole);
};

// Which variable each name is, and how many there are.
/** @type {(parser: Parser) => { n: number, place: Map<string, number>, names: string[] }} */
const placed = (parser) => {
  const all = [...parser.first.keys()];
  const free = all.filter((name) => !INDEXED.test(name));
  if (free.length && free.length < all.length) {
    parser.fail("name x0, x1, ... alone, or none of them", free[0], parser.first.get(free[0]) ?? 0);
  }
  if (free.length > MOST_VARIABLES) {
    const last = free[MOST_VARIABLES];
    const rule = `have at most ${MOST_VARIABLES} variables, not ${free.length}`;
    parser.fail(rule, last, parser.first.get(last) ?? 0);
  }
  if (free.length) {
    const names = free.sort(byNumbers);
    return { n: names.length, place: new Map(names.map((name, i) => [name, i])), names };
  }
  const place = new Map(all.map((name) => [name, Number(name.match(INDEXED)?.[1] ?? name.match(INDEXED)?.[2])]));
  for (const [name, i] of place) {
    if (i < MOST_VARIABLES) continue;
    parser.fail(`name variables from x0 to x${MOST_VARIABLES - 1} only`, name, parser.first.get(name) ?? 0);
  }
  return { n: Math.max(-1, ...place.values()) + 1, place, names: [] };
};

// --- tables ------------------------------------------------------------------------------------

// A function as two words of 32 points each.
/** @typedef {[number, number]} Words */

// The values of each variable at 64 points, packed.
/** @type {Words[]} */
const VARIABLES = [
  ...[0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000].map((word) => /** @type {Words} */ ([word, word])),
  [0, -1],
];

/** @type {Record<string, (a: number, b: number, c: number) => number>} */
const MEANING = {
  "~": (a) => ~a,
  not: (a) => ~a,
  "&": (a, b) => a & b,
  and: (a, b) => a & b,
  "|": (a, b) => a | b,
  or: (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "!=": (a, b) => a ^ b,
  "==": (a, b) => ~(a ^ b),
  "<->": (a, b) => ~(a ^ b),
  "->": (a, b) => ~a | b,
  ite: (a, b, c) => (a & b) | (~a & c),
};

/** @type {(words: Words, x: number) => number} */
const bitAt = (words, x) => (words[x >> 5] >> (x & 31)) & 1;

// The value of a call at a point.
/** @type {(step: Step, values: Words[], x: number) => number} */
const calledAt = ({ op, needed }, values, x) => {
  if (op === "mux") {
    const bits = ADDRESS_BITS.get(values.length) ?? 0;
    let address = 0;
    for (let k = 0; k < bits; k += 1) address |= bitAt(values[k], x) << k;
    return bitAt(values[bits + address], x);
  }
  let ones = 0;
  for (const words of values) ones += bitAt(words, x);
  return op === "xor" ? ones % 2 : Number(ones >= needed);
};

/** @type {(step: Step, values: Words[]) => Words} */
const applied = (step, values) => {
  const meant = MEANING[step.op];
  if (meant) {
    const [a, b = a, c = a] = values;
    return [meant(a[0], b[0], c[0]), meant(a[1], b[1], c[1])];
  }
  /** @type {Words} */
  const found = [0, 0];
  for (let x = 0; x < 64; x += 1) found[x >> 5] |= calledAt(step, values, x) << (x & 31);
  return found;
};

/** @type {(text: string) => Read} */
const readFormula = (text) => {
  const parser = new Parser(text).parsed();
  const { n, place, names } = placed(parser);
  /** @type {Words[]} */
  const found = [];
  for (const step of parser.steps) {
    if (step.op === "name") found.push(VARIABLES[place.get(step.name) ?? 0]);
    else if (CONSTANTS.includes(step.op)) found.push([-Number(step.op), -Number(step.op)]);
    else found.push(applied(step, step.operands.map((k) => found[k])));
  }
  const last = found[found.length - 1];
  return { n, table: Uint8Array.from({ length: 1 << n }, (_, x) => bitAt(last, x)), names };
};

// A number is about the first points by its last digit, bits by their first.
/** @type {(text: string, begun: RegExpMatchArray) => Read} */
const readTable = (text, begun) => {
  const base = (begun.groups?.base ?? "").toLowerCase();
  const hex = base === "x";
  const from = begun[0].length;
  /** @type {(rule: string, at?: number, length?: number) => never} */
  const fail = (rule, at = from - (base ? 2 : 0), length = withoutEnd(text).length - at) => {
    throw new TextError(text, rule, at, length);
  };
  const foreign = (hex ? NOT_HEX : NOT_BITS).exec(text.slice(from));
  if (foreign) {
    const rule = hex ? "have only 0 to 9 and a to f after 0x" : "have only 0 and 1 in a table of bits";
    fail(rule, from + foreign.index, foreign[0].length);
  }
  const digits = text.slice(from).replace(PASSED_OVER, "");
  if (!digits) fail(`have digits after 0${base}`, text.length, 0);
  const count = (hex ? 4 : 1) * digits.length;
  const n = Math.floor(Math.log2(count));
  if (count !== 2 ** n) {
    const wanted = hex ? "hex digits, four points each" : "bits";
    fail(`have 1, 2, 4, 8, ... ${wanted}, not ${digits.length}`);
  }
  if (n > MOST_VARIABLES) fail(`have at most ${MOST_VARIABLES} variables, not ${n}`);
  const values = [...digits].flatMap((digit) =>
    hex ? [3, 2, 1, 0].map((k) => (parseInt(digit, 16) >> k) & 1) : [Number(digit)],
  );
  return { n, table: Uint8Array.from(base ? values.reverse() : values), names: [] };
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
