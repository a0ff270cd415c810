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
const KINDS = { "\t": "tabs", ";": "semicolons", ",": "commas" };
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

// The records of a text, each with the number of the line on which it begins; empty lines are none.
/** @type {(text: string, separator: string) => { line: number, fields: string[] }[]} */
const records = (text, separator) => {
  // In quotes, in which two are one, or without any; then what ends the field.
  const field = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|(?!")([^${separator}\\r\\n]*))(${separator}|\\r\\n?|\\n|$)`, "y");
  const found = [];
  /** @type {string[]} */
  let fields = [];
  let [line, next] = [1, 1];
  while (field.lastIndex < text.length || fields.length) {
    const at = field.lastIndex;
    const [near] = text.slice(at + 1, at + 11).split(/\s/);
    const wrong = () => fail(next, `the quote before “${near}” is not closed at the end of its field`);
    const [all, quoted, plain, end] = field.exec(text) ?? wrong();
    fields.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    next += all.match(/\r\n?|\n/g)?.length ?? 0;
    if (end === separator) continue;
    if (fields.length > 1 || fields[0] !== "") found.push({ line, fields });
    [fields, line] = [[], next];
  }
  return found;
};

// The one of the separators that the first line has outside quotes: numbers may have commas of their own.
/** @type {(text: string) => keyof typeof KINDS} */
const separatorOf = (text) => {
  const [first = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]+/).filter(Boolean);
  return first.includes("\t") ? "\t" : first.includes(";") ? ";" : ",";
};

// What is wrong with a column of text most of whose different texts are numbers, "" if they are not.
/** @type {(fields: string[], lines: number[]) => string} */
const mixtureOf = (fields, lines) => {
  const kinds = [...new Set(fields)].filter((text) => !MISSING.has(text)).sort();
  const units = kinds.map((text) => NUMBER.exec(text)?.[1]);
  /** @type {Map<string | undefined, number>} */
  const often = new Map();
  for (const unit of units) often.set(unit, (often.get(unit) ?? 0) + 1);
  const isNumeric = (/** @type {string | undefined} */ unit) =>
    unit === "" || unit === "%" || (unit !== undefined && (often.get(unit) ?? 0) >= FEW_UNITS);
  const numbers = kinds.filter((_, k) => isNumeric(units[k]));
  if (2 * numbers.length <= kinds.length) return "";
  const short = (/** @type {string} */ text) => `“${text.slice(0, 20)}”`;
  const rest = kinds.find((_, k) => !isNumeric(units[k]));
  if (rest) {
    const line = lines[fields.indexOf(rest)];
    return `${short(rest)} in line ${line} stands beside ${short(numbers[0])}; leave it empty where a value is missing`;
  }
  const odd = numbers.find((text) => !POINT.test(text)) ?? numbers[0];
  return `${short(odd)} is a number written as text; leave out what is no digit`;
};

/** @type {(name: string, fields: string[], lines: number[], commas: boolean) => Column & { mixture: string }} */
const columnOf = (name, fields, lines, commas) => {
  const there = fields.filter((text) => !MISSING.has(text));
  // In a column of decimal commas the comma is the point.
  const form = commas && there.some((text) => text.includes(",")) ? COMMA : POINT;
  const numbers = there.length > 0 && there.every((text) => form.test(text));
  const values = fields.map((text, k) => {
    if (MISSING.has(text)) return null;
    if (!numbers) return text;
    const value = Number(text.replace(",", "."));
    if (Math.abs(value) <= FARTHEST) return value;
    return fail(lines[k], `${text.slice(0, 20)} in column ${name} is too large, more than 10^12`);
  });
  return { name, numbers, values, mixture: numbers ? "" : mixtureOf(fields, lines) };
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
  const lines = records(text, separator);
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
  const separator = separatorOf(text);
  const lines = evenLines(text, separator);
  // Names are no numbers.
  const isHead = !lines[0].fields.some((field) => POINT.test(field) || COMMA.test(field));
  const body = isHead ? lines.slice(1) : lines;
  if (body.length < 2) fail(lines[lines.length - 1].line, "a table has two rows of values or more");
  if (body.length > MOST_ROWS_READ) {
    fail(body[MOST_ROWS_READ].line, `${grouped(body.length)} rows are more than ${grouped(MOST_ROWS_READ)}`);
  }
  const names = namesOf(lines[0].fields.map((field) => (isHead ? field : "")));
  const places = body.map(({ line }) => line);
  const read = names.map((name, k) =>
    columnOf(name, body.map(({ fields }) => fields[k]), places, separator !== ","),
  );
  const left = read.filter(({ mixture }) => mixture).map(({ name, mixture }) => `Column ${name} left out: ${mixture}.`);
  const columns = read.flatMap(({ mixture, ...column }) => (mixture ? [] : [column]));
  if (columns.length < 2) throw new TableError(left.join(" "));
  const size = `${count(body.length, "row")} of ${count(names.length, "column")}`;
  const form = `${size}, separated by ${KINDS[separator]}, ${isHead ? "with" : "without"} names.`;
  return { columns, rows: body.length, note: [form, ...left].join(" ") };
};

/** @type {(values: (number | string | null)[]) => (number | string)[]} */
export const kindsOf = (values) => {
  const kinds = [...new Set(values)].filter((value) => value !== null);
  return kinds.sort((a, b) => (a < b ? -1 : 1));
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

// What to look at first: the last column that can be the class, and two numbers.
/** @type {(table: CsvTable) => Choice} */
export const firstChoice = ({ columns }) => {
  const [target] = columns.filter(({ values }) => [2, 3].includes(kindsOf(values).length)).reverse();
  if (!target) throw new TableError("No column has two or three kinds of values, to be the class.");
  const others = columns.filter((column) => column !== target);
  const ranked = [...others.filter(({ numbers }) => numbers), ...others.filter(({ numbers }) => !numbers)];
  const [first, second = first] = ranked;
  return { target: target.name, axes: [first.name, second.name] };
};

// The points of a choice, their names, and in words what was left out. Of too many rows some are
// drawn at random.
/** @type {(table: CsvTable, choice: Choice, random: () => number) => { points: Row[], names: string[], note: string }} */
export const pointsOf = ({ columns }, { target, axes }, random) => {
  const column = (/** @type {string} */ name) => columns.find((one) => one.name === name) ?? columns[0];
  const { values } = column(target);
  const kinds = kindsOf(values);
  if (kinds.length < 2 || kinds.length > 3) {
    throw new TableError(`${target} has ${count(kinds.length, "kind")} of values: a class has two or three.`);
  }
  const labels = values.map((value) => (value === null ? null : kinds.indexOf(value)));
  const classes = kinds.map((kind) => String(kind).slice(0, MOST_NAME));
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
