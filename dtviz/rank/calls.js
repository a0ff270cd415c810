// The recursion: every call as a bar below the one that made it, and the running calls in words.

import { OWN_KEYS, html, onDrag, put, putAll, say, setBox, svg } from "../explorers/static/kit.js";
import { clamp, count, listed, variableName } from "../explorers/static/text.js";
import { dockBox } from "../explorers/static/why.js";
import { triedBefore, windowAround } from "./kernel.js";
import { whyAt } from "./why.js";

/**
 * @import { Facts, Plan, Run } from "./kernel_find.js"
 *
 * @typedef {{ plan: Plan, facts: Facts }} Known
 */

const BARS = { tall: 9, low: 4, gap: 3, thinnest: 3, widest: 22 };

/** @type {(run: Run, k: number) => string} */
const given = (run, k) => {
  if (k === 0) return `FIND(S, ${run.rank[0]}): ${count(run.size[0], "distinct example")}`;
  const test = `${variableName(run.names, run.variable[k])} = ${run.branch[k]}`;
  const second = run.again[k] ? "↻ second try, step 3.3: " : "";
  return `${second}${test}, bound ${run.rank[k]}: ${count(run.size[k], "example")}`;
};

// How call k returns, in full; steps are those of the algorithm as the page numbers them.
/** @type {(run: Run, k: number, steps: (number | string)[]) => string} */
const outcome = (run, k, steps) => {
  const on = variableName(run.names, run.split[k]);
  const led = run.end[k] - k - 1;
  const bound = run.rank[k] - 1;
  const second = run.found[k] ? "a tree" : "none";
  /** @type {Record<string, string>} */
  const why = {
    1: `all labels are ${run.ones[k] > 0 ? 1 : 0}: a leaf`,
    2: "labels differ and the bound is 0: none",
    3.2: `both halves of ${on} fit bound ${bound}: a tree`,
    3.3: `one half of ${on} fits bound ${bound}, and the second try gives ${second}`,
    4: `no variable has a half that fits bound ${bound}: none`,
  };
  const step = String(steps[run.step[k]]);
  return `${why[step]} (step ${step})${led ? `, after ${count(led, "further call")}` : ""}`;
};

// The running calls and what they have tried, a line each.
/** @type {(run: Run, k: number, steps: (number | string)[]) => HTMLLIElement[]} */
const callLines = (run, k, steps) => {
  /** @type {(call: number, depth: number, kind: string, text: string) => HTMLLIElement} */
  const line = (call, depth, kind, text) => {
    const second = run.again[call] ? " dtviz-call-again" : "";
    const said = html("span", { class: "dtviz-outcome" }, text);
    const item = html("li", { class: `dtviz-call dtviz-call-${kind}${second}` }, given(run, call), " ", said);
    item.style.setProperty("--dtviz-depth", String(depth));
    if (kind === "now") item.setAttribute("aria-current", "step");
    return item;
  };
  const running = run.stack(k);
  return running.flatMap((call, depth) => {
    const next = running[depth + 1];
    if (next === undefined) return [line(call, depth, "now", `→ ${outcome(run, call, steps)}`)];
    const { failed, same } = triedBefore(run, call, next);
    const lines = [line(call, depth, "open", `… trying ${variableName(run.names, run.variable[next])}`)];
    if (failed.length) {
      const names = listed(failed.map((variable) => variableName(run.names, variable)));
      const text = `${names}: no half fits bound ${run.rank[call] - 1}`;
      const item = html("li", { class: "dtviz-call dtviz-call-past" }, text);
      item.style.setProperty("--dtviz-depth", String(depth + 1));
      lines.push(item);
    }
    return [...lines, ...same.map((child) => line(child, depth + 1, "past", run.found[child] ? "→ tree" : "→ none"))];
  });
};

