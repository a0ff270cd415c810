// Greedy growth, optima and samples under biased bits, computed in the page: no bias is precomputed.
// As in dtviz: scores this close in proportion are tied, and sums are trusted this far.

const TIE = 1e-9;
const ROUNDING = 1e-12;

// The last digit must not hang on rounding where the exact value ends in 5.
const decimals = (value, places) => (value * (1 + ROUNDING)).toFixed(places);

// The probability of every point; bit i of a point is 1 with probability p[i].
const pointWeights = (p) => {
  const weights = new Float64Array(2 ** p.length);
  weights[0] = 1;
  p.forEach((one, i) => {
    for (let x = 2 ** i - 1; x >= 0; x -= 1) {
      weights[x + 2 ** i] = one * weights[x];
      weights[x] *= 1 - one;
    }
  });
  return weights;
};

// Entry i * 2^n + x: the probability that the point is x, bit i drawn afresh changes, and f with it.
const pairWeights = ({ n, table }, p, weights) => {
  const points = 2 ** n;
  const pairs = new Float64Array(n * points);
  for (let i = 0; i < n; i += 1) {
    for (let x = 0; x < points; x += 1) {
      if (table[x] === table[x ^ (1 << i)]) continue;
      pairs[i * points + x] = weights[x] * ((x >> i) & 1 ? 1 - p[i] : p[i]);
    }
  }
  return pairs;
};

const rootInfluences = (pairs, n) => {
  const points = pairs.length / n;
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let x = 0; x < points; x += 1) sum += pairs[i * points + x];
    return sum;
  });
};

// The lowest index of a value tied with the largest, -1 if all are 0.
const strongest = (values) => {
  const best = Math.max(...values);
  return best > 0 ? values.findIndex((value) => value >= best * (1 - TIE)) : -1;
};

// Growth by score until no score is left, from the weights of points and of pairs, true or
// estimated; `truth` (weights and pairs) says what the nodes are worth where these are estimates.
// A child never scores above its parent, so the order of splits is one sort of all nodes.
const growBiased = ({ n, table }, weights, pairs, truth) => {
  const points = 2 ** n;
  const made = [];
  const add = (inside, free) => made.push({ inside, free, low: -1 }) - 1;
  const weigh = (node, w, s) => {
    let [zeros, ones, cost] = [0, 0, 0];
    for (const x of node.inside) {
      if (table[x]) ones += w[x];
      else zeros += w[x];
    }
    const scores = node.free.map((i) => {
      let sum = 0;
      for (const x of node.inside) sum += s[i * points + x];
      cost += sum;
      return sum;
    });
    return { zeros, ones, cost, scores, score: Math.max(0, ...scores) };
  };
  add(
    Array.from({ length: points }, (_, x) => x),
    Array.from({ length: n }, (_, i) => i),
  );
  for (let k = 0; k < made.length; k += 1) {
    const node = made[k];
    Object.assign(node, weigh(node, weights, pairs));
    const at = strongest(node.scores);
    node.variable = at < 0 ? -1 : node.free[at];
    if (truth) node.true = weigh(node, truth.weights, truth.pairs);
    if (at < 0) continue;
    const free = node.free.filter((i) => i !== node.variable);
    const half = (bit) => node.inside.filter((x) => ((x >> node.variable) & 1) === bit);
    node.low = add(half(0), free);
    add(half(1), free);
  }
  // Equal scores, up to TIE from each to the next, go level by level and left to right.
  const inner = made.map((_, k) => k).filter((k) => made[k].low >= 0);
  inner.sort((a, b) => made[a].score - made[b].score);
  let rank = 0;
  let before = 0;
  for (const k of inner) {
    const { score } = made[k];
    if (score - before > TIE * score) rank += 1;
    made[k].rank = rank;
    before = score;
  }
  inner.sort((a, b) => made[b].rank - made[a].rank || a - b);
  return biasedPath(n, made, inner);
};

