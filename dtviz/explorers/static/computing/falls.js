// Where dots that fall through a tree pass and come to lie. Nothing here knows a page.

/**
 * A heap of dots: the middle of its upper edge, and the room it has.
 * @typedef {{ px: number, py: number, width: number, height: number }} Heap
 */

/**
 * The node at which one falls out of a tree that has asked so many questions.
 * @param {ArrayLike<number>} up  the node above each, -1 for none
 * @param {ArrayLike<number>} born  after how many questions each is there
 * @param {number} end  the leaf of the whole tree that one falls to
 * @param {number} asked
 */
export const leafAt = (up, born, end, asked) => {
  let node = end;
  while (born[node] > asked) node = up[node];
  return node;
};

/**
 * The nodes that a dot passes between the heaps of two nodes; from -1 it comes from above the root.
 * @param {ArrayLike<number>} up
 * @param {number} from
 * @param {number} to
 * @returns {number[]}
 */
export const wayBetween = (up, from, to) => {
  const down = [];
  for (let node = to; node >= 0; node = up[node]) down.unshift(node);
  const rise = [];
  let node = from;
  for (; node >= 0 && !down.includes(node); node = up[node]) rise.push(node);
  // Below a node lies its heap: who comes from there, or ends there, does not pass it.
  const meets = node >= 0 && node !== from && node !== to ? 0 : 1;
  return [...rise, ...down.slice(down.indexOf(node) + (node < 0 ? 1 : meets))];
};

/**
 * How many dots each heap has.
 * @param {ArrayLike<number>} owner  the heap of each dot, -1 for none
 * @param {number} heaps
 */
const heapSizes = (owner, heaps) => {
  const sizes = new Int32Array(heaps);
  for (let dot = 0; dot < owner.length; dot += 1) if (owner[dot] >= 0) sizes[owner[dot]] += 1;
  return sizes;
};

/** @type {(heap: Heap, pitch: number) => number} */
const columnsOf = ({ width }, pitch) => Math.max(1, Math.floor(width / pitch));

/**
 * From one dot to the next: as far as all heaps allow, `most` at most and a pixel at least.
 * @param {ArrayLike<number>} owner
 * @param {Heap[]} heaps
 * @param {number} most
 */
export const pitchOf = (owner, heaps, most) => {
  const sizes = heapSizes(owner, heaps.length);
  const fits = (/** @type {number} */ pitch) =>
    heaps.every((heap, k) => Math.ceil(sizes[k] / columnsOf(heap, pitch)) * pitch <= heap.height);
  let pitch = most;
  while (pitch > 1 && !fits(pitch)) pitch -= 0.25;
  return pitch;
};

/**
 * Where each dot lies in its heap, which is filled row by row in the order of the dots.
 * @param {ArrayLike<number>} owner
 * @param {Heap[]} heaps
 * @param {number} pitch
 * @returns {Float32Array} x and y of each dot, NaN for one without a heap
 */
export const heapPlaces = (owner, heaps, pitch) => {
  const sizes = heapSizes(owner, heaps.length);
  const places = new Float32Array(2 * owner.length).fill(NaN);
  const seen = new Int32Array(heaps.length);
  for (let dot = 0; dot < owner.length; dot += 1) {
    const [heap, size] = [heaps[owner[dot]], sizes[owner[dot]]];
    if (!heap) continue;
    // A few dots lie close together.
    const columns = Math.min(columnsOf(heap, pitch), Math.ceil(Math.sqrt(3 * size)));
    const down = Math.min(pitch, heap.height / Math.ceil(size / columns));
    const k = seen[owner[dot]];
    seen[owner[dot]] += 1;
    places[2 * dot] = heap.px + ((k % columns) - (columns - 1) / 2) * pitch;
    places[2 * dot + 1] = heap.py + (Math.floor(k / columns) + 0.5) * down;
  }
  return places;
};

/**
 * How many of each group are right while they fall: who has not landed counts as before.
 * @param {ArrayLike<number>} group
 * @param {number} groups
 * @param {ArrayLike<number>} right  1 where the answer at the end is right
 * @param {{ before: ArrayLike<number>, landed: ArrayLike<number> }} fall
 */
export const rightSoFar = (group, groups, right, { before, landed }) => {
  const counts = Array(groups).fill(0);
  for (let dot = 0; dot < group.length; dot += 1) counts[group[dot]] += landed[dot] ? right[dot] : before[dot];
  return counts;
};
