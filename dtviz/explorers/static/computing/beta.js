// The costs between the named ones, with the arithmetic of `dtviz.core.cart.beta_costs`: for two classes, the concave G
// with -G'' proportional to (q(1 - q))^(a - 1), and G(1/2) = 1/2. Nothing here knows a page.

// The named costs at the positions 0, 1, 2 and 3, and 1 / (1 + a) there; it is linear in between.
export const STOPS = ["sqrt", "entropy", "gini", "error"];
const RATES = [2, 1, 0.5, 0];

const [TERMS, STEEP, CELLS, THINNEST, PANELS] = [54, 4, 256, 40, 64];
/** @type {[number, number][]} */
const GAUSS = [[-Math.sqrt(0.6), 5 / 18], [0, 8 / 18], [Math.sqrt(0.6), 5 / 18]];

// The nearest of the named costs, where there is nothing in between.
/** @param {number} position */
export const nearestStop = (position) => Math.floor(position + 0.5);

/** @param {number} position */
export const exponentAt = (position) => {
  const k = Math.min(Math.floor(position), 2);
  return 1 / (RATES[k] + (RATES[k + 1] - RATES[k]) * (position - k)) - 1;
};

// A share of at most 1/2 to its cost, up to a factor.
/** @typedef {(q: number) => number} Half */

// For a that is not large, by a series; what would cancel near a = 0 is ((2q)^a - 1) / a.
/** @type {(a: number) => Half} */
const bySeries = (a) => {
  const terms = new Float64Array(TERMS - 1);
  let [atHalf, factor] = [0, 1];
  for (let k = 1; k < TERMS; k += 1) {
    factor *= (k - a) / k;
    atHalf += (factor * 0.5 ** k) / (a + k);
    terms[k - 1] = factor / ((a + k) * (a + k + 1));
  }
  return (q) => {
    if (q === 0) return 0;
    const log = Math.log(2 * q);
    const joined = Math.abs(a) > 1e-30 ? Math.expm1(a * log) / a : log;
    let tail = 0;
    for (let k = TERMS - 2; k >= 0; k -= 1) tail = (tail + terms[k]) * q;
    return q * ((1 - joined) / (a + 1) + atHalf - Math.exp(a * log) * tail);
  };
};

// (4q(1 - q))^(a - 1), where t = 1 - 2q.
/** @type {(a: number, t: number) => number} */
const thin = (a, t) => Math.exp((a - 1) * Math.log1p(-Math.min(t * t, 1)));

// For the others from a table of the double integral of the curvature, in cells of 2q; between the ends of a cell by
// the polynomial of degree 5 that has the value, slope and curvature of both.
/** @type {(a: number) => Half} */
const byTable = (a) => {
  const far = Math.min(1, Math.sqrt(THINNEST / (a - 1)));
  const step = far / CELLS;
  const [area, slope, curvature] = [0, 1, 2].map(() => new Float64Array(CELLS + 1));
  for (let k = 0; k <= CELLS; k += 1) {
    const end = far - step * k;
    curvature[k] = thin(a, end);
    if (k === CELLS) break;
    let [bent, lever] = [0, 0];
    for (const [place, weight] of GAUSS) {
      const within = (step / 2) * (1 + place);
      const one = thin(a, end - within) * step * weight;
      bent += one;
      lever += one * (step - within);
    }
    area[k + 1] = area[k] + step * slope[k] + lever;
    slope[k + 1] = slope[k] + bent;
  }
  return (q) => {
    const place = Math.max(2 * q - (1 - far), 0) / step;
    const k = Math.min(Math.floor(place), CELLS - 1);
    const u = place - k;
    const [first, second] = [step * slope[k], (step * step * curvature[k]) / 2];
    const rest = area[k + 1] - area[k] - first - second;
    const tilt = step * slope[k + 1] - first - 2 * second;
    const bend = step * step * curvature[k + 1] - 2 * second;
    const third = 10 * rest - 4 * tilt + bend / 2;
    const fourth = 7 * tilt - 15 * rest - bend;
    const fifth = 6 * rest - 3 * tilt + bend / 2;
    const lost = area[k] + u * (first + u * (second + u * (third + u * (fourth + u * fifth))));
    return 2 * slope[CELLS] * q - lost;
  };
};

// G, and how much it bends, -G''.
/** @type {(a: number) => { of: (q: number) => number, bend: (u: number) => number }} */
export const betaCost = (a) => {
  const half = a < STEEP ? bySeries(a) : byTable(a);
  const scale = 2 * half(0.5);
  return {
    of: (q) => half(Math.min(q, 1 - q)) / scale,
    bend: (u) =>
      a < STEEP ? (2 ** a * (u * (1 - u)) ** (a - 1)) / scale : (4 * thin(a, 1 - 2 * u)) / scale,
  };
};

// The drop of a leaf with a share s of 1s by a vote that is right with chance 1/2 + gamma: the difference, or where it is
// small, the integral of -G'' under a hat, in the logits of the share.
/** @type {(a: number, gamma: number) => (s: number) => number} */
export const betaVoteDrop = (a, gamma) => {
  const { of, bend } = betaCost(a);
  const [right, wrong] = [0.5 + gamma, 0.5 - gamma];
  const width = Math.log(right / wrong) / PANELS;
  return (s) => {
    const forOne = s * right + (1 - s) * wrong;
    const [p, r] = [(s * wrong) / (1 - forOne), (s * right) / forOne];
    const before = of(s);
    const plain = before - forOne * of(r) - (1 - forOne) * of(p);
    if (plain > 1e-3 * before) return plain;
    const odds = s / (1 - s);
    let drop = 0;
    for (const [sign, end, share] of [[-1, p, 1 - forOne], [1, r, forOne]]) {
      for (let k = 0; k < PANELS; k += 1) {
        for (const [place, weight] of GAUSS) {
          const far = odds * Math.exp(sign * width * (k + 0.5 + 0.5 * place));
          const u = far / (1 + far);
          drop += (width * weight * bend(u) * u * share * Math.abs(u - end)) / (1 + far);
        }
      }
    }
    return drop;
  };
};
