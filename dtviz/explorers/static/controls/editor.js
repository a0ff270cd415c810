// Points that a reader adds, drags, recolors and deletes on the plane, by hand or by keys.

import { buttonControl, selectControl } from "./controls.js";
import { OWN_KEYS, html, put, say } from "../hosting/kit.js";
import { MOST_POINTS, heldOut, isHeld, nearestPoint, randomRows, replaced, rounded } from "../computing/points.js";
import { CLASS_MARKS, clamp, digits } from "../computing/text.js";

/**
 * @import { Plane, PlaneView, Span } from "../drawing/plane.js"
 * @import { Row } from "../computing/points.js"
 *
 * What the editor asks of whoever keeps the points. A change that is `live` goes on from the last one.
 * @typedef {object} Keeper
 * @property {() => Plane & { ranges: readonly Span[] }} plane
 * @property {() => Row[]} rows
 * @property {(rows: Row[], live?: boolean) => void} commit
 * @property {(rows: Row[]) => void} replace  all of them by others
 * @property {() => void} blank  an empty plane, unless the points are the reader's own already
 * @property {(forward: boolean) => void} step  undo or redo
 * @property {() => { undo: boolean, redo: boolean }} can
 */

const TOOLS = ["look at regions", "move", "add ●", "add ▲", "add ■", "change class", "delete"];
const [LOOK, MOVE, , , , CLASS, DELETE] = TOOLS;
const PENS = TOOLS.slice(2, 5);
const DIGITS = ["1", "2", "3"];
const KEYS = "Arrow keys move the point (finer with Shift), Page Up and Page Down go to another, Enter adds one, 1, 2, 3 set its class, Delete removes it.";
const RANDOM = 60;
const SHARE = 0.3;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class PointsEditor {
  /** @param {PlaneView} view @param {Keeper} keeper */
  constructor(view, keeper) {
    this.view = view;
    this.keeper = keeper;
    this.chosen = -1;
    this.dragged = -1;
    // Whether the next move is the first of a drag, the one to be undone.
    this.fresh = false;
    this.tool = selectControl({ name: "tool", label: "Points", options: TOOLS, onChange: (tool) => this.take(tool) });
    /** @type {(name: string, label: string, text: string, onClick: () => void) => ReturnType<typeof buttonControl>} */
    const button = (name, label, text, onClick) => buttonControl({ name, label, text, onClick });
    this.undo = button("undo-points", "Undo", "↶", () => keeper.step(false));
    this.redo = button("redo-points", "Redo", "↷", () => keeper.step(true));
    this.hold = button("hold", "", "", () => this.holdOut());
    const random = button("random", "Random points", "Random", () => this.set(randomRows(RANDOM, Math.random)));
    const clear = button("clear", "Delete all points", "Clear", () => this.set([]));
    this.message = html("p", { class: "dtviz-edit-message", "aria-live": "polite" });
    const buttons = [this.undo, this.redo, this.hold, random, clear].map(({ root }) => root);
    const row = html("div", { class: "dtviz-edit-tools", role: "group", "aria-label": "Points" }, this.tool.root, ...buttons);
    this.root = html("div", { "data-no-picture": "" }, row, this.message);
    const draw = button("draw", "Draw points of your own", "Draw", () => this.start());
    const pens = PENS.map((pen, k) => button(`pen-${k}`, `Draw class ${CLASS_MARKS[k]}, key ${k + 1}`, CLASS_MARKS[k], () => this.take(pen)));
    this.pens = pens.map(({ input }) => input);
    this.pencil = draw.input;
    this.pen = html("span", { class: "dtviz-edit-tools", role: "group", "aria-label": "Draw" }, draw.root, ...this.pens);
    const look = { class: "dtviz-at-point", role: "application", tabindex: 0, "aria-roledescription": "points", ...OWN_KEYS };
    this.cursor = html("div", look);
    view.stage.append(this.cursor);
    this.cursor.addEventListener("keydown", (event) => this.press(event));
    this.cursor.addEventListener("focus", () => this.choose(Math.max(this.chosen, 0)));
    this.cursor.addEventListener("blur", () => say(this.message, ""));
    view.stage.addEventListener("pointerdown", (event) => this.down(event));
    view.stage.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) view.stage.addEventListener(end, () => (this.dragged = -1));
  }

  /** @param {string} tool */
  take(tool) {
    this.tool.input.value = tool;
    this.view.busy = tool !== LOOK;
    this.view.forget();
    put(this.view.stage, "data-busy", this.view.busy);
    this.chosen = -1;
    this.draw();
    return true;
  }

  // The class of the points that a click adds, -1 if it adds none.
  get adds() {
    return PENS.indexOf(this.tool.input.value);
  }

  // Draw in an empty plane, or stop to draw.
  start() {
    if (this.adds >= 0) {
      this.take(LOOK);
      return;
    }
    this.keeper.blank();
    this.take(PENS[0]);
    this.cursor.focus({ preventScroll: true });
  }

  // --- what is done -------------------------------------------------------------------------------

  /** @param {Row[]} rows */
  set(rows) {
    this.chosen = -1;
    this.keeper.replace(rows);
  }

  holdOut() {
    const rows = this.keeper.rows();
    this.keeper.commit(heldOut(rows, rows.some(isHeld) ? 0 : SHARE, Math.random));
  }

  /** @type {(px: number, py: number, label: number) => void} */
  add(px, py, label) {
    const { keeper, view } = this;
    const rows = keeper.rows();
    if (!view.shown) return;
    if (rows.length >= MOST_POINTS) {
      say(this.message, `There are ${rows.length} points: ${MOST_POINTS} at most can be shown.`);
      return;
    }
    const [x, y] = this.roundedAt(view.shown.scale.back(px, py));
    this.chosen = rows.length;
    keeper.commit([...rows, [x, y, label]]);
  }

  /** @param {readonly [number, number]} place */
  roundedAt(place) {
    const { ranges } = this.keeper.plane();
    return [0, 1].map((k) => rounded(place[k], ranges[k]));
  }

  /** @type {(at: number, label: number) => void} */
  relabel(at, label) {
    const rows = this.keeper.rows();
    const [x, y, , ...held] = rows[at];
    this.keeper.commit(replaced(rows, at, [x, y, label, ...held]));
  }

  /** @param {number} at */
  remove(at) {
    const rows = this.keeper.rows().filter((_, k) => k !== at);
    this.chosen = Math.min(at, rows.length - 1);
    this.keeper.commit(rows);
  }

  /** @type {(at: number, place: readonly [number, number], live: boolean) => void} */
  move(at, place, live) {
    const rows = this.keeper.rows();
    const [x, y] = this.roundedAt(place);
    if (rows[at][0] === x && rows[at][1] === y) return;
    this.keeper.commit(replaced(rows, at, [x, y, ...rows[at].slice(2)]), live);
  }

  // --- the pointer --------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  down(event) {
    const { view } = this;
    const tool = this.tool.input.value;
    const { px, py, inside } = view.at(event);
    if (tool === LOOK || event.button !== 0 || !inside || !view.shown) return;
    event.preventDefault();
    const label = this.adds;
    const near = nearestPoint(view.shown.places, [px, py], event.pointerType === "touch" ? 24 : 14);
    if (label >= 0) this.add(px, py, label);
    else if (near >= 0) this.use(tool, near);
    else this.chosen = -1;
    if (this.chosen >= 0 && (label >= 0 || tool === MOVE)) {
      this.dragged = this.chosen;
      this.fresh = label < 0;
      view.stage.setPointerCapture(event.pointerId);
    }
    this.draw();
  }

  /** @type {(tool: string, at: number) => void} */
  use(tool, at) {
    this.chosen = at;
    const { classes } = this.keeper.plane();
    if (tool === CLASS) this.relabel(at, (this.keeper.rows()[at][2] + 1) % classes.length);
    if (tool === DELETE) {
      this.remove(at);
      this.chosen = -1;
    }
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.dragged < 0 || !this.view.shown) return;
    const { px, py } = this.view.at(event);
    this.move(this.dragged, this.view.shown.scale.back(px, py), !this.fresh);
    this.fresh = false;
  }

  // --- keys ---------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!this.act(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    say(this.message, this.words());
  }

  // Whether a key did anything.
  /** @param {KeyboardEvent} event */
  act({ key, shiftKey, ctrlKey, metaKey }) {
    if (ctrlKey || metaKey) return this.back(key.toLowerCase(), shiftKey);
    if (key === "Enter") return this.addHere();
    if (this.adds >= 0 && DIGITS.includes(key)) {
      const { chosen } = this;
      this.take(PENS[DIGITS.indexOf(key)]);
      return this.choose(chosen);
    }
    const rows = this.keeper.rows();
    const step = { PageDown: 1, PageUp: -1 }[key];
    if (step && rows.length) return this.choose((Math.max(this.chosen, 0) + step + rows.length) % rows.length);
    return Boolean(rows[this.chosen]) && this.change(key, shiftKey);
  }

  // What a key does to the chosen point.
  /** @type {(key: string, fine: boolean) => boolean} */
  change(key, fine) {
    const rows = this.keeper.rows();
    const at = this.chosen;
    if (ARROWS[key]) {
      const { ranges } = this.keeper.plane();
      const part = fine ? 1 / 300 : 1 / 60;
      const place = ARROWS[key].map((by, k) => rows[at][k] + by * part * (ranges[k][1] - ranges[k][0]));
      this.move(at, [place[0], place[1]], false);
    } else if (DIGITS.includes(key)) this.relabel(at, DIGITS.indexOf(key));
    else if (key === "Delete" || key === "Backspace") this.remove(at);
    else return false;
    return true;
  }

  // Undo and redo, as everywhere.
  /** @type {(letter: string, shift: boolean) => boolean} */
  back(letter, shift) {
    const known = letter === "z" || letter === "y";
    if (known) this.keeper.step(letter === "y" || shift);
    return known;
  }

  // A point like the chosen one, a little beside it; the first one in the middle.
  addHere() {
    const { width, height } = this.view.size;
    const place = this.view.shown?.places[this.chosen] ?? [width / 2, height / 2];
    const label = this.adds < 0 ? (this.keeper.rows()[this.chosen]?.[2] ?? 0) : this.adds;
    this.add(place[0] + (this.chosen < 0 ? 0 : place[0] > width - 40 ? -14 : 14), place[1], label);
    return true;
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = clamp(at, -1, this.keeper.rows().length - 1);
    this.draw();
    say(this.message, this.words());
    return true;
  }

  words() {
    const rows = this.keeper.rows();
    const row = rows[this.chosen];
    if (!row) return `${rows.length ? "No point is chosen" : "No points"}: Enter adds one.`;
    const { features, classes } = this.keeper.plane();
    const where = [0, 1].map((k) => `${features[k]} ${digits(row[k])}`).join(", ");
    return `Point ${this.chosen + 1} of ${rows.length}: ${where}, ${CLASS_MARKS[row[2]]} ${classes[row[2]]}${isHeld(row) ? ", held out" : ""}.`;
  }

  draw() {
    const { view } = this;
    const rows = this.keeper.rows();
    if (this.chosen >= rows.length) this.chosen = -1;
    const place = view.shown?.places[this.chosen];
    put(this.cursor, "data-on", Boolean(place));
    // A page without the tools is about its own points.
    this.cursor.hidden = !this.pen.isConnected;
    const [x, y] = place ?? [view.size.width / 2, view.size.height / 2];
    Object.assign(this.cursor.style, { left: `${x - 12}px`, top: `${y - 12}px` });
    put(this.cursor, "aria-label", `${this.words()} ${this.adds < 0 ? KEYS : KEYS.replace("its class", "the class of the next")}`);
    put(this.pencil, "aria-pressed", this.adds >= 0);
    this.pens.forEach((pen, k) => {
      pen.hidden = this.adds < 0;
      put(pen, "aria-pressed", k === this.adds);
    });
    const { undo, redo } = this.keeper.can();
    // A button that is off loses the focus: these say so, and keep it.
    put(this.undo.input, "aria-disabled", !undo);
    put(this.redo.input, "aria-disabled", !redo);
    const held = rows.some(isHeld);
    say(this.hold.input, held ? "Hold out none" : "Hold out 30 %");
    put(this.hold.input, "aria-label", held ? "Hold out none of the points" : "Hold out 30 % of the points");
  }
}
