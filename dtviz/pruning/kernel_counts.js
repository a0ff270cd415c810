// How many paths and trees there are, which the penalty of bottom-up pruning counts: in logarithms.

// ln(e^a + e^b)
/** @type {(a: number, b: number) => number} */
const addedLogs = (a, b) => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));

// ln of the sums of the first 1, 2, ... terms that begin at e^first and grow by the factors e^step(1), e^step(2), ...
/** @type {(first: number, step: (j: number) => number, last: number) => number[]} */
const logSums = (first, step, last) => {
  const sums = [first];
  let term = first;
  for (let j = 1; j <= last; j += 1) {
    term += step(j);
    sums.push(addedLogs(sums[j - 1], term));
  }
  return sums;
};

// ln of the number of conjunctions of at most 0, 1, .., depth literals of n tests.
/** @type {(n: number, depth: number) => number[]} */
export const logPaths = (n, depth) => {
  const sums = logSums(0, (j) => Math.log((2 * (n - j + 1)) / j), Math.min(depth, n));
  return Array.from({ length: depth + 1 }, (_, l) => sums[Math.min(l, n)]);
};

// ln of the number of trees of n tests with two labels and at most 1, 2, .. leaves: entry `leaves`, entry 0 is 0.
/** @type {(n: number, leaves: number) => number[]} */
export const logTrees = (n, leaves) => {
  const step = Math.log(2) + Math.log(n);
  return [0, ...logSums(Math.log(2), (i) => step + Math.log((2 * (2 * i - 1)) / (i + 1)), leaves - 1)];
};
