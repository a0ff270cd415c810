// The error allowed: a slider, and a line on a chart of errors that one drags or moves by keys.

import { CHART } from "../drawing/chart.js";
import { EPSILON_STEP } from "../computing/constants.js";
import { rangeControl } from "./controls.js";
import { OWN_KEYS, change, put, putAll, say, svg } from "../hosting/kit.js";
import { clamp, epsilonText } from "../computing/text.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { StepChart } from "../drawing/chart.js"
 */

// The nearest, or the next larger, value that the slider has.
/** @type {(epsilon: number, round?: (value: number) => number) => number} */
export const onEpsilonGrid = (epsilon, round = Math.round) =>
  Number(clamp(round(epsilon / EPSILON_STEP) * EPSILON_STEP, 0, 0.5).toFixed(3));

/** @param {Model} model */
export const epsilonSlider = (model) =>
  rangeControl({
    name: "epsilon",
    label: "Error allowed, ε",
    min: 0,
    max: 0.5,
    step: EPSILON_STEP,
    onInput: (value) => change(model, { epsilon: value }),
  });

// What keys add to it, in steps of its slider.
/** @type {Record<string, number>} */
const KEYS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10, Home: -100, End: 100 };

// A level on a chart of errors, rootScale(top()) high, as a line to drag; returns draw(epsilon).
/** @param {StepChart} view @param {{ top: () => number, onMove: (epsilon: number) => void }} options */
export const epsilonLevel = (view, { top, onMove }) => {
  const { left } = CHART;
  const goal = svg("line", { class: "dtviz-goal", x1: left });
  const text = svg("text", { x: (left - 5) / 2, y: 4 });
  const reach = svg("rect", { class: "dtviz-reach", x: 0, y: -12, height: 24 });
  const arrow = svg("path", { d: `M2 -10H${left - 8}L${left} 0L${left - 8} 10H2Z` });
  const spoken = { role: "slider", "aria-label": "Error allowed, ε, on the chart", "aria-valuemin": 0, "aria-valuemax": 0.5 };
  const grip = svg("g", { class: "dtviz-grip", tabindex: 0, ...spoken, ...OWN_KEYS }, reach, goal, arrow, text);
  view.over.append(grip);
  // What is within an image nobody hears of.
  put(view.canvas, "role", "group");
  for (const part of view.canvas.children) if (part !== view.over) put(part, "aria-hidden", true);
  view.onDragUp(grip, (share) => onMove(onEpsilonGrid(top() * share ** 2)));
  let now = 0;
  grip.addEventListener("keydown", (event) => {
    if (!Object.hasOwn(KEYS, event.key)) return;
    onMove(onEpsilonGrid(now + KEYS[event.key] * EPSILON_STEP));
    event.preventDefault();
  });
  /** @param {number} epsilon */
  return (epsilon) => {
    now = epsilon;
    const y = view.y(epsilon);
    put(goal, "x2", view.edge);
    put(reach, "width", Math.max(view.edge, 0));
    view.clear(y);
    putAll(grip, { transform: `translate(0,${y})`, "aria-valuenow": epsilon, "aria-valuetext": epsilonText(epsilon) });
    say(text, `ε ${epsilonText(epsilon)}`);
  };
};
