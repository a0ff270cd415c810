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

// Entry x * n + i: the probability that the point is x, bit i drawn afresh changes, and f with it.
const pairWeights = ({ n, table }, p, weights) => {
  const pairs = new Float64Array(n * table.length);
  for (let x = 0; x < table.length; x += 1) {
    for (let i = 0; i < n; i += 1) {
      if (table[x] === table[x ^ (1 << i)]) continue;
      pairs[x * n + i] = weights[x] * ((x >> i) & 1 ? 1 - p[i] : p[i]);
    }
  }
  return pairs;
};

const rootInfluences = (pairs, n) => {
  const sums = new Float64Array(n);
  for (let at = 0; at < pairs.length; at += n) for (let i = 0; i < n; i += 1) sums[i] += pairs[at + i];
  return sums;
};

// The lowest index of a value tied with the largest, -1 if all are 0.
const strongest = (values) => {
  let best = 0;
  for (let i = 0; i < values.length; i += 1) if (values[i] > best) best = values[i];
  if (best === 0) return -1;
  let at = 0;
  while (values[at] < best * (1 - TIE)) at += 1;
  return at;
};

// What the points listed in inside[from .. to - 1] weigh, and their score for each bit not fixed.
const weigh = ({ n, table }, { weights, pairs }, inside, { from, to, fixed }) => {
  let [zeros, ones, cost, score] = [0, 0, 0, 0];
  const scores = new Float64Array(n);
  for (let k = from; k < to; k += 1) {
    const x = inside[k];
    if (table[x]) ones += weights[x];
    else zeros += weights[x];
    for (let i = 0; i < n; i += 1) scores[i] += pairs[x * n + i];
  }
  for (let i = 0; i < n; i += 1) {
    // A pair that a fixed bit parts has its other end at another leaf.
    if ((fixed >> i) & 1) scores[i] = 0;
    cost += scores[i];
    if (scores[i] > score) score = scores[i];
  }
  return { zeros, ones, cost, scores, score };
};

// Growth by score until no score is left, from the weights of points and of pairs, true or seen in
// a sample: the nodes made, and which of them are split, in order. A child never scores above its
// parent, so that order is one sort of all nodes.
const growBiased = (f, known) => {
  const points = f.table.length;
  const inside = Uint16Array.from({ length: points }, (_, x) => x);
  const upper = new Uint16Array(points);
  const later = { weight: null, worth: null, label: 0, variable: -1, low: -1, rank: 0, created: -1 };
  const fresh = (from, to, fixed) => ({ from, to, fixed, ...later });
  const made = [fresh(0, points, 0)];
  const order = [];
  for (let k = 0; k < made.length; k += 1) {
    const node = made[k];
    const weight = weigh(f, known, inside, node);
    node.weight = weight;
    node.label = weight.ones > weight.zeros * (1 + ROUNDING) ? 1 : 0;
    node.variable = strongest(weight.scores);
    if (node.variable < 0) continue;
    order.push(k);
    let [lows, highs] = [node.from, 0];
    for (let j = node.from; j < node.to; j += 1) {
      if ((inside[j] >> node.variable) & 1) upper[highs++] = inside[j];
      else inside[lows++] = inside[j];
    }
    inside.set(upper.subarray(0, highs), lows);
    const fixed = node.fixed | (1 << node.variable);
    node.low = made.length;
    made.push(fresh(node.from, lows, fixed), fresh(lows, node.to, fixed));
  }
  // Equal scores, up to TIE from each to the next, go level by level and left to right.
  order.sort((a, b) => made[a].weight.score - made[b].weight.score);
  let rank = 0;
  let before = 0;
  for (const k of order) {
    const { score } = made[k].weight;
    if (score - before > TIE * score) rank += 1;
    made[k].rank = rank;
    before = score;
  }
  order.sort((a, b) => made[b].rank - made[a].rank || a - b);
  return { f, known, inside, made, order };
};

// What a node is truly worth, where growth knew a sample only.
const worthOf = ({ f, inside }, node, truth) => {
  node.worth ??= truth ? weigh(f, truth, inside, node) : node.weight;
  return node.worth;
};

