// Charts over the steps of a path: curves with their names written beside the playhead.

// A scale takes a value to 0 .. 1 and proposes ticks.
const rootScale = (max) => ({
  at: (value) => Math.sqrt(clamp(value / max, 0, 1)),
  ticks: [0, 0.1, 0.25, 0.5, 1, 2, 4, 8].filter((tick) => tick <= max),
});
const logScale = (min, max) => {
  const [low, high] = [Math.log10(min), Math.log10(max)];
  const between = high - low < 1.6 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(low); power <= high; power += 1) {
    for (const digit of between) {
      const tick = digit * 10 ** power;
      if (tick >= min && tick <= max && (digit === 1 || tick > 0.001)) ticks.push(tick);
    }
  }
  const at = (value) => clamp((Math.log10(Math.max(value, min)) - low) / (high - low || 1), 0, 1);
  return { at, ticks };
};

const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const tickText = (tick) => {
  const power = Math.round(Math.log10(tick));
  if (tick > 0 && power < -3) return `10⁻${POWERS[-power]}`;
  return String(Number(tick.toFixed(3)));
};

// About `wanted` round numbers between 1 and max, and these two.
const roundTicks = (max, wanted) => {
  const rough = max / wanted;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].find((m) => m * decade >= rough) * decade);
  const ticks = [1];
  for (let tick = step; tick < max - step / 2; tick += step) if (tick > 1) ticks.push(tick);
  return max > 1 ? [...ticks, max] : ticks;
};

// Move sorted heights apart until they are `gap` away from each other and within low .. high.
const spread = (heights, gap, low, high) => {
  const places = [...heights];
  for (let k = 0; k < places.length; k += 1) {
    places[k] = Math.max(places[k], k ? places[k - 1] + gap : low);
  }
  for (let k = places.length - 1; k >= 0; k -= 1) {
    places[k] = Math.min(places[k], k < places.length - 1 ? places[k + 1] - gap : high);
  }
  return places;
};

// The right margin holds the names, so that no text ever lies on a curve.
const CHART = { left: 52, right: 130, top: 12, bottom: 26, samples: 240 };

