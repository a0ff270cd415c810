// The rows of the pruning sample fall through a tree, as far as it is not cut, and are counted.

import { html, say } from "../explorers/static/hosting/kit.js";
import { Falling } from "../explorers/static/drawing/falling.js";
import { endsOf } from "./kernel_examples.js";

/**
 * @import { Grown } from "./state.js"
 * @import { NodeState } from "./kernel.js"
 * @import { TwigView } from "./twigs.js"
 */

// Pixels: from a leaf down to its heap, and how high that may be.
export const HEAP = { below: 7, tallest: 60 };

/** @param {TwigView} view */
export const freshRows = (view) => {
  const count = html("span", { class: "dtviz-aside" });
  view.title.after(" ", count);
  let size = 0;
  const falling = new Falling({
    onCount: ([right], done) => say(count, `right: ${right} of ${size} ${done ? "pruning rows" : "so far"}`),
  });
  let shown = /** @type {ArrayLike<number> | null} */ (null);
  return {
    // They fall once more from above the tree.
    again() {
      shown = null;
    },
    /** @type {(grown: Grown, states: NodeState[]) => void} */
    draw({ tree, examples, labels: [, labels] }, states) {
      const { twigs, layout } = view;
      if (view.tree !== tree || !layout) return;
      const { columns } = examples.parts[1];
      if (shown !== labels) {
        shown = labels;
        size = labels.length;
        falling.people({ kind: labels, colors: ["var(--dtviz-zero)", "var(--dtviz-one)"] });
      }
      const resized = falling.cover(view.nodes.canvas);
      const owner = endsOf(tree, states, columns, size);
      falling.go(
        {
          stops: twigs,
          owner,
          // What is cut off of a node leaves its columns free.
          heaps: twigs.map(({ px, py }, k) => {
            const top = py + HEAP.below;
            const height = Math.min(HEAP.tallest, falling.size.height - top);
            return { px, py: top, width: layout.slot * tree.leaves[k] - 1, height };
          }),
          right: Array.from(owner, (k, row) => Number(tree.label[k] === labels[row])),
        },
        resized,
      );
    },
  };
};
