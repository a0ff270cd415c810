// The examples that the tree grows on, each a square: a click flips its label.

import { buttonControl, rangeControl, transport } from "../explorers/static/controls/controls.js";
import { change, html, keyText, put, say, setBox, svg } from "../explorers/static/hosting/kit.js";
import { TablePanel } from "../explorers/static/controls/table.js";
import { clamp, count, digits } from "../explorers/static/computing/text.js";
import { ownTable, targetsOf } from "./kernel_table.js";
import { YOURS } from "./state.js";

/** @import { Grown, State } from "./state.js" */

const KEY =
  "The examples that the tree grows on: small squares have label 0, large ones label 1. Hollow: its label is flipped by " +
  "noise; framed: by hand. Click one to flip it.";
// Pixels of a square with its gap; more examples than so many have small ones.
const SIDES = { large: 20, small: 15, most: 260 };

// What is known of one example.
/** @type {(grown: Grown, flips: number[], row: number) => string} */
const exampleText = ({ examples: { parts, features, bits, classes }, labels }, flips, row) => {
  const [{ columns, labels: truth }] = parts;
  const values = columns.map((column, i) => `${features[i]}${bits[i] ? "=" : " "}${digits(column[row])}`);
  const flipped = labels[0][row] !== truth[row];
  const by = flips.includes(row) ? ", flipped by hand" : flipped ? ", flipped by noise" : "";
  return `${values.join(", ")}: label ${classes[labels[0][row]]}${by}`;
};

// Draw a square for each example, and say where they stand.
/** @type {(canvas: SVGSVGElement, width: number, grown: Grown, byHand: number[], at: number) => { side: number, columns: number }} */
const drawMosaic = (canvas, width, { examples, labels: [labels] }, byHand, at) => {
  const [{ labels: truth }] = examples.parts;
  const side = labels.length > SIDES.most ? SIDES.small : SIDES.large;
  const columns = Math.max(1, Math.floor(width / side));
  // Squares of some examples, as one path: `gap` of the side is left free.
  /** @type {(kind: string, gap: number, rows: number[]) => SVGPathElement} */
  const squares = (kind, gap, rows) => {
    const a = side - 2 * gap;
    const corners = rows.map((row) => `M${(row % columns) * side + gap} ${Math.floor(row / columns) * side + gap}`);
    return svg("path", { class: `dtviz-${kind}`, d: corners.map((corner) => `${corner}h${a}v${a}h${-a}z`).join("") });
  };
  const all = [...labels.keys()];
  setBox(canvas, columns * side, Math.ceil(labels.length / columns) * side);
  canvas.replaceChildren(
    squares("label0", side * 0.22, all.filter((row) => labels[row] === 0)),
    squares("label1", 1.5, all.filter((row) => labels[row] === 1)),
    squares("noisy", side * 0.38, all.filter((row) => labels[row] !== truth[row])),
    squares("flipped", 1.5, byHand),
    squares("chosen", 0.5, [at]),
  );
  return { side, columns };
};

// The reader's own table, and which of its columns is the label.
/** @param {State["model"]} model */
export const ownTablePanel = (model) =>
  new TablePanel({
    choices: [{ name: "target", label: "Label" }],
    offer(table) {
      const options = targetsOf(table);
      return [{ options, chosen: options.at(-1) ?? "" }];
    },
    take(table, [target]) {
      const { rows, names, note } = ownTable(table, target);
      // Labels that somebody brings are not flipped unless asked for.
      change(model, { rows, names, sample: YOURS, noise: 0, flips: [] });
      return note;
    },
  });

/** @param {State} state */
export const examplesPanel = ({ model, flips, grown }) => {
  let [at, width] = [0, 0];
  let grid = { side: 1, columns: 1 };
  const size = () => grown().labels[0].length;
  const flip = () => {
    const now = flips();
    change(model, { flips: now.includes(at) ? now.filter((row) => row !== at) : [...now, at].sort((a, b) => a - b) });
  };
  /** @param {number} row */
  const look = (row) => {
    at = row;
    draw();
  };
  const which = rangeControl({ name: "row", label: "Example", min: 0, max: 0, step: 1, onInput: look });
  const none = buttonControl({ name: "flipNone", text: "Undo all flips", onClick: () => change(model, { flips: [] }) });
  const controls = transport(which, buttonControl({ name: "flip", text: "Flip its label", onClick: flip }), none);
  controls.classList.add("dtviz-flips");
  const canvas = svg("svg", { class: "dtviz-canvas dtviz-mosaic", role: "img" });
  const title = html("div", { class: "dtviz-heading" });
  const message = html("p", { class: "dtviz-example" });
  const root = html("div", {}, title, controls, message, canvas, keyText(KEY));
  canvas.addEventListener("click", ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    const [column, line] = [clientX - box.left, clientY - box.top].map((px) => Math.floor(px / grid.side));
    const row = line * grid.columns + column;
    if (row >= size()) return;
    at = row;
    flip();
  });
  const draw = () => {
    const [now, byHand] = [grown(), flips()];
    at = clamp(at, 0, size() - 1);
    grid = drawMosaic(canvas, width, now, byHand, at);
    const text = exampleText(now, byHand, at);
    put(which.input, "max", size() - 1);
    which.set(at, String(at + 1), text);
    // Disabled it would lose the focus.
    put(none.input, "aria-disabled", byHand.length === 0);
    say(message, text);
    say(title, `${count(size(), "example")} to grow on${byHand.length ? `, ${byHand.length} flipped by hand` : ""}`);
    const ones = now.labels[0].reduce((sum, label) => sum + label, 0);
    put(canvas, "aria-label", `${title.textContent}: ${ones} of label ${now.examples.classes[1]}.`);
  };
  return {
    root,
    draw,
    /** @param {number} room */
    resize(room) {
      width = room;
      draw();
    },
  };
};
