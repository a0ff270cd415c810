// Formulas as text, read as Python reads them (dtviz/core/boolean/expressions.py), and computed: without
// recursion, so that no nesting is too deep. Nothing here knows a page.

import notation from "../../../core/boolean/operators.json" with { type: "json" };

/**
 * kind: what it stands for, "call", "name" or "other"; operator: what it is after an operand.
 * @typedef {{ kind: string, operator: string, written: string, start: number }} Token
 *
 * The value at each point, and the operator that made it: none in parentheses.
 * @typedef {{ bits: Uint8Array, made: string }} Value
 * @typedef {{ name: string, called: Token, number: Token | null, values: Uint8Array[] }} Call
 * @typedef {(values: number[], needed: number) => number} Meaning
 */

// Python's blanks, letters and digits.
export const BLANK = `\\p{White_Space}${"\u001c"}-${"\u001f"}`;
const WORD = "[\\p{L}\\p{N}_]";
const NAME = `x\\[\\p{Nd}+\\]|(?!\\p{Nd})${WORD}+`;
/** @type {Map<string, number>} */
const BINDS = new Map(Object.entries(notation.operators).map(([sign, { binds }]) => [sign, binds]));
const ALIASES = new Map(Object.entries(notation.aliases));
// Operators in any letter case, so that no variable can have these names.
const { calls: CALLS, prefix: PREFIX, signs: SIGNS, words: WORDS } = notation;
const SIGN = [...BINDS.keys(), ...ALIASES.keys(), ..."(),"]
  .filter((sign) => !/^[A-Za-z]/.test(sign))
  .sort((a, b) => b.length - a.length)
  .map((sign) => sign.replace(/[|^()]/g, "\\$&"))
  .join("|");
const CALL = `(?:[xX][oO][rR]|${CALLS.join("|")})(?=[${BLANK}]*\\()`;
const TOKEN = new RegExp(`${SIGN}|(?<call>${CALL})|(?<name>${NAME})|${WORD}+|[^${BLANK}]`, "gu");

const KNOWN = ["0", "1", "(", ")", ",", ...BINDS.keys()];
const BEFORE_NOT = ["end", "(", ",", ...WORDS, "->", "<->"];
const OPERAND = "have a variable, 0, 1, ~, not or (";
const OPERATOR = "have an operator (~ ! & ^ | == != not and or xor -> <->) or )";
const OPERATOR_OR_CALL = `${OPERATOR}, or call one of ${CALLS.join(", ")}`;
// How many address bits a multiplexer of so many values has.
const ADDRESS_BITS = new Map([1, 2, 3, 4].map((bits) => [bits + (1 << bits), bits]));

/** @param {number[]} values */
const ones = (values) => values.reduce((sum, value) => sum + value, 0);
/** @type {Meaning} */
const mux = (values) => {
  const bits = ADDRESS_BITS.get(values.length) ?? 0;
  return values[bits + values.slice(0, bits).reduce((sum, bit, k) => sum + (bit << k), 0)];
};
/** @type {Meaning} */
const atLeast = (values, needed) => Number(ones(values) >= needed);
// What each makes of the values of its operands; parentheses leave one as it is.
/** @type {Map<string, Meaning>} */
const MEANING = new Map([
  ...Object.entries(notation.operators).map(([sign, { values: at }]) =>
    /** @type {[string, Meaning]} */ ([sign, ([a, b]) => Number(at[b === undefined ? a : 2 * a + b])])),
  ["", ([a]) => a],
  ["xor", (values) => ones(values) % 2],
  ["maj", atLeast],
  ["majority", atLeast],
  ["atleast", atLeast],
  ["ite", ([a, b, c]) => (a ? b : c)],
  ["mux", mux],
]);

// What is wrong with a text: `length` units of it from `at` on, and in words.
export class TextError extends Error {
  /** @param {string} text @param {string} rule @param {number} at @param {number} length */
  constructor(text, rule, at, length) {
    // Characters, of which some are two units.
    const place = at < text.length ? `at character ${[...text.slice(0, at)].length + 1}` : "at its end";
    super(`must ${rule}, got "${text.slice(at, at + length)}" ${place}`);
    this.rule = rule;
    this.place = place;
    this.at = at;
    this.length = length;
  }
}

/** @type {(text: string) => Token[]} */
export const tokensOf = (text) =>
  Array.from(text.matchAll(TOKEN), ({ 0: written, index: start, groups }) => {
    const word = written.toLowerCase();
    const operator = WORDS.includes(word) ? word : (ALIASES.get(written) ?? written);
    const plain = groups?.name ? "name" : "other";
    return { kind: groups?.call ? "call" : KNOWN.includes(operator) ? operator : plain, operator, written, start };
  });

// What is wrong with two operators that bind equally, one after the other, or nothing.
/** @type {(before: string, next: string) => string} */
const clash = (before, next) => {
  if (WORDS.includes(next)) return before === next ? "" : "put parentheses where or and xor follow one another";
  return SIGNS.includes(next) ? "" : "put parentheses where ==, != or <-> follow one another, or ->";
};

// What is wrong with the number of values that a call is given, or nothing.
/** @type {(name: string, count: number) => string} */
const wrongCount = (name, count) => {
  if (["maj", "majority"].includes(name) && count % 2 === 0) {
    return `give ${name} an odd number of values, so that no vote is tied, not ${count}`;
  }
  if (name === "ite" && count !== 3) return `give ite 3 values, (condition, then, else), not ${count}`;
  if (name === "mux" && !ADDRESS_BITS.has(count)) {
    return `give mux 3, 6, 11 or 20 values, address bits and then data bits, not ${count}`;
  }
  return "";
};