// The path of a grown tree: its nodes in the order of their creation, for the tree view and charts.
// Totals are summed backwards from the last tree, so that rounding leaves no residue where they are 0.
const biasedPath = (grown, truth) => {
  const { f, known, made, order } = grown;
  const steps = order.length;
  const nodes = [made[0]];
  for (const k of order) nodes.push(made[made[k].low], made[made[k].low + 1]);
  nodes.forEach((node, k) => {
    node.created = k;
  });
  const split = order.map((k) => made[k].created);
  const shape = pathShape(split, order.map((k) => made[k].variable));
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
  const worth = (k) => worthOf(grown, nodes[k], truth);
  const probability = (k) => worth(k).zeros + worth(k).ones;
  const error = (k) => (nodes[k].label ? worth(k).zeros : worth(k).ones);
  const score = (k) => nodes[k].weight.score / known.draws;
  const errors = totals(error);
  return {
    ...shape,
    n: f.n,
    best: nodes.map((node) => node.variable),
    errors,
    costs: totals((k) => worth(k).cost),
    scores: Float64Array.from({ length: steps + 1 }, (_, j) => (j < steps ? score(split[j]) : 0)),
    probability,
    error,
    score,
    trueScore: (k) => worth(k).score,
    label: (k) => nodes[k].label,
    mixed: (k) => (2 * Math.min(worth(k).zeros, worth(k).ones)) / probability(k),
    // The first step whose error is at most epsilon.
    stop: (epsilon) => errors.findIndex((value) => value <= epsilon * (1 + ROUNDING)),
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
  // Two curves that only touch are tied there: no reign, and what the point parted is one.
  const short = ({ from, to }) => to - from < 5e-4;
  const lasting = reigns.filter((reign) => !short(reign));
  const joined = lasting.filter(({ variable }, k) => lasting[k - 1]?.variable !== variable);
  joined.forEach((reign, k) => {
    reign.to = joined[k + 1]?.from ?? 1;
  });
  const ties = reigns.filter(short).map(({ from, to, variable }) => ({ t: (from + to) / 2, variable }));
  return { influences, reigns: joined, ties };
};

// --- samples -----------------------------------------------------------------------------------

// A number from 0 to 2^32 - 1 for each place of a sequence, without memory (Wellons' lowbias32).
const scrambled = (place) => {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
};

// Draws of x and of a fresh copy of each bit, in one number: bit i is that of x, bit n + i its copy.
// A bit is 1 if its chance, which stays, is below its bias; so a bias that moves a little flips few.
const drawsOf = (n, seed, draws) => {
  const [columns, slots] = [2 * n, 128];
  const offset = scrambled(seed + 1);
  const chance = new Uint32Array(columns * draws);
  // The draws of each column, sorted by the leading digits of their chances.
  const sorted = new Uint16Array(columns * draws);
  const start = new Int32Array(columns * (slots + 1));
  const slot = (value) => Math.floor(value / (2 ** 32 / slots));
  for (let c = 0; c < columns; c += 1) {
    const [first, from] = [c * (slots + 1), c * draws];
    for (let k = 0; k < draws; k += 1) {
      chance[from + k] = scrambled((k * columns + c + offset) | 0);
      start[first + slot(chance[from + k]) + 1] += 1;
    }
    for (let j = 0; j < slots; j += 1) start[first + j + 1] += start[first + j];
    const next = start.slice(first, first + slots);
    for (let k = 0; k < draws; k += 1) sorted[from + next[slot(chance[from + k])]++] = k;
  }
  const bits = new Uint16Array(draws);
  const limits = new Float64Array(columns);
  return (p) => {
    for (let c = 0; c < columns; c += 1) {
      const limit = p[c % n] * 2 ** 32;
      const [low, high] = [Math.min(limit, limits[c]), Math.max(limit, limits[c])];
      limits[c] = limit;
      const [first, from] = [c * (slots + 1), c * draws];
      const end = low < high ? start[first + Math.min(slot(high), slots - 1) + 1] : 0;
      for (let j = start[first + Math.min(slot(low), slots - 1)]; j < end; j += 1) {
        const value = chance[from + sorted[from + j]];
        if (value >= low && value < high) bits[sorted[from + j]] ^= 1 << c;
      }
    }
    return bits;
  };
};

// The weights of points and pairs in the first m draws, for every m of the budgets.
const sampleWeights = ({ n, table }, bits, budgets) => {
  const points = table.length;
  const sensitive = Int32Array.from({ length: points }, (_, x) => {
    let directions = 0;
    for (let i = 0; i < n; i += 1) if (table[x] !== table[x ^ (1 << i)]) directions |= 1 << i;
    return directions;
  });
  const [seen, pairs] = [new Float64Array(points), new Float64Array(n * points)];
  let drawn = 0;
  return budgets.map((draws) => {
    for (; drawn < draws; drawn += 1) {
      const x = bits[drawn] & (points - 1);
      seen[x] += 1;
      for (let changes = (x ^ (bits[drawn] >> n)) & sensitive[x]; changes; changes &= changes - 1) {
        pairs[x * n + 31 - Math.clz32(changes & -changes)] += 1;
      }
    }
    return { draws, weights: seen.slice(), pairs: pairs.slice() };
  });
};

// The learner that knows a sample only, held against the truth. It stops at the first tree that errs
// on at most a share epsilon of its draws, or when it sees no split left to make.
const sampledRun = (f, truth, sample, epsilon) => {
  const grown = growBiased(f, sample);
  const { made, order } = grown;
  const wrong = ({ zeros, ones }) => Math.min(zeros, ones);
  const leaves = [0];
  const scores = [worthOf(grown, made[0], truth).score];
  let seen = wrong(made[0].weight);
  let stop = 0;
  let least = 1;
  let good = 0;
  for (; stop < order.length && seen / sample.draws > epsilon * (1 + ROUNDING); stop += 1) {
    const node = made[order[stop]];
    let best = 0;
    for (const score of scores) if (score > best) best = score;
    // The true score of the choice, as a share of the best true score there was.
    const share = worthOf(grown, node, truth).scores[node.variable] / best;
    least = Math.min(least, share);
    if (share >= 1 - TIE) good += 1;
    const place = leaves.indexOf(order[stop]);
    const [low, high] = [made[node.low], made[node.low + 1]];
    leaves[place] = node.low;
    leaves.push(node.low + 1);
    scores[place] = worthOf(grown, low, truth).score;
    scores.push(worthOf(grown, high, truth).score);
    seen += wrong(low.weight) + wrong(high.weight) - wrong(node.weight);
  }
  const error = leaves.reduce((sum, k) => {
    const { zeros, ones } = worthOf(grown, made[k], truth);
    return sum + (made[k].label ? zeros : ones);
  }, 0);
  return { draws: sample.draws, grown, stop, error, least, good };
};
