// Of other points the small pictures follow a moment later; while points move, the tree follows, too. Another
// tree of the same points is drawn when its numbers stand there: both at once take too long.

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
  let [timer, ownTimer] = [0, 0];
  let shown = /** @type {PlanePath | null} */ (null);
  const drawOne = () => {
    clearTimeout(ownTimer);
    ownTimer = 0;
    const { path } = now();
    if (shown !== path) tree.show((shown = path));
    drawTree(now(), stepOn(path));
  };
  const drawAll = () => {
    timer = 0;
    const seen = now();
    tiles.each((one, cost) => one.show(seen.plane, seen.pathOf(cost)));
    drawTiles(seen);
  };
  const stop = () => {
    for (const one of [timer, ownTimer]) clearTimeout(one);
    [timer, ownTimer] = [0, 0];
  };
  return {
    stop,
    all() {
      stop();
      drawOne();
      drawAll();
    },
    show(isNew) {
      if (now().path === shown) drawOne();
      else ownTimer ||= setTimeout(drawOne, isNew ? 60 : 0);
      if (isNew) timer ||= setTimeout(drawAll, 60);
      else if (!timer) drawTiles(now());
    },
  };
};
