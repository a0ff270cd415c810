// Formulas as text, read as Python reads them (dtviz/core/expressions.py): without recursion, so
// that no nesting is too deep. Nothing here knows a page.

/**
 * @typedef {{ kind: string, written: string, start: number }} Token
 * @typedef {{ op: string, operands: number[], name: string, needed: number }} Step
 * @typedef {{ name: string, start: number, number: Token | null, steps: number[] }} Call
 */

// Python's blanks, letters and digits.
export const BLANK = `\\p{White_Space}${"\u001c"}-${"\u001f"}`;
const WORD = "[\\p{L}\\p{N}_]";
const FIRST = "(?!\\p{Nd})[\\p{L}\\p{N}_]";
const NAME = `x\\[\\p{Nd}+\\]|${FIRST}${WORD}*`;
const SIGN = "<->|->|==|!=|&&|\\|\\||[~!&^|(),¬∧⊕∨]";
const CALLS = ["maj", "majority", "xor", "ite", "mux", "atleast"];
const CALL = `(?:[xX][oO][rR]|${CALLS.join("|")})(?=[${BLANK}]*\\()`;
const TOKEN = `[${BLANK}]*(?:(?<sign>${SIGN})|(?<call>${CALL})|(?<name>${NAME})|(?<other>${WORD}+|[^${BLANK}]))`;
const BLANK_ALONE = new RegExp(`[${BLANK}]`, "u");

const TRUTHS = { True: "1", true: "1", TRUE: "1", False: "0", false: "0", FALSE: "0" };
const SYMBOLS = { "!": "~", "¬": "~", "∧": "&", "⊕": "^", "∨": "|" };
const ALIASES = new Map(Object.entries({ "&&": "and", "||": "or", ...SYMBOLS, ...TRUTHS }));
// Operators in any letter case, so that no variable can have these names.
const WORDS = ["and", "or", "not", "xor"];
/** @type {Map<string, number>} */
const BINDS = new Map(
  Object.entries({ "~": 9, "&": 8, "^": 7, "|": 6, "==": 5, "!=": 5, not: 4, and: 3, or: 2, xor: 2, "->": 1, "<->": 1 }),
);
export const CONSTANTS = ["0", "1"];
const PREFIX = ["~", "not"];
const BEFORE_NOT = ["(", ...WORDS, "->", "<->"];
const SIGNS = ["&", "^", "|"];
const OPERAND = "have a variable, 0, 1, ~, not or (";
const OPERATOR = "have an operator (~ ! & ^ | == != not and or xor -> <->) or )";
const OPERATOR_OR_CALL = `${OPERATOR}, or call one of ${CALLS.join(", ")}`;
// How many address bits a multiplexer of so many values has.
export const ADDRESS_BITS = new Map([1, 2, 3, 4].map((bits) => [bits + (1 << bits), bits]));

