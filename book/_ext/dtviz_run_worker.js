// Runs one program in a worker of its own, which the page ends when it takes too long. It follows
// Brython in the worker's source; `dtvizBoot` is the text of dtviz_run_boot.py.

(() => {
  const MOST_REPEATED = 30_000_000;
  const post = self.postMessage.bind(self);
  let [buffer, flushed] = ["", 0];

  const flush = () => {
    if (buffer) post({ out: buffer });
    buffer = "";
    flushed = Date.now();
  };

  self.print = (text) => {
    buffer += text;
    if (Date.now() - flushed > 100) flush();
  };

  self.end = (error, line, tree) => {
    flush();
    post({ done: { error, line, tree: tree ? tree.split("\n") : [] } });
  };

  self.onmessage = ({ data }) => {
    post({ began: true });
    try {
      self.dtvizRun(data, self);
    } catch (error) {
      self.end(`Python itself stopped: ${error?.message ?? error}`, 0, "");
    }
  };

  // Repeating a list is the only way to take all of the page's memory before the time is over.
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

  // Brython would ask the network for a module that is not here.
  self.XMLHttpRequest = class {
    open() {}
    overrideMimeType() {}
    setRequestHeader() {}
    send() {
      Object.assign(this, { status: 404, readyState: 4 });
      this.onreadystatechange?.();
    }
  };

  self.__BRYTHON__.runPythonSource(self.dtvizBoot, "dtviz_run_boot");
})();
