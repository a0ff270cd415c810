// Runs one program in a worker of its own, which the page ends when it takes too long. Stands behind
// Brython in the worker's source; `dtvizBoot` is the text of dtviz_run_boot.py.

(() => {
  const MOST_LINES = 2000;
  const MOST_CHARACTERS = 200_000;
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
