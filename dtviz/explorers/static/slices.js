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
// at once; else what comes of it has a turn of its own.
export const slices = (size = SLICE) => {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    // Work that waits has a turn of its own from the beginning.
    /** @type {(steps: Generator<number, unknown, undefined>, events: { tell: (steps: number) => void, done: () => void }, waits?: boolean) => void} */
    run(steps, { tell, done }, waits = false) {
      stop();
      let count = 0;
      let isFirst = !waits;
      const slice = () => {
        for (let work = 0; work < size;) {
          const step = steps.next();
          if (step.done) {
            if (isFirst) done();
            else timer = setTimeout(done);
            return;
          }
          work += step.value;
          count += 1;
        }
        isFirst = false;
        tell(count);
        timer = setTimeout(slice);
      };
      if (waits) timer = setTimeout(slice);
      else slice();
    },
  };
};
