// What the page of chapter 4 computes: costs, what a split gains under them, and the regions of a
// tree of thresholds. Nothing here knows a page.

import { candidates } from "../explorers/static/computing/candidates.js";
import { featureCuts } from "../explorers/static/computing/cart.js";
import { ROUNDING } from "../explorers/static/computing/constants.js";
import { costName, criterionOf, squaredLoss } from "../explorers/static/computing/criteria.js";
import { pathShape, widthOf } from "../explorers/static/computing/path.js";
import { categoriesOf, seenPart, shareOf, tintOf } from "../explorers/static/computing/points.js";
import { CLASS_MARKS, apart, clamp, count, digits, percent, thresholdText } from "../explorers/static/computing/text.js";

/**
 * @import { CartPath } from "../explorers/static/computing/cart.js"
 * @import { Details } from "../explorers/static/controls/controls.js"
 * @import { Box, Plane, Span } from "../explorers/static/drawing/plane.js"
 *
 * @typedef {import("../explorers/static/computing/criteria.js").Cost} Cost
 *
 * A split into children of class shares p (weight 1 - tau) and r (weight tau).
 * @typedef {{ p: number, r: number, tau: number }} Split
 *
 * @typedef {ReturnType<typeof planePath>} PlanePath
 */

/** @type {(cost: Cost, split: Split) => { q: number, before: number, after: number, drop: number }} */
export const splitDrop = (cost, { p, r, tau }) => {
  const { of } = criterionOf(cost);
  const q = (1 - tau) * p + tau * r;
  const [before, after] = [of(q), (1 - tau) * of(p) + tau * of(r)];
  // Concavity makes it at least 0; what is left of a difference of equal numbers is rounding.
  const drop = before - after > ROUNDING ? before - after : 0;
  return { q, before, after, drop };
};

// What a share that a reader drags sets, in hundredths: q moves along the chord, or takes one of no length along.
/** @type {(split: Split, name: "p" | "q" | "r", share: number) => Partial<Split>} */
export const draggedTo = ({ p, r }, name, share) => {
  /** @param {number} value */
  const rounded = (value) => Number(value.toFixed(2));
  if (name !== "q") return { [name]: rounded(share) };
  if (p === r) return { p: rounded(share), r: rounded(share) };
  return { tau: clamp(rounded((share - p) / (r - p)), 0.01, 0.99) };
};

/** @type {(value: number) => string} */
export const decimals = (value) => (value === 0 ? "0" : value.toFixed(3));

/** @type {(cost: Cost) => string} */
const nounOf = (cost) => ({ gini: "Gini impurity", sqrt: "square root", squared: "squared loss" })[cost] ?? costName(cost);

// "lowers the entropy from 0.320 to 0.240", in as few decimals, three at least, as show the difference.
/** @type {(cost: Cost, before: number, after: number) => string} */
export const lowersText = (cost, before, after) => {
  const [from, to] = cost === "squared" ? apart(before, after, 4, digits) : apart(before, after, 3);
  return `lowers the ${nounOf(cost)} from ${from} to ${to}`;
};

/** @type {(cost: Cost, split: Split) => string} */
export const splitText = (cost, split) => {
  const { before, after, drop } = splitDrop(cost, split);
  if (split.p === split.r) return "This split gains nothing: both children are as mixed as their parent.";
  if (drop > 0) return `This split ${lowersText(cost, before, after)}.`;
  const straight = typeof cost === "number" ? `, where the ${costName(cost)} is straight but for less than can be seen` : "";
  const why = cost === "error" || straight ? `: p and r are on the same side of 1/2${straight}` : "";
  return `This split leaves the ${nounOf(cost)} at ${decimals(before)}${why}.`;
};

// The box of each node: the whole plane for the root, halves of the parent's box below.
/** @type {(grown: CartPath) => Box[]} */
const cutBoxes = ({ split, variable, threshold }) => {
  /** @type {Span} */
  const everything = [-Infinity, Infinity];
  /** @type {Box[]} */
  const boxes = [[everything, everything]];
  split.forEach((node, j) => {
    for (const side of [0, 1]) {
      const [from, to] = boxes[node][variable[j]];
      /** @type {[Span, Span]} */
      const box = [...boxes[node]];
      box[variable[j]] = side ? [threshold[j], to] : [from, threshold[j]];
      boxes[2 * j + 1 + side] = box;
    }
  });
  return boxes;
};

// How mixed a leaf of numbers is drawn: its color says what it predicts.
const MIXED = 0.3;

// Letters of a name within a tree; those of a leaf are bold, and so much wider.
const [LONGEST, BOLD] = [12, 1.15];

