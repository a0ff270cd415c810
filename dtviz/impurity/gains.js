// What is drawn of a cut that the reader holds: its line, and along its axis the curve of what each cut there gains,
// with the best one marked and this one on it.

import { bestOf } from "./kernel_cuts.js";
import { memory, place, put, say, svg } from "../explorers/static/hosting/kit.js";
import { clamp } from "../explorers/static/computing/text.js";

/**
 * @import { PlaneScale, PlaneView } from "../explorers/static/drawing/plane.js"
 * @import { Active } from "./cutter.js"
 *
 * From a value and a gain to a place.
 * @typedef {(value: number, gain: number) => [number, number]} Places
 */

// Of a box the curve takes this share, within these pixels.
const CURVE = { share: 0.35, least: 14, most: 70 };

// Pixels of a bold letter.
const LETTER = 7.2;

/** @type {(scale: PlaneScale, box: Record<string, number>, active: Active) => Places} */
const placesOf = (scale, box, { feature, most }) => {
  const room = feature ? box.width : box.height;
  const size = Math.min(room, clamp(CURVE.share * room, CURVE.least, CURVE.most));
  /** @param {number} gain */
  const high = (gain) => (most > 0 ? (size * gain) / most : 0);
  return feature
    ? (value, gain) => [box.x + high(gain), scale.y(value)]
    : (value, gain) => [scale.x(value), box.y + box.height - high(gain)];
};

// The outline of the curve: between two values every threshold gains the same.
/** @type {(places: Places, active: Active) => string} */
const outline = (places, { curves, feature }) => {
  const { values, gains } = curves[feature];
  const corners = [places(values[0], 0)];
  gains.forEach((gain, k) => corners.push(places(values[k], gain), places(values[k + 1], gain)));
  corners.push(places(values[values.length - 1], 0));
  return `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
};

export const gainMarks = () => {
  const curve = svg("path", { class: "dtviz-gain-curve" });
  const line = svg("line", { class: "dtviz-held-cut" });
  const best = svg("circle", { class: "dtviz-gain-best", r: 4 });
  const own = svg("circle", { class: "dtviz-gain-own", r: 5 });
  const text = svg("text", { class: "dtviz-gain-text" });
  const root = svg("g", { class: "dtviz-gain", "aria-hidden": "true", visibility: "hidden" }, curve, line, best, own, text);
  const fresh = memory();
  return {
    root,
    /** @type {(view: PlaneView, active: Active | null, gain: number, words: string) => void} */
    draw({ shown, map, size }, active, gain, words) {
      const there = shown && active && active.feature >= 0;
      put(root, "visibility", there ? "inherit" : "hidden");
      if (!there) return;
      const { scale } = shown;
      const { feature, threshold, curves } = active;
      const box = scale.rect(shown.path.box(active.node));
      const places = placesOf(scale, box, active);
      fresh("curve", [curves, feature, scale, box.x, box.y], () => put(curve, "d", outline(places, active)));
      const top = bestOf(curves[feature]);
      const [x, y] = places(threshold, gain);
      const [bx, by] = places(top, Math.max(...curves[feature].gains));
      const ends = feature ? { x1: box.x, x2: box.x + box.width, y1: y, y2: y } : { x1: x, x2: x, y1: box.y, y2: box.y + box.height };
      place(line, ends);
      place(best, { cx: bx, cy: by });
      place(own, { cx: x, cy: y });
      // On the wider side, above the curve, clear of what is written along the axes.
      const [end, long] = [size.width - map.right, LETTER * words.length];
      const beside = 2 * x > end + map.left ? x - 8 - long : x + 8;
      place(text, { x: clamp(beside, map.left + 4, end - long), y: Math.max((feature ? y : Math.min(y, by)) - 7, map.top + 10) });
      say(text, words);
    },
  };
};