// The path of a grown tree: its nodes in the order of their creation, for the tree view and charts.
// Totals are summed backwards from the last tree, so that rounding leaves no residue where they are 0.
const biasedPath = (n, made, order) => {
  const steps = order.length;
  const nodes = [made[0]];
  order.forEach((k) => nodes.push(made[made[k].low], made[made[k].low + 1]));
  const created = new Map(nodes.map((node, k) => [node, k]));
  const split = order.map((k) => created.get(made[k]));
  const shape = pathShape(split, split.map((k) => nodes[k].variable));
  const totals = (share) => {
    const sums = new Float64Array(steps + 1);
    nodes.forEach((_, k) => {
      if (shape.splitAt[k] === steps) sums[steps] += share(k);
    });
    for (let j = steps - 1; j >= 0; j -= 1) {
      sums[j] = sums[j + 1] + share(split[j]) - share(2 * j + 1) - share(2 * j + 2);
    }
    return sums;
  };
  const label = (k) => (nodes[k].ones > nodes[k].zeros * (1 + ROUNDING) ? 1 : 0);
  const worth = (k) => nodes[k].true ?? nodes[k];
  const probability = (k) => worth(k).zeros + worth(k).ones;
  const error = (k) => (label(k) ? worth(k).zeros : worth(k).ones);
  // What the learner believes its error to be; without samples, the truth.
  const believed = totals((k) => Math.min(nodes[k].zeros, nodes[k].ones));
  return {
    ...shape,
    n,
    nodes,
    best: nodes.map((node) => node.variable),
    believed,
    errors: totals(error),
    costs: totals((k) => worth(k).cost),
    scores: Float64Array.from({ length: steps + 1 }, (_, j) => (j < steps ? nodes[split[j]].score : 0)),
    probability,
    error,
    label,
    score: (k) => nodes[k].score,
    mixed: (k) => (2 * Math.min(worth(k).zeros, worth(k).ones)) / probability(k),
    // The first step at which the learner believes its error to be at most epsilon, or the last.
    stop(epsilon) {
      const found = believed.findIndex((value) => value <= epsilon * (1 + ROUNDING));
      return found < 0 ? steps : found;
    },
    sameSplits: (other) =>
      other.steps === steps &&
      split.every((node, j) => other.split[j] === node && other.variable[j] === shape.variable[j]),
    // Depth and average depth of the tree after `step` splits.
    depths(step) {
      let [deepest, average] = [0, 0];
      for (let j = 0; j < step; j += 1) {
        deepest = Math.max(deepest, shape.depth[split[j]] + 1);
        average += probability(split[j]);
      }
      return { deepest, average };
    },
  };
};

// --- the best average depth of every subcube ---------------------------------------------------

// Subcubes of {0,1}^n as numbers in base 3: digit i is the value of bit i, or 2 where it is free.
// free[start[c]] .. free[start[c + 1] - 1] are the free bits of subcube c.
const cubePlan = (n) => {
  const powers = Array.from({ length: n + 1 }, (_, i) => 3 ** i);
  const [start, free] = [new Int32Array(powers[n] + 1), []];
  for (let c = 0; c < powers[n]; c += 1) {
    for (let i = 0; i < n; i += 1) if (Math.floor(c / powers[i]) % 3 === 2) free.push(i);
    start[c + 1] = free.length;
  }
  return { n, powers, start, free: Uint8Array.from(free) };
};

// For each subcube: 0 or 1 where f is that constant, 2 where it is mixed.
const cubeKinds = ({ powers, start, free }, table) => {
  const kinds = new Uint8Array(start.length - 1);
  for (let c = 0; c < kinds.length; c += 1) {
    if (start[c] === start[c + 1]) {
      let point = 0;
      for (let rest = c, i = 0; rest; rest = Math.floor(rest / 3), i += 1) point += (rest % 3) << i;
      kinds[c] = table[point];
    } else {
      const step = powers[free[start[c]]];
      kinds[c] = kinds[c - 2 * step] === kinds[c - step] ? kinds[c - step] : 2;
    }
  }
  return kinds;
};

// The least average depth of f, and the largest one of a restriction, with where that is.
const averageDepths = ({ n, powers, start, free }, kinds, p) => {
  const depth = new Float64Array(kinds.length);
  let most = 0;
  for (let c = 0; c < kinds.length; c += 1) {
    if (kinds[c] < 2) continue;
    let least = Infinity;
    for (let k = start[c]; k < start[c + 1]; k += 1) {
      const i = free[k];
      const below = (1 - p[i]) * depth[c - 2 * powers[i]] + p[i] * depth[c - powers[i]];
      if (below < least) least = below;
    }
    depth[c] = 1 + least;
    if (depth[c] > most) most = depth[c];
  }
  // Of equals the restriction of the fewest bits, then the first in the order of its bits.
  let where = null;
  depth.forEach((value, c) => {
    if (value < most * (1 - ROUNDING)) return;
    const bits = Array.from({ length: n }, (_, i) => Math.floor(c / powers[i]) % 3);
    const key = `${bits.filter((bit) => bit < 2).length} ${bits.join("")}`;
    if (!where || key < where.key) where = { key, bits };
  });
  const fixed = where.bits.flatMap((bit, i) => (bit < 2 ? `x${i}=${bit}` : []));
  return { least: depth.at(-1), most, at: fixed.join(", ") };
};

