// The examples that the tree grows on, each a square: a click flips its label.

import { buttonControl } from "../explorers/static/controls.js";
import { TableError } from "../explorers/static/csv.js";
import { OWN_KEYS, change, html, put, putAll, say, setBox, svg, uniqueId } from "../explorers/static/kit.js";
import { tablePanel } from "../explorers/static/table.js";
import { clamp, count, digits } from "../explorers/static/text.js";
import { exampleAt, kindsOf, mosaicOf, squares, toggled } from "./kernel_mosaic.js";
import { ownTable, targetsOf } from "./kernel_table.js";
import { LIMITS, YOURS } from "./state.js";

/**
 * @import { Mosaic } from "./kernel_mosaic.js"
 * @import { Grown, State } from "./state.js"
 */

const KEY = "The examples that the tree grows on: small squares have label 0, large ones label 1. Hollow: its label is flipped by noise; framed: by hand. Click one to flip it.";

// What is known of one example.
/** @type {(grown: Grown, flips: number[], row: number) => string} */
const exampleText = ({ examples: { parts, features, bits, classes }, labels }, flips, row) => {
  const [{ columns, labels: truth }] = parts;
  const values = columns.map((column, i) => `${features[i]}${bits[i] ? "=" : " "}${digits(column[row])}`);
  const flipped = labels[0][row] !== truth[row];
  const by = flips.includes(row) ? ", flipped by hand" : flipped ? ", flipped by noise" : "";
  return `${values.join(", ")}: label ${classes[labels[0][row]]}${by}`;
};

/** @type {(model: State["model"], size: () => number, at: () => number) => { root: HTMLElement, draw: () => void }} */
const makeControls = (model, size, at) => {
  const number = html("input", { type: "number", name: "row", id: uniqueId("row"), min: 1, step: 1, ...OWN_KEYS });
  number.addEventListener("input", () => {
    const row = number.valueAsNumber - 1;
    if (Number.isInteger(row) && row >= 0 && row < size()) change(model, { row });
  });
  /** @type {(name: string, text: string, next: () => number[]) => HTMLButtonElement} */
  const button = (name, text, next) =>
    buttonControl({ name, text, label: text, onClick: () => change(model, { flips: next() }) }).input;
  const flips = () => /** @type {number[]} */ (model.get("flips"));
  const one = button("flip", "Flip its label", () => toggled(flips(), at()));
  const none = button("flipNone", "Undo all flips", () => []);
  const label = html("label", { for: number.id }, "Example");
  const field = html("div", { class: "dtviz-field dtviz-number" }, label, number);
  return {
    root: html("div", { class: "dtviz-transport dtviz-flips", "data-no-picture": "" }, field, one, none),
    draw() {
      put(number, "max", size());
      // What is being typed stays as it is.
      if (document.activeElement !== number) number.value = String(at() + 1);
      // Disabled it would lose the focus.
      put(none, "aria-disabled", flips().length === 0);
    },
  };
};

// The reader's own table, and which of its columns is the label.
/** @param {State["model"]} model */
const ownTablePanel = (model) =>
  tablePanel({
    choices: [{ name: "target", label: "Label" }],
    offer(table) {
      const options = targetsOf(table);
      return [{ options, chosen: options.at(-1) ?? "" }];
    },
    take(table, [target]) {
      const found = ownTable(table, target, LIMITS);
      if (typeof found === "string") throw new TableError(found);
      // Labels that somebody brings are not flipped unless asked for.
      change(model, { rows: found.rows, names: found.names, sample: YOURS, noise: 0, flips: [] });
      return found.note;
    },
  });

/** @param {State} state */
export const examplesPanel = ({ model, grown }) => {
  const size = () => grown().labels[0].length;
  const at = () => clamp(model.get("row"), 0, size() - 1);
  const controls = makeControls(model, size, at);
  const marks = ["label0", "label1", "noisy", "flipped", "chosen"].map((name) => svg("path", { class: `dtviz-${name}` }));
  const [zeros, ones, noisy, byHand, chosen] = marks;
  const canvas = svg("svg", { class: "dtviz-canvas dtviz-mosaic", role: "img" }, ...marks);
  const title = html("div", { class: "dtviz-heading" });
  const message = html("p", { class: "dtviz-example" });
  const root = html("div", { class: "dtviz-examples" }, title, controls.root, message, canvas, html("p", { class: "dtviz-key" }, KEY), ownTablePanel(model).root);
  /** @type {Mosaic} */
  let mosaic = { side: 1, columns: 1, rows: 1 };
  let width = 0;
  canvas.addEventListener("click", ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    const row = exampleAt(mosaic, size(), clientX - box.left, clientY - box.top);
    if (row >= 0) change(model, { row, flips: toggled(model.get("flips"), row) });
  });
  /** @type {(path: SVGPathElement, rows: ArrayLike<number>, gap: number) => void} */
  const show = (path, rows, gap) => put(path, "d", squares(mosaic, rows, gap));
  return {
    root,
    /** @param {number} room */
    resize(room) {
      width = room;
    },
    draw() {
      const now = grown();
      /** @type {number[]} */
      const flips = model.get("flips");
      mosaic = mosaicOf(size(), width);
      setBox(canvas, mosaic.columns * mosaic.side, mosaic.rows * mosaic.side);
      const kinds = kindsOf(now.labels[0], now.examples.parts[0].labels, flips);
      show(zeros, kinds.zeros, mosaic.side * 0.22);
      show(ones, kinds.ones, 1.5);
      show(noisy, kinds.noisy, mosaic.side * 0.38);
      show(byHand, kinds.byHand, 1.5);
      show(chosen, [at()], 0.5);
      controls.draw();
      const text = exampleText(now, flips, at());
      say(message, text);
      const hand = kinds.byHand.length ? `, ${kinds.byHand.length} flipped by hand` : "";
      say(title, `${count(size(), "example")} to grow on${hand}`);
      putAll(canvas, { "aria-label": `${title.textContent}: ${kinds.ones.length} of label ${now.examples.classes[1]}.` });
    },
  };
};
