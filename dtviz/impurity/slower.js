// Of other points, the tree and the four small pictures follow a moment later; the paths of those grow
// one at a time.

import { COST_NAMES } from "./kernel.js";

/**
 * @import { Cost, PlanePath } from "./kernel.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {object} Pictures
 * @property {{ show: (path: PlanePath) => void }} tree
 * @property {{ each: (act: (picture: { show: (plane: Now["plane"], path: PlanePath) => void }, cost: Cost) => void) => void }} tiles
 * @property {(shown: Now, step: number) => void} drawTree
 * @property {(shown: Now) => void} drawTiles
 */

/** @type {(pictures: Pictures, state: State) => { all: () => void, show: (isNew: boolean) => void, stop: () => void }} */
export const slower = ({ tree, tiles, drawTree, drawTiles }, { now, stepOn }) => {
  let timer = 0;
  let [isStale, isGrowing] = [false, false];
  /** @type {PlanePath | null} */
  let shown = null;
  const drawOne = () => {
    const { path } = now();
    if (shown !== path) tree.show(path);
    shown = path;
    drawTree(now(), stepOn(path));
  };
  /** @param {Now} seen */
  const drawFour = (seen) => {
    const { plane, pathOf } = seen;
    tiles.each((one, cost) => one.show(plane, pathOf(cost)));
    drawTiles(now().plane === plane ? now() : seen);
  };
  // While points move, the small pictures of earlier ones come first: else they would never come.
  /** @type {(seen: Now, waiting: Cost[]) => void} */
  const grow = (seen, [next, ...waiting]) => {
    isGrowing = next !== undefined;
    if (isGrowing) seen.pathOf(next);
    else drawFour(seen);
    timer = isGrowing ? setTimeout(grow, 0, seen, waiting) : isStale ? setTimeout(follow, 60) : 0;
  };
  const follow = () => {
    isStale = false;
    drawOne();
    grow(now(), COST_NAMES);
  };
  const stop = () => {
    clearTimeout(timer);
    [timer, isStale, isGrowing] = [0, false, false];
  };
  return {
    stop,
    all() {
      stop();
      drawOne();
      drawFour(now());
    },
    show(isNew) {
      isStale ||= isNew;
      if (isStale) {
        timer ||= setTimeout(follow, 60);
        return;
      }
      drawOne();
      if (!isGrowing) drawTiles(now());
    },
  };
};
