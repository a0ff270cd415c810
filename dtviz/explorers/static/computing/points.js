// The reader's own points: rows [x, y, label], or [x, y, label, 1] where one is held out, which the
// tree does not see. Nothing here knows a page; `dtviz.explorers.planes` holds the same rules.

import { clamp } from "./text.js";

/**
 * @import { Plane, Span } from "../drawing/plane.js"
 *
 * @typedef {number[]} Row
 */

export const MOST_POINTS = 1500;
// The name of the data that they are.
export const OWN = "yours";
const FARTHEST = 1e12;
export const MOST_NAME = 60;

/** @param {any} row */
const isRow = (row) =>
  Array.isArray(row) &&
  (row.length === 3 || row.length === 4) &&
  row.every((value) => Number.isFinite(value) && Math.abs(value) <= FARTHEST) &&
  [0, 1, 2].includes(row[2]) &&
  [undefined, 0, 1].includes(row[3]);

// What is wrong with a value as points, "" if nothing is.
/** @type {(value: any) => string} */
export const pointsTrouble = (value) => {
  if (!Array.isArray(value)) return "points must be a list";
  if (value.length > MOST_POINTS) return `points must be at most ${MOST_POINTS} rows, not ${value.length}`;
  const wrong = value.findIndex((row) => !isRow(row));
  return wrong < 0 ? "" : `points must be rows [x, y, label], row ${wrong + 1} is ${JSON.stringify(value[wrong])}`;
};

// The same of their names: none, or those of two coordinates and of two or three classes.
/** @type {(value: any) => string} */
export const namesTrouble = (value) => {
  const texts = Array.isArray(value) && value.every((name) => typeof name === "string" && name.length <= MOST_NAME);
  return texts && [0, 4, 5].includes(value.length) ? "" : "names must be none, or those of two coordinates and of the classes";
};

// An axis of categories is called "by: bus 0, car 1": its name, and what its numbers mean. Null if it
// is none, or a category has a comma of its own.
/** @type {(feature: string) => { name: string, kinds: string[] } | null} */
export const categoriesOf = (feature) => {
  const at = feature.indexOf(": ");
  const kinds = at < 0 ? [] : feature.slice(at + 2).split(", ");
  const right = kinds.length > 1 && kinds.every((one, k) => one.length > ` ${k}`.length && one.endsWith(` ${k}`));
  return right ? { name: feature.slice(0, at), kinds: kinds.map((one, k) => one.slice(0, -` ${k}`.length)) } : null;
};

/** @param {Row} row */
export const isHeld = (row) => row[3] === 1;

// What a name is where none was given.
/** @type {(names: string[], rows: Row[]) => { features: string[], classes: string[] }} */
const named = (names, rows) => {
  const [x0 = "x0", x1 = "x1", ...classes] = names;
  const kinds = Math.max(2, ...rows.map(([, , label]) => label + 1));
  for (let k = classes.length; k < kinds; k += 1) classes.push(`class ${k}`);
  return { features: [x0, x1], classes };
};

/** @type {(rows: Row[], names: string[]) => Plane & { held: boolean[] }} */
export const planeOf = (rows, names) => ({
  ...named(names, rows),
  points: [rows.map(([x]) => x), rows.map(([, y]) => y)],
  labels: rows.map(([, , label]) => label),
  held: rows.map(isHeld),
});

/** @type {(plane: Plane) => Row[]} */
export const rowsOf = ({ points: [first, second], labels, held }) =>
  labels.map((label, i) => [first[i], second[i], label, ...(held?.[i] ? [1] : [])]);

/** @type {(plane: Plane) => string[]} */
export const namesOf = ({ features, classes }) => [...features, ...classes];

// The points that the tree grows on.
/** @type {(plane: Plane) => { columns: number[][], labels: number[], classes: number, values?: number[] }} */
export const seenPart = ({ points, labels, classes, held, values }) => {
  /** @type {(list: number[]) => number[]} */
  const seen = (list) => (held ? list.filter((_, i) => !held[i]) : list);
  return { columns: points.map(seen), labels: seen(labels), classes: values?.length ?? classes.length, values };
};