// Tests and boxes by the names of the features and of their categories: "fare ≤ 24.81", "sex is female"; `brief` ones
// cut long names.
/** @type {(plane: Plane) => { ask: (k: number, threshold: number) => string, brief: (test: string) => string, boxText: (box: Box) => string }} */
const namedCuts = ({ features, points }) => {
  const known = features.map(categoriesOf);
  const names = features.map((feature, k) => known[k]?.name ?? feature);
  /** @type {(k: number, span: Span) => string} */
  const side = (k, [from, to]) => {
    if (from === -Infinity && to === Infinity) return "";
    const kinds = known[k]?.kinds.filter((_, code) => from < code && code <= to);
    if (kinds) return `${names[k]} is ${kinds.join(" or ") || "none"}`;
    const [low, high] = [from, to].map((end) => thresholdText(end, points[k]));
    if (from === -Infinity) return `${names[k]} ≤ ${high}`;
    return to === Infinity ? `${names[k]} > ${low}` : `${low} < ${names[k]} ≤ ${high}`;
  };
  return {
    ask: (k, threshold) => side(k, [-Infinity, threshold]),
    brief(test) {
      const long = names.find((name) => name.length > LONGEST && test.startsWith(name));
      if (!long) return test;
      // Names that begin alike are cut in the middle.
      const start = long.slice(0, LONGEST - 1);
      const isAlike = names.filter((name) => name.startsWith(start)).length > 1;
      return `${isAlike ? `${long.slice(0, LONGEST - 5)}…${long.slice(-4)}` : `${start}…`}${test.slice(long.length)}`;
    },
    boxText: (box) => box.map((span, k) => side(k, span)).filter(Boolean).join(", ") || "the whole plane",
  };
};

// What is known of the nodes of a path: of all that are there, how many are of each class and how many are not of
// the most frequent one, and the impurity. Of numbers, their mean is the label, and the sum of their squared distances
// to it is what is wrong.
/** @type {(often: Uint32Array[], cost: Cost, values?: number[]) => { sizes: number[], wrong: number[], impurities: number[], labels: number[] }} */
const nodeFacts = (often, cost, values) => {
  const sizes = often.map((each) => each.reduce((total, one) => total + one));
  if (values) {
    const found = often.map((each) => squaredLoss(each, values));
    const wrong = found.map(({ loss }) => loss);
    const impurities = wrong.map((loss, node) => loss / sizes[node]);
    return { sizes, wrong, impurities, labels: found.map(({ mean }) => mean) };
  }
  const wrong = often.map((each, node) => sizes[node] - Math.max(...each));
  const { ofCounts } = criterionOf(cost);
  const impurities = often.map((each, node) => (sizes[node] ? ofCounts(each, sizes[node]) / sizes[node] : 0));
  return { sizes, wrong, impurities, labels: often.map((each) => each.indexOf(Math.max(...each))) };
};

// What the split of a node gains, a reader's as well; of a leaf, what its best one would.
/** @type {(grown: CartPath, weighted: number[]) => number[]} */
const gainsOf = ({ split, score }, weighted) => {
  const gains = Array.from(score);
  split.forEach((node, j) => {
    const gain = weighted[node] - weighted[2 * j + 1] - weighted[2 * j + 2];
    gains[node] = gain > ROUNDING * weighted[0] ? gain : 0;
  });
  return gains;
};

/** @type {<Value>(values: ArrayLike<Value>) => (at: number) => Value} */
const reader = (values) => (at) => values[at];

// A path of cuts: it answers what the tree view, the plane and the charts ask.
/** @param {CartPath} grown @param {Cost} cost @param {Plane} plane */
export const planePath = (grown, cost, plane) => {
  const { split, variable, threshold, counts: often, rows } = grown;
  const { values } = plane;
  const { sizes, wrong, impurities, labels } = nodeFacts(often, cost, values);
  const { ask, brief, boxText } = namedCuts(plane);
  const { steps, splitAt, isLeaf, totals } = pathShape(split, variable);
  // Where there are no points, all is 0.
  const total = sizes[0] || 1;
  const boxes = cutBoxes(grown);
  const weighted = impurities.map((impurity, node) => (sizes[node] / total) * impurity);
  const tests = split.map((_, j) => ask(variable[j], threshold[j]));
  const wrongHere = wrong.map((number, node) => number / (sizes[node] || 1));
  const tint = values && ((/** @type {number} */ node) => tintOf(shareOf(values, labels[node])));
  return {
    ...{ steps, split, variable, threshold, splitAt, isLeaf, ask, rows, tint },
    write: values ? digits : decimals,
    size: reader(sizes),
    impurity: reader(impurities),
    counts: reader(often),
    box: reader(boxes),
    score: reader(gainsOf(grown, weighted)),
    best: reader(grown.best),
    error: reader(wrong.map((number) => number / total)),
    probability: reader(sizes.map((size) => size / total)),
    label: reader(labels),
    mixed: values ? () => MIXED : reader(wrongHere.map((share) => share * (often[0].length / (often[0].length - 1)))),
    // How many of the points there have the label; of numbers, how many there are.
    below: reader(values ? sizes.map(String) : wrongHere.map((share) => percent(1 - share))),
    errors: totals((node) => wrong[node]).map((number) => number / total),
    costs: totals((node) => weighted[node]),
    // The leaf that a point falls into.
    /** @type {(point: Span, step: number) => number} */
    find(point, step) {
      let node = 0;
      while (splitAt[node] < step) {
        const j = splitAt[node];
        node = 2 * j + (point[variable[j]] <= threshold[j] ? 1 : 2);
      }
      return node;
    },
    // The last split of the tree after `step` > 0 splits as a chord: shares of class 1, weight.
    /** @type {(step: number) => Split} */
    chord(step) {
      const [p, r] = [2 * step - 1, 2 * step].map((node) => often[node][1] / sizes[node]);
      return { p, r, tau: sizes[2 * step] / (sizes[2 * step - 1] + sizes[2 * step]) };
    },
    /** @type {(node: number) => string} */
    fullTest: (node) => tests[splitAt[node]],
    /** @type {(node: number) => string} */
    test: (node) => brief(tests[splitAt[node]]),
    testWidth: widthOf(tests.map(brief)),
    className: values ? digits : reader(plane.classes),
    leafWidth: BOLD * widthOf(values ? labels.map((mean) => digits(mean)) : plane.classes),
    answers: /** @type {const} */ (["yes", "no"]),
    mark: values ? (/** @type {number} */ mean) => digits(mean, 2) : reader(CLASS_MARKS),
    where: reader(boxes.map(boxText)),
  };
};

