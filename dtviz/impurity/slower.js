// Of other points the small pictures follow a moment later, and their paths grow one at a time;
// while points move, the tree follows, too. Another tree of the same points is drawn when its numbers
// stand there: both at once take too long.

import { slices } from "../explorers/static/slices.js";
import { SLICE } from "./state.js";

/**
 * @import { Cost, PlanePath } from "./kernel.js"
 * @import { Now, State } from "./state.js"
 *
 * @typedef {object} Pictures
 * @property {{ show: (path: PlanePath) => void }} tree
 * @property {{ root: Element, each: (act: (picture: { show: (plane: Now["plane"], path: PlanePath) => void }, cost: Cost) => void) => void }} tiles
 * @property {(shown: Now, step: number) => void} drawTree
 * @property {(shown: Now) => void} drawTiles
 */

// The growth of all paths of some points, a turn each at least.
/** @type {(seen: Now, costs: Cost[]) => Generator<number, void, undefined>} */
const inTurn = function* ({ growing }, costs) {
  for (const cost of costs) {
    yield* growing(cost);
    yield SLICE;
  }
};

/** @type {(pictures: Pictures, state: State) => { all: () => void, show: (isNew: boolean) => void, stop: () => void }} */
export const slower = ({ tree, tiles, drawTree, drawTiles }, { model, now, stepOn }) => {
  const work = slices(tiles.root, SLICE);
  let [timer, ownTimer, isGrowing] = [0, 0, false];
  let shown = /** @type {PlanePath | null} */ (null);
  const drawOne = () => {
    clearTimeout(ownTimer);
    ownTimer = 0;
    const { path } = now();
    if (shown !== path) tree.show((shown = path));
    drawTree(now(), stepOn(path));
  };
  /** @param {Now} seen */
  const drawAll = (seen) => {
    tiles.each((one, cost) => one.show(seen.plane, seen.pathOf(cost)));
    drawTiles(now().plane === seen.plane ? now() : seen);
  };
  // While points move, the small pictures of earlier ones come first: else they would never come.
  const follow = () => {
    const seen = now();
    isGrowing = true;
    const done = () => {
      drawAll(seen);
      isGrowing = now().plane !== seen.plane;
      if (isGrowing) timer = setTimeout(follow, 60);
    };
    work.run(inTurn(seen, model.get("_costs")), { done }, true);
  };
  const stop = () => {
    work.stop();
    for (const one of [timer, ownTimer]) clearTimeout(one);
    [timer, ownTimer, isGrowing] = [0, 0, false];
  };
  return {
    stop,
    all() {
      stop();
      drawOne();
      drawAll(now());
    },
    show(isNew) {
      if (now().path === shown) drawOne();
      else ownTimer ||= setTimeout(drawOne, isNew ? 60 : 0);
      if (isGrowing) return;
      if (isNew) follow();
      else drawTiles(now());
    },
  };
};
