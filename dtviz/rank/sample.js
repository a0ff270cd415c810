// The sample: the examples that the run works on, and what a reader makes of them: other draws, flipped
// labels, rows of one's own.

import { buttonControl } from "../explorers/static/controls/controls.js";
import { fileSource } from "../explorers/static/controls/table.js";
import { offered } from "../explorers/static/hosting/functions.js";
import { OWN_KEYS, checks, html, put, say, uniqueId } from "../explorers/static/hosting/kit.js";
import { count, variableName } from "../explorers/static/computing/text.js";
import { bitsOf, readRows } from "./kernel_samples.js";

/**
 * @import { Now, State } from "./state.js"
 */

// Seeds that "Draw again" goes through.
const SEEDS = 1000;

// A column's name may be long: all of it is shown where the pointer rests.
/** @type {(name: string) => HTMLElement} */
const headCell = (name) => html("th", { scope: "col", title: name }, name.length > 9 ? `${name.slice(0, 8)}…` : name);

// A line for each different example; labels are flipped by a click or Enter, and walked with the arrow keys.
/** @type {(flip: (x: number) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
const sampleTable = (flip) => {
  const head = html("tr", {});
  const body = html("tbody", {});
  const hint = "Examples. Enter flips the label.";
  const table = html("table", { class: "dtviz-rows", "aria-label": hint }, html("thead", {}, head), body);
  const all = () => /** @type {HTMLButtonElement[]} */ ([...body.querySelectorAll(".dtviz-flip")]);
  // One of them is in the tab order.
  /** @param {HTMLElement | undefined} label */
  const enter = (label) => {
    for (const other of all()) put(other, "tabindex", other === label ? 0 : -1);
  };
  body.addEventListener("focusin", ({ target }) => enter(/** @type {HTMLElement} */ (target)));
  body.addEventListener("click", ({ target }) => {
    const label = target instanceof Element ? target.closest("button") : null;
    if (label) flip(Number(label.dataset.point));
  });
  body.addEventListener("keydown", (event) => {
    const labels = all();
    const at = labels.findIndex((label) => label === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: labels.length - 1 }[event.key];
    if (next === undefined) return;
    labels[next]?.focus();
    event.preventDefault();
  });
  return {
    root: html("div", { class: "dtviz-rows-room" }, table),
    draw({ n, examples: { points, times, labels }, run, wrong, conflict }) {
      const names = Array.from({ length: n }, (_, i) => variableName(run.names, i));
      head.replaceChildren(...[...names, "label", "drawn"].map(headCell));
      const held = all().find((label) => label === document.activeElement)?.dataset.point;
      const rows = points.map((x, k) => {
        const [bits, flipped] = [bitsOf(n, x), wrong.includes(x)];
        const state = { "data-point": x, "data-label": labels[x], "data-flipped": flipped };
        const blamed = conflict.includes(x);
        const spoken = `${bits}: label ${labels[x]}${flipped ? ", flipped" : ""}${blamed ? ", in conflict" : ""}`;
        const looks = { type: "button", class: "dtviz-flip", "aria-label": spoken, ...OWN_KEYS };
        const label = html("button", { ...looks, ...state }, `${labels[x]}${flipped ? " ≠" : ""}`);
        const cells = [...bits, label, times[k] > 1 ? `×${times[k]}` : ""].map((cell) => html("td", {}, cell));
        return html("tr", { "data-conflict": blamed || null }, ...cells);
      });
      body.replaceChildren(...rows);
      const again = all().find(({ dataset }) => dataset.point === held);
      enter(again ?? all()[0]);
      again?.focus();
    },
  };
};

