// Best-first growth over what each leaf could ask, of functions and of tables alike. Nothing here knows a page.

/**
 * A node of a growing tree: its points or rows stand in the places from `from` to `to` of an order in which the low
 * side of each split comes first, so that `from` says how far left it is.
 * @typedef {{ number: number, depth: number, from: number, to: number }} Place
 */

/**
 * The best test of a node, null if none is to be made, and its score; scores within `tie` of it are equal.
 * @template Test
 * @typedef {{ best: Test | null, score: number, tie: number }} Candidate
 */

/** @typedef {Place & Candidate<any>} Leaf */

// Whether a leaf is split before another: a larger score; else the shallower one, else the one farther left.
/** @type {(one: Leaf, other: Leaf) => boolean} */
const goesFirst = (one, other) => {
  const more = one.score - other.score;
  if (Math.abs(more) > Math.max(one.tie, other.tie)) return more > 0;
  return one.depth === other.depth ? one.from < other.from : one.depth < other.depth;
};

// The leaves that wait are a heap: none goes before the one at half its place.
/** @type {(heap: Leaf[], leaf: Leaf) => void} */
const put = (heap, leaf) => {
  let at = heap.length;
  while (at > 0 && goesFirst(leaf, heap[(at - 1) >> 1])) {
    heap[at] = heap[(at - 1) >> 1];
    at = (at - 1) >> 1;
  }
  heap[at] = leaf;
};

/** @type {(heap: Leaf[]) => Leaf} */
const takeFirst = (heap) => {
  const [first, last] = [heap[0], /** @type {Leaf} */ (heap.pop())];
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && goesFirst(heap[below + 1], heap[below])) below += 1;
    if (goesFirst(last, heap[below])) break;
    heap[at] = heap[below];
    at = below;
  }
  if (heap.length) heap[at] = last;
  return first;
};

// Put what is low first in some places of an order, and keep the order on both sides; returns where the high begin.
/** @type {(order: Int32Array, later: Int32Array, place: Place, isLow: (item: number) => boolean) => number} */
const part = (order, later, { from, to }, isLow) => {
  let [middle, nHigh] = [from, 0];
  for (let i = from; i < to; i += 1) {
    if (isLow(order[i])) order[middle++] = order[i];
    else later[nHigh++] = order[i];
  }
  order.set(later.subarray(0, nHigh), middle);
  return middle;
};

/**
 * Grow to at most so many leaves, after a reader's splits: nodes and their tests, all of which are made. Step j splits
 * node split[j] by tests[j] into nodes 2j + 1 and 2j + 2.
 * @template Test
 * @template {Candidate<Test>} Known
 * @param {Int32Array[]} orders  of the points or rows; parted where they are
 * @param {(from: number, to: number) => Known} look  at the node that has these places
 * @param {(test: Test) => (item: number) => boolean} sideOf  whether a test sends a point or row low
 * @param {number} [mostLeaves]
 * @param {readonly (readonly [number, Test])[]} [own]
 */
export const growBestFirst = (orders, look, sideOf, mostLeaves = Infinity, own = []) => {
  const later = new Int32Array(orders[0].length);
  /** @type {(Place & Known)[]} */
  const nodes = [];
  /** @type {[number[], Test[]]} */
  const [split, tests] = [[], []];
  /** @type {(from: number, to: number, depth: number) => Leaf} */
  const add = (from, to, depth) => nodes[nodes.push({ ...look(from, to), from, to, depth, number: nodes.length }) - 1];
  /** @type {(leaf: Leaf, test: Test) => Leaf[]} */
  const divide = (leaf, test) => {
    split.push(leaf.number);
    tests.push(test);
    const isLow = sideOf(test);
    const [middle] = orders.map((order) => part(order, later, leaf, isLow));
    return [add(leaf.from, middle, leaf.depth + 1), add(middle, leaf.to, leaf.depth + 1)];
  };
  add(0, later.length, 0);
  for (const [number, test] of own) divide(nodes[number], test);
  /** @type {Leaf[]} */
  const heap = [];
  /** @param {Leaf} leaf */
  const wait = (leaf) => {
    if (leaf.best !== null) put(heap, leaf);
  };
  const inner = new Set(split);
  for (const node of nodes) if (!inner.has(node.number)) wait(node);
  while (heap.length && split.length < mostLeaves - 1) {
    const leaf = takeFirst(heap);
    divide(leaf, leaf.best).forEach(wait);
  }
  return { nodes, split, tests };
};
