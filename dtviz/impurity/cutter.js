// Cutting the plane by hand: a line is dragged, a press in a box places a cut, and along its axis runs the curve of
// what every cut there gains. Keys do the same.

import { decimals } from "./kernel.js";
import { bestOf, gapOf, gainCurves, partingThreshold, stepThreshold } from "./kernel_cuts.js";
import { gainMarks } from "./gains.js";
import { pointsOf } from "./lands.js";
import { MOST_LEAVES } from "./state.js";
import { OWN_KEYS, html, put, putAll, svg } from "../explorers/static/hosting/kit.js";
import { clamp, digits } from "../explorers/static/computing/text.js";

/**
 * @import { PlaneView } from "../explorers/static/drawing/plane.js"
 * @import { Curve } from "./kernel_cuts.js"
 * @import { Now, State } from "./state.js"
 *
 * The cut on which the reader works: where it is among the splits of which state, the curves of both axes, the largest
 * gain of all, and whether it has been moved.
 * @typedef {{ of: Now, node: number, splits: number[][], j: number, curves: Curve[], most: number, feature: number, threshold: number, moved: boolean }} Active
 *
 * A pointer that is down: since where, on the line of which split (-1 for none) or in the box of which node.
 * @typedef {{ id: number, from: number[], at: number[], anchor: number[], line: number, node: number, off: number[], moves: boolean, touch: boolean }} Press
 */

