// Why a method cut or kept a node, in numbers: what it compared there, or, where it chose among whole prunings, what
// the best of those would be that decide the node otherwise.

import { PRUNERS, allowed } from "./kernel.js";
import { decidedTable, riskOf } from "./kernel_fronts.js";
import { SAME_PRICE } from "../explorers/static/computing/constants.js";
import { count, digits } from "../explorers/static/computing/text.js";

/**
 * @import { Details, Fact } from "../explorers/static/controls/controls.js"
 * @import { Dials, NodeState, PrunableTree, prunedBy } from "./kernel.js"
 *
 * @typedef {{ leaves: number, errors: number }} Total  of a whole tree
 *
 * What is on display: the method and what it asks, what it decided and what is left.
 * @typedef {{ method: string, dials: Dials } & ReturnType<typeof prunedBy>} Decided
 */

// The best total of a tree in which node k, a test that is not gone, is there and decided otherwise; the total of the
// one chosen; and whether the other keeps the budget of errors. For methods that choose among whole prunings.
/** @type {(tree: PrunableTree, decided: Decided, k: number) => { now: Total, other: Total, within: boolean }} */
const otherwise = (tree, { method, dials, states, leaves }, k) => {
  const { wrong, size } = tree.counted.training;
  const now = { leaves, errors: tree.tables[0][leaves - 1] };
  const table = Array.from(decidedTable(tree, wrong, tree.tables, k, states[k] !== "stump"));
  /** @param {number} s */
  const total = (s) => ({ leaves: s + 1, errors: table[s] });
  if (method === "structural risk") {
    const risks = table.map((errors, s) => riskOf(s + 1, errors, size));
    return { now, other: total(risks.indexOf(Math.min(...risks))), within: true };
  }
  const most = allowed(tree, dials.d);
  const first = table.findIndex((errors) => errors <= most);
  return { now, other: total(first < 0 ? table.indexOf(Math.min(...table)) : first), within: first >= 0 };
};

/** @param {Total} total */
const sizes = ({ leaves, errors }) => `${count(leaves, "leaf", "leaves")}, ${count(errors, "error")}`;

// In as few decimals, two at least, as leave a number on its side of another one.
/** @type {(value: number, other: number) => string} */
const apart = (value, other) => {
  let places = 2;
  while (places < 12 && Math.sign(Number(value.toFixed(places)) - other) !== Math.sign(value - other)) places += 1;
  return value.toFixed(places);
};

/** @type {(tree: PrunableTree, decided: Decided, k: number) => string} */
const onePass = ({ counted }, { method, record: { size, below, fine, cut } }, k) => {
  const alone = counted[PRUNERS[method].judge].wrong[k];
  const penalty = method === "bottom up" && fine ? ` + penalty ${apart(fine[k], alone - below[k])}` : "";
  return `leaf ${alone} ${cut[k] ? "≤" : ">"} subtree ${below[k]}${penalty} errors, with ${count(size[k], "leaf", "leaves")}`;
};

/** @type {(tree: PrunableTree, decided: Decided, k: number) => string} */
const weakLink = (tree, { dials: { alpha }, record }, k) => {
  const { wrong, size } = tree.counted.training;
  const { size: leaves, below } = tree.weakest;
  const price = tree.prices[k];
  const shown = Math.abs(price - alpha) <= SAME_PRICE ? String(alpha) : digits(price, Math.abs(price / alpha - 1) < 0.01 ? 6 : 3);
  const quotient = `(${wrong[k]}/${size} − ${below[k]}/${size}) / (${leaves[k]} − 1)`;
  return `g(t) = ${quotient} = ${shown} ${record.cut[k] ? "≤" : ">"} α = ${alpha}`;
};

/** @type {(tree: PrunableTree, decided: Decided, k: number) => string} */
const wholePruning = (tree, decided, k) => {
  const { now, other, within } = otherwise(tree, decided, k);
  const instead = decided.states[k] === "stump" ? "with a test here" : "with a leaf here";
  if (decided.method === "structural risk") {
    const { size } = tree.counted.training;
    const [here, there] = [now, other].map(({ leaves, errors }) => riskOf(leaves, errors, size));
    const risk = there > here ? `risk ${digits(there)} > ${digits(here)}` : `the same risk, ${digits(here)}`;
    return `${instead} ${sizes(other)} at best, not ${sizes(now)}: ${risk}`;
  }
  const budget = `at most ${count(allowed(tree, decided.dials.d), "error")}`;
  if (!within) return `${instead} no pruning makes ${budget}; the best makes ${other.errors}`;
  const more = () => (other.errors > now.errors ? `, with ${other.errors} errors, not ${now.errors}` : ", too: a tie");
  const size = other.leaves > now.leaves ? `, not ${now.leaves}` : more();
  return `${instead} ${budget} take ${count(other.leaves, "leaf", "leaves")}${size}`;
};

// Where two prunings part: the nodes that both have, a test in one and cut in the other.
/** @type {(one: NodeState[], other: NodeState[]) => number[]} */
export const partings = (one, other) =>
  one.flatMap((state, k) => {
    const pair = `${state} ${other[k]}`;
    return pair === "inner stump" || pair === "stump inner" ? [k] : [];
  });

const SAMPLE_WORDS = { training: "training", pruning: "pruning sample" };

// The details of node k.
/** @type {(tree: PrunableTree, decided: Decided, k: number) => Details} */
export const reasonAt = (tree, decided, k) => {
  const { method, record, states } = decided;
  const { judge } = PRUNERS[method];
  const { reach, wrong, size } = tree.counted[judge];
  const gone = states[k] === "gone";
  let top = k;
  while (states[top] === "gone") top = tree.parent[top];
  const off = `Gone with the cut at ${tree.where[top]}`;
  const why = record.fine ? onePass : method === "cost complexity" ? weakLink : wholePruning;
  const reason = () => {
    if (tree.low[k] < 0) return gone ? `${off}.` : undefined;
    if (!gone) return `${record.cut[k] ? "Cut" : "Kept"}: ${why(tree, decided, k)}.`;
    // Who chooses a whole pruning decides nothing below a cut.
    return why === wholePruning ? `${off}: there, ${why(tree, decided, top)}.` : `${off}. Here: ${why(tree, decided, k)}.`;
  };
  /** @type {Fact[]} */
  const lines = [
    [`${SAMPLE_WORDS[judge]}, here`, `${reach[k]} of ${size}`],
    ["label", tree.classes[tree.label[k]]],
    ["errors as a leaf", wrong[k]],
  ];
  // Rows of the pruning sample lie here in the drawing.
  const fresh = tree.counted.pruning;
  const isEnd = states[k] === "leaf" || states[k] === "stump";
  if (isEnd && judge !== "pruning") lines.push(["pruning rows, here", `${fresh.reach[k]} of ${fresh.size}, ${fresh.wrong[k]} wrong`]);
  return { title: tree.where[k], lines, reason: reason() };
};
