// Chapter 5: growing. How fast growth by three costs drives the error down, and what weak learning promises.

import { rangeControl, statusLine } from "../explorers/static/controls.js";
import { change, explorers, html, listen, onDrag, onWidth, put, say, svg } from "../explorers/static/kit.js";
import { spread } from "../explorers/static/scale.js";
import { brief } from "../explorers/static/text.js";
import { curveKeys, downTo, gridPlace, growthAt, logShare } from "./kernel.js";

const RATES = {
  left: 52,
  right: 150,
  top: 12,
  bottom: 40,
  height: 360,
  floor: 0.0005,
  ceiling: 0.5,
  ticks: [0.5, 0.1, 0.01, 0.001],
};
const RATES_FOOT = RATES.height - RATES.bottom;

// --- the chart -----------------------------------------------------------------------------------

// The marks of a chart with a curve for each key, and the chart itself.
const rateMarks = (keys) => {
  const axes = svg("g", { class: "dtviz-axes" });
  const lines = keys.map((key) => svg("path", { class: `dtviz-curve dtviz-rate-${key}` }));
  const cursor = svg("line", { class: "dtviz-cursor" });
  const dots = keys.map((key) => svg("circle", { r: 4, class: `dtviz-dot dtviz-rate-${key}` }));
  const tags = keys.map((key) => svg("text", { class: `dtviz-rate-${key}` }));
  const leaders = keys.map((key) => svg("path", { class: `dtviz-leader dtviz-rate-${key}` }));
  const cover = svg("rect", { class: "dtviz-cover" });
  const name = "Cost of the tree against the number of splits for three costs, with their bounds.";
  const canvas = svg(
    "svg",
    { class: "dtviz-canvas", role: "img", "aria-label": name },
    axes, ...leaders, ...lines, cursor, ...dots, ...tags, cover,
  );
  const title = html("div", { class: "dtviz-heading" }, "Cost of the tree against its splits, log scales");
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Solid: greedy growth where the predicates are independent votes, each right with probability 1/2 + γ. " +
      "Dashed: what weak learning with edge γ promises for every predicate class.",
  );
  return { root: html("div", {}, title, canvas, key), canvas, axes, lines, cursor, dots, tags, leaders, cover };
};

