// Work that is too long for one event is done a slice at a time, so that the page stays at the
// reader's command. The work is a generator, which yields how much it has done.

// So many values of rows and columns are looked at within an event: 2 to 4 ms of a laptop's time. A
// clock would cut the same work now here, now there.
const SLICE = 30_000;

/** @type {<Result>(steps: Generator<number, Result, undefined>) => Result} */
export const finished = (steps) => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

// Runs one work at a time: another one takes its place. What is done within the first slice is done
// at once.
export const slices = () => {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    /** @type {(steps: Generator<number, void, undefined>, events: { tell: (steps: number) => void, done: () => void }) => void} */
    run(steps, { tell, done }) {
      stop();
      let count = 0;
      const slice = () => {
        for (let work = 0; work < SLICE;) {
          const step = steps.next();
          if (step.done) {
            done();
            return;
          }
          work += step.value;
          count += 1;
        }
        tell(count);
        timer = setTimeout(slice);
      };
      slice();
    },
  };
};
