// Chapter 6, pruning: what the page computes of a tree and of its prunings, without the page. Nodes are in preorder.

import { logPaths, logTrees } from "./kernel_counts.js";
import { labelCounts, preorder } from "./kernel_examples.js";
import { fewestTables, frontOf, leastRisk, riskOf, smallestCuts } from "./kernel_fronts.js";
import { cheapestSteps, weakestLinks } from "./kernel_links.js";
import { SAME_PRICE } from "../explorers/static/computing/constants.js";
import { thresholdText } from "../explorers/static/computing/text.js";

/**
 * @import { Examples, Grown, LabelCounts, Tests } from "./kernel_examples.js"
 *
 * For each node, how many points of a sample reach it and how many of them its label gets wrong; the size of the sample.
 * @typedef {{ reach: number[], wrong: number[], size: number }} SampleErrors
 * @typedef {"training" | "pruning" | "truth"} SampleName
 *
 * @typedef {ReturnType<typeof treeLinks>} TreeLinks
 * @typedef {ReturnType<typeof prunable>} PrunableTree
 *
 * What a method compared and decided at each node; `fine` is null if it does not go bottom-up.
 * @typedef {object} PruningRecord
 * @property {Uint8Array} cut 1 where the leaf is preferred
 * @property {Float64Array} size leaves of the current subtree
 * @property {Float64Array} below its errors
 * @property {Float64Array | null} fine the penalty on it, in errors
 *
 * That penalty, at a node and on a current subtree of so many leaves.
 * @typedef {(k: number, leaves: number) => number} Penalty
 *
 * @typedef {{ d: number, c: number, delta: number, alpha: number }} Dials
 * @typedef {"inner" | "leaf" | "stump" | "gone"} NodeState
 * @typedef {{ states: NodeState[], leaves: number, rates: Record<SampleName, number> }} Left
 */

// How the nodes of a tree hang together, whose variables are -1 at leaves: -1 where there is no child or parent.
/** @param {number[]} variable */
export const treeLinks = (variable) => {
  const nodes = variable.length;
  const [low, high, parent] = [0, 1, 2].map(() => new Int32Array(nodes).fill(-1));
  const [size, leaves] = [0, 1].map(() => new Int32Array(nodes).fill(1));
  const depth = new Int32Array(nodes);
  for (let k = nodes - 1; k >= 0; k -= 1) {
    if (variable[k] < 0) continue;
    low[k] = k + 1;
    high[k] = k + 1 + size[k + 1];
    size[k] += size[low[k]] + size[high[k]];
    leaves[k] = leaves[low[k]] + leaves[high[k]];
  }
  for (let k = 0; k < nodes; k += 1) {
    if (variable[k] < 0) continue;
    for (const child of [low[k], high[k]]) {
      parent[child] = k;
      depth[child] = depth[k] + 1;
    }
  }
  return { nodes, low, high, parent, depth, leaves };
};

// The errors of the labels that the nodes predict.
/** @type {(counts: LabelCounts, label: number[]) => SampleErrors} */
const sampleErrors = ({ zeros, ones }, label) => ({
  reach: zeros.map((zero, k) => zero + ones[k]),
  wrong: zeros.map((zero, k) => (label[k] ? zero : ones[k])),
  size: zeros[0] + ones[0],
});

// What fresh examples would make of errors without noise, being as noisy as the sample: by hundredths of an example,
// so that counts stay whole.
/** @type {(errors: SampleErrors, noise: number) => SampleErrors} */
const freshErrors = ({ reach, wrong, size }, noise) => {
  const flips = Math.round(100 * noise);
  return {
    reach: reach.map((all) => 100 * all),
    wrong: wrong.map((errors, k) => (100 - flips) * errors + flips * (reach[k] - errors)),
    size: 100 * size,
  };
};

// Error rates on a sample of the trees on the way to a tree, from one leaf on, as the nodes were split in order.
/** @type {(links: TreeLinks, order: number[], errors: SampleErrors) => number[]} */
const growingErrors = ({ low, high }, order, { wrong, size }) => {
  let errors = wrong[0];
  return [errors / size, ...order.map((k) => (errors += wrong[low[k]] + wrong[high[k]] - wrong[k]) / size)];
};

/** @type {<Result>(derive: (name: SampleName) => Result) => Record<SampleName, Result>} */
const bySample = (derive) => ({ training: derive("training"), pruning: derive("pruning"), truth: derive("truth") });

// As many tests as differ on twice the examples, if not all of them are of bits.
/** @type {(variable: number[], threshold: number[], columns: number, size: number) => number} */
const testsOf = (variable, threshold, columns, size) =>
  variable.every((i, k) => i < 0 || (threshold[k] >= 0 && threshold[k] < 1)) ? columns : columns * (2 * size - 1);