// Bars of the calls in a window, as three paths; calls made before it may still be running in it.
/** @type {(run: Run, view: { from: number, to: number }, step: number) => Record<"none" | "tree" | "again", string>} */
const barPaths = (run, { from, to }, step) => {
  const bars = { none: "", tree: "", again: "" };
  const inside = Array.from({ length: to - from }, (_, j) => from + j);
  for (const call of [...run.stack(from).slice(0, -1), ...inside]) {
    const x = (Math.max(0, call - from) * step).toFixed(1);
    const x2 = ((Math.min(run.end[call], to) - from) * step - Math.min(1, step / 4)).toFixed(1);
    const tall = run.found[call] ? BARS.tall : BARS.low;
    const y = (run.depth[call] + 1) * (BARS.tall + BARS.gap) - 2 - tall;
    const bar = `M${x} ${y}H${x2}v${tall}H${x}Z`;
    bars[run.found[call] ? "tree" : "none"] += bar;
    if (run.again[call]) bars.again += bar;
  }
  return bars;
};

/** @param {{ steps: (number | string)[], onCall: (k: number) => void }} options */
export const callsView = ({ steps, onCall }) => {
  const kinds = /** @type {const} */ (["none", "tree", "again"]);
  const bars = kinds.map((kind) => svg("path", { class: `dtviz-bars-${kind}` }));
  const here = svg("rect", { class: "dtviz-here" });
  const cover = svg("rect", { class: "dtviz-cover" });
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" }, ...bars, here, cover);
  const part = html("span", { class: "dtviz-aside" });
  const heading = html("div", { class: "dtviz-heading" }, "The calls of this run ", part);
  const label = "The running calls and what they have tried";
  const list = html("ol");
  // Its style keeps the end of the list in sight: to scroll there would lay out the page in every event.
  const calls = html("div", { class: "dtviz-calls", role: "group", tabindex: 0, "aria-label": label, ...OWN_KEYS }, list);
  let scrolled = false;
  calls.addEventListener("scroll", () => {
    scrolled = true;
  });
  const dock = dockBox({ why: true });
  const marks = [["tree", "returned a tree"], ["none", "returned none"], ["again", "↻ second try, with the full bound"]].map(([kind, text]) =>
    html("span", { class: `dtviz-mark-${kind}` }, text),
  );
  const legend = html("div", { class: "dtviz-call-marks" }, ...marks);
  const root = html("div", { class: "dtviz-recursion" }, heading, canvas, legend, calls, dock.root);

  let shown = { run: /** @type {Run | null} */ (null), width: 0, from: 0, to: 0, step: 1 };

  /** @type {(run: Run, k: number, width: number, levels: number) => void} */
  const frame = (run, k, width, levels) => {
    const { from, to } = windowAround(run.calls, k, Math.max(8, Math.floor(width / BARS.thinnest)));
    if (shown.run === run && shown.width === width && shown.from === from && shown.to === to) return;
    const step = Math.min(width / (to - from), BARS.widest);
    shown = { run, width, from, to, step };
    const paths = barPaths(run, { from, to }, step);
    kinds.forEach((kind, j) => put(bars[j], "d", paths[kind]));
    /** @param {number} rows */
    const rowsHigh = (rows) => rows * (BARS.tall + BARS.gap) + 4;
    const height = rowsHigh(run.levels);
    setBox(canvas, width, rowsHigh(levels));
    putAll(cover, { width: step * (to - from), height });
    putAll(here, { height: height - 2, y: 1, width: Math.max(step, 2) });
    say(part, to - from < run.calls ? `${from} to ${to - 1} of ${run.calls - 1}` : "");
    put(canvas, "aria-label", `${count(run.calls, "call")} nested at most ${run.levels} deep.`);
  };

  onDrag(cover, canvas, (x) => {
    const { run, from, to, step } = shown;
    if (run) onCall(clamp(from + Math.floor(x / step), from, to - 1));
  });

  return {
    root,
    // Room for the deepest run there can be, so that nothing below it moves.
    /** @type {(run: Run, k: number, width: number, known: Known) => void} */
    draw(run, k, width, { plan, facts }) {
      frame(run, k, width, plan.n + 1);
      const title = `Call ${k}: FIND with bound ${run.rank[k]} on ${count(run.size[k], "example")}`;
      dock.say({ title, lines: [], candidates: whyAt(plan, facts, run.at[k], run.rank[k], run.names) });
      put(here, "x", (k - shown.from) * shown.step);
      list.replaceChildren(...callLines(run, k, steps));
      if (scrolled) calls.scrollTop = 0;
      scrolled = false;
    },
  };
};
