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
  spansOf,
  steadySpans,
} from "../explorers/static/computing/points.js";
import { heldErrors, planePath } from "./kernel.js";
import { movedSplits } from "./kernel_cuts.js";
import { pointsOf } from "./lands.js";

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
  /** @type {(cost: Cost, splits?: number[][]) => PlanePath} */
  const grown = (cost, splits) => {
    const { sample, orders } = pointsOf(plane());
    return planePath(growCart(sample, cost, MOST_LEAVES, orders, splits), cost, plane());
  };
  // Of the costs between the names, the last one alone is kept.
  /** @type {(cost: Cost) => PlanePath} */
  const pathOf = (cost) =>
    recall(typeof cost === "number" ? "path between" : `path of ${cost}`, () => grown(cost), [cost]);
  // Where there are more classes than two, there is nothing between the named costs.
  const stopsOnly = () => plane().classes.length > 2;
  /** @type {() => Cost} */
  const costNow = () => {
    const position = model.get("cost_position");
    return plane().values ? "squared" : costAt(stopsOnly() ? nearestStop(position) : position);
  };
  return {
    ...{ plane, pathOf, stopsOnly },
    forget() {
      ranges = null;
    },
    now() {
      const cost = costNow();
      /** @type {number[][] | null} */
      const splits = model.get("splits");
      const path = splits?.length ? recall("own", () => grown(cost, splits), [splits, cost]) : pathOf(cost);
      const held = recall("held", () => heldErrors(path, plane()), [path]);
      return { cost, plane: plane(), path, held, splits };
    },
  };
};

// The reader's splits: what stands, and how it is changed.
/** @param {ReturnType<typeof pictured> & { model: Model, stepOn: () => number, remember: () => void }} state */
const ownSplits = ({ model, now, pathOf, plane, stepOn, remember }) => ({
  // The splits of the tree on display as rows, and which of them a node has: that of a leaf comes after them. What
  // growth made below one that is to move is left out.
  /** @type {(node: number) => { splits: number[][], j: number }} */
  splitsAt(node) {
    const { path, splits } = now();
    const [step, own] = [stepOn(), path.splitAt[node]];
    const [j, stay] = own < step ? [own, Math.max(own + 1, splits?.length ?? 0)] : [step, step];
    const rows = path.split.slice(0, stay).map((at, k) => [at, path.variable[k], path.threshold[k]]);
    return { splits: rows, j };
  },
  // With a cut at a place that `splitsAt` gave, or, if that is null, without: then growth does not make it again. A new
  // one makes a leaf. A change that is `live` goes on from the last one.
  /** @type {(at: { node: number, splits: number[][], j: number }, cut: { feature: number, threshold: number } | null, live?: boolean) => void} */
  cut({ node, splits, j }, cut, live = false) {
    if (!live) remember();
    const isNew = j === splits.length;
    const added = cut ? [[node, cut.feature, cut.threshold]] : [];
    const rows = isNew ? [...splits, ...added] : movedSplits(pointsOf(plane()).sample, splits, j, cut);
    change(model, { splits: rows, playing: false, ...((isNew || !cut) && { leaves: rows.length + 1 }) });
  },
  // No splits are the reader's where they are those that growth makes; who took all away may want to cut first.
  settle() {
    const { cost, splits } = now();
    const { split, variable, threshold } = pathOf(cost);
    const isGreedy = splits?.length && splits.every((row, j) => row[0] === split[j] && row[1] === variable[j] && row[2] === threshold[j]);
    if (isGreedy) change(model, { splits: null });
  },
  forgo() {
    remember();
    change(model, { splits: null, playing: false });
  },
});

const KEPT = ["data", "points", "names", "leaves", "splits"];
/** @typedef {{ data: string, points: Row[], names: string[], leaves: number, splits: number[][] | null, choice: Choice | null }} Kept */

/** @param {Model} model */
export const planeState = (model) => {
  const shown = pictured(model);
  const { now, plane, pathOf, stopsOnly, forget } = shown;
  /** @type {History<Kept>} */
  const history = new History();
  // The table of the reader's whose columns became the points.
  let choice = /** @type {Choice | null} */ (null);
  const isOwn = () => model.get("data") === OWN;
  const kept = () => /** @type {Kept} */ ({ ...Object.fromEntries(KEPT.map((trait) => [trait, model.get(trait)])), choice });
  // How many splits of a path are drawn.
  const stepOn = ({ steps } = now().path) => Math.min(model.get("leaves") - 1, steps);
  const remember = () => history.push(kept());
  const state = {
    ...ownSplits({ ...shown, model, stepOn, remember }),
    model,
    names: /** @type {string[]} */ (model.get("_rules").data.choices),
    ...{ now, pathOf, stopsOnly },
    goTo: setter(model, "leaves"),
    stepOn,
    // --- the reader's points ------------------------------------------------------------------
    plane,
    rows: () => rowsOf(plane()),
    can: () => ({ undo: history.past.length > 0, redo: history.future.length > 0 }),
    /** @type {(rows: Row[], live?: boolean) => void} */
    commit(points, live = false) {
      if (!live) remember();
      const names = isOwn() ? model.get("names") : namesOf(plane()).map((name) => name.slice(0, MOST_NAME));
      change(model, { points, names, data: OWN, playing: false });
    },
    // Other points altogether: splits of the old ones say nothing of them.
    /** @type {(points: Row[], names?: string[], from?: Choice | null) => void} */
    replace(points, names = [], from = null) {
      remember();
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
