// A table that was read, as rows of numbers with a label at the end.

import { TableError, kindsOf } from "../explorers/static/computing/csv.js";
import { count } from "../explorers/static/computing/text.js";

/**
 * @import { CsvTable } from "../explorers/static/computing/csv.js"
 *
 * @typedef {CsvTable["columns"][number]} Column
 */

// Of the rows and columns, as in Python.
export const LIMITS = { least: 20, most: 2000, columns: 30 };

// The columns that can be a target: those of two kinds.
/** @type {(table: CsvTable) => string[]} */
export const targetsOf = ({ columns }) =>
  columns.filter(({ values }) => kindsOf(values).length === 2).map(({ name }) => name);

// A column as numbers: of categories a bit for each, or one bit if they are two.
/** @type {(column: Column) => { names: string[], values: ((row: number) => number)[] }} */
const testedOf = (column) => {
  const { name, numbers, values } = column;
  if (numbers) return { names: [name], values: [(row) => Number(values[row])] };
  const kinds = kindsOf(values);
  const named = kinds.length > 2 ? kinds : kinds.slice(-1);
  return {
    names: named.map((kind) => `${name} is ${kind}`),
    values: named.map((kind) => (/** @type {number} */ row) => (values[row] === kind ? 1 : 0)),
  };
};

// The rows of a table that have all their values, labeled by a column of two kinds.
/** @type {(table: CsvTable, target: string) => { rows: number[][], names: string[], note: string }} */
export const ownTable = ({ columns, rows }, target) => {
  const labeled = columns.find(({ name }) => name === target);
  if (!labeled) throw new TableError("No column has two kinds of values, to be the label.");
  const given = columns.filter((column) => column !== labeled);
  // A name of each row, say: nothing to learn from.
  const isName = (/** @type {Column} */ column) => !column.numbers && kindsOf(column.values).length > LIMITS.columns;
  const [others, left] = [given.filter((column) => !isName(column)), given.filter(isName)];
  const tested = others.map(testedOf);
  const [titles, values] = [tested.flatMap(({ names }) => names), tested.flatMap((one) => one.values)];
  if (titles.length < 1 || titles.length > LIMITS.columns) {
    throw new TableError(`The table has ${count(titles.length, "column")} to test, a category being one: from 1 to ${LIMITS.columns} can be.`);
  }
  const whole = Array.from({ length: rows }, (_, row) => row).filter((row) =>
    [labeled, ...others].every((column) => column.values[row] !== null),
  );
  if (whole.length < LIMITS.least || whole.length > LIMITS.most) {
    throw new TableError(`The table has ${count(whole.length, "row")} without missing values: from ${LIMITS.least} to ${LIMITS.most} can be.`);
  }
  const classes = kindsOf(labeled.values);
  const found = whole.map((row) => [...values.map((value) => value(row)), classes.indexOf(labeled.values[row] ?? "")]);
  const incomplete = rows - whole.length;
  const notes = [
    incomplete ? `${count(incomplete, "row")} with missing values left out.` : "",
    ...left.map((column) => `Column ${column.name} left out: it has ${count(kindsOf(column.values).length, "category", "categories")}.`),
  ];
  return { rows: found, names: [...titles, ...classes.map(String)], note: notes.filter(Boolean).join(" ") };
};
