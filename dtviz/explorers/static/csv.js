// A table as text: fields, their kinds, and the points that three of its columns are. Nothing here
// knows a page, and nothing leaves it.

import { MOST_NAME, MOST_POINTS, drawnOf } from "./points.js";
import { count, grouped } from "./text.js";

/**
 * @import { Row } from "./points.js"
 *
 * A column: numbers, or the names of categories; null where a value is missing.
 * @typedef {{ name: string, numbers: boolean, values: (number | string | null)[] }} Column
 * @typedef {{ columns: Column[], rows: number, note: string }} CsvTable
 * @typedef {{ target: string, axes: [string, string] }} Choice
 */

const MOST_ROWS_READ = 5000;
const MOST_COLUMNS = 40;
const MOST_LETTERS = 4_000_000;
const SEPARATORS = [",", ";", "\t"];
// The marks and the rule of dtviz.core.data.number_texts.
const MISSING = new Set(
  (",?,#N/A,#N/A N/A,#NA,-1.#IND,-1.#QNAN,-NaN,-nan,1.#IND,1.#QNAN,<NA>,N/A,NA,NULL,NaN,None,n/a," +
    "nan,null").split(","),
);
const NUMBER = new RegExp(
  "^[-+]?[$€£¥]?\\s?[-+]?" +
    "(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d*)?|\\d{1,3}(?:\\.\\d{3})+(?:,\\d*)?|\\d+[.,]?\\d*|[.,]\\d+)" +
    "(?:[eE][-+]?\\d+)?\\s?(%|[A-Za-zµ°]*)$",
);
const FEW_UNITS = 3;
const POINT = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const COMMA = /^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?$/;
const FARTHEST = 1e12;

// A fault of a text, with its line.
export class TableError extends Error {}

/** @type {(line: number, text: string) => never} */
const fail = (line, text) => {
  throw new TableError(`Line ${line}: ${text}.`);
};

// The fields of a record, where the next one begins, and how many lines it takes.
/** @type {(text: string, from: number, line: number, separator: string) => { fields: string[], at: number, lines: number }} */
const record = (text, from, line, separator) => {
  /** @type {string[]} */
  const fields = [];
  let [at, lines] = [from, 0];
  for (;;) {
    const field = text[at] === '"' ? quoted(text, at, line + lines) : plain(text, at, separator);
    fields.push(field.value);
    ({ at } = field);
    lines += field.lines;
    if (text[at] !== separator) break;
    at += 1;
  }
  if (at < text.length && !"\r\n".includes(text[at])) {
    fail(line + lines, `“${text.slice(at, at + 10).split(/\s/)[0]}” follows a closing quote`);
  }
  return { fields, at: at + (text.startsWith("\r\n", at) ? 2 : 1), lines: lines + 1 };
};

/**
 * The records of a text, each with the number of the line on which it begins; empty lines are none.
 * @type {(text: string, separator: string, most?: number) => { line: number, fields: string[] }[]}
 */
export const records = (text, separator, most = Infinity) => {
  const found = [];
  let [from, line] = [0, 1];
  while (from < text.length && found.length < most) {
    const { fields, at, lines } = record(text, from, line, separator);
    if (fields.length > 1 || fields[0].trim() !== "") found.push({ line, fields });
    from = at;
    line += lines;
  }
  return found;
};

/** @type {(text: string, from: number, separator: string) => { value: string, at: number, lines: number }} */
const plain = (text, from, separator) => {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return { value: text.slice(from, at), at, lines: 0 };
};

// A field in quotes, in which two quotes are one.
/** @type {(text: string, from: number, line: number) => { value: string, at: number, lines: number }} */
const quoted = (text, from, line) => {
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0) fail(line, "a quote is opened and never closed");
    if (text[at + 1] !== '"') break;
    at += 2;
  }
  const inside = text.slice(from + 1, at);
  return { value: inside.replaceAll('""', '"'), at: at + 1, lines: inside.split(/\r\n|\r|\n/).length - 1 };
};

