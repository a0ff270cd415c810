// A tree as a program of the reader's gives it, drawn by the view of the explorers.

import { html, onWidth } from "../hosting/kit.js";
import { pathShape, widthOf } from "../computing/path.js";
import { count } from "../computing/text.js";
import { TreeView } from "./tree.js";

/**
 * @import { TreePath } from "../computing/path.js"
 *
 * A plain tree on its way to a view: step j splits node split[j] by the test tests[j].
 * @typedef {object} PlainTree
 * @property {number[]} split
 * @property {string[]} tests
 * @property {string[]} labels  of the nodes, "" where one is split
 */

// Pixels: the most that trees may be high.
const TALLEST = 380;
// Of less width, a page is that of a phone.
const NARROW = 480;

// A tree written line by line, "?" and a test before its two subtrees, "=" and a label for a leaf.
/** @type {(lines: string[]) => PlainTree} */
export const readTree = (lines) => {
  let at = 0;
  /** @typedef {{ text: string, low?: Node, high?: Node }} Node */
  /** @type {() => Node} */
  const read = () => {
    const line = lines[at];
    at += 1;
    const text = line.slice(1);
    return line[0] === "=" ? { text } : { text, low: read(), high: read() };
  };
  /** @type {PlainTree} */
  const tree = { split: [], tests: [], labels: [""] };
  /** @type {[number, Node][]} */
  const queue = [[0, read()]];
  for (const [node, { text, low, high }] of queue) {
    if (!low || !high) {
      tree.labels[node] = text;
      continue;
    }
    const j = tree.split.push(node) - 1;
    tree.tests.push(text);
    tree.labels[node] = "";
    queue.push([2 * j + 1, low], [2 * j + 2, high]);
  }
  return tree;
};

/** @type {(tree: PlainTree) => TreePath} */
export const plainPath = ({ split, tests, labels }) => {
  const known = [...new Set(labels)].filter((label) => label !== "").sort();
  const isBits = known.every((label) => label === "0" || label === "1");
  const index = new Map(known.map((label, k) => [label, isBits ? Number(label) : Math.min(k, 2)]));
  const shape = pathShape(split, split.map((_, j) => j));
  /** @type {[string, string]} */
  const answers = tests.some((text) => text.includes("≤")) ? ["yes", "no"] : ["0", "1"];
  /** @param {number} node */
  const test = (node) => tests[shape.splitAt[node]];
  const equals = answers[0] === "0" ? "=" : ": ";
  return {
    ...shape,
    answers,
    test,
    testWidth: widthOf(tests),
    error: () => 0,
    score: () => 0,
    mixed: () => 0,
    label: (node) => index.get(labels[node]) ?? 0,
    // A label of three kinds or more stands for all its like: the view knows three colors.
    mark: (label) => known.filter((text) => index.get(text) === label).join("/").slice(0, 5),
    where: (node) => shape.restriction(node).map(([j, side]) => `${tests[j]}${equals}${answers[side]}`).join(", ") || "the root",
  };
};

// Draw a plain tree into an element, which holds nothing else; returns its size in words.
/** @type {(root: HTMLElement, lines: string[], name: string) => string} */
export const drawTree = (root, lines, name) => {
  const tree = readTree(lines);
  const path = plainPath(tree);
  const view = new TreeView({
    name,
    still: true,
    facts: (node, state) =>
      state === "leaf" ? [["label", tree.labels[node]]] : [["asks", path.test(node)]],
  });
  const part = html("div", { class: "dtviz-explorer dtviz-run-tree" }, view.root);
  root.replaceChildren(part);
  view.show(path);
  onWidth(part, (width) => {
    view.resize(width, TALLEST, width < NARROW);
    view.draw(path.steps, -1);
  });
  return count(tree.split.length + 1, "leaf", "leaves");
};
