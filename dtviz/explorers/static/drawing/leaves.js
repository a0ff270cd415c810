// Charts of curves over the leaves of a growing tree, each with a name and what it is at the tree on display;
// with the error allowed as a level to drag, and a thin slider over the splits, if wanted.

import { StepChart } from "./chart.js";
import { decimals } from "../computing/greedy.js";
import { OWN_KEYS, change, html, memory, put, say } from "../hosting/kit.js";
import { epsilonLevel } from "../controls/level.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { Scale } from "../computing/scale.js"
 *
 * A curve up to a step, the last one of the chart if none is given.
 * @typedef {{ at: (step: number) => number, last?: number, text: (value: number) => string }} Named
 */

// A curve with its name.
/** @type {(name: string, at: (step: number) => number, last?: number) => Named} */
export const curve = (name, at, last) => ({ at, last, text: (value) => `${name} ${decimals(value)}` });

// A slider as thin as can be hit, below the axis of a chart.
/** @type {(view: StepChart, onStep: (step: number) => void) => { root: HTMLElement, draw: (step: number, steps: number) => void }} */
const scrubberOf = (view, onStep) => {
  const input = html("input", { type: "range", name: "step", "aria-label": "Splits", min: 0, step: 1, ...OWN_KEYS });
  const value = html("span", { class: "dtviz-value" });
  const root = html("div", { class: "dtviz-scrubber" }, input, value);
  input.addEventListener("input", () => onStep(input.valueAsNumber));
  return {
    root,
    draw(step, steps) {
      put(input, "max", steps);
      input.value = String(step);
      // Its thumb, 16 pixels wide, stands below the cursor of the chart.
      input.style.width = `${Math.max(view.inner, 0) + 16}px`;
      say(value, `${step} of ${steps}`);
      put(input, "aria-valuetext", `${step} of ${steps}`);
    },
  };
};

/**
 * @param {ConstructorParameters<typeof StepChart>[0] & { scale: (...range: number[]) => Scale, leveled?: Model, onScrub?: (step: number) => void }} options
 *   leveled: the model whose epsilon is drawn; then the scale is rootScale
 */
export const leavesChart = ({ scale, leveled, onScrub, ...options }) => {
  const view = new StepChart(options);
  const scrubber = onScrub && scrubberOf(view, onScrub);
  if (scrubber) view.root.append(scrubber.root);
  const fresh = memory();
  let top = 1;
  const drawLevel =
    leveled && epsilonLevel(view, { top: () => top, onMove: (epsilon) => change(leveled, { epsilon }) });
  return {
    ...{ view, scrubber: scrubber?.root },
    /** @param {{ steps: number, range: number[], step: number, curves: (Named | null | false)[], remark?: string | false }} shown */
    draw({ steps, range, step, curves, remark = false }) {
      [top] = range;
      fresh("frame", [view.width, view.height, steps, ...range], () => view.frame(steps, scale(...range)));
      const readings = curves.map((one, k) => {
        const last = one ? one.last ?? steps : -1;
        view.curve(k, last >= 0 && one && one.at, 0, last);
        const value = one && step <= last ? one.at(step) : null;
        return one && value !== null && { value, text: one.text(value) };
      });
      view.point(step, readings);
      view.remark(remark);
      drawLevel?.(leveled?.get("epsilon"));
      scrubber?.draw(step, steps);
    },
  };
};
