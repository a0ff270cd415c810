// What the view of the plane shows: data of Python's or the reader's own points, and the four paths.

import { growCart, sortedRows } from "../explorers/static/cart.js";
import { change, checks, memory } from "../explorers/static/kit.js";
import {
  History,
  MOST_NAME,
  OWN,
  namesOf,
  namesTrouble,
  planeOf,
  pointsTrouble,
  rowsOf,
  seenPart,
  spansOf,
  steadySpans,
} from "../explorers/static/points.js";
import { heldErrors, lawfulCuts, planePath, tablePlane } from "./kernel.js";

/**
 * @import { Model } from "../explorers/static/kit.js"
 * @import { Plane, Span } from "../explorers/static/plane.js"
 * @import { Row } from "../explorers/static/points.js"
 * @import { Choice } from "../explorers/static/table.js"
 * @import { Cost, PackedTable, PlanePath } from "./kernel.js"
 *
 * @typedef {{ data: string, points: Row[], names: string[], leaves: number, splits: number[][] | null, choice: Choice | null }} Kept
 * @typedef {Plane & { ranges: readonly Span[] }} Shown
 *
 * The path of each cost, and that of a reader's splits, grown on greedily where wanted to so many leaves.
 * @typedef {object} Paths
 * @property {(cost: Cost) => PlanePath} pathOf
 * @property {(splits: number[][], cost: Cost, leaves?: number) => PlanePath} ownPath
 *
 * @typedef {ReturnType<typeof planeState>} State
 * @typedef {ReturnType<State["now"]>} Now
 */

checks.points = pointsTrouble;
checks.names = namesTrouble;
checks.axes = (value, model) => {
  const record = model.get("_paths")[model.get("data")];
  const known = Array.isArray(value) && value.every((name) => record?.columns?.includes(name));
  return known && (value.length === 0 || (value.length === 2 && value[0] !== value[1]))
    ? ""
    : "axes must be two of the columns";
};

// As many leaves as Python grows.
const MOST_LEAVES = 32;

/** @param {any} cut */
const isCut = (cut) =>
  Array.isArray(cut) && cut.length === 3 && cut.every(Number.isFinite) && Number.isInteger(cut[0]) && [0, 1].includes(cut[1]);
checks.cuts = (value) => {
  if (value === null) return "";
  const fine = Array.isArray(value) && value.length < MOST_LEAVES && value.every(isCut);
  return fine && lawfulCuts(value).length === value.length ? "" : "splits must be rows [node, feature, threshold] of leaves";
};

// The paths, grown when they are asked for.
/** @type {(plane: Plane) => Paths} */
const grown = (plane) => {
  const sample = seenPart(plane);
  /** @type {Map<Cost, PlanePath>} */
  const made = new Map();
  /** @type {Int32Array[] | undefined} */
  let sorted;
  /** @type {(cost: Cost, leaves: number, own?: number[][]) => ReturnType<typeof growCart>} */
  const grow = (cost, leaves, own) => growCart(sample, cost, leaves, (sorted ??= sortedRows(sample)), own);
  return {
    pathOf(cost) {
      const path = made.get(cost) ?? planePath(grow(cost, MOST_LEAVES), cost, plane);
      made.set(cost, path);
      return path;
    },
    ownPath: (splits, cost, leaves = splits.length + 1) => planePath(grow(cost, leaves, splits), cost, plane),
  };
};