const rateAxes = (width, powers, { x, y, edge }) => {
  const rows = RATES.ticks.flatMap((tick) => [
    svg("line", { x1: RATES.left, x2: edge, y1: y(tick), y2: y(tick) }),
    svg("text", { x: RATES.left - 8, y: y(tick) + 4, "text-anchor": "end" }, String(tick)),
  ]);
  const every = width < 560 ? 4 : 2;
  const columns = powers
    .filter((power) => Number.isInteger(power / every))
    .map((power) => {
      const text = power === 0 ? "1" : `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
      return svg("text", { x: x(power), y: RATES_FOOT + 18, "text-anchor": "middle" }, text);
    });
  return [...rows, ...columns, svg("text", { x: edge + 16, y: RATES_FOOT + 18 }, "splits t")];
};

const frameRates = ({ canvas, axes, cursor, cover }, width, powers, scale) => {
  axes.replaceChildren(...rateAxes(width, powers, scale));
  const box = { width, height: RATES.height, viewBox: `0 0 ${width} ${RATES.height}` };
  for (const [attribute, value] of Object.entries(box)) canvas.setAttribute(attribute, value);
  const cell = { x: RATES.left, y: RATES.top, width: scale.edge - RATES.left, height: RATES_FOOT - RATES.top };
  for (const [attribute, value] of Object.entries(cell)) cover.setAttribute(attribute, value);
  put(cursor, "y1", RATES.top);
  put(cursor, "y2", RATES_FOOT);
};

// The curves, and at the cursor a dot on each with its value beside the chart.
const drawRates = (marks, keys, powers, { x, y, edge }, { curves, at }) => {
  const told = keys.map((key, k) => {
    const values = curves[key];
    const corners = downTo(values, RATES.floor).map((v, j) => `${x(powers[j]).toFixed(1)} ${y(v).toFixed(1)}`);
    put(marks.lines[k], "d", `M${corners.join("L")}`);
    put(marks.dots[k], "cx", x(powers[at]));
    put(marks.dots[k], "cy", y(values[at]));
    const [cost, bound] = key.split("-");
    say(marks.tags[k], `${cost}${bound ? " ≤" : ""} ${brief(values[at])}`);
    return { k, y: y(values[at]) };
  });
  put(marks.cursor, "x1", x(powers[at]));
  put(marks.cursor, "x2", x(powers[at]));
  told.sort((a, b) => a.y - b.y || a.k - b.k);
  const places = spread(told.map((one) => one.y), 16, RATES.top, RATES_FOOT - 4);
  told.forEach(({ k, y: height }, row) => {
    put(marks.tags[k], "x", edge + 18);
    put(marks.tags[k], "y", places[row] + 4);
    put(marks.leaders[k], "d", `M${x(powers[at])} ${height}H${edge + 2}L${edge + 14} ${places[row]}`);
  });
};

// Costs and their bounds against the number of splits, both on log scales; onPlace hears the pointer.
const ratesChart = (record, onPlace) => {
  const { powers } = record;
  const keys = curveKeys(record);
  const marks = rateMarks(keys);
  let scale = null; // { x, y, edge }
  onDrag(marks.cover, marks.canvas, (px) => {
    onPlace(gridPlace((px - RATES.left) / (scale.edge - RATES.left), powers.length));
  });
  return {
    root: marks.root,
    resize(width) {
      const edge = width - RATES.right;
      scale = {
        edge,
        x: (power) => RATES.left + (power / powers.at(-1)) * (edge - RATES.left),
        y: (cost) => RATES_FOOT - logShare(cost, RATES.floor, RATES.ceiling) * (RATES_FOOT - RATES.top),
      };
      frameRates(marks, width, powers, scale);
    },
    draw: (curves, at) => drawRates(marks, keys, powers, scale, { curves, at }),
  };
};

// --- the explorer --------------------------------------------------------------------------------

// A slider over the places of a grid; the control is named by the trait.
const gridControl = (model, name, label, grid) =>
  rangeControl({
    name,
    label,
    min: 0,
    max: grid.length - 1,
    step: 1,
    onInput: (at) => change(model, { [name]: grid[at] }),
  });

const showPlace = (control, at, text, spoken = text) => {
  control.input.value = at;
  say(control.value, text);
  put(control.input, "aria-valuetext", spoken);
};

explorers.growing = ({ model, el }) => {
  const record = model.get("_growth");
  const gamma = gridControl(model, "gamma", "Edge, γ", record.gammas);
  const power = gridControl(model, "log_splits", "Splits, t", record.powers);
  const rates = ratesChart(record, (at) => change(model, { log_splits: record.powers[at] }));
  const status = statusLine();
  const controls = html("div", { class: "dtviz-controls" }, gamma.root, power.root);
  const frameBox = html("div", { class: "dtviz-view" }, controls, status.root, rates.root);
  el.append(frameBox);

  const draw = () => {
    // Hidden so far: there is no room to draw in.
    if (!frameBox.dataset.width) return;
    const [edge, splits] = [model.get("gamma"), model.get("log_splits")];
    const now = growthAt(record, edge, splits);
    rates.draw(record.curves[now.g], now.at);
    showPlace(gamma, now.g, edge.toFixed(2));
    showPlace(power, now.at, `10^${splits}`, `10 to the power ${splits}`);
    const told = now.rates.map(({ cost, reached, bound }) => `${cost} ${brief(reached)} (bound ${brief(bound)})`);
    status.say(`gamma ${edge.toFixed(2)}, 10^${splits} splits: ${told.join(", ")}`);
  };

  const stopListening = listen(model, { gamma: draw, log_splits: draw });
  const stopWatching = onWidth(frameBox, (width) => {
    frameBox.dataset.width = width >= 800 ? "wide" : width < 560 ? "narrow" : "medium";
    rates.resize(width);
    draw();
  });
  return () => {
    status.stop();
    stopListening();
    stopWatching();
    frameBox.remove();
  };
};