// The separator that cuts the first lines into most fields, the same number in each if there is one.
/** @param {string} text */
const separatorOf = (text) => {
  const tried = SEPARATORS.map((separator) => {
    try {
      const widths = records(text, separator, 20).map(({ fields }) => fields.length);
      const even = widths.every((width) => width === widths[0]);
      return { separator, merit: widths.length && widths[0] > 1 ? widths[0] + (even ? 1000 : 0) : 0 };
    } catch {
      return { separator, merit: 0 };
    }
  });
  return tried.reduce((a, b) => (b.merit > a.merit ? b : a)).separator;
};

// A text as a number, null if it is none; in a column of decimal commas the comma is the point.
/** @type {(text: string, comma: boolean) => number | null} */
const numberOf = (text, comma) => {
  if (!(comma ? COMMA : POINT).test(text)) return null;
  return Number(comma ? text.replace(",", ".") : text);
};

/** @param {string} text */
const isNumber = (text) => POINT.test(text) || COMMA.test(text);

// What is wrong with a column of text most of whose different texts are numbers, "" if they are not.
/** @param {string[]} there */
const mixtureOf = (there) => {
  const kinds = [...new Set(there)].sort();
  /** @type {Map<string, string>} */
  const units = new Map(kinds.flatMap((text) => (NUMBER.test(text) ? [[text, NUMBER.exec(text)?.[1] ?? ""]] : [])));
  const often = (/** @type {string} */ unit) => [...units.values()].filter((one) => one === unit).length;
  const isNumeric = (/** @type {string} */ text) => {
    const unit = units.get(text);
    return unit !== undefined && (unit === "" || unit === "%" || often(unit) >= FEW_UNITS);
  };
  const numbers = kinds.filter(isNumeric);
  if (2 * numbers.length <= kinds.length) return "";
  const short = (/** @type {string} */ text) => `“${text.slice(0, 20)}”`;
  const rest = kinds.find((text) => !isNumeric(text));
  if (rest) return `${short(rest)} stands beside ${short(numbers[0])}; leave it empty where a value is missing`;
  const odd = numbers.find((text) => !POINT.test(text)) ?? numbers[0];
  return `${short(odd)} is a number written as text; leave out what is no digit`;
};

/** @type {(name: string, fields: string[], lines: number[], commas: boolean) => Column & { mixture: string }} */
const columnOf = (name, fields, lines, commas) => {
  const there = fields.filter((text) => !MISSING.has(text));
  const comma = commas && there.some((text) => text.includes(",")) && there.every((text) => COMMA.test(text));
  const numbers = there.length > 0 && there.every((text) => (comma ? COMMA : POINT).test(text));
  const values = fields.map((text, k) => {
    if (MISSING.has(text)) return null;
    const value = numbers ? numberOf(text, comma) : text;
    if (typeof value === "number" && !(Math.abs(value) <= FARTHEST)) {
      fail(lines[k], `${text.slice(0, 20)} in column ${name} is too large, more than 10^12`);
    }
    return value;
  });
  return { name, numbers, values, mixture: numbers ? "" : mixtureOf(there) };
};

// Names that differ; those that are not there are numbered.
/** @type {(given: string[]) => string[]} */
const namesOf = (given) => {
  /** @type {string[]} */
  const names = [];
  given.forEach((text, k) => {
    const name = text.slice(0, MOST_NAME - 6) || `column ${k + 1}`;
    let [own, number] = [name, 2];
    while (names.includes(own)) own = `${name} (${number++})`;
    names.push(own);
  });
  return names;
};

