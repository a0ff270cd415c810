// The race against the best tree there is: its errors are searched for a little at a time, so that the
// page stays at the reader's command.

import { memory } from "../explorers/static/hosting/kit.js";
import { seenPart } from "../explorers/static/computing/points.js";
import { count } from "../explorers/static/computing/text.js";
import { decimals } from "./kernel.js";
import { leastErrors } from "./kernel_least.js";

/**
 * @import { Plane } from "../explorers/static/drawing/plane.js"
 *
 * @typedef {ReturnType<typeof leastErrors>} Least
 */

// Milliseconds that a turn of the search takes, and points that it looks at between two looks at the clock.
const TURN = 4;
const WORK = 2000;

/** @param {() => void} redraw */
export const optimumSearch = (redraw) => {
  const memo = memory();
  let timer = 0;
  const stop = () => clearTimeout(timer);
  /** @param {Least} least */
  const turn = (least) => {
    const [before, end] = [least.errors.length, performance.now() + TURN];
    while (!least.done && performance.now() < end) least.advance(WORK);
    if (!least.done) timer = setTimeout(turn, 0, least);
    if (least.done || least.errors.length > before) redraw();
  };
  return {
    stop,
    // What is known so far; while somebody wants to know more, the search goes on.
    /** @param {Plane} plane */
    follow(plane) {
      stop();
      const least = memo("least", [plane], () => leastErrors(seenPart(plane)));
      if (!least.done) timer = setTimeout(turn, 0, least);
      return least;
    },
  };
};

// How a tree of the reader's compares with the greedy one and the best one; errors are numbers of points.
/** @type {(leaves: number, error: number, greed: readonly number[], least: Least) => string} */
export const raceWords = (leaves, error, greed, { errors, floor, done, size }) => {
  /** @param {number} number */
  const share = (number) => decimals(number / (size || 1));
  const ended = errors[errors.length - 1] === floor;
  const unknown = done ? "not known" : "being searched for";
  const best = leaves <= errors.length || ended ? share(errors[Math.min(leaves, errors.length) - 1]) : unknown;
  const rival = greed[Math.min(leaves, greed.length) - 1];
  const now = `With ${count(leaves, "leaf", "leaves")} your error is ${decimals(error)}, that of the greedy tree ${share(rival)}, the least ${best}.`;
  if (!ended) return now;
  const goal = floor ? `an error of ${share(floor)}, the least there is,` : "no error";
  const at = greed.indexOf(floor);
  const greedy = at < 0 ? "the greedy one more than it may have" : `the greedy one ${at + 1}`;
  return `${now} For ${goal} the best tree needs ${count(errors.length, "leaf", "leaves")}, ${greedy}.`;
};
