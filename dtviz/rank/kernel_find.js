// FIND itself, on a sample of at most 6 variables: what it decides of every subcube, every call it
// makes, and the tree it returns. Nothing here knows a page.
//
// A subcube is a number in base 3: digit i is the bit of x_i where it is fixed, and 2 where it is
// free. So halves have smaller numbers than the whole, and one pass upwards settles them all.

/**
 * @typedef {object} Plan
 * @property {number} n
 * @property {number} whole  the subcube of all points
 * @property {number[]} powers  of 3
 * @property {Int32Array} corner  the subcube of each point alone
 * @property {Int32Array} start  where the free variables of a subcube begin in `free`, one more entry
 * @property {Uint8Array} free
 * @property {Int16Array} lows  the half of a subcube where such a variable is 0
 * @property {Int16Array} highs
 *
 * What a sample says of each subcube: its examples, those labelled 1, and the least rank of a tree
 * that agrees with them.
 * @typedef {{ size: Uint8Array, ones: Uint8Array, rank: Uint8Array }} Facts
 *
 * A tree in preorder: a leaf with label b has variable -1 - b. `at` is the subcube of a node, and
 * `bound` the bound of the call that made it.
 * @typedef {{ variable: number[], rank: number[], at: number[], bound: number[], names?: string[] }} FoundTree
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
  return { n, whole: powers[n] - 1, powers, corner, start, free, lows, highs };
};

/** @type {Plan[]} */
const plans = [];
/** @type {(n: number) => Plan} */
export const cubePlan = (n) => (plans[n] ??= makePlan(n));

// The rank of a tree from those of its two subtrees.
/** @type {(low: number, high: number) => number} */
const joined = (low, high) => (low === high ? low + 1 : Math.max(low, high));

// The least rank of a mixed subcube, once those of its halves are known. Plain loops, no lists: this
// is what many samples spend their time on.
/** @type {(plan: Plan, size: Uint8Array, rank: Uint8Array, c: number) => number} */
const leastRank = ({ start, lows, highs }, size, rank, c) => {
  let least = 255;
  // What is mixed has at least rank 1.
  for (let j = start[c]; j < start[c + 1] && least > 1; j += 1) {
    const low = lows[j];
    const high = highs[j];
    if (size[low] === 0 || size[high] === 0) continue;
    const a = rank[low];
    const b = rank[high];
    const needed = a === b ? a + 1 : a > b ? a : b;
    if (needed < least) least = needed;
  }
  return least;
};

/** @type {(plan: Plan) => Facts} */
export const noFacts = ({ whole }) => {
  const [size, ones, rank] = [whole + 1, whole + 1, whole + 1].map((length) => new Uint8Array(length));
  return { size, ones, rank };
};

// `labels` has the label of each point that is an example, and -1 elsewhere; `facts` may be written
// over old ones.
/** @type {(plan: Plan, labels: Int8Array, facts?: Facts) => Facts} */
export const factsOf = (plan, labels, facts = noFacts(plan)) => {
  const { whole, corner, start, lows, highs } = plan;
  const { size, ones, rank } = facts;
  rank.fill(0);
  for (let x = 0; x < labels.length; x += 1) {
    size[corner[x]] = labels[x] < 0 ? 0 : 1;
    ones[corner[x]] = labels[x] > 0 ? 1 : 0;
  }
  for (let c = 0; c <= whole; c += 1) {
    const j = start[c];
    if (j === start[c + 1]) continue;
    size[c] = size[lows[j]] + size[highs[j]];
    ones[c] = ones[lows[j]] + ones[highs[j]];
    if (ones[c] > 0 && ones[c] < size[c]) rank[c] = leastRank(plan, size, rank, c);
  }
  return facts;
};

/** @type {(facts: Facts, c: number) => boolean} */
const pure = ({ size, ones }, c) => ones[c] === 0 || ones[c] === size[c];

/**
 * What FIND makes of each variable in turn, at a subcube and a bound of at least 1: `used` says how.
 * @typedef {"same" | "failed" | "both" | "low" | "high" | "left"} Used
 * @typedef {{ variable: number, low: number, high: number, used: Used }} Tried
 */

