// The error allowed: a slider, and a level on a chart of errors with a grip to drag.

import { CHART } from "../drawing/chart.js";
import { EPSILON_STEP } from "../computing/constants.js";
import { rangeControl } from "./controls.js";
import { change, put, putAll, say, svg } from "../hosting/kit.js";
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
    ends: ["0.5", "0"],
    reversed: true,
    onInput: (value) => change(model, { epsilon: value }),
  });

/**
 * A level on a chart of errors, rootScale(top()) high, with a grip to drag; returns draw(epsilon).
 * @param {StepChart} view
 * @param {{ top: () => number, onMove: (epsilon: number) => void }} options
 */
export const epsilonLevel = (view, { top, onMove }) => {
  const { left } = CHART;
  const goal = svg("line", { class: "dtviz-goal", x1: left });
  const text = svg("text", { x: (left - 5) / 2, y: 4 });
  const reach = svg("rect", { class: "dtviz-reach", x: 0, y: -20, width: left, height: 40 });
  const arrow = svg("path", { d: `M2 -10H${left - 8}L${left} 0L${left - 8} 10H2Z` });
  const grip = svg("g", { class: "dtviz-grip" }, reach, arrow, text);
  view.over.append(goal, grip);
  view.onDragUp(grip, (share) => onMove(onEpsilonGrid(top() * share ** 2)));
  /** @param {number} epsilon */
  return (epsilon) => {
    const y = view.y(epsilon);
    putAll(goal, { x2: view.edge, y1: y, y2: y });
    view.clear(y);
    put(grip, "transform", `translate(0,${y})`);
    say(text, `ε ${epsilonText(epsilon)}`);
  };
};
