// The sample: the examples that the call on display works on, and all that makes them: draws, flipped
// labels, rows of one's own.

import { SHARE_STEP } from "../explorers/static/constants.js";
import { buttonControl, rangeControl, selectControl } from "../explorers/static/controls.js";
import { offered } from "../explorers/static/functions.js";
import { OWN_KEYS, checks, html, put, putAll, say, uniqueId } from "../explorers/static/kit.js";
import { count, epsilonText, variableName } from "../explorers/static/text.js";
import { within } from "./kernel_find.js";
import { bitsOf, readRows } from "./kernel_samples.js";
import { rowsOnDisplay } from "./state.js";

/**
 * @import { Now, State } from "./state.js"
 *
 * What a reader does to an example.
 * @typedef {{ flip: (x: number) => void, remove: (x: number) => void }} Deeds
 *
 * @typedef {{ root: HTMLTableRowElement, mark: HTMLElement, label: HTMLButtonElement, times: HTMLElement, remove: HTMLButtonElement }} Line
 */

// --- the table ---------------------------------------------------------------------------------

/** @type {(n: number, x: number, deeds: Deeds) => Line} */
const lineOf = (n, x, { flip, remove }) => {
  const bits = [...bitsOf(n, x)].map((bit) => html("td", {}, bit));
  const mark = html("th", { scope: "row" });
  const label = html("button", { type: "button", class: "dtviz-flip", tabindex: -1, "data-point": x, ...OWN_KEYS });
  label.addEventListener("click", () => flip(x));
  const away = { type: "button", class: "dtviz-away", tabindex: -1, "aria-label": `Remove ${bitsOf(n, x)}` };
  const cross = html("button", { ...away, ...OWN_KEYS }, "×");
  cross.addEventListener("click", () => remove(x));
  const times = html("td", { class: "dtviz-aside" });
  const cells = [...bits, html("td", {}, label), times, html("td", {}, cross)];
  return { root: html("tr", {}, mark, ...cells), mark, label, times, remove: cross };
};

// Rows are walked with the arrow keys: one of them is in the tab order.
/** @type {(body: HTMLElement, scroller: HTMLElement, deeds: Deeds) => void} */
const walk = (body, scroller, { remove }) => {
  const all = () => /** @type {HTMLButtonElement[]} */ ([...body.querySelectorAll(".dtviz-flip")]);
  body.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(".dtviz-flip")) return;
    for (const label of all()) put(label, "tabindex", label === target ? 0 : -1);
  });
  scroller.addEventListener("keydown", (event) => {
    const labels = all();
    const at = labels.findIndex((label) => label === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: labels.length - 1 }[event.key];
    if (at < 0) return;
    if (next !== undefined) labels[next]?.focus();
    else if (event.key === "Delete" || event.key === "Backspace") {
      remove(Number(labels[at].dataset.point));
      const left = all();
      left[Math.min(at, left.length - 1)]?.focus();
    } else return;
    event.preventDefault();
  });
};

// A column's name may be long: all of it is shown where the pointer rests.
/** @type {(name: string) => HTMLElement} */
const headCell = (name) => html("th", { scope: "col", title: name }, name.length > 9 ? `${name.slice(0, 8)}…` : name);

