// The least errors that trees of so many leaves can have on points in the plane: exactly, by dynamic
// programming over rectangles, whose cuts are ruled out in whole intervals. Nothing here knows a page.
//
// Rows that a side of a cut wins can only add errors, rows that it loses can only take some away. So of
// the cuts between two that are known, none is better than the errors of the low side at the first and
// of the high side at the second.

/**
 * @import { Sample } from "../explorers/static/computing/cart.js"
 *
 * The points of a rectangle: how many, how many of each class, and in the order of each coordinate.
 * @typedef {{ size: number, wrong: number, counts: Int32Array, orders: Int32Array[], key: number }} Part
 *
 * What is known of a part: its least errors, or if not `exact` a number that they are not below.
 * @typedef {{ errors: number, exact: boolean }} Known
 *
 * The cuts of a feature: after how many rows they are, and the errors of a leaf on either side of each.
 * @typedef {{ after: number[], wrong: number[][] }} Scan
 * @typedef {{ part: Part, feature: number, scan: Scan, leaves: number[] }} Cuts  leaves for its sides
 */

// So many points are looked at before it gives up, for some seconds.
const MOST_WORK = 3e7;

class Search {
  /** @param {Sample} sample */
  constructor({ columns, labels, classes }) {
    this.labels = labels;
    this.classes = classes;
    // Points are distinguished by the ranks of their coordinates.
    this.ranks = columns.map((column) => {
      const values = [...new Set(Array.from(column))].sort((a, b) => a - b);
      const place = new Map(values.map((value, rank) => [value, rank]));
      return Int32Array.from(column, (value) => place.get(value) ?? 0);
    });
    this.widths = this.ranks.map((ranks) => ranks.reduce((most, rank) => Math.max(most, rank + 1), 1));
    /** @type {Map<number, Known>[]} */
    this.known = [];
    // Points looked at so far, and when to rest.
    this.work = 0;
    this.pause = Infinity;
  }

  whole() {
    return this.part(this.ranks.map((ranks) => Int32Array.from(ranks, (_, row) => row).sort((a, b) => ranks[a] - ranks[b])));
  }

  /** @type {(orders: Int32Array[]) => Part} */
  part(orders) {
    const { ranks, widths, labels } = this;
    const size = orders[0].length;
    const counts = new Int32Array(this.classes);
    for (const row of orders[0]) counts[labels[row]] += 1;
    let key = 0;
    orders.forEach((order, k) => {
      key = (key * widths[k] + ranks[k][order[0]]) * widths[k] + ranks[k][order[size - 1]];
    });
    this.work += size;
    return { size, wrong: size - Math.max(...counts), counts, orders, key };
  }

  // One side of a cut after the first `nLow` rows of an order.
  /** @type {(part: Part, feature: number, nLow: number, side: number) => Part} */
  side({ orders, size }, feature, nLow, side) {
    const ranks = this.ranks[feature];
    const order = orders[feature];
    const last = ranks[order[nLow - 1]];
    const own = side ? order.subarray(nLow) : order.subarray(0, nLow);
    const other = new Int32Array(own.length);
    let n = 0;
    for (const row of orders[1 - feature]) if (ranks[row] > last === Boolean(side)) other[n++] = row;
    this.work += size;
    return this.part(feature ? [other, own] : [own, other]);
  }

  // The errors of a single leaf on either side of each cut, and after how many rows they are.
  /** @type {(part: Part, feature: number) => Scan} */
  scan({ orders, size, counts }, feature) {
    const { labels, classes } = this;
    const ranks = this.ranks[feature];
    const order = orders[feature];
    const below = new Int32Array(classes);
    const after = [];
    /** @type {number[][]} */
    const wrong = [[], []];
    for (let i = 1; i < size; i += 1) {
      below[labels[order[i - 1]]] += 1;
      if (ranks[order[i - 1]] === ranks[order[i]]) continue;
      let [most, rest] = [0, 0];
      for (let k = 0; k < classes; k += 1) {
        most = Math.max(most, below[k]);
        rest = Math.max(rest, counts[k] - below[k]);
      }
      after.push(i);
      wrong[0].push(i - most);
      wrong[1].push(size - i - rest);
    }
    this.work += size;
    return { after, wrong };
  }