// The lines of a table, all of the same width.
/** @type {(text: string, separator: string) => { line: number, fields: string[] }[]} */
const evenLines = (text, separator) => {
  const lines = records(text, separator).map(({ line, fields }) => ({ line, fields: fields.map((f) => f.trim()) }));
  const [first = { line: 1, fields: [] }] = lines;
  const width = first.fields.length;
  if (width < 2) fail(first.line, "a table has two columns or more, separated by commas, semicolons or tabs");
  if (width > MOST_COLUMNS) fail(first.line, `${width} columns are more than ${MOST_COLUMNS}`);
  const ragged = lines.find(({ fields }) => fields.length !== width);
  if (ragged) fail(ragged.line, `${count(ragged.fields.length, "field")}, but ${width} in line ${first.line}`);
  return lines;
};

// The columns of a text, or a TableError.
/** @type {(given: string) => CsvTable} */
export const readTable = (given) => {
  const text = given.replace(/^\ufeff/, "");
  if (text.length > MOST_LETTERS) fail(1, `the text has ${grouped(text.length)} letters, more than ${grouped(MOST_LETTERS)}`);
  const separator = separatorOf(text);
  const lines = evenLines(text, separator);
  // Names are no numbers.
  const isHead = !lines[0].fields.some(isNumber);
  const body = isHead ? lines.slice(1) : lines;
  if (body.length < 2) fail(lines[lines.length - 1].line, "a table has two rows of values or more");
  if (body.length > MOST_ROWS_READ) {
    fail(body[MOST_ROWS_READ].line, `${grouped(body.length)} rows are more than ${grouped(MOST_ROWS_READ)}`);
  }
  const names = namesOf(isHead ? lines[0].fields : lines[0].fields.map(() => ""));
  const places = body.map(({ line }) => line);
  const read = names.map((name, k) =>
    columnOf(name, body.map(({ fields }) => fields[k]), places, separator !== ","),
  );
  const left = read.filter(({ mixture }) => mixture).map(({ name, mixture }) => `Column ${name} left out: ${mixture}.`);
  const columns = read.flatMap(({ mixture, ...column }) => (mixture ? [] : [column]));
  if (columns.length < 2) throw new TableError(left.join(" "));
  const kind = { ",": "commas", ";": "semicolons", "\t": "tabs" }[separator];
  const size = `${count(body.length, "row")} of ${count(names.length, "column")}`;
  const form = `${size}, separated by ${kind}, ${isHead ? "with" : "without"} names.`;
  return { columns, rows: body.length, note: [form, ...left].join(" ") };
};

// --- points of three columns ---------------------------------------------------------------------

/** @type {(values: (number | string | null)[]) => (number | string)[]} */
const kindsOf = (values) => {
  const kinds = [...new Set(values)].filter((value) => value !== null);
  return kinds.every((kind) => typeof kind === "number")
    ? kinds.sort((a, b) => Number(a) - Number(b))
    : kinds.sort((a, b) => (String(a) < String(b) ? -1 : 1));
};

// The class of each row, null where it is missing, and their names: at most three kinds; of more,
// the two most frequent and the others; of many numbers, those up to the median and those above.
/** @type {(column: Column) => { labels: (number | null)[], classes: string[] }} */
export const classesOf = ({ name, numbers, values }) => {
  const kinds = kindsOf(values);
  if (kinds.length <= 3) {
    return { labels: values.map((v) => (v === null ? null : kinds.indexOf(v))), classes: kinds.map((k) => String(k).slice(0, MOST_NAME)) };
  }
  if (numbers) {
    const sorted = values.filter((v) => v !== null).map(Number).sort((a, b) => a - b);
    const median = sorted[(sorted.length - 1) >> 1];
    const low = median === sorted[sorted.length - 1] ? kinds[kinds.length - 2] : median;
    const labels = values.map((v) => (v === null ? null : Number(Number(v) > Number(low))));
    return { labels, classes: [`${name} up to ${low}`, `${name} above ${low}`].map((text) => text.slice(0, MOST_NAME)) };
  }
  const often = kinds.map((kind) => values.filter((value) => value === kind).length);
  const order = kinds.map((_, k) => k).sort((a, b) => often[b] - often[a] || a - b);
  const top = order.slice(0, 2).map((k) => kinds[k]);
  const labels = values.map((v) => (v === null ? null : top.includes(v) ? top.indexOf(v) : 2));
  return { labels, classes: [...top.map((k) => String(k).slice(0, MOST_NAME)), `${kinds.length - 2} others`] };
};