// Pixels: how near a line is taken, by a finger too; what is no motion; within which the best cut attracts; after which
// motion across the axis turns a new cut.
const [REACH, TOUCH, STILL, MAGNET, TURN] = [5, 16, 4, 5, 32];
// Milliseconds after which a press without motion cuts.
const HOLD = 300;
// Gaps between points that an arrow key passes with Shift.
const FAR = 10;
const KEYS = "T turns it, Escape takes the best, then lets go, Delete takes it away.";
/** @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowDown: -1, PageUp: -1, ArrowRight: 1, ArrowUp: 1, PageDown: 1 };

export class Cutter {
  /**
   * @param {PlaneView} view
   * @param {State} state
   * @param {() => void} redraw
   */
  constructor(view, state, redraw) {
    this.view = view;
    this.state = state;
    this.redraw = redraw;
    this.active = /** @type {Active | null} */ (null);
    this.press = /** @type {Press | null} */ (null);
    this.dragged = false; // whether the click to come ends a drag
    this.chosen = 0; // the node that keys would cut
    this.timer = 0;
    this.near = svg("line", { class: "dtviz-near-cut", visibility: "hidden" });
    this.marks = gainMarks();
    view.canvas.append(this.near, this.marks.root);
    this.handle = html("div", { class: "dtviz-at-cut", role: "slider", tabindex: 0, "aria-label": "Cut of the plane", ...OWN_KEYS });
    this.turner = html("button", { type: "button", name: "turn", "aria-label": "Turn the cut", hidden: "", ...OWN_KEYS }, "Turn");
    this.back = html("button", { type: "button", name: "greedy", hidden: "", ...OWN_KEYS }, "Back to greedy");
    this.hint = html("span", { class: "dtviz-aside" }, "Drag a line, or press and move");
    this.back.addEventListener("click", () => {
      state.forgo();
      this.handle.focus({ preventScroll: true });
    });
    // Who presses it still holds the cut.
    this.turner.addEventListener("mousedown", (event) => event.preventDefault());
    this.turner.addEventListener("click", () => this.turn());
    const { stage } = view;
    stage.append(this.handle, html("div", { class: "dtviz-cut-bar", "data-no-picture": "" }, this.back, this.turner, this.hint));
    this.handle.addEventListener("keydown", (event) => this.onKey(event));
    this.handle.addEventListener("focus", () => !this.press && !this.active && this.choose(this.chosen));
    const onBlur = (/** @type {FocusEvent} */ { relatedTarget: to }) => {
      if (to === this.handle || to === this.turner) return;
      put(this.handle, "data-quiet", false);
      view.forget();
      this.letGo();
    };
    for (const part of /** @type {HTMLElement[]} */ ([this.handle, this.turner])) part.addEventListener("blur", onBlur);
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    stage.addEventListener("pointerup", (event) => event.pointerId === this.press?.id && this.up());
    stage.addEventListener("pointercancel", () => this.cancel());
    stage.addEventListener("pointerleave", () => this.hover(-1));
    // A finger that holds a cut does not scroll the page, and a mouse does not take the focus from it.
    this.keep = (/** @type {Event} */ event) => this.press?.moves && event.preventDefault();
    stage.addEventListener("touchstart", this.keep, { passive: false });
    stage.addEventListener("mousedown", this.keep);
    stage.addEventListener("contextmenu", (event) => this.press && event.preventDefault());
    const onClick = (/** @type {MouseEvent} */ event) => {
      if (this.dragged) event.stopImmediatePropagation();
      else if (event.target !== this.turner) this.letGo();
    };
    stage.addEventListener("click", onClick, { capture: true });
  }

  // --- the cut ------------------------------------------------------------------------------------

  // Begin to work on the split of a node; false where nothing can be cut.
  /** @param {number} node */
  begin(node) {
    const { state } = this;
    const of = state.now();
    const found = gainCurves(pointsOf(of.plane).sample, of.cost, of.path.rows(node));
    const at = state.splitsAt(node);
    if (at.j >= MOST_LEAVES - 1 || !found.curves.some(({ gains }) => gains.length)) return false;
    const [, feature = -1, threshold = 0] = at.splits[at.j] ?? [];
    this.active = { ...at, ...found, node, of, feature, threshold, moved: false };
    this.chosen = node;
    return true;
  }

  // Whether that is another cut.
  /** @type {(feature: number, threshold: number) => boolean} */
  set(feature, threshold) {
    const { active } = this;
    if (!active?.curves[feature].gains.length) return false;
    const there = partingThreshold(active.curves[feature], threshold);
    if (active.feature === feature && active.threshold === there) return false;
    const live = active.moved;
    Object.assign(active, { feature, threshold: there, moved: true });
    this.state.cut(active, active, live);
    return true;
  }

  // The best cut of the node, which growth would make; false where that is held.
  toBest() {
    const { active } = this;
    const best = active && active.of.path.best(active.node);
    const moves = Boolean(best && this.set(best.feature, best.threshold));
    this.state.settle();
    return moves;
  }

  takeAway() {
    const { active, state } = this;
    if (!active) return;
    this.active = null;
    state.cut(active, null);
    state.settle();
  }

  letGo() {
    if (!this.active || this.press?.moves) return;
    this.active = null;
    this.state.settle();
    this.redraw();
  }

  // Cut along the other axis, where the pointer is or best.
  turn() {
    const { active, press } = this;
    if (!active) return;
    const other = 1 - active.feature;
    this.set(other, press ? this.valueAt(press.at, other) : bestOf(active.curves[other]));
  }

  get gain() {
    const { active } = this;
    const curve = active?.curves[active.feature];
    return active && curve ? curve.gains[gapOf(curve, active.threshold)] : 0;
  }

  // --- the pointer --------------------------------------------------------------------------------

  // Where a place is along an axis; the best cut attracts it.
  /** @type {(place: number[], feature: number) => number} */
  valueAt([px, py], feature) {
    const { active, view } = this;
    if (!active || !view.shown) return 0;
    const { scale } = view.shown;
    const best = bestOf(active.curves[feature]);
    const off = feature ? scale.y(best) - py : scale.x(best) - px;
    if (Math.abs(off) <= MAGNET) return best;
    // In as few digits as tell pixels apart, also where an axis is logarithmic.
    const [near, next] = [0, 1].map((by) => scale.back(px + by, py - by)[feature]);
    const step = 10 ** Math.floor(Math.log10(next - near));
    return Number((Math.round(near / step) * step).toPrecision(10));
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { view } = this;
    this.dragged = false;
    const { px, py, inside } = view.at(event);
    if (view.busy || this.press || event.button !== 0 || !inside || !view.shown) return;
    const { path, scale } = view.shown;
    const touch = event.pointerType === "touch";
    const line = view.lineAt(px, py, touch ? TOUCH : REACH);
    const node = line < 0 ? path.find(scale.back(px, py), view.step) : path.split[line];
    const at = [px, py];
    const press = { id: event.pointerId, from: at, at, anchor: at, line, node, off: [0, 0], moves: false, touch };
    this.press = press;
    // What a finger touches hears how it moves, also where the cut takes that out of the plane.
    event.target?.addEventListener("touchmove", this.keep, { passive: false });
    // Who presses a line has it at once, elsewhere a finger may be about to scroll.
    if (line >= 0) this.start(-1);
    else this.timer = setTimeout(() => this.start(-1), HOLD);
  }

  // From here on the press is a cut: along an axis, or if that is -1 along the one that gains more here.
  /** @param {number} axis */
  start(axis) {
    const { press, view } = this;
    clearTimeout(this.timer);
    if (!press || !view.shown) return;
    if (!this.begin(press.node)) this.press = null;
    const { active } = this;
    if (!this.press || !active) return;
    press.moves = true;
    view.forget();
    view.busy = true;
    view.stage.setPointerCapture(press.id);
    put(this.handle, "data-quiet", true);
    this.handle.focus({ preventScroll: true });
    if (press.line >= 0) {
      const { scale } = view.shown;
      const place = [scale.x(active.threshold), scale.y(active.threshold)];
      press.off = place.map((value, k) => value - press.from[k]);
      this.redraw();
      return;
    }
    const [first, second] = active.curves.map((curve, k) => curve.gains[gapOf(curve, this.valueAt(press.from, k))] ?? -1);
    const wanted = axis < 0 ? Number(second > first) : axis;
    const feature = active.curves[wanted].gains.length ? wanted : 1 - wanted;
    this.set(feature, this.valueAt(press.from, feature));
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { press, view } = this;
    const { px, py, inside } = view.at(event);
    if (!press) this.hover(inside && !view.busy && event.pointerType === "mouse" ? view.lineAt(px, py, REACH) : -1);
    if (press?.id === event.pointerId) this.drag(press, px, py);
  }

  // A press that moves far enough is a cut; a finger that goes up or down scrolls the page.
  /** @type {(press: Press, px: number, py: number) => void} */
  drag(press, px, py) {
    const [dx, dy] = [px, py].map((place, k) => Math.abs(place - press.from[k]));
    if (Math.hypot(dx, dy) < STILL && !(press.moves && this.active?.moved)) return;
    if (!press.moves && !(press.touch && dy > dx)) this.start(Number(dy > dx));
    if (!press.moves || !this.active) return;
    press.at = [px + press.off[0], py + press.off[1]];
    const feature = press.line < 0 ? this.axisAt(press) : this.active.feature;
    this.set(feature, this.valueAt(press.at, feature));
  }

  // Show that a line can be dragged, -1 for none.
  /** @param {number} j */
  hover(j) {
    const { view } = this;
    view.cut(this.near, j);
    put(view.stage, "data-cut", j < 0 ? "" : view.shown?.path.variable[j] ? "y" : "x");
  }

  // The axis of a new cut: motion far across it turns it.
  /** @param {Press} press */
  axisAt(press) {
    const feature = this.active?.feature ?? 0;
    const by = press.at.map((place, k) => Math.abs(place - press.anchor[k]));
    if (Math.max(...by) < TURN) return feature;
    press.anchor = press.at;
    return by[1 - feature] > 2 * by[feature] ? 1 - feature : feature;
  }

  up() {
    clearTimeout(this.timer);
    this.dragged = this.press?.moves ?? false;
    this.press = null;
    if (!this.dragged) return;
    this.view.busy = false;
    this.state.settle();
  }

  // The page scrolls instead: all is as before.
  cancel() {
    const { active, press } = this;
    this.up();
    if (!press?.moves) return;
    this.active = null;
    if (active?.moved) this.state.step(false);
    this.redraw();
  }

  // --- keys ---------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  onKey(event) {
    put(this.handle, "data-quiet", false);
    if (!this.act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Whether a key did anything.
  /** @param {KeyboardEvent} event */
  act({ key, shiftKey, ctrlKey, metaKey }) {
    if (ctrlKey || metaKey) {
      if (key.toLowerCase() === "z") this.state.step(shiftKey);
      return key.toLowerCase() === "z";
    }
    if (!this.active) return this.pick(key);
    if (ARROWS[key]) this.advance(ARROWS[key] * (shiftKey ? FAR : 1));
    else if (key.toLowerCase() === "t") this.turn();
    else if (key === "Delete" || key === "Backspace") this.takeAway();
    else if (key === "Escape") this.leave();
    else if (key === "Enter") this.letGo();
    else return false;
    return true;
  }

  // So many gaps between points further.
  /** @param {number} by */
  advance(by) {
    const { active } = this;
    if (active) this.set(active.feature, stepThreshold(active.curves[active.feature], active.threshold, by));
  }

  // Back to the best cut, that of growth where several are; from there, let go.
  leave() {
    this.up();
    if (!this.toBest()) this.letGo();
  }

  // Keys where no cut is held: go to another node, or cut it.
  /** @param {string} key */
  pick(key) {
    if (ARROWS[key]) this.choose(this.chosen + ARROWS[key]);
    else if ((key === "Enter" || key === " ") && this.begin(this.chosen)) {
      this.view.forget();
      if (this.active && this.active.feature < 0) this.toBest();
      this.redraw();
    } else return false;
    return true;
  }

  /** @param {number} node */
  choose(node) {
    this.chosen = clamp(node, 0, 2 * this.view.step);
    this.view.activate(this.chosen);
    this.draw();
  }

  // --- what is seen and said ----------------------------------------------------------------------

  // What the cut gains, and what the best one would, for the status.
  words() {
    return this.active ? `this cut gains ${this.numbers.join(", the best ")}` : "";
  }

  get numbers() {
    const { active } = this;
    if (!active) return [];
    const { path, plane } = active.of;
    /** @param {number} gain */
    const write = (gain) => (plane.values ? path.write(gain) : gain > 0 && gain < 0.001 ? digits(gain, 2) : decimals(gain));
    return [this.gain, active.most].map(write);
  }

  draw() {
    const { active, state, view } = this;
    const { plane, path, cost, splits } = state.now();
    if (active) {
      const { of, j, feature, threshold } = active;
      const stays = of.plane === plane && of.cost === cost && path.variable[j] === feature && path.threshold[j] === threshold;
      if (!stays) this.active = null;
    }
    this.back.hidden = !splits;
    this.hint.hidden = Boolean(splits || this.active);
    this.turner.hidden = !this.active?.curves[1 - Math.max(this.active.feature, 0)].gains.length;
    put(this.near, "visibility", "hidden");
    // One line at a time stands out.
    put(view.last, "display", this.active ? "none" : "inline");
    this.marks.draw(view, this.active, this.gain, this.numbers.join(", best "));
    this.describe(path, view.step);
  }

  // As a slider, for a screen reader: over the gaps between points, or over the nodes.
  /** @type {(path: Now["path"], step: number) => void} */
  describe(path, step) {
    const { active, handle } = this;
    const curve = active?.curves[active.feature];
    this.chosen = Math.min(this.chosen, 2 * step);
    const offer = path.best(this.chosen) ? "Enter cuts here" : "Nothing can be cut here";
    const [now, most, text] =
      active && curve
        ? [gapOf(curve, active.threshold), curve.gains.length - 1, `${path.ask(active.feature, active.threshold)}: ${this.words()}. ${KEYS}`]
        : [this.chosen, 2 * step, `${path.where(this.chosen)}. ${offer}, arrow keys go to another box.`];
    putAll(handle, { "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": now, "aria-valuetext": text });
  }
}
