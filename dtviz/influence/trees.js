// The trees of chapter 1: the greedy one or the reader's, and the one beside it; the details of a node, and
// what else could have been asked there.

import { firstDifference } from "../explorers/static/beside.js";
import { candidates } from "../explorers/static/candidates.js";
import { change, say } from "../explorers/static/kit.js";
import { count, epsilonText } from "../explorers/static/text.js";
import { treeView } from "../explorers/static/tree.js";
import { dockBox } from "../explorers/static/why.js";
import { cubeOf, eachPoint, sensitivePoints } from "./kernel_grow.js";

/**
 * @import { Fact, Details } from "../explorers/static/controls.js"
 * @import { Growth } from "../explorers/static/path.js"
 * @import { Drawn, State } from "./state.js"
 */

// The details of a node.
/** @type {(path: Growth, node: number, state: "inner" | "leaf") => Fact[]} */
const factsOf = (path, node, state) => {
  const { best, probability, score, label, error } = path;
  /** @type {Fact[]} */
  const lines = [["probability", `${probability(node)}`]];
  if (state === "inner") {
    lines.push(["splits on", path.test(node)], ["score", path.asked(node).toFixed(4)]);
  } else {
    const variable = best[node] < 0 ? "none, f is constant here" : path.nameOf(best[node]);
    lines.push(["score", score(node).toFixed(4)], ["most influential", variable], ["label", label(node)]);
  }
  lines.push(["error", error(node).toFixed(4)]);
  return lines;
};

// As many as a strip shows.
const STRIP = 64;

// The variables that were free there with their scores, and the points that come there.
/** @type {(drawn: Drawn, node: number, state: "inner" | "leaf", ask?: (node: number, variable: number) => void) => Partial<Details>} */
const whyOf = ({ known: { n, table }, path }, node, state, ask) => {
  const cube = cubeOf(path.restriction(node));
  const counts = sensitivePoints(n, table, cube);
  const free = counts.flatMap((counted, i) => (counted < 0 ? [] : [i]));
  const asked = state === "inner" ? path.variable[path.splitAt[node]] : path.best[node];
  /** @type {number[]} */
  const labels = [];
  let ones = 0;
  eachPoint(n, cube, (point) => {
    if (labels.length <= STRIP) labels.push(table[point]);
    ones += table[point];
  });
  return {
    candidates: candidates({
      names: free.map(path.nameOf),
      scores: free.map((i) => counts[i]),
      chosen: free.indexOf(asked),
      head: "score",
      text: (counted) => (counted / 2 ** n).toFixed(4),
      none: "f is constant here: no variable matters",
      split: ask && path.best[node] >= 0 ? (k) => ask(node, free[k]) : undefined,
    }),
    strip: { labels, note: `${count(2 ** (n - path.depth[node]), "point")}, f is 1 at ${ones}` },
  };
};

/** @param {State} state */
const titles = ({ model, racing }) => ({
  /** @param {Drawn} drawn */
  first({ path, step }) {
    const leaves = count(step + 1, "leaf", "leaves");
    if (racing()) return `Your tree: ${leaves}`;
    if (model.get("beside") === "nothing") return model.get("function");
    return `Greedy tree: ${leaves}, error ${path.errors[step].toFixed(3)}`;
  },
  /** @param {Drawn} drawn */
  second({ path, step }) {
    const leaves = count(step + 1, "leaf", "leaves");
    if (model.get("beside") === "best") return `Smallest tree: ${leaves}, error 0`;
    const kept = model.get("kept");
    const name = kept.function === undefined || kept.function === model.get("function") ? "" : `${kept.function}, `;
    const what = kept.splits ? "your tree" : `ε ${epsilonText(kept.epsilon ?? model.get("epsilon"))}`;
    return `Kept: ${name}${what}: ${leaves}, error ${path.errors[step].toFixed(3)}`;
  },
});

/** @type {(state: State, one: Drawn, other: Drawn, at: { one: number, other: number } | null) => string} */
const differenceText = ({ model, racing }, one, other, at) => {
  if (!at) return "Both trees ask the same.";
  const place = at.one ? `at ${one.path.where(at.one)}` : "at the root";
  const [who, whose] = [racing() ? "you ask" : "the greedy tree asks", model.get("beside") === "best" ? "the smallest tree" : "the tree kept"];
  /** @type {(drawn: Drawn, node: number) => string} */
  const asks = ({ path, step }, node) =>
    path.splitAt[node] < step ? `${path.test(node)}, which scores ${path.asked(node).toFixed(4)}` : "no more";
  const also = asks(other, at.other);
  return `First difference, ringed in both: ${place} ${who} ${asks(one, at.one)}; ${whose} asks ${also}.`;
};

// Two trees, of which the second comes and goes, and the dock for both.
/** @type {(state: State) => { first: ReturnType<typeof treeView>, second: ReturnType<typeof treeView>, dock: ReturnType<typeof dockBox>, show: () => void, draw: () => void, difference: () => string, pick: (node: number) => void }} */
export const makeTrees = (state) => {
  const { model, drawn, second: beside, racing, made } = state;
  const dock = dockBox({ why: true });
  const written = titles(state);
  /** @type {(node: number, variable: number) => void} */
  const ask = (node, variable) => {
    const j = made().length;
    change(model, { splits: [...made(), [node, variable]] });
    first.pick(2 * j + 1);
  };
  const first = treeView({
    name: "Decision tree",
    facts: (node, kind) => factsOf(drawn().path, node, kind),
    why: (node, kind) => whyOf(drawn(), node, kind, racing() && kind === "leaf" ? ask : undefined),
    dock,
    steady: true,
  });
  /** @type {Drawn | null} */
  let other = null;
  const second = treeView({
    name: "Tree beside it",
    facts: (node, kind) => (other ? factsOf(other.path, node, kind) : []),
    why: (node, kind) => (other ? whyOf(other, node, kind) : {}),
    dock,
    steady: true,
    still: true,
  });
  second.root.hidden = true;
  const draw = () => {
    const now = drawn();
    const { path, step } = now;
    if (first.path !== path) first.show(path);
    first.draw(step, racing() || step === path.steps ? -1 : path.split[step]);
    say(first.title, written.first(now));
    other = beside();
    const at = other && firstDifference(now, other);
    first.encircle(at?.one ?? -1);
    if (!other) return;
    if (second.path !== other.path) second.show(other.path);
    second.draw(other.step, -1);
    second.encircle(at?.other ?? -1);
    say(second.title, written.second(other));
  };
  const difference = () => {
    // Of the trees of now, which need not be drawn yet.
    const [one, two] = [drawn(), beside()];
    return two ? differenceText(state, one, two, firstDifference(one, two)) : "";
  };
  return { first, second, dock, draw, difference, show: () => first.show(drawn().path), pick: (node) => first.pick(node) };
};