// All variables that are free there: "same" in all examples, "failed" in both halves, settled with
// "both" halves or with the "low" or "high" one and a second try of the other, or "left" untried.
/** @type {(plan: Plan, facts: Facts, c: number, bound: number) => Tried[]} */
export const triedAt = ({ powers, start, free }, { size, rank }, c, bound) => {
  let settled = false;
  return Array.from(free.subarray(start[c], start[c + 1]), (variable) => {
    const [low, high] = [c - 2 * powers[variable], c - powers[variable]];
    /** @returns {Used} */
    const use = () => {
      if (!size[low] || !size[high]) return "same";
      if (settled) return "left";
      const [lowFits, highFits] = [rank[low] < bound, rank[high] < bound];
      settled = lowFits || highFits;
      if (lowFits && highFits) return "both";
      if (settled) return lowFits ? "low" : "high";
      return "failed";
    };
    return { variable, low, high, used: use() };
  });
};

// The variable that settles a call on a mixed subcube, -1 if none does.
/** @type {(plan: Plan, facts: Facts, c: number, bound: number) => number} */
const settling = ({ start, free, lows, highs }, { size, rank }, c, bound) => {
  for (let j = start[c]; j < start[c + 1]; j += 1) {
    const [low, high] = [lows[j], highs[j]];
    if (size[low] && size[high] && (rank[low] < bound || rank[high] < bound)) return free[j];
  }
  return -1;
};

// The tree that FIND returns on the whole sample, null if none.
/** @type {(plan: Plan, facts: Facts, bound: number) => FoundTree | null} */
export const findTree = (plan, facts, bound) => {
  if (facts.rank[plan.whole] > bound) return null;
  /** @type {FoundTree} */
  const tree = { variable: [], rank: [], at: [], bound: [] };
  /** @type {(c: number, r: number) => number} */
  const grow = (c, r) => {
    const k = tree.variable.length;
    tree.at.push(c);
    tree.bound.push(r);
    tree.rank.push(0);
    if (pure(facts, c)) {
      tree.variable.push(facts.ones[c] ? -2 : -1);
      return 0;
    }
    const i = settling(plan, facts, c, r);
    tree.variable.push(i);
    const [low, high] = [c - 2 * plan.powers[i], c - plan.powers[i]];
    const lowRank = grow(low, facts.rank[low] < r ? r - 1 : r);
    tree.rank[k] = joined(lowRank, grow(high, facts.rank[high] < r ? r - 1 : r));
    return tree.rank[k];
  };
  grow(plan.whole, bound);
  return tree;
};

// Sums over every subcube of what its points hold.
/** @type {(plan: Plan, sums: Float64Array) => Float64Array} */
const overSubcubes = ({ whole, start, lows, highs }, sums) => {
  for (let c = 0; c <= whole; c += 1) {
    const j = start[c];
    if (j < start[c + 1]) sums[c] = sums[lows[j]] + sums[highs[j]];
  }
  return sums;
};

/**
 * The weights of the points labelled 0 and of those labelled 1, for each subcube.
 * @typedef {readonly [Float64Array, Float64Array]} Masses
 */

/** @type {(plan: Plan, table: ArrayLike<number>, weights: ArrayLike<number>) => Masses} */
export const massesOf = (plan, table, weights) => {
  /** @param {number} label */
  const massOf = (label) => {
    const mass = new Float64Array(plan.whole + 1);
    for (let x = 0; x < table.length; x += 1) mass[plan.corner[x]] = table[x] === label ? weights[x] : 0;
    return overSubcubes(plan, mass);
  };
  return [massOf(0), massOf(1)];
};

// The weight of the points on which the tree of a sample that fits the bound is wrong.
/** @type {(plan: Plan, facts: Facts, masses: Masses, bound: number) => number} */
export const errorFound = (plan, facts, masses, bound) => {
  /** @type {(c: number, r: number) => number} */
  const wrong = (c, r) => {
    if (pure(facts, c)) return masses[facts.ones[c] ? 0 : 1][c];
    const power = plan.powers[settling(plan, facts, c, r)];
    const [low, high] = [c - 2 * power, c - power];
    return wrong(low, facts.rank[low] < r ? r - 1 : r) + wrong(high, facts.rank[high] < r ? r - 1 : r);
  };
  return wrong(plan.whole, bound);
};

// How many calls a run makes: those of a subcube and a bound are always the same.
/** @type {(plan: Plan, facts: Facts, bound: number) => number} */
const countCalls = (plan, facts, bound) => {
  const { n, start, lows, highs, whole } = plan;
  const { size, rank } = facts;
  const known = new Int32Array((whole + 1) * (n + 1));
  /** @type {(c: number, r: number) => number} */
  const calls = (c, r) => {
    if (r === 0 || pure(facts, c)) return 1;
    const key = c * (n + 1) + Math.min(r, n);
    if (known[key]) return known[key];
    let sum = 1;
    for (let j = start[c]; j < start[c + 1]; j += 1) {
      const [low, high] = [lows[j], highs[j]];
      if (!size[low] || !size[high]) continue;
      sum += calls(low, r - 1) + calls(high, r - 1);
      const [lowFits, highFits] = [rank[low] < r, rank[high] < r];
      if (!lowFits && !highFits) continue;
      if (!lowFits || !highFits) sum += calls(lowFits ? high : low, r);
      break;
    }
    known[key] = sum;
    return sum;
  };
  return calls(whole, bound);
};