// Numbers for a column, and its name at an axis. Categories are 0, 1, .. in the order of the mean of
// their labels, those tied as they first come.
/** @type {(column: Column, labels: (number | null)[]) => { numbers: (number | null)[], title: string }} */
export const axisOf = ({ name, numbers, values }, labels) => {
  if (numbers) return { numbers: values.map((v) => (v === null ? null : Number(v))), title: name };
  const kinds = [...new Set(values)].filter((value) => value !== null);
  const means = kinds.map((kind) => {
    const own = labels.flatMap((label, row) => (label !== null && values[row] === kind ? [label] : []));
    return own.reduce((sum, label) => sum + label, 0) / Math.max(own.length, 1);
  });
  const order = kinds.map((_, k) => k).sort((a, b) => means[a] - means[b] || a - b);
  const place = new Map(order.map((k, at) => [kinds[k], at]));
  // All of them are named at the axis, each as far as there is room for all.
  const most = Math.floor((MOST_NAME - name.length) / kinds.length) - 4;
  const listed = order.map((k, at) => `${String(kinds[k]).slice(0, most)} ${at}`).join(", ");
  const fits = most > 3 || kinds.every((kind) => String(kind).length <= most);
  const title = kinds.length <= 6 && fits ? `${name}: ${listed}` : name;
  return { numbers: values.map((v) => (v === null ? null : (place.get(v) ?? null))), title: title.slice(0, MOST_NAME) };
};

// What to look at first: a target of few kinds, the last one there is, and two numbers.
/** @type {(table: CsvTable) => Choice} */
export const firstChoice = ({ columns }) => {
  const kinds = columns.map(({ values }) => kindsOf(values).length);
  const few = (/** @type {number} */ most) => kinds.map((kind) => kind > 1 && kind <= most).lastIndexOf(true);
  const found = few(3) >= 0 ? few(3) : few(20);
  const target = found < 0 ? columns.length - 1 : found;
  const others = columns.filter((_, k) => k !== target);
  const ranked = [...others.filter(({ numbers }) => numbers), ...others.filter(({ numbers }) => !numbers)];
  const [first, second = first] = ranked;
  return { target: columns[target].name, axes: [first.name, second.name] };
};

// The points of a choice, their names, and in words what was left out. Of too many rows some are
// drawn at random.
/** @type {(table: CsvTable, choice: Choice, random: () => number) => { points: Row[], names: string[], note: string }} */
export const pointsOf = ({ columns }, { target, axes }, random) => {
  const column = (/** @type {string} */ name) => columns.find((one) => one.name === name) ?? columns[0];
  const { labels, classes } = classesOf(column(target));
  if (classes.length < 2) throw new TableError(`All rows have the same ${target}: nothing to separate.`);
  const [x, y] = axes.map((name) => axisOf(column(name), labels));
  /** @type {Row[]} */
  const all = [];
  labels.forEach((label, row) => {
    const [a, b] = [x.numbers[row], y.numbers[row]];
    if (label !== null && a !== null && b !== null) all.push([a, b, label]);
  });
  if (!all.length) throw new TableError("No row has a value in all three columns.");
  const missing = labels.length - all.length;
  const chosen = drawnOf(all, MOST_POINTS, random);
  const drawn = all.filter((_, k) => chosen.has(k));
  const notes = [
    `${count(drawn.length, "point")} by ${axes.join(" and ")}; ${classes.length} classes of ${target}.`,
    missing ? `${count(missing, "row")} left out: a value is missing.` : "",
    drawn.length === all.length ? "" : `Drawn at random from ${grouped(all.length)} rows.`,
  ];
  return { points: drawn, names: [x.title, y.title, ...classes], note: notes.filter(Boolean).join(" ") };
};