// One reading of a text at so many points, where columns have the values of variables: two stacks, of operators that
// wait and of operands that are done.
export class Parser {
  /** @param {string} text @param {Token[]} tokens @param {number} size @param {(name: string) => Uint8Array} column */
  constructor(text, tokens, size, column) {
    this.text = text;
    this.tokens = tokens;
    this.size = size;
    this.column = column;
    /** @type {Token[]} */
    this.waiting = [];
    /** @type {Value[]} */
    this.done = [];
    /** @type {Call[]} for each ( that waits */
    this.open = [];
  }

  /** @type {(rule: string, token: Token) => never} */
  fail(rule, { start, written }) {
    throw new TextError(this.text, rule, start, written.length);
  }

  get top() {
    return this.waiting.at(-1);
  }

  read() {
    const end = { kind: "end", operator: "end", written: "", start: this.text.length };
    let before = end;
    let afterOperand = false;
    for (const token of this.tokens) {
      afterOperand = afterOperand ? this.operator(token, before) : this.operand(token, before);
      before = token;
    }
    if (!afterOperand) this.fail(OPERAND, end);
    this.reduceBefore(end, 0);
    if (this.top) this.fail("close every (", this.top);
    return this.done[0].bits;
  }

  // Take what stands where an operand begins; return whether it is whole.
  /** @type {(token: Token, before: Token) => boolean} */
  operand(token, before) {
    const { kind, written } = token;
    const call = this.open.at(-1);
    if (call?.name === "atleast" && before.kind === "(") {
      if (!/^[0-9]+$/.test(written)) this.fail("begin atleast with a number, as in atleast(2, x0, x1, x2)", token);
      call.number = token;
    }
    const isNumber = call?.number === token;
    if (kind === "name") this.done.push({ bits: this.column(written), made: "" });
    else if (isNumber || kind === "0" || kind === "1") {
      this.done.push({ bits: new Uint8Array(this.size).fill(Number(kind)), made: "" });
    } else return this.begin(token, before);
    return true;
  }

  // Take what comes before an operand; a name that is called waits with its (.
  /** @type {(token: Token, before: Token) => false} */
  begin(token, before) {
    const { kind } = token;
    if (kind === "not" && !BEFORE_NOT.includes(before.operator)) {
      this.fail(`put (not ...) in parentheses after ${before.written}`, token);
    }
    if (kind === "(") {
      // In a xor (b) it waits as an operator.
      const name = before.kind === "call" && before !== this.top ? before.written.toLowerCase() : "";
      this.open.push({ name, called: before, number: null, values: [] });
    } else if (kind !== "call" && !PREFIX.includes(kind)) this.fail(OPERAND, token);
    if (kind !== "call") this.waiting.push(token);
    return false;
  }

  // How tightly a token after an operand binds; 0 if it ends that.
  /** @type {(token: Token, before: Token) => number} */
  binds(token, before) {
    const { operator } = token;
    const call = this.open.at(-1);
    if (call?.number === before && operator !== ",") {
      this.fail("have a comma and values after the number of atleast", token);
    }
    if (operator === ")" || (operator === "," && call?.name)) return 0;
    const binds = PREFIX.includes(operator) ? 0 : BINDS.get(operator);
    return binds || this.fail(operator === "(" ? OPERATOR_OR_CALL : OPERATOR, token);
  }

  // Take what stands after an operand; return whether an operand is whole again.
  /** @type {(token: Token, before: Token) => boolean} */
  operator(token, before) {
    const binds = this.binds(token, before);
    this.reduceBefore(token, binds);
    if (binds) {
      this.waiting.push(token);
      return false;
    }
    const call = this.open.at(-1) ?? this.fail("open every )", token);
    call.values.push(this.done.splice(-1)[0].bits);
    if (token.operator === ")") this.close(call);
    return token.operator === ")";
  }

  // Apply the operators before a token that bind more tightly.
  /** @type {(token: Token, binds: number) => void} */
  reduceBefore(token, binds) {
    for (let { top } = this; top && top.kind !== "("; { top } = this) {
      const bound = BINDS.get(top.operator) ?? 0;
      if (bound < binds || (top.operator === "->" && token.operator === "->")) break;
      const rule = bound === binds ? clash(top.operator, token.operator) : "";
      if (rule) this.fail(rule, token);
      this.reduce(top);
    }
  }

  // Make an operand of what stands in parentheses.
  /** @param {Call} call */
  close({ name, called, number, values }) {
    this.waiting.pop();
    this.open.pop();
    const parts = number ? values.slice(1) : values;
    const count = parts.length;
    const wrong = wrongCount(name, count);
    if (wrong) this.fail(wrong, called);
    const needed = Number(number?.written ?? (count + 1) / 2);
    if (number && (needed < 1 || needed > count)) {
      this.fail(`ask atleast for a number from 1 to the number of its values, ${count}`, number);
    }
    this.push(name, parts, "", needed);
  }

  // Apply the last operator that waits to its operands.
  /** @param {Token} token */
  reduce(token) {
    const { operator } = token;
    this.waiting.pop();
    const parts = this.done.splice(PREFIX.includes(operator) ? -1 : -2);
    const mixed = parts.find(({ made }) => SIGNS.includes(made))?.made;
    if (mixed && !SIGNS.includes(operator) && !["->", "<->"].includes(operator)) {
      this.fail(`put (... ${mixed} ...) in parentheses beside and, or, xor, not, == or !=`, token);
    }
    this.push(operator, parts.map(({ bits }) => bits), operator);
  }

  /** @type {(name: string, parts: Uint8Array[], made: string, needed?: number) => void} */
  push(name, parts, made, needed = 0) {
    const meant = /** @type {Meaning} */ (MEANING.get(name));
    this.done.push({ bits: parts[0].map((_, x) => meant(parts.map((bits) => bits[x]), needed)), made });
  }
}