/** @type {(deeds: Deeds) => { root: HTMLElement, draw: (now: Now, flipped: Set<number>) => void }} */
const sampleTable = (deeds) => {
  const head = html("tr", {});
  const body = html("tbody", {});
  const hint = "Examples. Enter flips the label, Delete removes the row.";
  const table = html("table", { class: "dtviz-rows", "aria-label": hint }, html("thead", {}, head), body);
  const root = html("div", { class: "dtviz-rows-room" }, table);
  walk(body, root, deeds);
  /** @type {Map<number, Line>} */
  let lines = new Map();
  let width = "";
  /** @type {number[]} */
  let order = [];
  // The points in the order they stand in, new ones below.
  /** @param {number[]} points */
  const known = (points) => [
    ...order.filter((x) => points.includes(x)),
    ...points.filter((x) => !order.includes(x)),
  ];
  /** @type {(n: number, names: string[]) => void} */
  const frame = (n, names) => {
    const wanted = `${n} ${names}`;
    if (width === wanted) return;
    [width, order, lines] = [wanted, [], new Map()];
    const columns = Array.from({ length: n }, (_, i) => headCell(variableName(names, i)));
    head.replaceChildren(headCell("call"), ...columns, ...["label", "drawn", ""].map((text) => headCell(text)));
  };
  return {
    root,
    /** @type {(now: Now, flipped: Set<number>) => void} */
    draw({ n, examples, run, call, rows }, flipped) {
      frame(n, run.names);
      const { points, times, labels, plan } = examples;
      points.forEach((x, k) => {
        const line = lines.get(x) ?? lineOf(n, x, deeds);
        lines.set(x, line);
        const here = within(plan, run.at[call], x);
        const wrong = !rows.length && flipped.has(x);
        put(line.root, "class", `${here ? "dtviz-at-call" : "dtviz-off-call"}`);
        say(line.mark, here ? "●" : "");
        putAll(line.mark, { "aria-label": here ? "at this call" : "not at this call" });
        const spoken = `${bitsOf(n, x)}: label ${labels[x]}${wrong ? ", flipped" : ""}`;
        putAll(line.label, { "aria-label": spoken, "data-label": labels[x], "data-flipped": wrong });
        say(line.label, `${labels[x]}${wrong ? " ≠" : ""}`);
        say(line.times, times[k] > 1 ? `×${times[k]}` : "");
        line.remove.disabled = points.length === 1;
      });
      // Those at the call come first, unless the reader is at work here: nothing moves under a finger.
      const held = body.contains(document.activeElement);
      const first = points.filter((x) => lines.get(x)?.mark.textContent);
      const sorted = held ? known(points) : [...first, ...points.filter((x) => !first.includes(x))];
      if (order.join() === sorted.join()) return;
      order = sorted;
      const { activeElement: focused } = document;
      body.replaceChildren(...sorted.map((x) => /** @type {Line} */ (lines.get(x)).root));
      if (held && focused instanceof HTMLElement) focused.focus();
      const labelsThere = [...body.querySelectorAll(".dtviz-flip")];
      if (!labelsThere.some((label) => label.getAttribute("tabindex") === "0")) {
        labelsThere[0]?.setAttribute("tabindex", "0");
      }
    },
  };
};

// --- what makes the sample ---------------------------------------------------------------------

/** @type {(state: State, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
const drawControls = ({ model, now }, another) => {
  const SEEDS = 1000;
  let axis = -1;
  let offers = "";
  const seeds = rangeControl({
    ...{ name: "seed", label: "Seed of the draws", min: 0, max: SEEDS - 1, step: 1 },
    onInput: (seed) => another({ seed }),
  });
  const redraw = buttonControl({
    ...{ name: "redraw", label: "Draw other examples", text: "Draw again" },
    onClick: () => another({ seed: (model.get("seed") + 1) % SEEDS }),
  });
  const which = selectControl({
    ...{ name: "biases", label: "Bias of", options: [] },
    onChange(value) {
      axis = Number(value);
      draw(now());
    },
  });
  const biases = rangeControl({
    ...{ name: "bias", label: "p", min: SHARE_STEP, max: 1 - SHARE_STEP, step: SHARE_STEP },
    onInput(bias) {
      if (axis < 0) another({ bias, biases: [] });
      else another({ biases: now().p.map((old, i) => (i === axis ? bias : old)) });
    },
  });
  /** @param {Now} shown */
  const draw = ({ n, p, target, run }) => {
    // Where there is no target, nothing is drawn.
    for (const { input } of [seeds, redraw, which, biases]) input.disabled = !target;
    if (axis >= n) axis = -1;
    const names = ["all variables", ...p.map((_, i) => variableName(run.names, i))];
    if (offers !== names.join()) {
      which.input.replaceChildren(...names.map((name, k) => html("option", { value: k - 1 }, name)));
    }
    offers = names.join();
    which.input.value = String(axis);
    const mixed = axis < 0 && model.get("biases").length > 0;
    const value = axis < 0 ? model.get("bias") : p[axis];
    biases.set(value, mixed ? "mixed" : epsilonText(value));
    seeds.set(model.get("seed"), String(model.get("seed")));
  };
  const fields = [seeds.root, redraw.root, which.root, biases.root];
  return { root: html("div", { class: "dtviz-made", "data-no-picture": "" }, ...fields), draw };
};

