// The map of a chapter: what a statement rests on, and what rests on it, stands out when it is
// pointed at or has the focus. A classic script, which works from disk.
(() => {
  "use strict";

  /** The lines met on the way from a statement against, or along, their direction. */
  function trace(lines, start, [from, to]) {
    const met = new Set([start]);
    for (const label of met) {
      lines.filter((line) => line.dataset[from] === label).forEach((line) => met.add(line.dataset[to]));
    }
    return new Set(lines.filter((line) => met.has(line.dataset[from])));
  }

  function show(svg, box) {
    const lines = [...svg.querySelectorAll("path")];
    const start = box?.dataset.statement;
    const on = new Set(
      start ? [...trace(lines, start, ["from", "to"]), ...trace(lines, start, ["to", "from"])] : [],
    );
    const labels = new Set([...on].flatMap((line) => [line.dataset.from, line.dataset.to]).concat(start));
    lines.forEach((line) => line.classList.toggle("on", on.has(line)));
    for (const one of svg.querySelectorAll("a[data-statement]")) {
      one.classList.toggle("on", labels.has(one.dataset.statement));
    }
    svg.classList.toggle("traced", on.size > 0);
  }

  for (const svg of document.querySelectorAll(".dtviz-map svg")) {
    const point = (event) => show(svg, event.target.closest("a[data-statement]"));
    svg.addEventListener("pointerover", point);
    svg.addEventListener("focusin", point);
    svg.addEventListener("pointerleave", () => show(svg));
    svg.addEventListener("focusout", () => show(svg));
  }
})();