// A tree with all that the methods and the pictures ask of it: the labels are the noisy ones of the first two samples,
// and on the first the tree grew.
/** @param {Examples} examples @param {{ labels: ArrayLike<number>[], noise: number, path: Grown }} grown */
export const prunable = (examples, { labels, noise, path }) => {
  const { parts, features, truth, classes } = examples;
  const grown = preorder(path);
  const links = treeLinks(grown.variable);
  const [training, pruning, fresh] = [labels[0], labels[1], parts[2].labels].map((given, k) =>
    labelCounts(grown, links, parts[k].columns, given),
  );
  const label = training.ones.map((one, k) => (one > training.zeros[k] ? 1 : 0));
  const counted = {
    training: sampleErrors(training, label),
    pruning: sampleErrors(pruning, label),
    truth: freshErrors(sampleErrors(fresh, label), noise),
  };
  const { wrong, size } = counted.training;
  // The fewest errors in training by number of leaves, for each node; and the corners of the root's.
  const tables = fewestTables(links, wrong);
  const front = frontOf(tables[0]);
  // By number of leaves less one.
  const fewest = Array.from({ length: links.leaves[0] }, (_, j) => tables[0][Math.min(j, tables[0].length - 1)]);
  const n = testsOf(grown.variable, grown.threshold, features.length, size);
  const weakest = weakestLinks(links, wrong);
  // From which price of a leaf on each subtree is cut.
  const prices = weakest.price.map((price) => price / size);
  return {
    ...{ ...grown, ...links, truth, classes, label, counted, tables, front, weakest, prices },
    // Error rates of the trees on the way to this one.
    grown: bySample((name) => growingErrors(links, grown.order, counted[name])),
    fewest,
    // The structural risk of the best pruning of each size.
    risks: fewest.map((errors, j) => riskOf(j + 1, errors, size)),
    // The place in the front of the least structural risk.
    srm: leastRisk(front, size),
    // The sequence of "cost complexity", from the largest tree on.
    cheapest: cheapestSteps(links, prices),
    ...placesOf(grown, links, examples),
    // ln of the numbers of paths, by depth, and of trees, by number of leaves.
    paths: logPaths(n, Math.max(...links.depth)),
    trees: logTrees(n, links.leaves[0]),
  };
};

// The test of each node, "" at leaves, and where it is: the answers on the way to it.
/** @type {(tree: Tests, links: TreeLinks, examples: Examples) => { asks: string[], where: string[] }} */
const placesOf = ({ variable, threshold }, { low, high }, { features, bits, parts: [{ columns }] }) => {
  const [asks, where] = [0, 1].map(() => variable.map(() => ""));
  variable.forEach((i, k) => {
    if (i < 0) return;
    const start = where[k] ? `${where[k]}, ${features[i]}` : features[i];
    const bound = bits[i] ? "" : thresholdText(threshold[k], columns[i]);
    asks[k] = bits[i] ? features[i] : `${features[i]} ≤ ${bound}`;
    where[low[k]] = `${start}${bits[i] ? "=0" : ` ≤ ${bound}`}`;
    where[high[k]] = `${start}${bits[i] ? "=1" : ` > ${bound}`}`;
  });
  where[0] = "the root";
  return { asks, where };
};

// One pass from the leaves up: a node is cut if its current subtree, with its penalty, does not beat the leaf.
/** @type {(tree: PrunableTree, errors: SampleErrors, penalty: Penalty) => PruningRecord & { fine: Float64Array }} */
const bottomUp = (tree, { wrong }, penalty) => {
  const cut = new Uint8Array(tree.nodes);
  const [size, below, fine] = [0, 1, 2].map(() => new Float64Array(tree.nodes));
  const left = Float64Array.from(wrong);
  const leaves = new Int32Array(tree.nodes).fill(1);
  for (let k = tree.nodes - 1; k >= 0; k -= 1) {
    const [low, high] = [tree.low[k], tree.high[k]];
    if (low < 0) continue;
    size[k] = leaves[low] + leaves[high];
    below[k] = left[low] + left[high];
    fine[k] = penalty(k, size[k]);
    cut[k] = below[k] + fine[k] >= wrong[k] ? 1 : 0;
    leaves[k] = cut[k] ? 1 : size[k];
    left[k] = cut[k] ? wrong[k] : below[k];
  }
  return { cut, size, below, fine };
};

