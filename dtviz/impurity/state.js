// What the view of the plane shows: data of Python's or the reader's own points, and the paths of the costs.

import { growCart } from "../explorers/static/computing/cart.js";
import { costAt } from "../explorers/static/computing/criteria.js";
import { nearestStop } from "../explorers/static/computing/beta.js";
import { change, checks, recalling, setter } from "../explorers/static/hosting/kit.js";
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
} from "../explorers/static/computing/points.js";
import { heldErrors, planePath } from "./kernel.js";

/**
 * @import { Model } from "../explorers/static/hosting/kit.js"
 * @import { Plane, Span } from "../explorers/static/drawing/plane.js"
 * @import { Row } from "../explorers/static/computing/points.js"
 * @import { Choice } from "../explorers/static/controls/table.js"
 * @import { Cost, PlanePath } from "./kernel.js"
 *
 * @typedef {Plane & { ranges: readonly Span[] }} Shown
 * @typedef {ReturnType<typeof planeState>} State
 * @typedef {ReturnType<State["now"]>} Now
 */

checks.points = pointsTrouble;
checks.names = namesTrouble;

// As many leaves as Python grows.
export const MOST_LEAVES = 32;

checks.cuts = (value) => {
  if (value === null) return "";
  const leaves = new Set([0]);
  /** @type {(cut: any, j: number) => boolean} */
  const isCut = (cut, j) => {
    const fine = Array.isArray(cut) && cut.length === 3 && cut.every(Number.isFinite) && [0, 1].includes(cut[1]);
    if (!fine || !leaves.delete(cut[0])) return false;
    leaves.add(2 * j + 1).add(2 * j + 2);
    return true;
  };
  const fine = Array.isArray(value) && value.length < MOST_LEAVES && value.every(isCut);
  return fine ? "" : "splits must be rows [node, feature, threshold] of leaves";
};

// The plane on display, and its paths.
/** @param {Model} host */
const pictured = (host) => {
  const { model, recall } = recalling(host);
  // What stays in place while the reader works on the points.
  let ranges = /** @type {readonly Span[] | null} */ (null);
  /** @type {() => Plane} */
  const chosen = () => model.get("_paths")[model.get("data")] ?? planeOf(model.get("points"), model.get("names"));
  const plane = () =>
    recall("plane", () => {
      const found = chosen();
      ranges = model.get("data") === OWN ? steadySpans(found.points, ranges) : spansOf(found.points);
      /** @type {Shown} */
      const shown = { ...found, ranges };
      return shown;
    });
  // Grown on greedily from a reader's splits.
  /** @type {(cost: Cost, leaves: number, splits?: number[][]) => PlanePath} */
  const grown = (cost, leaves, splits) =>
    planePath(growCart(seenPart(plane()), cost, leaves, undefined, splits), cost, plane());
  // Of the costs between the names, the last one alone is kept.
  /** @type {(cost: Cost) => PlanePath} */
  const pathOf = (cost) =>
    recall(typeof cost === "number" ? "path between" : `path of ${cost}`, () => grown(cost, MOST_LEAVES), [cost]);
  // Where there are more classes than two, there is nothing between the named costs.
  const stopsOnly = () => plane().classes.length > 2;
  /** @type {() => Cost} */
  const costNow = () => {
    const position = model.get("cost_position");
    return plane().values ? "squared" : costAt(stopsOnly() ? nearestStop(position) : position);
  };
  return {
    ...{ plane, grown, pathOf, stopsOnly },
    forget() {
      ranges = null;
    },
    now() {
      const cost = costNow();
      /** @type {number[][] | null} */
      const splits = model.get("splits");
      const path = splits
        ? recall("own", () => grown(cost, splits.length + 1, splits), [splits, cost])
        : pathOf(cost);
      const held = recall("held", () => heldErrors(path, plane()), [path]);
      return { cost, plane: plane(), path, held, splits };
    },
  };
};

const KEPT = ["data", "points", "names", "leaves", "splits"];
/** @typedef {{ data: string, points: Row[], names: string[], leaves: number, splits: number[][] | null, choice: Choice | null }} Kept */

/** @param {Model} model */
export const planeState = (model) => {
  const { now, plane, grown, pathOf, stopsOnly, forget } = pictured(model);
  /** @type {History<Kept>} */
  const history = new History();
  // The table of the reader's whose columns became the points.
  let choice = /** @type {Choice | null} */ (null);
  const isOwn = () => model.get("data") === OWN;
  const kept = () => /** @type {Kept} */ ({ ...Object.fromEntries(KEPT.map((trait) => [trait, model.get(trait)])), choice });
  const state = {
    model,
    names: /** @type {string[]} */ (model.get("_rules").data.choices),
    ...{ now, pathOf, stopsOnly },
    goTo: setter(model, "leaves"),
    // How many splits of a path are drawn.
    stepOn: ({ steps } = now().path) => Math.min(model.get("leaves") - 1, steps),
    // --- the reader's splits ------------------------------------------------------------------
    /** @param {readonly (readonly number[])[] | null} splits */
    setSplits(splits) {
      change(model, { splits, playing: false, ...(splits && { leaves: splits.length + 1 }) });
    },
    made: () => now().splits ?? [],
    // The reader's tree, grown on greedily to as many leaves as the greedy tree has.
    complete() {
      const { cost } = now();
      const { split, variable, threshold } = grown(cost, pathOf(cost).steps + 1, state.made());
      return split.map((node, j) => [node, variable[j], threshold[j]]);
    },
    // --- the reader's points ------------------------------------------------------------------
    plane,
    rows: () => rowsOf(plane()),
    can: () => ({ undo: history.past.length > 0, redo: history.future.length > 0 }),
    /** @type {(rows: Row[], live?: boolean) => void} */
    commit(points, live = false) {
      if (!live) history.push(kept());
      const names = isOwn() ? model.get("names") : namesOf(plane()).map((name) => name.slice(0, MOST_NAME));
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
    // An empty plane, whose tree is to be seen to follow.
    blank() {
      if (isOwn()) return;
      state.replace([]);
      change(model, { leaves: Math.max(model.get("leaves"), 4) });
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
    choice: () => (isOwn() ? choice : null),
  };
  return state;
};
