// What a link and a line of Python say of an explorer, and what a link may set: free of the page.
// The part of an address after "#" is an anchor, "?" and settings: #place?influence.epsilon=0.1&...

/** @import { Model } from "./kit.js" */

/**
 * What Python accepts for a trait; a rule with nothing but a type is met by no value.
 * @typedef {object} Rule
 * @property {string} type  bool, text, int, float, list or any
 * @property {unknown[]} [choices]
 * @property {boolean} [near]  the choices are meant but for rounding
 * @property {boolean} [free]  any text
 * @property {number} [low]
 * @property {number} [high]
 * @property {Rule} [item]
 * @property {number} [most]
 * @property {boolean} [none]
 * @property {string} [check]  the name of a function that judges, "" or what is wrong
 * @property {Record<string, string[]>} [once]  what older links say in its place: a text, of which the value is the place
 *
 * @typedef {Record<string, Rule>} Rules
 * @typedef {Record<string, unknown>} Values
 * @typedef {(value: any) => string} Check
 *
 * The rules of an explorer, and its judges: of a trait, beside the other values wanted.
 * @typedef {{ rules: Rules, check: (trait: string, values: Values) => Check | undefined }} Judged
 *
 * How Python makes an explorer, less its traits.
 * @typedef {{ name: string, objects: string[], defaults: Values }} Call
 */

export const MOST_LETTERS = 6000; // of the settings in a link
const TOO_LONG = 100_000;

/** @type {(model: Model) => { rules: Rules, values: Values }} */
export const shared = (model) => {
  const rules = model.get("_rules");
  return { rules, values: Object.fromEntries(Object.keys(rules).map((name) => [name, model.get(name)])) };
};

/** @type {(one: unknown, other: unknown) => boolean} */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @type {(text: string, most?: number) => string} */
const short = (text, most = 40) => (text.length > most ? `${text.slice(0, most)}…` : text);
/** @param {unknown} value */
const shown = (value) => short(typeof value === "number" ? String(value) : JSON.stringify(value));

/** @type {(rule: Rule, value: any) => string} */
const wrongNumber = ({ type, low = 1, high = 0 }, value) => {
  const whole = type === "float" ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!whole) return `${shown(value)} is not ${type === "float" ? "a number" : "an integer"}`;
  if (low <= value && value <= high) return "";
  // An open end is written as it is meant.
  const [from, to] = [low, high].map((end) => (Math.abs(end) < 1e-300 ? 0 : Number(end.toPrecision(9))));
  return `${value} is not between ${from} and ${to}`;
};

/** @type {(rule: Rule, value: any) => string} */
const wrongList = ({ item, most = 0 }, value) => {
  if (!Array.isArray(value) || !item) return `${shown(value)} is not a list of numbers`;
  if (value.length > most) return `${value.length} numbers are more than ${most}`;
  return value.map((each) => wrong(item, each)).find(Boolean) ?? "";
};

/** @type {Record<string, (rule: Rule, value: any) => string>} */
const WRONG = {
  bool: (_, value) => (typeof value === "boolean" ? "" : `${shown(value)} is not true or false`),
  text: ({ free }, value) =>
    free && typeof value === "string" ? "" : `${shown(value)} is not offered`,
  int: wrongNumber,
  float: wrongNumber,
  list: wrongList,
  any: (_, value) => `${shown(value)} cannot be set by a link`,
};

// What is wrong with a value, in a few words; "" if Python would accept it.
/** @type {(rule: Rule, value: unknown, check?: Check) => string} */
export const wrong = (rule, value, check) => {
  if (value === null && rule.none) return "";
  const { choices } = rule;
  if (choices?.includes(value)) return "";
  if (rule.near && typeof value === "number" && choices?.includes(nearest(rule, value))) return "";
  if (rule.check) return check ? check(value) : `${shown(value)} cannot be set by a link`;
  return choices ? `${shown(value)} is not offered` : WRONG[rule.type](rule, value);
};

// The choice that a number is but for rounding, else the number.
/** @type {(rule: Rule, value: any) => unknown} */
export const nearest = ({ near, choices }, value) =>
  near ? (choices?.find((choice) => Math.abs(Number(choice) - value) < 1e-9) ?? value) : value;

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** @type {(value: unknown) => boolean} */
const areNumbers = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((each) => each === null || Number.isFinite(each));

/** @param {string} text */
const numbers = (text) => {
  const parts = text.split(",");
  if (!parts.every((part) => part === "" || NUMBER.test(part))) throw new SyntaxError("no list of numbers");
  return parts.map((part) => (part === "" ? null : Number(part)));
};

// Numbers as 1,2,3, none as nothing, rows of them as ;1,2;3,4: JSON would take twice the room.
/** @type {(rule: Rule, value: any) => string} */
const compact = (rule, value) => {
  if (rule.type === "list" && areNumbers(value)) return value.join(",");
  return Array.isArray(value) && value.length && value.every(areNumbers) ? `;${value.join(";")}` : "";
};