// A run of FIND as the source states it: its calls in the order they were made, a number each in every
// list. Steps are numbered 0 to 4, as in dtviz.rank.recording.STEPS.
/** @type {(plan: Plan, facts: Facts, bound: number) => { depth: Int8Array, rank: Int8Array, size: Int8Array, ones: Int8Array, variable: Int8Array, branch: Int8Array, again: Int8Array, found: Int8Array, step: Int8Array, split: Int8Array, at: Int32Array, parent: Int32Array, end: Int32Array, calls: number }} */
const recorded = (plan, facts, bound) => {
  const calls = countCalls(plan, facts, bound);
  const bytes = () => new Int8Array(calls);
  const [depth, rank, size, ones, variable, branch] = [bytes(), bytes(), bytes(), bytes(), bytes(), bytes()];
  const [again, found, step, split] = [bytes(), bytes(), bytes(), bytes()];
  const [at, parent, end] = [new Int32Array(calls), new Int32Array(calls), new Int32Array(calls)];
  const { start, free, lows, highs } = plan;
  let made = 0;
  // Call k tries the variables in turn: the step that it returns at, or 4 in the end.
  /** @type {(k: number, c: number, r: number) => number} */
  const tries = (k, c, r) => {
    for (let j = start[c]; j < start[c + 1]; j += 1) {
      const [v, low, high] = [free[j], lows[j], highs[j]];
      if (!facts.size[low] || !facts.size[high]) continue;
      const lowFits = ask(low, r - 1, k, 4 * v);
      const highFits = ask(high, r - 1, k, 4 * v + 1);
      if (!lowFits && !highFits) continue;
      split[k] = v;
      if (lowFits && highFits) found[k] = 1;
      else found[k] = lowFits ? ask(high, r, k, 4 * v + 3) : ask(low, r, k, 4 * v + 2);
      return lowFits && highFits ? 2 : 3;
    }
    return 4;
  };
  // `how` is four times the variable, with the half and twice whether it is a second try; -1 for S.
  /** @type {(c: number, r: number, above: number, how: number) => number} */
  const ask = (c, r, above, how) => {
    const k = made;
    made += 1;
    at[k] = c;
    parent[k] = above;
    depth[k] = above < 0 ? 0 : depth[above] + 1;
    rank[k] = r;
    size[k] = facts.size[c];
    ones[k] = facts.ones[c];
    variable[k] = how < 0 ? -1 : how >> 2;
    branch[k] = how < 0 ? -1 : how & 1;
    again[k] = how < 0 ? 0 : (how >> 1) & 1;
    split[k] = -1;
    if (pure(facts, c)) found[k] = 1;
    else step[k] = r === 0 ? 1 : tries(k, c, r);
    end[k] = made;
    return found[k];
  };
  ask(plan.whole, bound, -1, -1);
  return { depth, rank, size, ones, variable, branch, again, found, step, split, at, parent, end, calls };
};

/** @type {(plan: Plan, facts: Facts, bound: number, names?: string[]) => ReturnType<typeof recorded> & { names: string[], levels: number, tree: FoundTree | null, children: (k: number) => number[], stack: (k: number) => number[] }} */
export const findRun = (plan, facts, bound, names = []) => {
  const run = recorded(plan, facts, bound);
  const { parent, end } = run;
  const tree = findTree(plan, facts, bound);
  return {
    ...run,
    levels: run.depth.reduce((most, depth) => Math.max(most, depth), 0) + 1,
    names,
    tree: tree && { ...tree, names },
    children(k) {
      const made = [];
      for (let child = k + 1; child < end[k]; child = end[child]) made.push(child);
      return made;
    },
    // The calls that are running when call k is made, from call 0 to k itself.
    stack(k) {
      const running = [];
      for (let call = k; call >= 0; call = parent[call]) running.unshift(call);
      return running;
    },
  };
};

// Whether the points of a subcube include x.
/** @type {(plan: Plan, c: number, x: number) => boolean} */
export const within = ({ n, powers }, c, x) => {
  for (let i = 0; i < n; i += 1) {
    const digit = Math.floor(c / powers[i]) % 3;
    if (digit < 2 && digit !== ((x >> i) & 1)) return false;
  }
  return true;
};
