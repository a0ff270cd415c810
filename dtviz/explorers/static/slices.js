// Work that is too long for one event is done a slice at a time, so that the page stays at the
// reader's command. The work is a generator, which yields how much it has done.

// So many values of rows and columns are looked at within an event: 2 to 4 ms of a laptop's time. A
// clock would cut the same work now here, now there.
const SLICE = 30_000;

/**
 * @typedef {object} Slices
 * @property {() => void} stop
 * @property {(steps: Generator<number, unknown, undefined>, events: { report?: (steps: number) => void, done: () => void }, waits?: boolean) => void} run
 *   work that waits has a turn of its own from the beginning
 */

/** @type {<Result>(steps: Generator<number, Result, undefined>) => Result} */
export const finished = (steps) => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

// Runs one work at a time: another one takes its place. What is done within the first slice is done
// at once; else what comes of it has a turn of its own, and until then a part of the page is busy.
/** @type {(room: Element, size?: number) => Slices} */
export const slices = (room, size = SLICE) => {
  let timer = 0;
  const rest = () => room.setAttribute("aria-busy", "false");
  return {
    stop() {
      clearTimeout(timer);
      rest();
    },
    run(steps, { report = () => {}, done }, waits = false) {
      let count = 0;
      let isFirst = !waits;
      const end = () => {
        rest();
        done();
      };
      const slice = () => {
        for (let work = 0; work < size;) {
          const step = steps.next();
          if (step.done) {
            if (isFirst) end();
            else timer = setTimeout(end);
            return;
          }
          work += step.value;
          count += 1;
        }
        go();
        report(count);
      };
      const go = () => {
        isFirst = false;
        room.setAttribute("aria-busy", "true");
        timer = setTimeout(slice);
      };
      clearTimeout(timer);
      if (waits) go();
      else slice();
    },
  };
};