  // The least errors of at most so many leaves, if they are below a bound; else at least the bound.
  /** @type {(part: Part, leaves: number, bound: number) => Generator<void, number>} */
  *least(part, leaves, bound) {
    if (leaves === 1 || part.wrong === 0) return part.wrong;
    const known = (this.known[leaves] ??= new Map());
    const before = known.get(part.key);
    if (before && (before.exact || before.errors >= bound)) return before.errors;
    if (this.work > this.pause) yield;
    let errors = Math.min(bound, leaves > 2 ? yield* this.least(part, leaves - 1, bound) : part.wrong);
    const scans = [0, 1].map((feature) => this.scan(part, feature));
    for (let own = 1; own < leaves; own += 1) {
      for (const [feature, scan] of scans.entries()) {
        const cuts = { part, feature, scan, leaves: [own, leaves - own] };
        errors = yield* this.between(cuts, [0, scan.after.length], [0, 0], errors);
      }
    }
    known.set(part.key, { errors, exact: errors < bound });
    return errors;
  }

  // The least errors of some cuts, if they are below `best`, else `best`. They are those from `from` on
  // and before `to`; of all of them the low side has at least `floor[0]` errors, the high side `floor[1]`.
  /** @type {(cuts: Cuts, range: number[], floor: number[], best: number) => Generator<void, number>} */
  *between(cuts, [from, to], floor, best) {
    if (from >= to || floor[0] + floor[1] >= best) return best;
    const middle = (from + to) >> 1;
    const first = cuts.leaves[0] <= cuts.leaves[1] ? 0 : 1;
    const errors = [...floor];
    for (const side of [first, 1 - first]) {
      if (errors[0] + errors[1] < best) {
        const own = yield* this.errorsOf(cuts, middle, side, best - errors[1 - side]);
        errors[side] = Math.max(errors[side], own);
      }
    }
    const least = Math.min(best, errors[0] + errors[1]);
    const below = yield* this.between(cuts, [from, middle], [floor[0], errors[1]], least);
    return yield* this.between(cuts, [middle + 1, to], [errors[0], floor[1]], below);
  }

  /** @type {(cuts: Cuts, cut: number, side: number, bound: number) => Generator<void, number>} */
  *errorsOf({ part, feature, scan, leaves }, cut, side, bound) {
    if (leaves[side] === 1) return scan.wrong[side][cut];
    return yield* this.least(this.side(part, feature, scan.after[cut], side), leaves[side], bound);
  }
}

// Errors that every tree makes: of points in the same place with other labels.
/** @type {(sample: Sample) => number} */
const unavoidable = ({ columns, labels, classes }) => {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  for (let row = 0; row < labels.length; row += 1) {
    const key = columns.map((column) => column[row]).join(" ");
    const counts = places.get(key) ?? Array(classes).fill(0);
    counts[labels[row]] += 1;
    places.set(key, counts);
  }
  return [...places.values()].reduce((sum, counts) => sum + counts.reduce((a, b) => a + b) - Math.max(...counts), 0);
};

/**
 * The least errors of trees of at most 1, 2, .. leaves, found a little at a time.
 * @param {Sample} sample
 * @param {number} [mostWork]  points looked at before it gives up
 * @param {number} [mostLeaves]
 */
export const leastErrors = (sample, mostWork = MOST_WORK, mostLeaves = Infinity) => {
  const search = new Search(sample);
  const floor = unavoidable(sample);
  /** @type {number[]} */
  const errors = [];
  function* steps() {
    if (!sample.labels.length) return;
    const whole = search.whole();
    while (errors.length < mostLeaves && errors[errors.length - 1] !== floor) {
      errors.push(yield* search.least(whole, errors.length + 1, Infinity));
    }
  }
  const walk = steps();
  const state = {
    errors,
    floor,
    size: sample.labels.length,
    // Whether the search has ended: there is nothing more to find, or it has given up.
    done: false,
    /** @type {(work: number) => void} */
    advance(work) {
      if (state.done) return;
      search.pause = search.work + work;
      state.done = Boolean(walk.next().done) || search.work > mostWork;
    },
  };
  return state;
};