// The field for rows of one's own, in the place of the table, with those on display until the reader writes; a file
// of them; and other draws.
/** @type {(state: State, table: HTMLElement, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
const rowControls = ({ model, grid, names }, table, another) => {
  const field = html("textarea", { id: uniqueId("rows"), spellcheck: "false", ...OWN_KEYS });
  const label = html("label", { for: field.id });
  const wrong = html("p", { class: "dtviz-wrong", role: "alert" });
  let written = false;
  field.addEventListener("input", () => {
    written = true;
    say(wrong, "");
  });
  /** @param {boolean} on */
  const write = (on) => {
    table.hidden = on;
    form.hidden = !on;
    put(type.input, "aria-expanded", on);
    use.input.hidden = !on;
    if (on) field.focus({ preventScroll: true });
  };
  /** @param {Record<string, unknown>} changes */
  const show = (changes) => {
    written = false;
    write(false);
    another(changes);
  };
  /** @param {string} text */
  const take = (text) => {
    try {
      const rows = readRows(text);
      show({ rows, flipped: [], m: grid.find((size) => size >= rows.length) });
    } catch (error) {
      field.value = text;
      written = true;
      write(true);
      say(wrong, error instanceof Error ? error.message : String(error));
    }
  };
  const type = buttonControl({ name: "write", text: "Type or paste", label: "Type or paste rows", onClick: () => write(!table.hidden) });
  const use = buttonControl({ name: "rows", text: "Use these rows", onClick: () => take(field.value) });
  const redraw = buttonControl({ name: "redraw", text: "Draw again", onClick: () => show({ seed: (model.get("seed") + 1) % SEEDS }) });
  const back = buttonControl({
    ...{ name: "drawn", text: "Back to draws" },
    onClick: () => show({ rows: [], flipped: [], target: model.get("target") || names[0] }),
  });
  const file = fileSource(take, (text) => say(wrong, text));
  const form = html("div", { class: "dtviz-rows-room dtviz-own-rows" }, label, field, wrong);
  const buttons = html("div", { class: "dtviz-row-buttons" }, use.root, redraw.root, type.root, file.root, back.root);
  const root = html("div", { "data-no-picture": "" }, form, buttons);
  file.dropOn(root);
  file.dropOn(table);
  write(false);
  return {
    root,
    draw({ n, own, wrong: flipped, examples: { points, labels }, run }) {
      const order = Array.from({ length: n }, (_, i) => variableName(run.names, i)).join(" ");
      say(label, `Rows of your own, one a line: ${order} label`);
      if (!written) field.value = points.map((x) => `${bitsOf(n, x)}${labels[x]}`).join("\n");
      redraw.input.hidden = own;
      back.input.hidden = !names.length || !(own || flipped.length);
    },
  };
};

// What is wrong with rows, or a target, that a link brings.
checks.bits = (value) => {
  if (!Array.isArray(value) || value.some((row) => !/^[01]{2,}$/.test(row))) return "rows must be texts of bits";
  try {
    if (value.length) readRows(value.join("\n"));
    return "";
  } catch (error) {
    return `rows: ${error instanceof Error ? error.message : error}`;
  }
};
checks.target = (value, model) => (value === "" || offered(model).includes(value) ? "" : checks.function(value, model));

/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
export const samplePane = (state, another) => {
  const { model, now } = state;
  const table = sampleTable((x) => {
    const { n, own } = now();
    const bits = bitsOf(n, x);
    /** @type {string[]} */
    const rows = model.get("rows");
    /** @type {number[]} */
    const flipped = model.get("flipped");
    if (own) another({ rows: rows.map((row) => (row.startsWith(bits) ? `${bits}${1 - Number(row[n])}` : row)) });
    else another({ flipped: flipped.includes(x) ? flipped.filter((old) => old !== x) : [...flipped, x] });
  });
  const own = rowControls(state, table.root, another);
  const title = html("span", {});
  return {
    root: html("div", { class: "dtviz-sample" }, html("div", { class: "dtviz-heading" }, title), table.root, own.root),
    draw(shown) {
      const { examples, wrong } = shown;
      const noise = wrong.length ? `, ${count(wrong.length, "label")} flipped` : "";
      say(title, `${count(examples.points.length, "different example")}${noise}`);
      table.draw(shown);
      own.draw(shown);
    },
  };
};
