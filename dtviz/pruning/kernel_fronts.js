// The smallest prunings of a tree: the fewest errors for every number of leaves, and what it takes to decide a node
// otherwise. Nodes are in preorder; entry s of a table is for at most s + 1 leaves.

/**
 * @typedef {{ low: Int32Array, high: Int32Array, parent: Int32Array }} Family  -1 where there is none
 * @typedef {ArrayLike<number>} Table
 * @typedef {{ sizes: number[], errors: number[] }} Front  leaves ascending, errors descending
 */

// The table of a node, which may be a leaf with errors of its own (Infinity: it must not), from its children's.
/** @type {(alone: number, low: Table, high: Table) => Float64Array} */
const joinedTables = (alone, low, high) => {
  const joined = new Float64Array(low.length + high.length).fill(alone);
  for (let a = 0; a < low.length; a += 1) {
    for (let b = 0; b < high.length; b += 1) {
      const errors = low[a] + high[b];
      if (errors < joined[a + b + 1]) joined[a + b + 1] = errors;
    }
  }
  return joined;
};

// For each node, which errs so often as a leaf, the fewest errors of a pruning of its subtree; a table ends where more
// leaves do not help.
/** @type {(family: Family, wrong: ArrayLike<number>) => Table[]} */
export const fewestTables = ({ low, high }, wrong) => {
  /** @type {Table[]} */
  const tables = Array.from({ length: low.length });
  for (let k = low.length - 1; k >= 0; k -= 1) {
    const [first, second] = [tables[low[k]], tables[high[k]]];
    const helps = first && first[first.length - 1] + second[second.length - 1] < wrong[k];
    tables[k] = helps ? joinedTables(wrong[k], first, second) : [wrong[k]];
  }
  return tables;
};

// The corners of the root's staircase: no pruning with fewer leaves errs so little.
/** @type {(table: Table) => Front} */
export const frontOf = (table) => {
  const corners = Array.from(table).flatMap((errors, s) => (s === 0 || errors < table[s - 1] ? [s] : []));
  return { sizes: corners.map((s) => s + 1), errors: corners.map((s) => table[s]) };
};

// Where the pruning with at most so many leaves is cut: a node becomes a leaf if that costs no error more, and else its
// low child gets the fewest leaves.
/** @type {(family: Family, wrong: ArrayLike<number>, tables: Table[], leaves: number) => number[]} */
export const smallestCuts = ({ low, high }, wrong, tables, leaves) => {
  const cuts = [];
  const waiting = [[0, leaves]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [k, most] = next;
    const errors = tables[k][Math.min(most, tables[k].length) - 1];
    if (errors === wrong[k]) {
      if (low[k] >= 0) cuts.push(k);
      continue;
    }
    const [first, second] = [tables[low[k]], tables[high[k]]];
    const budget = 1 + Array.prototype.indexOf.call(tables[k], errors);
    let best = Math.max(1, budget - second.length);
    const last = Math.min(first.length, budget - 1);
    /** @param {number} share */
    const total = (share) => first[share - 1] + second[budget - share - 1];
    for (let share = best + 1; share <= last; share += 1) if (total(share) < total(best)) best = share;
    waiting.push([high[k], budget - best], [low[k], best]);
  }
  return cuts;
};

// The fewest errors of the prunings in which node k is a leaf, or is a test: Infinity where there is none.
/** @type {(family: Family, wrong: ArrayLike<number>, tables: Table[], k: number, isLeaf: boolean) => Table} */
export const decidedTable = ({ low, high, parent }, wrong, tables, k, isLeaf) => {
  /** @type {Table} */
  let table = isLeaf ? [wrong[k]] : joinedTables(Infinity, tables[low[k]], tables[high[k]]);
  for (let at = k; parent[at] >= 0; at = parent[at]) {
    const up = parent[at];
    table = joinedTables(Infinity, table, tables[at === low[up] ? high[up] : low[up]]);
  }
  return table;
};

/** @type {(leaves: number, errors: number, m: number) => number} */
export const riskOf = (leaves, errors, m) => errors / m + Math.sqrt(leaves / m);

// Whether k leaves with `more` errors more than K > k leaves have at most their risk on m examples. In integers:
// more / m <= sqrt(K / m) - sqrt(k / m), squared twice.
/** @type {(k: number, K: number, more: number, m: number) => boolean} */
const fewerLeavesWin = (k, K, more, m) => {
  const rest = m * (k + K) - more ** 2;
  return rest >= 0 && 4 * m * m * k * K <= rest ** 2;
};

// The place of the least structural risk on m examples, the smallest pruning if several have it.
/** @type {(front: Front, m: number) => number} */
export const leastRisk = ({ sizes, errors }, m) => {
  let best = 0;
  for (let j = 1; j < sizes.length; j += 1) {
    if (!fewerLeavesWin(sizes[best], sizes[j], errors[best] - errors[j], m)) best = j;
  }
  return best;
};
