// The class of a function: what renaming its variables, and negating them or the value, makes of it.
// All 2 n! 2^n symmetries are walked, a step each: a swap of two variables or a flip of one. A function
// is a code of at most 32 bits. Nothing here knows a page.

/** @typedef {(code: number) => number} Step */

// For each variable, the points where it is 0.
const LOW = [0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff];

// Negate a variable.
/** @type {(i: number) => Step} */
const flip = (i) => (code) => (((code & LOW[i]) << (1 << i)) | ((code >>> (1 << i)) & LOW[i])) >>> 0;

// Exchange two variables, i < j: a point with x_i = 1, x_j = 0 trades its value with its mirror image.
/** @type {(i: number, j: number) => Step} */
const swap = (i, j) => {
  const far = (1 << j) - (1 << i);
  const moved = ~LOW[i] & LOW[j];
  return (code) => {
    const differ = (code ^ (code >>> far)) & moved;
    return (code ^ differ ^ (differ << far)) >>> 0;
  };
};

// Swaps that lead through all orders of the first k variables, by Heap's method.
/** @type {(k: number) => Step[]} */
const orders = (k) => {
  if (k < 2) return [];
  const inner = orders(k - 1);
  return Array.from({ length: k }, (_, i) => {
    const between = i < k - 1 ? [swap(k % 2 ? 0 : i, k - 1)] : [];
    return [...inner, ...between];
  }).flat();
};

// Flips that lead through all 2^n signs and back to the first.
/** @type {(n: number) => Step[]} */
const signs = (n) => {
  if (!n) return [];
  const gray = Array.from({ length: (1 << n) - 1 }, (_, k) => flip(31 - Math.clz32((k + 1) & -(k + 1))));
  return [...gray, flip(n - 1)];
};

/** @type {{ signs: Step[], orders: Step[] }[]} */
const walks = [];

/** @type {(n: number) => { signs: Step[], orders: Step[] }} */
const walkOf = (n) => {
  walks[n] ??= { signs: signs(n), orders: orders(n) };
  return walks[n];
};

/**
 * The least code of the class, and how many functions the class has.
 * @type {(n: number, code: number) => { code: number, size: number }}
 */
export const classOf = (n, code) => {
  const walk = walkOf(n);
  const all = 2 ** (2 ** n) - 1;
  let [least, hits, tried] = [Infinity, 0, 0];
  /** @param {number} image */
  const meet = (image) => {
    tried += 1;
    if (image < least) [least, hits] = [image, 1];
    else if (image === least) hits += 1;
  };
  let image = code;
  for (let k = 0; k <= walk.orders.length; k += 1) {
    if (k > 0) image = walk.orders[k - 1](image);
    for (const step of walk.signs.length ? walk.signs : [(/** @type {number} */ same) => same]) {
      image = step(image);
      meet(image);
      meet(all - image);
    }
  }
  // As many symmetries lead to the least as keep it.
  return { code: least, size: tried / hits };
};
