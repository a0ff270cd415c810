// What can wait is drawn in the frame after the one that answers the reader.

export const nextFrame = () => {
  /** @type {Map<string, () => void>} */
  const jobs = new Map();
  let frame = 0;
  const finish = () => {
    const due = [...jobs.values()];
    frame = 0;
    jobs.clear();
    for (const job of due) job();
  };
  /** @type {(name: string, job: () => void) => void} */
  const draw = (name, job) => {
    jobs.set(name, job);
    if (document.hidden) finish();
    else {
      frame ||= requestAnimationFrame(() => {
        frame = requestAnimationFrame(finish);
      });
    }
  };
  return {
    // Of several jobs of a name only the last one is done; all at once where no frame is shown.
    draw,
    // The state is another one: what waits is asked for again, or is not wanted.
    forget: () => jobs.clear(),
    stop() {
      cancelAnimationFrame(frame);
      jobs.clear();
    },
  };
};
