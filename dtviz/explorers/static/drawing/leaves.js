// Charts of curves over the leaves of a growing tree, each with a name and what it is at the tree on display;
// with the error allowed as a level to drag, if wanted.

import { StepChart } from "./chart.js";
import { decimals } from "../computing/greedy.js";
import { change, memory } from "../hosting/kit.js";
import { epsilonLevel } from "../controls/level.js";
import { brief } from "../computing/text.js";

/**
 * @import { Model } from "../hosting/kit.js"
 * @import { Scale } from "../computing/scale.js"
 *
 * A curve up to a step, the last one of the chart if none is given.
 * @typedef {{ at: (step: number) => number, last?: number, text: (value: number) => string }} Named
 */

// A curve with its name, read with so many decimals, or in brief.
/** @type {(name: string, places: number | "brief", at: (step: number) => number, last?: number) => Named} */
export const curve = (name, places, at, last) => ({
  ...{ at, last },
  text: (value) => `${name} ${places === "brief" ? brief(value) : decimals(value, places)}`,
});

/**
 * @param {ConstructorParameters<typeof StepChart>[0] & { scale: (...range: number[]) => Scale, leveled?: Model }} options
 *   leveled: the model whose epsilon is drawn; then the scale is rootScale
 */
export const leavesChart = ({ scale, leveled, ...options }) => {
  const view = new StepChart(options);
  const fresh = memory();
  let top = 1;
  const drawLevel =
    leveled && epsilonLevel(view, { top: () => top, onMove: (epsilon) => change(leveled, { epsilon }) });
  return {
    view,
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
    },
  };
};
