// What can wait is drawn in the frames after the one that answers the reader, one part in each.

/** @typedef {ReturnType<typeof nextFrame>} Later */

export const nextFrame = () => {
  /** @type {Map<string, () => void>} */
  const jobs = new Map();
  let frame = 0;
  const next = () => {
    const [due] = jobs;
    frame = 0;
    if (!due) return;
    jobs.delete(due[0]);
    due[1]();
    if (jobs.size) frame = requestAnimationFrame(next);
  };
  return {
    // Of several jobs of a name only the last one is done; all at once where no frame is shown.
    /** @type {(name: string, job: () => void) => void} */
    draw(name, job) {
      jobs.set(name, job);
      if (document.hidden) while (jobs.size) next();
      else {
        frame ||= requestAnimationFrame(() => {
          frame = requestAnimationFrame(next);
        });
      }
    },
    // The state is another one: what waits is asked for anew, or is not wanted.
    forget: () => jobs.clear(),
    stop() {
      cancelAnimationFrame(frame);
      jobs.clear();
    },
  };
};