// The field for rows of one's own, and what becomes of them.
/** @type {(state: State, keep: (rows: string[], changes?: Record<string, unknown>) => void, another: (changes: Record<string, unknown>) => void) => { root: HTMLElement, draw: (now: Now) => void }} */
const rowControls = ({ now, names }, keep, another) => {
  const field = html("textarea", { id: uniqueId("rows"), rows: 2, spellcheck: "false", ...OWN_KEYS });
  const label = html("label", { for: field.id });
  const wrong = html("p", { class: "dtviz-wrong", role: "alert" });
  /** @type {(own: boolean) => void} */
  const read = (own) => {
    const { target } = now();
    try {
      const before = own ? [] : rowsOnDisplay(now());
      const table = target?.table;
      const labelled = !own && table ? (/** @type {string} */ bits) => String(table[parseInt([...bits].reverse().join(""), 2)]) : null;
      const rows = readRows(field.value, before, labelled);
      // Nobody knows what else labels rows that come from elsewhere.
      keep(rows, own ? { target: "" } : {});
      field.value = "";
      say(wrong, "");
    } catch (error) {
      say(wrong, error instanceof Error ? error.message : String(error));
      field.focus();
    }
  };
  /** @type {(name: string, text: string, onClick: () => void) => ReturnType<typeof buttonControl>} */
  const button = (name, text, onClick) => buttonControl({ name, label: text, text, onClick });
  const add = button("add", "Add rows", () => read(false));
  const replace = button("replace", "Only these rows", () => read(true));
  const back = button("drawn", "Back to draws", () => another({ rows: [], flipped: [], target: now().named }));
  field.addEventListener("input", () => say(wrong, ""));
  const buttons = html("div", { class: "dtviz-row-buttons" }, add.root, replace.root, back.root);
  return {
    root: html("div", { class: "dtviz-own-rows", "data-no-picture": "" }, label, field, buttons, wrong),
    draw({ n, rows, flipped, p, run }) {
      const example = Array.from({ length: n + 1 }, (_, i) => (i % 3 ? 1 : 0));
      say(label, `Rows of your own, one a line: ${p.map((_, i) => variableName(run.names, i)).join(" ")} label`);
      put(field, "placeholder", `${example.join(" ")}\n${example.join("")}`);
      back.input.disabled = !names.length || !(rows.length || flipped.length);
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
  const { model, grid, now } = state;
  // The reader's rows stand as they are, all of them.
  /** @type {(rows: string[], changes?: Record<string, unknown>) => void} */
  const keep = (rows, changes = {}) => {
    const m = grid.find((size) => size >= rows.length) ?? grid[grid.length - 1];
    another({ ...changes, rows, flipped: [], m: Math.max(m, rows.length > now().m ? m : model.get("m")) });
  };
  /** @type {Deeds} */
  const deeds = {
    flip(x) {
      const { n, rows, flipped } = now();
      const bits = bitsOf(n, x);
      /** @param {string} row */
      const turned = (row) => (row.startsWith(bits) ? `${bits}${1 - Number(row[n])}` : row);
      if (rows.length) another({ rows: rows.map(turned) });
      else another({ flipped: flipped.includes(x) ? flipped.filter((old) => old !== x) : [...flipped, x] });
    },
    remove(x) {
      const { n } = now();
      const left = rowsOnDisplay(now()).filter((row) => !row.startsWith(bitsOf(n, x)));
      if (left.length) keep(left);
    },
  };
  const table = sampleTable(deeds);
  const draws = drawControls(state, another);
  const own = rowControls(state, keep, another);
  const title = html("span", {});
  const aside = html("span", { class: "dtviz-aside" });
  const heading = html("div", { class: "dtviz-heading" }, title, " ", aside);
  return {
    root: html("div", { class: "dtviz-sample" }, heading, table.root, draws.root, own.root),
    draw(shown) {
      const { examples, run, call, rows, flipped } = shown;
      const wrong = rows.length ? 0 : flipped.filter((x) => examples.labels[x] >= 0).length;
      const noise = wrong ? `, ${count(wrong, "label")} flipped` : "";
      say(title, `${count(examples.points.length, "different example")}${noise}`);
      say(aside, `● ${run.size[call]} at call ${call}`);
      table.draw(shown, new Set(flipped));
      draws.draw(shown);
      own.draw(shown);
    },
  };
};
