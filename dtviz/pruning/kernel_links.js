// Weakest links: the price of a leaf from which on a subtree is not worth its leaves. Nodes are in preorder.

/**
 * For each test the price, in errors, at which its subtree is cut if nothing above is; and what that subtree is then,
 * its own weaker links being cut: its leaves and errors.
 * @typedef {{ price: Float64Array, size: Int32Array, below: Float64Array }} Links
 *
 * A subtree that is cut from a price on: what that adds to the errors, and how many leaves it saves.
 * @typedef {{ price: number, rise: number, fewer: number }} Link
 */

// Two lists in ascending order of price as one.
/** @type {(one: Link[], other: Link[]) => Link[]} */
const merged = (one, other) => {
  if (!one.length || !other.length) return one.length ? one : other;
  const all = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (j === other.length || (i < one.length && one[i].price <= other[j].price)) all.push(one[i++]);
    else all.push(other[j++]);
  }
  return all;
};

/**
 * Below a price the best subtree at a node is that node with the best subtrees at its children: undo the links that
 * fell there, from the dearest down, until what the node would save for each leaf exceeds the next one.
 * @param {{ low: Int32Array, high: Int32Array }} family
 * @param {ArrayLike<number>} wrong  the errors of each node as a leaf
 * @returns {Links}
 */
export const weakestLinks = ({ low, high }, wrong) => {
  const nodes = low.length;
  const price = new Float64Array(nodes);
  const size = new Int32Array(nodes).fill(1);
  const below = Float64Array.from(wrong);
  /** @type {Link[][]} */
  const fallen = Array.from({ length: nodes }, () => []);
  for (let k = nodes - 1; k >= 0; k -= 1) {
    if (low[k] < 0) continue;
    const links = merged(fallen[low[k]], fallen[high[k]]);
    // Where all links have fallen, the children are leaves.
    let [leaves, errors] = [2, wrong[low[k]] + wrong[high[k]]];
    const saved = () => Math.max(0, (wrong[k] - errors) / (leaves - 1));
    let last = links.at(-1);
    while (last && last.price >= saved()) {
      errors -= last.rise;
      leaves += last.fewer;
      links.pop();
      last = links.at(-1);
    }
    [price[k], size[k], below[k]] = [saved(), leaves, errors];
    links.push({ price: price[k], rise: wrong[k] - errors, fewer: leaves - 1 });
    fallen[k] = links;
  }
  return { price, size, below };
};