// How far a number is on the way from the lowest to the highest label, and its color.
/** @type {(values: readonly number[], value: number) => number} */
export const shareOf = (values, value) => (value - values[0]) / (values[values.length - 1] - values[0] || 1);
/** @param {number} share */
export const tintOf = (share) => `color-mix(in oklch, var(--dtviz-one) ${(100 * share).toFixed(1)}%, var(--dtviz-zero))`;

// Where points lie, with a little room around them.
/** @type {(columns: number[][]) => Span[]} */
export const spansOf = (columns) =>
  columns.map((column) => {
    if (!column.length) return [0, 1];
    const [low, high] = [Math.min(...column), Math.max(...column)];
    const room = (high - low || 1) * 0.04;
    return [low - room, high + room];
  });

// The spans of old, if all points lie within: what is drawn stays in its place.
/** @type {(columns: number[][], old: readonly Span[] | null) => readonly Span[]} */
export const steadySpans = (columns, old) => {
  const all = old?.every(([low, high], k) => columns[k].every((value) => low <= value && value <= high));
  return old && all ? old : spansOf(columns);
};

// A number to about a thousandth of a span.
/** @type {(value: number, span: Span) => number} */
export const rounded = (value, [low, high]) => {
  const step = 10 ** Math.floor(Math.log10((high - low) / 300));
  const near = Math.round(clamp(value, low, high) / step) * step;
  return Number(clamp(near, low, high).toPrecision(10));
};

/** @type {(rows: Row[], at: number, row: Row) => Row[]} */
export const replaced = (rows, at, row) => rows.map((old, k) => (k === at ? row : old));

// The point nearest to a place, within so many pixels; -1 if there is none.
/** @type {(places: ArrayLike<readonly [number, number]>, at: readonly [number, number], reach: number) => number} */
export const nearestPoint = (places, [px, py], reach) => {
  let [found, best] = [-1, reach * reach];
  for (let k = 0; k < places.length; k += 1) {
    const far = (places[k][0] - px) ** 2 + (places[k][1] - py) ** 2;
    if (far <= best) [found, best] = [k, far];
  }
  return found;
};

// The places of so many rows, drawn at random.
/** @type {(rows: Row[], many: number, random: () => number) => Set<number>} */
export const drawnOf = (rows, many, random) => {
  const order = rows.map((_, k) => ({ k, at: random() })).sort((a, b) => a.at - b.at);
  return new Set(order.slice(0, many).map(({ k }) => k));
};

// Hold out about a share of the rows, another share each time.
/** @type {(rows: Row[], share: number, random: () => number) => Row[]} */
export const heldOut = (rows, share, random) => {
  const chosen = drawnOf(rows, Math.round(share * rows.length), random);
  return rows.map(([x, y, label], k) => (chosen.has(k) ? [x, y, label, 1] : [x, y, label]));
};

// Clouds of points that overlap, one or two of each class, in the unit square.
/** @type {(n: number, random: () => number) => Row[]} */
export const randomRows = (n, random) => {
  const clouds = Array.from({ length: 4 }, (_, k) => ({
    label: k % 2,
    center: [0.2 + 0.6 * random(), 0.2 + 0.6 * random()],
    wide: 0.06 + 0.1 * random(),
  }));
  const square = /** @type {Span} */ ([0, 1]);
  return Array.from({ length: n }, () => {
    const { label, center, wide } = clouds[Math.floor(4 * random())];
    const far = wide * Math.sqrt(-2 * Math.log(1 - random()));
    const turn = 2 * Math.PI * random();
    const [x, y] = [center[0] + far * Math.cos(turn), center[1] + far * Math.sin(turn)];
    return [rounded(x, square), rounded(y, square), label];
  });
};

/**
 * What was, and what was undone.
 * @template State
 */
export class History {
  /** @param {number} most  of which so many are kept */
  constructor(most = 200) {
    this.most = most;
    /** @type {State[]} */
    this.past = [];
    /** @type {State[]} */
    this.future = [];
  }

  // Before a change.
  /** @param {State} state */
  push(state) {
    this.past = [...this.past, state].slice(-this.most);
    this.future = [];
  }

  // Go back from a state to the one before, or forward again; null if there is none.
  /** @type {(now: State, forward?: boolean) => State | null} */
  step(now, forward = false) {
    const [from, to] = forward ? [this.future, this.past] : [this.past, this.future];
    const state = from.pop();
    if (state === undefined) return null;
    to.push(now);
    return state;
  }
}