// A chart with one curve per key; onStep(step) hears the pointer.
const chart = ({ title, scaleName, name, keys, onStep }) => {
  const axes = svg("g", { class: "dtviz-axes" });
  const area = svg("path", { class: "dtviz-area" });
  const lines = keys.map((key) => svg("path", { class: `dtviz-curve dtviz-${key}` }));
  const cursor = svg("line", { class: "dtviz-cursor" });
  const dots = keys.map((key) => svg("circle", { r: 4, class: `dtviz-dot dtviz-${key}` }));
  const names = keys.map((key) => svg("text", { class: `dtviz-tag dtviz-${key}` }));
  const cover = svg("rect", { class: "dtviz-cover" });
  const over = svg("g", {});
  const leaders = keys.map((key) => svg("path", { class: `dtviz-leader dtviz-${key}` }));
  const parts = [axes, area, ...leaders, ...lines, cursor, ...dots, ...names, cover, over];
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img", "aria-label": name }, ...parts);
  const note = html("span", { class: "dtviz-aside" });
  const heading = html("div", { class: "dtviz-heading" }, title, " ", note);
  const root = html("div", { class: "dtviz-chart" }, heading, canvas);

  const view = { root, over, rows: [], width: 0, height: 0 };
  let plot = null; // { steps, scale, samples, x, y }

  // A value holds until the next split, so a curve is a staircase.
  const stairs = (value, first, last) => {
    const corners = [];
    for (const j of plot.samples) {
      if (j < first || j > last) continue;
      const [x, y] = [plot.x(j).toFixed(1), plot.y(value(j)).toFixed(1)];
      if (corners.length) corners.push(`${x} ${corners.at(-1).split(" ")[1]}`);
      corners.push(`${x} ${y}`);
    }
    return corners;
  };

  // Axes for steps 0 .. steps (1 .. steps + 1 leaves) and a scale of heights.
  view.frame = (steps, scale) => {
    const { left, right, top, bottom, samples } = CHART;
    const [inner, low] = [view.width - left - right, view.height - bottom];
    const every = Math.max(1, Math.ceil(steps / samples));
    const kept = Array.from({ length: Math.floor(steps / every) + 1 }, (_, k) => k * every);
    if (kept.at(-1) !== steps) kept.push(steps);
    plot = {
      steps,
      samples: kept,
      x: (step) => left + (steps ? (step / steps) * inner : inner / 2),
      y: (value) => low - scale.at(value) * (low - top),
    };
    view.y = plot.y;
    view.rows = [];
    for (const tick of scale.ticks) {
      const y = plot.y(tick);
      if (view.rows.length && view.rows.at(-1).y - y < 15) continue;
      const line = svg("line", { x1: left, x2: left + inner, y1: y, y2: y });
      const text = svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, tickText(tick));
      view.rows.push({ y, line, text });
    }
    let lastX = -Infinity;
    const columns = roundTicks(steps + 1, inner / 60).flatMap((tick) => {
      const x = plot.x(tick - 1);
      if (x - lastX < 26) return [];
      lastX = x;
      return [svg("text", { x, y: low + 19, "text-anchor": "middle" }, tick.toLocaleString("en"))];
    });
    const unit = svg("text", { x: left + inner + 16, y: low + 19 }, "leaves");
    const rows = view.rows.flatMap(({ line, text }) => [line, text]);
    axes.replaceChildren(...rows, ...columns, unit);
    const box = { width: view.width, height: view.height };
    const cell = { x: left, y: top, width: inner, height: low - top };
    for (const [key, value] of Object.entries(box)) canvas.setAttribute(key, value);
    canvas.setAttribute("viewBox", `0 0 ${view.width} ${view.height}`);
    for (const [key, value] of Object.entries(cell)) cover.setAttribute(key, value);
    put(cursor, "y1", top);
    put(cursor, "y2", low);
  };

  // Make room in the left margin for a mark at height y.
  view.clear = (y) => {
    for (const row of view.rows) {
      put(row.text, "visibility", Math.abs(row.y - y) < 16 ? "hidden" : "inherit");
    }
  };

  // Say beside the title what the curves are held against, if anything.
  view.remark = (text) => {
    say(note, text || scaleName);
    note.classList.toggle("dtviz-ochre", Boolean(text));
  };

  // Draw curve k over the steps first .. last, or nothing.
  view.curve = (k, value, first = 0, last = plot.steps) => {
    put(lines[k], "d", value ? `M${stairs(value, first, last).join("L")}` : "");
  };

  // Fill between two curves, or nothing.
  view.fill = (upper, lower) => {
    const around = (value) => stairs(value, 0, plot.steps);
    put(area, "d", upper ? `M${[...around(upper), ...around(lower).reverse()].join("L")}Z` : "");
  };

  // Set the playhead; values[k] is { value, text } or null where curve k says nothing here.
  view.point = (step, values) => {
    const x = plot.x(step);
    put(cursor, "x1", x);
    put(cursor, "x2", x);
    const told = [];
    values.forEach((entry, k) => {
      for (const mark of [dots[k], names[k], leaders[k]]) {
        put(mark, "visibility", entry ? "inherit" : "hidden");
      }
      if (!entry) return;
      const y = plot.y(entry.value);
      put(dots[k], "cx", x);
      put(dots[k], "cy", y);
      say(names[k], entry.text);
      told.push({ k, y });
    });
    told.sort((a, b) => a.y - b.y);
    const edge = view.width - CHART.right;
    const heights = told.map(({ y }) => y);
    const places = spread(heights, 16, CHART.top, view.height - CHART.bottom - 5);
    told.forEach(({ k, y }, row) => {
      put(names[k], "x", edge + 16);
      put(names[k], "y", places[row] + 4);
      put(leaders[k], "d", `M${x} ${y}H${edge + 2}L${edge + 12} ${places[row]}`);
    });
  };

  onDrag(cover, canvas, (px) => {
    const [start, end] = [plot.x(0), plot.x(plot.steps)];
    if (plot.steps) onStep(Math.round(clamp((px - start) / (end - start), 0, 1) * plot.steps));
  });
  view.onDragY = (element, move) => onDrag(element, canvas, (_, py) => move(py));
  view.stepValue = (py) => clamp((view.height - CHART.bottom - py) / (view.height - CHART.bottom - CHART.top), 0, 1);
  return view;
};

// --- the error allowed -------------------------------------------------------------------------

const EPSILON_GRID = 0.005;

// A level on a chart of errors, rootScale(top()) high, with a grip to drag; returns draw(epsilon).
const epsilonLevel = (view, { top, onMove }) => {
  const goal = svg("line", { class: "dtviz-goal", x1: CHART.left });
  const grip = svg(
    "g",
    { class: "dtviz-grip" },
    svg("rect", { class: "dtviz-reach", x: 0, y: -20, width: CHART.left, height: 40 }),
    svg("path", { d: `M2 -10H${CHART.left - 8}L${CHART.left} 0L${CHART.left - 8} 10H2Z` }),
    svg("text", { x: (CHART.left - 5) / 2, y: 4 }),
  );
  view.over.append(goal, grip);
  view.onDragY(grip, (py) => {
    const raw = top() * view.stepValue(py) ** 2;
    const epsilon = clamp(Math.round(raw / EPSILON_GRID) * EPSILON_GRID, 0, 0.5);
    onMove(Number(epsilon.toFixed(3)));
  });
  return (epsilon) => {
    const y = view.y(epsilon);
    put(goal, "x2", view.width - CHART.right);
    put(goal, "y1", y);
    put(goal, "y2", y);
    view.clear(y);
    put(grip, "transform", `translate(0,${y})`);
    say(grip.lastChild, `ε ${epsilonText(epsilon)}`);
  };
};
