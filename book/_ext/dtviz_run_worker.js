// Runs one program in a worker of its own, which the page ends when it takes too long. Stands behind
// Brython in the worker's source; `dtvizBoot` is the text of dtviz_run_boot.py.

(() => {
  const MOST_LINES = 2000;
  const MOST_CHARACTERS = 200_000;
  const MOST_REPEATED = 30_000_000;
  const post = self.postMessage.bind(self);
  let [buffer, lines, characters, lost, flushed] = ["", 0, 0, 0, 0];

  const flush = () => {
    if (buffer) post({ out: buffer });
    buffer = "";
    flushed = Date.now();
  };

  // What is too much is counted, and not kept.
  self.took = (text) => {
    const ends = text.split("\n").length - 1;
    if (lines >= MOST_LINES || characters >= MOST_CHARACTERS) {
      lost += ends;
      if (lost % 10_000 < ends) post({ lost });
      return;
    }
    const room = text.slice(0, MOST_CHARACTERS - characters);
    lines += ends;
    characters += room.length;
    buffer += room;
    if (Date.now() - flushed > 100) flush();
  };

  self.ended = (error, line, tree) => {
    flush();
    post({ done: { error, line, lost, tree: tree ? tree.split("\n") : [] } });
  };

  self.onmessage = ({ data }) => {
    post({ began: true });
    try {
      self.dtvizRun(data, self);
    } catch (error) {
      self.ended(`Python itself stopped: ${error?.message ?? error}`, 0, "");
    }
  };

  // Of what takes memory only the repetition of lists is quicker than the clock: it could take all of
  // the page's before the time is over.
  const { builtins, RAISE, rich_op1: operate } = self.__BRYTHON__;
  let made = 0;
  self.__BRYTHON__.rich_op1 = (name, x, y) => {
    if (name === "__mul__" && (Array.isArray(x) || Array.isArray(y))) {
      const [list, times] = Array.isArray(x) ? [x, y] : [y, x];
      made += list.length * Math.max(0, Number(times) || 0);
      if (made > MOST_REPEATED) {
        RAISE(builtins.MemoryError, "lists made by * have more than 30 million entries in all");
      }
    }
    return operate(name, x, y);
  };

  // A module that is not here is not looked for elsewhere: nothing leaves the page.
  self.XMLHttpRequest = class {
    open() {}
    overrideMimeType() {}
    setRequestHeader() {}
    send() {
      this.status = 404;
      this.readyState = 4;
      this.onreadystatechange?.();
    }
  };
  for (const name of ["fetch", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches"]) {
    try {
      self[name] = undefined;
    } catch {
      // It cannot be taken away, and the page has no need of it.
    }
  }

  self.__BRYTHON__.runPythonSource(self.dtvizBoot, "dtviz_run_boot");
  post({ ready: true });
})();