// What is wrong with a text: `length` units of it from `at` on, and in words.
export class TextError extends Error {
  /**
   * @param {string} text
   * @param {string} rule
   * @param {number} at
   * @param {number} length
   */
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

/** @type {(text: string) => string} */
export const withoutEnd = (text) => {
  let end = text.length;
  while (end > 0 && BLANK_ALONE.test(text[end - 1])) end -= 1;
  return text.slice(0, end);
};

/** @type {(written: string) => string} */
const kindOf = (written) => {
  const word = written.toLowerCase();
  return WORDS.includes(word) ? word : (ALIASES.get(written) ?? written);
};

// What a token is after an operand: a xor (b) calls nothing.
/** @type {(token: Token) => string} */
const kindBetween = ({ kind, written }) => (kind === "call" ? kindOf(written) : kind);

// What is wrong with two operators that bind equally, one after the other, or nothing.
/** @type {(before: string, kind: string) => string} */
const clash = (before, kind) => {
  if (kind === "or" || kind === "xor") return before === kind ? "" : "put parentheses where or and xor follow one another";
  const chained = BINDS.get(kind) === BINDS.get("==") || BINDS.get(kind) === BINDS.get("->");
  return chained ? "put parentheses where ==, != or <-> follow one another, or ->" : "";
};

/** @type {(text: string) => Iterable<Token>} */
function* tokensOf(text) {
  for (const found of withoutEnd(text).matchAll(new RegExp(TOKEN, "gu"))) {
    const { sign, call, name, other } = found.groups ?? {};
    const written = sign ?? call ?? name ?? other;
    const kind = kindOf(written);
    const known = BINDS.has(kind) || CONSTANTS.includes(kind);
    const start = found.index + found[0].length - written.length;
    if (call) yield { kind: "call", written, start };
    else if (sign || known) yield { kind, written, start };
    else yield { kind: name ? "name" : "other", written, start };
  }
}

// One reading of a text: two stacks, of operators that wait and of operands that are done.
export class Parser {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Map<string, number>} each name, and where it stands first */
    this.first = new Map();
    /** @type {Token[]} */
    this.waiting = [];
    /** @type {{ step: number, made: string }[]} */
    this.done = [];
    /** @type {(Call | null)[]} for each ( that waits, the call whose it is */
    this.open = [];
    /** @type {Token | null} */
    this.called = null;
  }

  /** @type {(rule: string, written: string, at: number) => never} */
  fail(rule, written, at) {
    throw new TextError(this.text, rule, at, written.length);
  }

  get top() {
    return this.waiting.at(-1)?.kind;
  }

  // Operands stand before what they belong to, the root last.
  parsed() {
    let afterOperand = false;
    for (const token of tokensOf(this.text)) {
      afterOperand = afterOperand ? this.operator(token) : this.operand(token);
    }
    if (!afterOperand) this.fail(OPERAND, "", this.text.length);
    while (this.top) {
      if (this.top === "number") this.waiting.pop();
      if (this.top === "(") this.fail("close every (", "(", this.waiting.at(-1)?.start ?? 0);
      this.reduce();
    }
    return this;
  }

  // Take what stands where an operand begins; return whether it is whole.
  /** @type {(token: Token) => boolean} */
  operand(token) {
    const { kind, written, start } = token;
    const before = this.waiting.at(-1);
    const call = this.awaitsNumber();
    if (call) return this.number(call, token);
    if (kind === "not" && before && !BEFORE_NOT.includes(before.kind)) {
      this.fail(`put (not ...) in parentheses after ${before.written}`, written, start);
    }
    if (kind === "call" || kind === "(" || PREFIX.includes(kind)) return this.begin(token);
    if (kind === "name") {
      if (!this.first.has(written)) this.first.set(written, start);
      this.push("name", [], written);
    } else if (CONSTANTS.includes(kind)) this.push(kind, []);
    else this.fail(OPERAND, written, start);
    return true;
  }

  // What comes before an operand; the ( of a call comes next after its name.
  /** @type {(token: Token) => boolean} */
  begin(token) {
    if (token.kind === "(") {
      const name = this.called;
      this.open.push(name && { name: name.written.toLowerCase(), start: name.start, number: null, steps: [] });
    }
    this.called = token.kind === "call" ? token : null;
    if (!this.called) this.waiting.push(token);
    return false;
  }

  // The call whose number comes next, if any.
  awaitsNumber() {
    const call = this.top === "(" ? this.open.at(-1) : null;
    return call?.name === "atleast" && !call.number ? call : null;
  }

  // The number that atleast begins with.
  /** @type {(call: Call, token: Token) => boolean} */
  number(call, { written, start }) {
    const rule = "begin atleast with a number, as in atleast(2, x0, x1, x2)";
    if (!/^[0-9]+$/.test(written)) this.fail(rule, written, start);
    call.number = { kind: "number", written, start };
    this.waiting.push(call.number);
    return true;
  }

  // The comma after that number.
  /** @type {(token: Token) => boolean} */
  comma({ kind, written, start }) {
    this.waiting.pop();
    if (kind !== ",") this.fail("have a comma and values after the number of atleast", written, start);
    return false;
  }

  // Take what stands after an operand; return whether an operand is whole again.
  /** @type {(token: Token) => boolean} */
  operator(token) {
    if (this.top === "number") return this.comma(token);
    const { written, start } = token;
    const kind = kindBetween(token);
    const call = this.open.at(-1);
    const ends = kind === ")" || (kind === "," && Boolean(call));
    const binds = ends ? 0 : BINDS.get(kind);
    if (binds === undefined || PREFIX.includes(kind)) {
      return this.fail(kind === "(" ? OPERATOR_OR_CALL : OPERATOR, written, start);
    }
    this.reduceBefore({ kind, written, start }, binds);
    if (!ends) {
      this.waiting.push({ kind, written, start });
      return false;
    }
    if (!this.top) this.fail("open every )", ")", start);
    call?.steps.push(this.pop());
    if (kind === ")") this.close(call);
    return kind === ")";
  }

  // Apply the operators before a token that bind more tightly.
  /** @type {(token: Token, binds: number) => void} */
  reduceBefore({ kind, written, start }, binds) {
    while (this.top && this.top !== "(") {
      const bound = BINDS.get(this.top) ?? 0;
      if (bound < binds || (this.top === "->" && kind === "->")) break;
      const rule = bound === binds ? clash(this.top, kind) : "";
      if (rule) this.fail(rule, written, start);
      this.reduce();
    }
  }

  // Make an operand of what stands in parentheses.
  /** @param {Call | null | undefined} call */
  close(call) {
    this.waiting.pop();
    this.open.pop();
    if (!call) {
      this.done.push({ step: this.pop(), made: "" });
      return;
    }
    const { name, start, number, steps } = call;
    const count = steps.length;
    const wrong = wrongCount(name, count);
    if (wrong) this.fail(wrong, name, start);
    const needed = Math.min(Number(number?.written ?? (count + 1) / 2), count + 1);
    if (number && (needed < 1 || needed > count)) {
      const rule = `ask atleast for a number from 1 to the number of its values, ${count}`;
      this.fail(rule, number.written, number.start);
    }
    this.push(name, steps, "", needed);
  }

  // Apply the last operator that waits to its operands.
  reduce() {
    const token = this.waiting.pop();
    if (!token) return;
    const parts = this.done.splice(PREFIX.includes(token.kind) ? -1 : -2);
    const mixed = parts.find(({ made }) => SIGNS.includes(made))?.made;
    if (mixed && !SIGNS.includes(token.kind) && !["->", "<->"].includes(token.kind)) {
      const rule = `put (... ${mixed} ...) in parentheses beside and, or, xor, not, == or !=`;
      this.fail(rule, token.written, token.start);
    }
    this.push(token.kind, parts.map(({ step }) => step), "", 0, token.kind);
  }

  pop() {
    return this.done.pop()?.step ?? 0;
  }

  /** @type {(op: string, operands: number[], name?: string, needed?: number, made?: string) => void} */
  push(op, operands, name = "", needed = 0, made = "") {
    this.done.push({ step: this.steps.length, made });
    this.steps.push({ op, operands, name, needed });
  }
}

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