// The error of each tree of a path on the points that are held out; null if there are none.
/** @type {(path: PlanePath, plane: Plane) => number[] | null} */
export const heldErrors = (path, { points: [first, second], labels, held }) => {
  const rows = labels.map((_, row) => row).filter((row) => held?.[row]);
  if (!rows.length) return null;
  return Array.from({ length: path.steps + 1 }, (_, step) => {
    const right = rows.filter((row) => path.label(path.find([first[row], second[row]], step)) === labels[row]);
    return 1 - right.length / rows.length;
  });
};

// Why a node asks what it does: the best cut of each feature, and the points that come there.
/** @type {(given: { plane: Plane, path: PlanePath, cost: Cost }, node: number, asked: boolean, ask?: (cut: number[]) => void) => Partial<Details>} */
export const whySplit = ({ plane, path, cost }, node, asked, ask) => {
  const sample = seenPart(plane);
  const rows = [...path.rows(node)];
  const cuts = featureCuts(sample, cost, path.rows(node));
  const j = path.splitAt[node];
  // At a leaf, the one that would be made.
  const made = asked ? { feature: path.variable[j], threshold: path.threshold[j] } : path.best(node);
  const place = () => cuts.findIndex(({ feature, threshold }) => feature === made?.feature && threshold === made.threshold);
  // The reader's own may be none of the best.
  if (asked && place() < 0) cuts.push({ ...cuts[0], ...made, drop: path.score(node) });
  const strip = plane.values ? undefined : {
    labels: rows.map((row) => sample.labels[row]).sort((one, other) => one - other),
    note: count(rows.length, "point"),
  };
  const best = Math.max(...cuts.map(({ drop }) => drop));
  const tie = cuts[0]?.tie ?? 0;
  const contest = candidates({
    names: cuts.map(({ feature, threshold }) => path.ask(feature, threshold)),
    scores: cuts.map(({ drop }) => drop),
    chosen: place(),
    head: `${costName(cost)} gain`,
    text: (gain) => (plane.values ? digits(gain) : gain > 0 && gain < 5e-5 ? "< 0.0001" : gain.toFixed(4)),
    tie: "the lowest feature, then the lowest threshold wins",
    slack: best > 0 ? tie / best : 0,
    none: path.error(node) > 0 ? "No cut gains: one is made all the same, or the points are equal" : `All points are of one ${plane.values ? "number" : "class"}`,
    split: ask && ((k) => ask([node, cuts[k].feature, cuts[k].threshold])),
  });
  return { candidates: contest, strip };
};

// The parts of the plane in which two trees have different labels.
/** @type {(one: { path: PlanePath, step: number }, other: { path: PlanePath, step: number }) => Box[]} */
export const differing = (one, other) => {
  /** @type {(tree: { path: PlanePath, step: number }) => number[]} */
  const leaves = ({ path, step }) =>
    Array.from({ length: 2 * step + 1 }, (_, node) => node).filter((node) => path.isLeaf(node, step));
  const others = leaves(other);
  return leaves(one).flatMap((node) =>
    others.flatMap((leaf) => {
      if (one.path.label(node) === other.path.label(leaf)) return [];
      const [a, b] = [one.path.box(node), other.path.box(leaf)];
      /** @type {(k: 0 | 1) => Span} */
      const side = (k) => [Math.max(a[k][0], b[k][0]), Math.min(a[k][1], b[k][1])];
      const [x, y] = [side(0), side(1)];
      return x[0] < x[1] && y[0] < y[1] ? [/** @type {Box} */ ([x, y])] : [];
    }),
  );
};

// How many points lie in some boxes.
/** @type {(plane: Plane, boxes: Box[]) => number} */
export const pointsIn = ({ points: [first, second] }, boxes) =>
  first.filter((x, i) => boxes.some(([[a, b], [c, d]]) => a < x && x <= b && c < second[i] && second[i] <= d)).length;
