// Points at the leaves of a growing tree: when a leaf is split, its points travel down the two branches.

import { svg } from "../explorers/static/hosting/kit.js";
import { seenPart, shareOf, tintOf } from "../explorers/static/computing/points.js";

/**
 * @import { Plane, Span } from "../explorers/static/drawing/plane.js"
 * @import { TreeView } from "../explorers/static/drawing/tree.js"
 * @import { PlanePath } from "./kernel.js"
 */

// Of more points, so many are shown.
const MOST = 200;
// Pixels: a point, from one to the next.
const DOT = { radius: 2, step: 5 };
// So high may a heap of them be.
export const BENEATH = 28;

// Points spread evenly over the sample, in the order of their classes.
/** @type {(plane: Plane) => { label: number, place: Span }[]} */
const drawnPoints = (plane) => {
  const { columns: [first, second], labels } = seenPart(plane);
  const pace = Math.max(1, labels.length / MOST);
  const rows = Array.from({ length: Math.min(MOST, labels.length) }, (_, k) => Math.floor(k * pace));
  return rows
    .map((row) => ({ label: labels[row], place: /** @type {Span} */ ([first[row], second[row]]) }))
    .sort((a, b) => a.label - b.label);
};

// Where the k-th of so many points lies in the room for a heap.
/** @type {(room: ReturnType<TreeView["pileOf"]>, k: number, size: number) => string} */
const heapPlace = ({ x, y, width, height }, k, size) => {
  const columns = Math.max(1, Math.min(Math.floor(width / DOT.step), Math.ceil(Math.sqrt(3 * size))));
  const [row, column] = [Math.floor(k / columns), k % columns];
  const down = Math.min(DOT.step, (height - 2 * DOT.radius) / Math.ceil(size / columns));
  const across = x + width / 2 + (column - (Math.min(columns, size) - 1) / 2) * DOT.step;
  return `translate(${across.toFixed(1)}px,${(y + DOT.radius + row * down).toFixed(1)}px)`;
};

/** @param {TreeView} tree */
export const flowLayer = (tree) => {
  const group = svg("g", { class: "dtviz-flow", "aria-hidden": "true" });
  tree.nodes.canvas.append(group);
  let shown = /** @type {Plane | null} */ (null);
  /** @type {{ dot: SVGCircleElement, place: Span }[]} */
  let dots = [];
  return {
    /** @type {(plane: Plane, path: PlanePath, step: number) => void} */
    draw(plane, path, step) {
      const { part } = tree;
      if (!part) return;
      if (shown !== plane) {
        shown = plane;
        dots = drawnPoints(plane).map(({ label, place }) => {
          const { values } = plane;
          const style = values ? `--dtviz-label: ${tintOf(shareOf(values, values[label]))}` : null;
          return { place, dot: svg("circle", { class: `dtviz-label${label}`, style, r: DOT.radius }) };
        });
        group.replaceChildren(...dots.map(({ dot }) => dot));
      }
      /** @type {Map<number, SVGCircleElement[]>} */
      const heaps = new Map();
      for (const { dot, place } of dots) {
        const at = part.owner[path.find(place, step)];
        heaps.set(at, [...(heaps.get(at) ?? []), dot]);
      }
      for (const [at, heap] of heaps) {
        const spot = part.spots[at];
        const room = spot && tree.pileOf(spot);
        heap.forEach((dot, k) => {
          // Inside a subtree, the points of the others are not there.
          dot.style.display = spot ? "" : "none";
          if (spot) dot.style.transform = heapPlace(room, k, heap.length);
        });
      }
    },
  };
};
