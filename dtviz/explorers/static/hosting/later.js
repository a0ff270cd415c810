// What can wait is drawn in the frame after the one that answers the reader, once however often it is asked for.

/** @param {() => void} job */
export const nextFrame = (job) => {
  let frame = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  const finish = () => {
    stop();
    job();
  };
  return {
    stop,
    // At once where no frame is shown.
    draw() {
      if (document.hidden) finish();
      else {
        frame ||= requestAnimationFrame(() => {
          frame = requestAnimationFrame(finish);
        });
      }
    },
  };
};