// The same record where the cuts are known: a node is compared with what is left below it.
/** @type {(tree: PrunableTree, isCut: (k: number) => boolean) => PruningRecord} */
const withCuts = (tree, isCut) => {
  const record = bottomUp(tree, tree.counted.training, (k) => (isCut(k) ? Infinity : -Infinity));
  return { ...record, fine: null };
};

// The penalty of bottom-up pruning, in errors: its rate times the examples that reach the node.
/** @type {(tree: PrunableTree, dials: Dials) => Penalty} */
const penaltyOf = ({ counted: { training }, depth, paths, trees }, { c, delta }) => {
  const confidence = Math.log(training.size / delta);
  return (k, leaves) => c * Math.sqrt((paths[depth[k]] + trees[leaves] + confidence) * training.reach[k]);
};

// The errors that "fewest leaves" allows: d, or the fewest of all where that is more.
/** @type {(tree: PrunableTree, d: number) => number} */
export const allowed = ({ front }, d) => Math.max(d, front.errors[front.errors.length - 1]);

/** @type {(tree: PrunableTree, corner: number) => PruningRecord} */
const smallestOf = (tree, corner) => {
  const cuts = new Set(smallestCuts(tree, tree.counted.training.wrong, tree.tables, tree.front.sizes[corner]));
  return withCuts(tree, (k) => cuts.has(k));
};

/**
 * A method: the sample that it judges by, the dials that it asks for, and what it does.
 * @typedef {{ judge: "training" | "pruning", asks: (keyof Dials)[], run: (tree: PrunableTree, dials: Dials) => PruningRecord }} Pruner
 */
/** @type {Record<string, Pruner>} */
export const PRUNERS = {
  "reduced error": {
    judge: "pruning",
    asks: [],
    run: (tree) => bottomUp(tree, tree.counted.pruning, () => 0),
  },
  "fewest leaves": {
    judge: "training",
    asks: ["d"],
    // The front lists fewer and fewer errors; the smallest tree with at most d of them comes first.
    run: (tree, { d }) => smallestOf(tree, tree.front.errors.findIndex((fewest) => fewest <= allowed(tree, d))),
  },
  "structural risk": {
    judge: "training",
    asks: [],
    run: (tree) => smallestOf(tree, tree.srm),
  },
  "bottom up": {
    judge: "training",
    asks: ["c", "delta"],
    run: (tree, dials) => bottomUp(tree, tree.counted.training, penaltyOf(tree, dials)),
  },
  "cost complexity": {
    judge: "training",
    asks: ["alpha"],
    run: (tree, { alpha }) => withCuts(tree, (k) => tree.prices[k] <= alpha + SAME_PRICE),
  },
};

// What is left of each node: it is inner, a leaf, a stump (a subtree was cut here) or gone.
/** @type {(tree: TreeLinks, cut: Uint8Array) => NodeState[]} */
export const remains = (tree, cut) => {
  /** @type {NodeState[]} */
  const state = [];
  for (let k = 0; k < tree.nodes; k += 1) {
    const up = k ? state[tree.parent[k]] : "inner";
    if (up === "gone" || up === "stump") state.push("gone");
    else if (tree.low[k] < 0) state.push("leaf");
    else state.push(cut[k] ? "stump" : "inner");
  }
  return state;
};

// What is left of a tree, the leaves of that and its error rates.
/** @type {(tree: PrunableTree, cut: Uint8Array) => Left} */
export const leftOf = (tree, cut) => {
  const states = remains(tree, cut);
  const ends = states.flatMap((state, k) => (state === "leaf" || state === "stump" ? [k] : []));
  const rates = bySample((name) => {
    const { wrong, size } = tree.counted[name];
    return ends.reduce((sum, k) => sum + wrong[k], 0) / size;
  });
  return { states, leaves: ends.length, rates };
};

// What a method makes of a tree: its record and what is left.
/** @type {(tree: PrunableTree, method: string, dials: Dials) => { record: PruningRecord } & Left} */
export const prunedBy = (tree, method, dials) => {
  const record = PRUNERS[method].run(tree, dials);
  return { record, ...leftOf(tree, record.cut) };
};

// Error rates of the sequence of "cost complexity", by number of leaves less one: of its largest tree of at most so many.
/** @type {(tree: PrunableTree) => Record<SampleName, number[]>} */
export const cheapestErrors = (tree) => {
  const found = tree.cheapest.map(({ alpha }) => prunedBy(tree, "cost complexity", { d: 0, c: 0, delta: 0, alpha }));
  const largest = tree.fewest.map((_, j) => found.find(({ leaves }) => leaves <= j + 1) ?? found[0]);
  return bySample((name) => largest.map(({ rates }) => rates[name]));
};
