// The recursion: every call as a bar below the one that made it, and the running calls in words.

import { OWN_KEYS, html, onDrag, put, putAll, say, setBox, svg } from "../explorers/static/hosting/kit.js";
import { clamp, count, listed, variableName } from "../explorers/static/computing/text.js";
import { Dock } from "../explorers/static/drawing/why.js";
import { windowAround } from "./kernel.js";
import { whyAt } from "./why.js";

/**
 * @import { Run } from "./kernel_find.js"
 * @import { Now } from "./state.js"
 */

const BARS = { tall: 9, low: 4, gap: 3, thinnest: 3, widest: 22 };

/** @type {(run: Run, k: number) => string} */
const given = ({ calls, names }, k) => {
  const { variable, branch, again, rank, size } = calls[k];
  if (k === 0) return `FIND(S, ${rank}): ${count(size, "distinct example")}`;
  const test = `${variableName(names, variable)} = ${branch}`;
  return `${again ? "↻ second try, step 3.3: " : ""}${test}, bound ${rank}: ${count(size, "example")}`;
};

// How call k returns, in full, and at which step of the algorithm as the page numbers them.
/** @type {(run: Run, k: number) => string} */
const outcome = ({ calls, names }, k) => {
  const { split, end, rank, found, ones, step } = calls[k];
  const [on, led] = [variableName(names, split), end - k - 1];
  const why = [
    `all labels are ${ones > 0 ? 1 : 0}: a leaf (step 1)`,
    "labels differ and the bound is 0: none (step 2)",
    `both halves of ${on} fit bound ${rank - 1}: a tree (step 3.2)`,
    `one half of ${on} fits bound ${rank - 1}, and the second try gives ${found ? "a tree" : "none"} (step 3.3)`,
    `no variable has a half that fits bound ${rank - 1}: none (step 4)`,
  ];
  return `${why[step]}${led ? `, after ${count(led, "further call")}` : ""}`;
};

// The running calls and what they have tried, a line each.
/** @type {(run: Run, k: number) => HTMLLIElement[]} */
const callLines = (run, k) => {
  const { calls, names } = run;
  /** @type {(depth: number, kind: string, ...text: (Node | string)[]) => HTMLLIElement} */
  const line = (depth, kind, ...text) => {
    const current = kind === "now" ? "step" : null;
    const item = html("li", { class: `dtviz-call dtviz-call-${kind}`, "aria-current": current }, ...text);
    item.style.setProperty("--dtviz-depth", String(depth));
    return item;
  };
  /** @type {(call: number, kind: string, text: string) => HTMLLIElement} */
  const callLine = (call, kind, text) => {
    const { depth, again } = calls[call];
    const said = html("span", { class: "dtviz-outcome" }, text);
    const item = line(depth, kind, given(run, call), " ", said);
    item.classList.toggle("dtviz-call-again", again);
    return item;
  };
  const running = run.stack(k);
  return running.flatMap((call, depth) => {
    const next = running[depth + 1];
    if (next === undefined) return [callLine(call, "now", `→ ${outcome(run, call)}`)];
    const { variable } = calls[next];
    const lines = [callLine(call, "open", `… trying ${variableName(names, variable)}`)];
    // The variables that failed in both halves, and the earlier calls on the one that is being tried.
    const before = run.children(call).filter((child) => child < next);
    const failed = new Set(before.map((child) => calls[child].variable));
    failed.delete(variable);
    if (failed.size) {
      const tried = listed([...failed].map((other) => variableName(names, other)));
      lines.push(line(depth + 1, "past", `${tried}: no half fits bound ${calls[call].rank - 1}`));
    }
    const same = before.filter((child) => calls[child].variable === variable);
    return [...lines, ...same.map((child) => callLine(child, "past", calls[child].found ? "→ tree" : "→ none"))];
  });
};

// Bars of the calls in a window, as three paths; calls made before it may still be running in it.
/** @type {(run: Run, view: { from: number, to: number }, step: number) => Record<"none" | "tree" | "again", string>} */
const barPaths = (run, { from, to }, step) => {
  const bars = { none: "", tree: "", again: "" };
  const inside = Array.from({ length: to - from }, (_, j) => from + j);
  for (const call of [...run.stack(from).slice(0, -1), ...inside]) {
    const { end, depth, found, again } = run.calls[call];
    const x = (Math.max(0, call - from) * step).toFixed(1);
    const x2 = ((Math.min(end, to) - from) * step - Math.min(1, step / 4)).toFixed(1);
    const tall = found ? BARS.tall : BARS.low;
    const y = (depth + 1) * (BARS.tall + BARS.gap) - 2 - tall;
    const bar = `M${x} ${y}H${x2}v${tall}H${x}Z`;
    bars[found ? "tree" : "none"] += bar;
    if (again) bars.again += bar;
  }
  return bars;
};

/** @param {(k: number) => void} onCall */
export const callsView = (onCall) => {
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
  const dock = new Dock({ why: true });
  const marks = [["tree", "returned a tree"], ["none", "returned none"], ["again", "↻ second try, with the full bound"]].map(([kind, text]) =>
    html("span", { class: `dtviz-mark-${kind}` }, text),
  );
  const legend = html("div", { class: "dtviz-call-marks" }, ...marks);
  const root = html("div", { class: "dtviz-recursion" }, heading, canvas, legend, calls, dock.root);

  let shown = { from: 0, to: 0, step: 1 };
  /** @type {(run: Run, k: number, width: number, levels: number) => void} */
  const frame = (run, k, width, levels) => {
    const all = run.calls.length;
    const { from, to } = windowAround(all, k, Math.max(8, Math.floor(width / BARS.thinnest)));
    const step = Math.min(width / (to - from), BARS.widest);
    shown = { from, to, step };
    const paths = barPaths(run, shown, step);
    kinds.forEach((kind, j) => put(bars[j], "d", paths[kind]));
    const deep = 1 + run.calls.reduce((most, { depth }) => Math.max(most, depth), 0);
    /** @param {number} rows */
    const rowsHigh = (rows) => rows * (BARS.tall + BARS.gap) + 4;
    setBox(canvas, width, rowsHigh(levels));
    putAll(cover, { width: step * (to - from), height: rowsHigh(deep) });
    putAll(here, { height: rowsHigh(deep) - 2, x: (k - from) * step, y: 1, width: Math.max(step, 2) });
    say(part, to - from < all ? `${from + 1} to ${to} of ${all}` : "");
    put(canvas, "aria-label", `${count(all, "call")} nested at most ${deep} deep.`);
  };

  onDrag(cover, canvas, (x) => onCall(clamp(shown.from + Math.floor(x / shown.step), shown.from, shown.to - 1)));

  return {
    root,
    // Room for the deepest run there can be, so that nothing below it moves.
    /** @type {(now: Now, width: number) => void} */
    draw({ n, run, call, examples }, width) {
      frame(run, call, width, n + 1);
      const { at, rank, size } = run.calls[call];
      const title = `Call ${call + 1}: FIND with bound ${rank} on ${count(size, "example")}`;
      dock.say({ title, lines: [], candidates: whyAt(examples, at, rank, run.names) });
      list.replaceChildren(...callLines(run, call));
      if (scrolled) calls.scrollTop = 0;
      scrolled = false;
    },
  };
};