// A text stands as it is; what would be read as something else, and all other values, as JSON.
/** @type {(rule: Rule, value: unknown) => string} */
export const writeValue = (rule, value) => {
  if (value === null) return "none";
  // A half of a pair of surrogates has no code in an address.
  const plain = rule.type === "text" && typeof value === "string" && !/^(none$|")|[\ud800-\udfff]/u.test(value);
  const text = plain ? value : JSON.stringify(value);
  // Programs that make links of what looks like one stop at these.
  const safe = () => encodeURIComponent(text).replace(/[()!'*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return compact(rule, value) || safe();
};

/** @type {(rule: Rule, text: string) => unknown} */
export const readValue = (rule, text) => {
  if (text === "none" && (rule.none || rule.type !== "text")) return null;
  if (rule.type === "text") return text.startsWith('"') ? JSON.parse(text) : text;
  if (text.startsWith(";")) return text.slice(1).split(";").map(numbers);
  return rule.type === "list" && !text.startsWith("[") ? numbers(text) : JSON.parse(text);
};

// What differs from the start values, as parts of an address.
/** @type {(name: string, rules: Rules, start: Values, values: Values) => { trait: string, text: string }[]} */
export const partsOf = (name, rules, start, values) =>
  Object.keys(rules)
    .filter((trait) => !same(values[trait], start[trait]))
    .map((trait) => ({ trait, text: `${name}.${trait}=${writeValue(rules[trait], values[trait])}` }));

// As many parts as a link can take, the longest left out first, and the names of those left out.
/** @type {(parts: { trait: string, text: string }[]) => { text: string, left: string[] }} */
export const fitted = (parts) => {
  const kept = [...parts];
  const left = [];
  const length = () => kept.reduce((sum, { text }) => sum + text.length + 1, 0);
  while (length() > MOST_LETTERS) {
    const longest = kept.reduce((a, b) => (b.text.length > a.text.length ? b : a));
    left.push(longest.trait);
    kept.splice(kept.indexOf(longest), 1);
  }
  return { text: kept.map(({ text }) => text).join("&"), left };
};

/** @type {(anchor: string, settings: string) => string} */
export const hashOf = (anchor, settings) =>
  anchor || settings ? `#${anchor}${settings ? `?${settings}` : ""}` : "";

/** @type {(hash: string) => { anchor: string, settings: string }} */
export const splitHash = (hash) => {
  const [, anchor, settings = ""] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? ["", "", ""];
  return { anchor, settings };
};

// A part of an address of an earlier edition, as this one writes it.
/** @type {(rules: Rules, trait: string, text: string) => [string, string]} */
const renewed = (rules, trait, text) => {
  for (const [now, { once }] of Object.entries(rules)) {
    const place = once?.[trait]?.indexOf(text) ?? -1;
    if (place >= 0) return [now, String(place)];
  }
  return [trait, text];
};

/** @type {(judged: Judged, values: Values) => string} */
const refusal = ({ rules, check }, values) => {
  for (const [trait, value] of Object.entries(values)) {
    const trouble = wrong(rules[trait], value, check(trait, values));
    if (trouble) return `${trait}: ${short(trouble, 120)}`;
  }
  return "";
};

// Read the settings of an address: all that is wanted, or what is wrong with it.
/** @type {(settings: string, find: (name: string) => Judged | undefined) => { wanted: Map<string, Values>, trouble: string }} */
export const readSettings = (settings, find) => {
  /** @type {Map<string, Values>} */
  const wanted = new Map();
  const no = (/** @type {string} */ trouble) => ({ wanted: new Map(), trouble });
  if (settings.length > TOO_LONG) return no(`it has ${settings.length} letters`);
  for (const part of settings.split("&").filter(Boolean)) {
    const [, name, said, written] = /^([\w-]+)\.(\w+)=(.*)$/s.exec(part) ?? [];
    if (!name) return no(`it says “${short(part)}”`);
    const rules = find(name)?.rules;
    const [trait, text] = renewed(rules ?? {}, said, written);
    if (!rules || !Object.hasOwn(rules, trait)) return no(`nothing here is called ${short(`${name}.${trait}`)}`);
    let value;
    try {
      value = nearest(rules[trait], readValue(rules[trait], decodeURIComponent(text)));
    } catch {
      return no(`${trait} is “${short(text)}”`);
    }
    wanted.set(name, { ...wanted.get(name), [trait]: value });
  }
  for (const [name, values] of wanted) {
    const trouble = refusal(/** @type {Judged} */ (find(name)), values);
    if (trouble) return no(trouble);
  }
  return { wanted, trouble: "" };
};

// What JSON escapes, Python's texts escape alike.
/** @param {unknown} value @returns {string} */
export const asPython = (value) => {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(asPython).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${asPython(each)}`);
  return `{${entries.join(", ")}}`;
};

// The line that makes an explorer in this state: what differs from what its class starts with.
/** @type {(call: Call, rules: Rules, values: Values) => string} */
export const pythonLine = ({ name, objects, defaults }, rules, values) => {
  const traits = Object.keys(rules)
    .filter((trait) => !Object.hasOwn(defaults, trait) || !same(values[trait], defaults[trait]))
    .map((trait) => `${trait}=${asPython(values[trait])}`);
  return `${name}(${[...objects, ...traits].join(", ")})`;
};

// The name of a file: the explorer and what it shows.
/** @type {(kind: string, values: Values) => string} */
export const fileName = (kind, values) => {
  const named = ["function", "target", "sample", "data"].map((trait) => values[trait]).find(Boolean);
  const what = values.view === "chord" ? "chord" : named;
  const plain = String(what ?? "").replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return [kind, plain.slice(0, 60)].filter(Boolean).join("-").toLowerCase();
};