// The plane on display, and its paths.
/** @param {Model} model */
const pictured = (model) => {
  /** @type {Record<string, Plane | PackedTable>} */
  const records = model.get("_paths");
  const memo = memory();
  // What stays in place while the reader works on the points.
  let ranges = /** @type {readonly Span[] | null} */ (null);
  const chosen = () => {
    const record = records[model.get("data")];
    if (!record) return planeOf(model.get("points"), model.get("names"));
    return "columns" in record ? tablePlane(record, model.get("axes")) : record;
  };
  const asked = () => {
    const own = ["data", "points", "names", "axes"].map((trait) => model.get(trait));
    return memo("plane", own, () => {
      const found = chosen();
      /** @type {string} */
      const name = model.get("data");
      ranges = name === OWN ? steadySpans(found.points, ranges) : spansOf(found.points);
      /** @type {Shown} */
      const plane = { ...found, ranges };
      return { name, plane, ...grown(found) };
    });
  };
  return {
    forget() {
      ranges = null;
    },
    now() {
      const { name, plane, pathOf, ownPath } = asked();
      /** @type {Cost} */
      const cost = model.get("cost");
      /** @type {number[][] | null} */
      const splits = model.get("splits");
      const path = splits
        ? memo("own", [plane, splits, cost], () => ownPath(lawfulCuts(splits), cost))
        : pathOf(cost);
      const held = memo("held", [path, plane], () => heldErrors(path, plane));
      return { name, cost, plane, pathOf, ownPath, path, held, splits };
    },
  };
};

/** @param {Model} model */
export const planeState = (model) => {
  const { now, forget } = pictured(model);
  /** @type {History<Kept>} */
  const history = new History();
  // The table of the reader's whose columns became the points.
  let choice = /** @type {Choice | null} */ (null);
  /** @type {() => Kept} */
  const kept = () => ({
    data: model.get("data"),
    points: model.get("points"),
    names: model.get("names"),
    leaves: model.get("leaves"),
    splits: model.get("splits"),
    choice,
  });
  const asked = () => Math.min(model.get("leaves"), now().path.steps + 1);
  const state = {
    model,
    names: [...Object.keys(model.get("_paths")), OWN],
    ...{ now, asked },
    /** @param {number} leaves */
    goTo(leaves) {
      if (leaves >= 1 && leaves <= now().path.steps + 1) change(model, { leaves });
    },
    /** @param {PlanePath} path */
    stepOn: ({ steps }) => Math.min(model.get("leaves") - 1, steps),
    // --- the reader's splits ------------------------------------------------------------------
    /** @param {readonly (readonly number[])[] | null} splits */
    setSplits(splits) {
      change(model, { splits, playing: false, ...(splits && { leaves: splits.length + 1 }) });
    },
    made: () => now().splits ?? [],
    // The reader's tree, grown on greedily to as many leaves as the greedy tree has.
    complete() {
      const { cost, pathOf, ownPath } = now();
      const { split, variable, threshold } = ownPath(lawfulCuts(state.made()), cost, pathOf(cost).steps + 1);
      return split.map((node, j) => [node, variable[j], threshold[j]]);
    },
    // --- the reader's points ------------------------------------------------------------------
    plane: () => now().plane,
    rows: () => rowsOf(now().plane),
    can: () => ({ undo: history.past.length > 0, redo: history.future.length > 0 }),
    /** @type {(rows: Row[], live?: boolean) => void} */
    commit(points, live = false) {
      if (!live) history.push(kept());
      const names = model.get("data") === OWN ? model.get("names") : namesOf(now().plane).map((name) => name.slice(0, MOST_NAME));
      change(model, { points, names, data: OWN, playing: false });
    },
    // Other points altogether: splits of the old ones say nothing of them.
    /** @type {(points: Row[], names?: string[], from?: Choice | null) => void} */
    replace(points, names = [], from = null) {
      history.push(kept());
      choice = from;
      forget();
      change(model, { points, names, data: OWN, splits: null, playing: false });
    },
    /** @param {boolean} forward */
    step(forward) {
      const step = history.step(kept(), forward);
      if (!step) return;
      const { choice: from, ...old } = step;
      choice = from;
      if (old.data !== OWN || !old.points.length) forget();
      change(model, { ...old, playing: false });
    },
    choice: () => (model.get("data") === OWN ? choice : null),
  };
  return state;
};
