// FIND itself, on a sample of at most 6 variables: what it decides of every subcube, every call it
// makes, and the tree it returns. Nothing here knows a page.
//
// A subcube is a number in base 3: digit i is the bit of x_i where it is fixed, and 2 where it is
// free. So halves have smaller numbers than the whole, and one pass upwards settles them all.

/**
 * The subcube of all points; that of each point alone; where the variables of each begin in `free`, one entry more; and
 * its halves where such a variable is 0 and 1.
 * @typedef {{ whole: number, corner: Int32Array, start: Int32Array, free: Uint8Array, lows: Int16Array, highs: Int16Array }} Plan
 *
 * What a sample says of each subcube: its examples, those labeled 1, and the least rank of a tree
 * that agrees with them.
 * @typedef {{ size: Uint8Array, ones: Uint8Array, rank: Uint8Array }} Facts
 *
 * A node, and so the tree below it: its subcube, the bound of the call that made it, the variable that it
 * tests, -1 for a leaf, and the subtrees for the answers 0 and 1, none below a leaf.
 * @typedef {{ at: number, bound: number, variable: number, label: number, rank: number, leaves: number, halves: FoundTree[] }} FoundTree
 *
 * What a call was asked: a subcube, a bound, by which call above, -1 for none, on which half of which variable, -1 for
 * the whole sample, and whether again. Then whether it found a tree, at which step (numbered as in
 * dtviz.rank.recording.STEPS), for which variable, -1 for none; and the call after all that it made.
 * @typedef {{ at: number, rank: number, size: number, ones: number, above: number, depth: number }} Asked
 * @typedef {{ variable: number, branch: number, again: boolean }} How
 * @typedef {Asked & How & { found: boolean, step: number, split: number, end: number }} Call
 *
 * @typedef {ReturnType<typeof findRun>} Run
 */

/** @type {(n: number) => Plan} */
const makePlan = (n) => {
  const powers = Array.from({ length: n + 1 }, (_, i) => 3 ** i);
  const corner = Int32Array.from({ length: 2 ** n }, (_, x) =>
    powers.slice(0, n).reduce((sum, power, i) => sum + ((x >> i) & 1) * power, 0),
  );
  const start = new Int32Array(powers[n] + 1);
  const most = n * 3 ** Math.max(n - 1, 0);
  const [free, lows, highs] = [new Uint8Array(most), new Int16Array(most), new Int16Array(most)];
  for (let c = 0, count = 0; c < powers[n]; c += 1) {
    for (let i = 0; i < n; i += 1) {
      if (Math.floor(c / powers[i]) % 3 < 2) continue;
      free[count] = i;
      lows[count] = c - 2 * powers[i];
      highs[count] = c - powers[i];
      count += 1;
    }
    start[c + 1] = count;
  }
  return { whole: powers[n] - 1, corner, start, free, lows, highs };
};

/** @type {Plan[]} */
const plans = [];
/** @type {(n: number) => Plan} */
export const cubePlan = (n) => (plans[n] ??= makePlan(n));

// The rank of a tree from those of its two subtrees.
/** @type {(low: number, high: number) => number} */
const joined = (low, high) => (low === high ? low + 1 : Math.max(low, high));

// `labels` has the label of each point that is an example, and -1 elsewhere.
/** @type {(plan: Plan, labels: ArrayLike<number>) => Facts} */
export const factsOf = ({ whole, corner, start, lows, highs }, labels) => {
  const [size, ones, rank] = [0, 1, 2].map(() => new Uint8Array(whole + 1));
  for (let x = 0; x < labels.length; x += 1) {
    size[corner[x]] = labels[x] < 0 ? 0 : 1;
    ones[corner[x]] = labels[x] > 0 ? 1 : 0;
  }
  for (let c = 0; c <= whole; c += 1) {
    const j = start[c];
    if (j === start[c + 1]) continue;
    size[c] = size[lows[j]] + size[highs[j]];
    ones[c] = ones[lows[j]] + ones[highs[j]];
    if (ones[c] === 0 || ones[c] === size[c]) continue;
    // What is mixed has at least rank 1. Plain loops: this is what many samples spend their time on.
    let least = 255;
    for (let k = j; k < start[c + 1] && least > 1; k += 1) {
      const [low, high] = [lows[k], highs[k]];
      if (size[low] && size[high]) least = Math.min(least, joined(rank[low], rank[high]));
    }
    rank[c] = least;
  }
  return { size, ones, rank };
};