// --- the root while a bias moves ---------------------------------------------------------------

const SWEEP = Array.from({ length: 99 }, (_, k) => (k + 1) / 100);

// Influences over the grid, and who wins the root from where to where, while the biases of the
// variables `moving` are the same t and the others stay as they are.
const sweepRoot = (f, p, moving) => {
  const at = (t) => {
    const now = p.map((old, i) => (moving.includes(i) ? t : old));
    return rootInfluences(pairWeights(f, now, pointWeights(now)), f.n);
  };
  const influences = SWEEP.map(at);
  const winners = influences.map(strongest);
  const cuts = [];
  const search = (low, high, below, above) => {
    if (below === above) return;
    const middle = (low + high) / 2;
    if (high - low < 1e-9) {
      cuts.push({ t: middle, variable: above });
      return;
    }
    const between = strongest(at(middle));
    search(low, middle, below, between);
    search(middle, high, between, above);
  };
  SWEEP.slice(1).forEach((t, k) => search(SWEEP[k], t, winners[k], winners[k + 1]));
  const reigns = [{ from: 0, to: 1, variable: winners[0] }];
  for (const { t, variable } of cuts) {
    reigns.at(-1).to = t;
    reigns.push({ from: t, to: 1, variable });
  }
  // A tie at a single point is no reign, and what it parted is one.
  const lasting = reigns.filter(({ from, to }) => to - from > 1e-6);
  const joined = lasting.filter(({ variable }, k) => lasting[k - 1]?.variable !== variable);
  joined.forEach((reign, k) => {
    reign.to = joined[k + 1]?.from ?? 1;
  });
  return { influences, reigns: joined };
};

// --- samples -----------------------------------------------------------------------------------

// A number from 0 to 2^32 - 1 for each place of a sequence, without memory (Wellons' lowbias32).
const scrambled = (place) => {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
};

// The chances of draw k, for bit i of x and of its fresh copy: at 2nk + i and 2nk + n + i.
const chances = (n, seed, draws) => {
  const offset = scrambled(seed + 1);
  const length = 2 * n * draws;
  return Uint32Array.from({ length }, (_, place) => scrambled((place + offset) | 0));
};

// Draws x and a fresh copy of each bit; returns the weights of points and pairs in the first m
// draws, for every m of the budgets. A draw follows its bias: the chances stay when p moves.
const sampleWeights = ({ n, table }, p, dice, budgets) => {
  const points = 2 ** n;
  const limits = p.map((one) => one * 2 ** 32);
  const sensitive = Int32Array.from({ length: points }, (_, x) => {
    let directions = 0;
    for (let i = 0; i < n; i += 1) if (table[x] !== table[x ^ (1 << i)]) directions |= 1 << i;
    return directions;
  });
  const [seen, pairs] = [new Float64Array(points), new Float64Array(n * points)];
  const samples = [];
  let place = 0;
  for (let k = 0; k < budgets.at(-1); ) {
    let [x, copy] = [0, 0];
    for (let i = 0; i < n; i += 1) {
      if (dice[place + i] < limits[i]) x |= 1 << i;
      if (dice[place + n + i] < limits[i]) copy |= 1 << i;
    }
    place += 2 * n;
    seen[x] += 1;
    const changes = (x ^ copy) & sensitive[x];
    for (let i = 0; changes >> i; i += 1) if ((changes >> i) & 1) pairs[i * points + x] += 1;
    k += 1;
    if (k === budgets[samples.length]) {
      samples.push({ m: k, weights: seen.map((c) => c / k), pairs: pairs.map((c) => c / k) });
    }
  }
  return samples;
};

// The learner that knows the weights of a sample only, held against the truth.
const sampledRun = (f, truth, { weights, pairs }, epsilon) => {
  const path = growBiased(f, weights, pairs, truth);
  const stop = path.stop(epsilon);
  // At each step: the true score of the choice, as a share of the best true score there was.
  const leaves = new Set([0]);
  const shares = [];
  for (let j = 0; j < stop; j += 1) {
    const node = path.nodes[path.split[j]];
    const best = Math.max(...[...leaves].map((k) => path.nodes[k].true.score));
    shares.push(node.true.scores[node.free.indexOf(node.variable)] / best);
    leaves.delete(path.split[j]);
    leaves.add(2 * j + 1).add(2 * j + 2);
  }
  const good = shares.filter((share) => share >= 1 - TIE).length;
  return { path, stop, error: path.errors[stop], least: Math.min(1, ...shares), good };
};
