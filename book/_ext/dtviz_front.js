// The tree of the first page grows by itself, by the kernel of chapter 1, until a reader does anything;
// then it is the reader's. What is drawn is there already: this shows how much of it has grown.

import { growth } from "../../dtviz/explorers/static/path.js";
import { fromHex } from "../../dtviz/explorers/static/tables.js";
import { grow } from "../../dtviz/influence/kernel_grow.js";

const STEP = 160; // milliseconds from split to split; the first take longer, to be seen
const FIRST = 520;
const WHOLE = 4000; // that the grown tree is looked at, before it grows again; at first less
const LOOK = 1200;
const THICK = 1.15; // as dtviz_front.py draws a branch that carries one leaf

/** @typedef {ReturnType<typeof growth>} Growth */

/** @type {<T extends Element>(root: ParentNode, name: string, kind: new () => T) => T} */
const part = (root, name, kind) => {
  const found = root.querySelector(name);
  if (!(found instanceof kind)) throw new Error(`the first page has no ${name}`);
  return found;
};

// How many leaves each node carries after so many splits; 0 for a node that is not there yet.
/** @type {(path: Growth, step: number) => Uint16Array} */
const carried = (path, step) => {
  const leaves = new Uint16Array(2 * path.steps + 1);
  for (let node = 2 * step; node >= 0; node -= 1) {
    if (path.splitAt[node] >= step) leaves[node] = 1;
    if (node) leaves[path.parent[node]] += leaves[node];
  }
  return leaves;
};

// Shows the tree after so many splits.
/** @type {(svg: SVGSVGElement, path: Growth) => (step: number) => void} */
const painter = (svg, path) => {
  const branches = [...svg.querySelectorAll(".crown path")];
  const buds = [...svg.querySelectorAll(".buds circle")];
  return (step) => {
    const leaves = carried(path, step);
    branches.forEach((branch, node) => {
      branch.classList.toggle("absent", !leaves[node]);
      if (leaves[node]) branch.setAttribute("stroke-width", `${THICK * Math.sqrt(leaves[node])}`);
      const isLeaf = leaves[node] > 0 && path.splitAt[node] >= step;
      buds[node].setAttribute("class", isLeaf ? `label${path.label(node)}` : "inner");
    });
  };
};

// A clock that ticks while the page is seen, and waits as long as it is told after each tick.
/** @type {(tick: () => number) => { start: (wait: number) => void, stop: () => void }} */
const clock = (tick) => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  /** @param {number} wait */
  const start = (wait) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => start(document.hidden ? STEP : tick()), wait);
  };
  return { start, stop: () => clearTimeout(waiting) };
};

/** @param {HTMLElement} box */
const begin = (box) => {
  const svg = part(box, "svg", SVGSVGElement);
  const [button, slider] = [part(box, "button", HTMLButtonElement), part(box, "input", HTMLInputElement)];
  const now = part(box, ".dtviz-front-now", HTMLElement);
  const n = Number(svg.dataset.n);
  const path = growth({ ...grow(n, fromHex(n, svg.dataset.table ?? "")), size: null });
  const paint = painter(svg, path);
  let step = path.steps;
  /** @param {number} to */
  const show = (to) => {
    step = to;
    paint(step);
    const leaves = step ? `${step + 1} leaves` : "1 leaf";
    now.textContent = `${leaves}, error ${step < path.steps ? path.errors[step].toFixed(3) : 0}`;
    slider.value = `${step + 1}`;
    slider.setAttribute("aria-valuetext", now.textContent);
  };
  const growing = clock(() => {
    show(step < path.steps ? step + 1 : 0);
    return step === path.steps ? WHOLE : STEP + (FIRST - STEP) / (step + 1);
  });
  /** @param {boolean} on */
  const play = (on) => {
    box.dataset.growing = `${on}`;
    button.textContent = on ? "❚❚" : "▶";
    button.setAttribute("aria-label", on ? "Stop it" : "Let it grow");
    if (on) growing.start(step < path.steps ? STEP : LOOK);
    else growing.stop();
  };
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  // The button alone decides for itself; all else that a reader does stops the tree.
  button.addEventListener("click", () => play(box.dataset.growing !== "true"));
  for (const act of ["pointerdown", "keydown"]) {
    addEventListener(act, (event) => {
      if (!(event.target instanceof Node && button.contains(event.target))) play(false);
    });
  }
  play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
};

for (const box of document.querySelectorAll(".dtviz-front-tree")) {
  if (box instanceof HTMLElement) begin(box);
}