/** @type {(facts: Facts, c: number) => boolean} */
const pure = ({ size, ones }, c) => ones[c] === 0 || ones[c] === size[c];

// Which of a mixed subcube's free variables settles a call, by its place in `free`; -1 if none does.
/** @type {(plan: Plan, facts: Facts, c: number, bound: number) => number} */
export const settling = ({ start, lows, highs }, { size, rank }, c, bound) => {
  for (let j = start[c]; j < start[c + 1]; j += 1) {
    const [low, high] = [lows[j], highs[j]];
    if (size[low] && size[high] && (rank[low] < bound || rank[high] < bound)) return j;
  }
  return -1;
};

// The tree that FIND returns on the whole sample, null if none.
/** @type {(plan: Plan, facts: Facts, bound: number) => FoundTree | null} */
export const findTree = (plan, facts, bound) => {
  /** @type {(at: number, r: number) => FoundTree} */
  const grow = (at, r) => {
    const leaf = { at, bound: r, variable: -1, label: facts.ones[at] ? 1 : 0, rank: 0, leaves: 1, halves: [] };
    if (pure(facts, at)) return leaf;
    const j = settling(plan, facts, at, r);
    const halves = [plan.lows[j], plan.highs[j]].map((half) => grow(half, facts.rank[half] < r ? r - 1 : r));
    const [low, high] = halves;
    const [rank, leaves] = [joined(low.rank, high.rank), low.leaves + high.leaves];
    return { ...leaf, variable: plan.free[j], rank, leaves, halves };
  };
  return facts.rank[plan.whole] > bound ? null : grow(plan.whole, bound);
};

// The share of the cube on which a tree is wrong; `truth` are the facts of the whole table.
/** @type {(plan: Plan, truth: Facts, tree: FoundTree) => number} */
export const errorOf = ({ whole }, { size, ones }, tree) => {
  /** @type {(node: FoundTree) => number} */
  const wrong = ({ at, label, halves: [low, high] }) => {
    if (low) return wrong(low) + wrong(high);
    return label ? size[at] - ones[at] : ones[at];
  };
  return wrong(tree) / size[whole];
};

// A run of FIND as the source states it: its calls in the order they were made, and the tree it returns.
/** @type {(plan: Plan, facts: Facts, bound: number, names?: string[]) => { calls: Call[], names: string[], tree: FoundTree | null, children: (k: number) => number[], stack: (k: number) => number[] }} */
export const findRun = (plan, facts, bound, names = []) => {
  const { start, free, lows, highs } = plan;
  /** @type {Call[]} */
  const calls = [];
  /** @type {(at: number, rank: number, above: number, how: How) => boolean} */
  const ask = (at, rank, above, how) => {
    const [k, depth] = [calls.length, above < 0 ? 0 : calls[above].depth + 1];
    const asked = { at, rank, size: facts.size[at], ones: facts.ones[at], above, depth, ...how };
    const call = { ...asked, found: pure(facts, at), step: 0, split: -1, end: 0 };
    calls.push(call);
    if (!call.found) tryAll(call, k);
    call.end = calls.length;
    return call.found;
  };
  // The variables in turn, until one settles the call.
  /** @type {(call: Call, k: number) => void} */
  const tryAll = (call, k) => {
    const { at, rank } = call;
    call.step = rank === 0 ? 1 : 4;
    for (let j = start[at]; call.step === 4 && j < start[at + 1]; j += 1) {
      const [variable, halves] = [free[j], [lows[j], highs[j]]];
      if (!facts.size[lows[j]] || !facts.size[highs[j]]) continue;
      const fits = halves.map((half, branch) => ask(half, rank - 1, k, { variable, branch, again: false }));
      if (!fits.includes(true)) continue;
      const other = fits.indexOf(false);
      const found = other < 0 || ask(halves[other], rank, k, { variable, branch: other, again: true });
      Object.assign(call, { split: variable, step: other < 0 ? 2 : 3, found });
    }
  };
  ask(plan.whole, bound, -1, { variable: -1, branch: -1, again: false });
  return {
    ...{ calls, names, tree: findTree(plan, facts, bound) },
    children(k) {
      const made = [];
      for (let child = k + 1; child < calls[k].end; child = calls[child].end) made.push(child);
      return made;
    },
    // The calls that are running when call k is made, from call 0 to k itself.
    stack(k) {
      const running = [];
      for (let call = k; call >= 0; call = calls[call].above) running.unshift(call);
      return running;
    },
  };
};
