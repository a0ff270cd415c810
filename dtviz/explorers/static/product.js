// Chapter 3: biased bits. Slide p, and influences, tree, depths and bounds follow; then let a learner
// that only sees samples race the exact one.

const PRODUCT = { bias: 0.01, chart: 190, race: 230, row: 22 };

// As in dtviz.sampled: the pairs for each variable before the first split.
const FAILURE = 0.1;
const pairsNeeded = (n, epsilon) => Math.ceil(((12 * n) / epsilon) * Math.log((4 * n) / FAILURE));

const biasText = (p) => String(Number(p.toFixed(4))).replace(/^(0\.\d)$/, "$10");
const subset = (variables) => variables.map((i) => `x${i}`).join(", ");

// --- a chart ------------------------------------------------------------------------------------

const AXES = { left: 40, right: 84, top: 10 };

// A small chart with its own axes; draw() takes functions x, y to pixels and the marks to show.
const axesChart = ({ name, onPick }) => {
  const layer = svg("g", {});
  const cover = svg("rect", { class: "dtviz-cover" });
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img", "aria-label": name }, layer, cover);
  const title = html("span");
  const note = html("span", { class: "dtviz-aside" });
  const heading = html("div", { class: "dtviz-heading" }, title, " ", note);
  const root = html("div", { class: "dtviz-chart" }, heading, canvas);
  let frame = null;
  onDrag(cover, canvas, (px) => frame && onPick(clamp((px - AXES.left) / frame.inner, 0, 1)));
  return {
    root,
    title,
    note,
    // The frame of a width and a height; `foot` pixels stay free below it.
    frame(width, height, foot) {
      const { left, right, top } = AXES;
      const [inner, low] = [width - left - right, height - foot];
      frame = {
        ...{ width, height, left, top, inner, low, edge: left + inner },
        x: (share) => left + share * inner,
        y: (share) => low - share * (low - top),
      };
      return frame;
    },
    describe: (text) => put(canvas, "aria-label", text),
    draw(parts) {
      const { width, height, left, top, inner, low } = frame;
      layer.replaceChildren(...parts);
      for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
        put(canvas, key, value);
      }
      const cell = { x: left, y: top, width: inner, height: low - top };
      for (const [key, value] of Object.entries(cell)) put(cover, key, value);
    },
  };
};

const levelLine = ({ left, edge, y }, share, text) => [
  svg("line", { x1: left, x2: edge, y1: y(share), y2: y(share) }),
  svg("text", { x: left - 7, y: y(share) + 4, "text-anchor": "end" }, text),
];

const joined = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

// A name above each curve, where it is furthest from the others and from the names there are.
const namesOnCurves = ({ left, edge, top }, curves) => {
  const placed = [];
  return curves.map(({ text, points }) => {
    const half = 3.5 * text.length;
    const room = (k) => {
      const [px, py] = [points[k][0], points[k][1] - 9];
      if (px - half < left || px + half > edge || py < top) return -1;
      const clash = (name) => Math.abs(px - name.px) < half + name.half + 4 && Math.abs(py - name.py) < 14;
      if (placed.some(clash)) return -1;
      const toCurves = curves.map((other) => {
        // Over the width of the name, not only in its middle.
        const near = other.points.filter(([x]) => Math.abs(x - px) <= half);
        return Math.min(...near.map(([, y]) => Math.abs(y - py)));
      });
      return Math.min(24, ...toCurves);
    };
    let best = 0;
    for (let k = 1; k < points.length; k += 1) if (room(k) > room(best)) best = k;
    const [px, py] = [points[best][0], points[best][1] - 9];
    placed.push({ px, py, half });
    return svg("text", { class: "dtviz-rival-name", x: px, y: py + 4 }, text);
  });
};

// --- who wins the root -------------------------------------------------------------------------

// Influences as curves over a bias, and below them which variable the root tests from where to where.
const sweepChart = ({ onPick }) => {
  const view = axesChart({ name: "Influences while a bias moves.", onPick: (t) => onPick(t) });
  const cursor = svg("line", { class: "dtviz-cursor dtviz-strong" });
  const drawn = { key: "", width: 0 };

  const still = ({ influences, reigns }, n, width) => {
    const frame = view.frame(width, PRODUCT.chart + 12, 62);
    const { left, inner, low, top, edge, x } = frame;
    const most = Math.max(0.02, ...influences.map((at) => Math.max(...at)));
    const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((size) => most / size <= 4.2);
    const y = (value) => frame.y(value / most / 1.04);
    const axes = [];
    for (let tick = 0; tick <= most * 1.04; tick += step) {
      axes.push(...levelLine({ ...frame, y }, tick, String(Number(tick.toFixed(2)))));
    }
    for (const t of [0, 0.25, 0.5, 0.75, 1]) {
      axes.push(svg("text", { x: x(t), y: low + 58, "text-anchor": "middle" }, String(t)));
    }
    const parts = [svg("g", { class: "dtviz-axes" }, ...axes)];
    // Variables of the same curve share it and its name.
    const curves = [];
    for (let i = 0; i < n; i += 1) {
      const same = curves.find(({ of }) =>
        influences.every((at) => Math.abs(at[i] - at[of[0]]) <= TIE * most),
      );
      if (same) same.of.push(i);
      else curves.push({ of: [i] });
    }
    for (const { of } of curves) {
      const d = joined(influences.map((at, k) => [x(SWEEP[k]), y(at[of[0]])]));
      parts.push(svg("path", { class: "dtviz-curve dtviz-rival", d }));
    }
    // The largest influence, whoever has it.
    const best = influences.map((at, k) => [x(SWEEP[k]), y(Math.max(...at))]);
    parts.push(svg("path", { class: "dtviz-curve dtviz-score", d: joined(best) }));
    put(cursor, "y1", top);
    put(cursor, "y2", low + 4);
    parts.push(cursor);
    parts.push(...namesOnCurves(frame, curves.map(({ of }) => ({
      text: subset(of),
      points: influences.map((at, k) => [x(SWEEP[k]), y(at[of[0]])]),
    }))));
    reigns.forEach(({ from, to, variable }, k) => {
      const [x1, x2] = [x(from), x(to)];
      const strip = { x: x1, y: low + 4, width: x2 - x1, height: PRODUCT.row };
      parts.push(svg("rect", { class: `dtviz-reign${k % 2 ? " dtviz-odd" : ""}`, ...strip }));
      if (x2 - x1 >= 18) {
        const name = variable < 0 ? "none" : `x${variable}`;
        parts.push(svg("text", { class: "dtviz-reign-name", x: (x1 + x2) / 2, y: low + 19 }, name));
      }
    });
    // Thresholds, where their numbers do not run into each other.
    let last = -Infinity;
    reigns.slice(1).forEach(({ from }) => {
      const line = { x1: x(from), x2: x(from), y1: top, y2: low + 4 + PRODUCT.row };
      parts.push(svg("line", { class: "dtviz-threshold", ...line }));
      if (x(from) - last < 34) return;
      last = x(from);
      parts.push(svg("text", { class: "dtviz-threshold-text", x: x(from), y: low + 40 }, decimals(from, 3)));
    });
    parts.push(svg("text", { class: "dtviz-side", x: edge + 8, y: low + 19 }, "tested"));
    return { frame, parts };
  };

  return {
    ...view,
    draw({ sweep, key, axis, n, t, width, told }) {
      if (drawn.key !== key || drawn.width !== width) {
        Object.assign(drawn, { key, width }, still(sweep, n, width));
        view.draw(drawn.parts);
        view.describe(`Resample influences while ${axis} moves from 0 to 1. ${told}`);
      }
      put(cursor, "x1", drawn.frame.x(t));
      put(cursor, "x2", drawn.frame.x(t));
    },
  };
};

// "The root tests x2 up to p = 0.333, x0 up to 0.667, then x5."
const reignsText = ({ reigns, ties }) => {
  const name = ({ variable }) => (variable < 0 ? "nothing" : `x${variable}`);
  const parts = reigns
    .slice(0, -1)
    .map((reign, k) => `${name(reign)} up to ${k ? "" : "p = "}${decimals(reign.to, 3)}`);
  const last = name(reigns.at(-1));
  const main = parts.length ? `${parts.join(", ")}, then ${last}` : `${last} whatever p`;
  const tied = ties.map((tie) => `; at p = ${decimals(tie.t, 3)} ${name(tie)} ties`);
  return `The root tests ${main}${tied.join("")}.`;
};

// --- bias and influence of each variable -------------------------------------------------------

const biasRows = ({ onBias }) => {
  const head = html("div", { class: "dtviz-heading" }, "Bias and resample influence");
  const list = html("div", { class: "dtviz-bias-rows" });
  const root = html("div", { class: "dtviz-biases" }, head, list);
  let rows = [];
  return {
    root,
    show(n) {
      if (rows.length === n) return;
      rows = Array.from({ length: n }, (_, i) => {
        const slider = rangeControl({
          name: "biases",
          label: `x${i}`,
          min: PRODUCT.bias,
          max: 1 - PRODUCT.bias,
          step: PRODUCT.bias,
          onInput: (value) => onBias(i, value),
        });
        put(slider.input, "aria-label", `Bias of x${i}`);
        const fill = html("span", { class: "dtviz-fill" });
        const number = html("span", { class: "dtviz-amount" });
        const mark = html("span", { class: "dtviz-mark" });
        const bar = html("div", { class: "dtviz-bar" }, fill);
        const row = html("div", { class: "dtviz-bias-row" }, slider.root, bar, number, mark);
        return { slider, fill, number, mark, row };
      });
      list.replaceChildren(...rows.map(({ row }) => row));
    },
    draw(p, influences) {
      const root = strongest(influences);
      const best = Math.max(...influences);
      rows.forEach(({ slider, fill, number, mark, row }, i) => {
        slider.input.value = p[i];
        say(slider.value, biasText(p[i]));
        put(slider.input, "aria-valuetext", `${biasText(p[i])}, influence ${decimals(influences[i], 3)}`);
        // No resample influence exceeds one half.
        fill.style.width = `${(200 * influences[i]).toFixed(2)}%`;
        say(number, decimals(influences[i], 3));
        const tied = best > 0 && influences[i] >= best * (1 - TIE);
        say(mark, i === root ? "root" : tied ? "tied" : "");
        row.classList.toggle("dtviz-winner", i === root);
      });
    },
  };
};

// --- depths and bounds -------------------------------------------------------------------------

const depthTable = () => {
  const caption = html("caption", {}, "Questions asked");
  const heads = ["", "this tree", "best for f", "Δmax: hardest restriction"];
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const body = html("tbody", {});
  const root = html("table", { class: "dtviz-promise dtviz-depths" }, caption, html("thead", {}, head), body);
  const row = (name) => {
    const cells = [0, 1, 2].map(() => html("td", {}));
    body.append(html("tr", {}, html("th", { scope: "row" }, name), ...cells));
    return cells;
  };
  const [most, mean] = [row("at most, D"), row("on average, Δ")];
  return {
    root,
    draw({ tree, depth, averages }) {
      [tree.deepest, depth, depth].forEach((value, k) => say(most[k], String(value)));
      const where = averages.at ? ` at ${averages.at}` : "";
      const means = [tree.average, averages.least, averages.most].map((value) => decimals(value, 3));
      means.forEach((text, k) => say(mean[k], k < 2 ? text : `${text}${where}`));
    },
  };
};

// log2 of the leaves that Theorem 1.1 allows (as dtviz.product.size_bounds): with L for the average
// depth of every restriction where it is proved, with the average depth of f where it is as printed.
const power = (largest, base, depth) => largest * depth * (Math.LOG2E + Math.max(Math.log2(base), 0));
const boundBits = ({ least, most }, depth, epsilon) => {
  if (depth === 0) return [0, 0, 0, 0];
  if (epsilon === 0) return [Infinity, Infinity, Infinity, Infinity];
  const base = least / (2 * epsilon * depth);
  return [
    power(most, base, depth),
    power(depth, base, depth),
    Math.min((least * depth) / epsilon, (least / (2 * epsilon)) ** 2) * Math.LOG2E,
    power(least, 2 * base, depth),
  ];
};

const SIZES = [
  ["this tree", ""],
  ["always enough: 2ⁿ", "dtviz-grey"],
  ["Theorem 1.1 repaired, Δmax", "dtviz-ochre"],
  ["Theorem 1.1 repaired, D", "dtviz-ochre"],
  ["from Δ alone, by variation", "dtviz-ochre"],
  ["Theorem 1.1 as printed, Δ", "dtviz-ochre"],
];

const sizeBars = () => {
  const rows = SIZES.map(([label, colour]) => {
    const fill = html("span", { class: `dtviz-fill ${colour}` });
    const number = html("span", { class: "dtviz-amount" });
    const bar = html("div", { class: "dtviz-bar" }, fill);
    const name = html("span", { class: "dtviz-size-name" }, label);
    return { fill, number, row: html("div", { class: "dtviz-size-row" }, name, bar, number) };
  });
  const note = html("span", { class: "dtviz-aside" }, "log₂ of the leaves, itself on a log scale");
  const heading = html("div", { class: "dtviz-heading" }, "Size and its bounds ", note);
  const root = html("div", { class: "dtviz-sizes" }, heading, ...rows.map(({ row }) => row));
  return {
    root,
    draw({ leaves, n, depth, averages, epsilon }) {
      const bounds = boundBits(averages, depth, epsilon);
      const bits = [Math.log2(leaves), n, ...bounds];
      // Room for every bound of n variables down to the smallest epsilon of the slider.
      const widest = Math.log2(1 + (n * n * Math.LOG2E) / EPSILON_GRID);
      rows.forEach(({ fill, number }, k) => {
        fill.style.width = `${(100 * Math.min(1, Math.log2(1 + bits[k]) / widest)).toFixed(2)}%`;
        say(number, bits[k] < Infinity ? `${decimals(bits[k], 1)} bits` : "none at ε = 0");
      });
      say(rows[0].number, count(leaves, "leaf", "leaves"));
      return bounds;
    },
  };
};

// --- the race ----------------------------------------------------------------------------------

const raceChart = ({ budgets, onPick }) => {
  const view = axesChart({
    name: "The sampled learner at each number of draws.",
    onPick: (share) => onPick(Math.round(share * (budgets.length - 1))),
  });
  const cursor = svg("line", { class: "dtviz-cursor dtviz-strong" });
  const levels = [0, 1].map(() => svg("line", { class: "dtviz-goal" }));
  const series = ["score", "error"].map((kind) => ({
    curve: svg("path", { class: `dtviz-curve dtviz-${kind}` }),
    dots: budgets.map(() => svg("circle", { class: `dtviz-dot dtviz-${kind}` })),
  }));
  const kinds = ["goal", "goal", "score", "error"];
  const names = kinds.map((kind) => svg("text", { class: `dtviz-tag dtviz-${kind}` }));
  const moving = [cursor, ...levels, ...series.flatMap(({ curve, dots }) => [curve, ...dots]), ...names];
  let frame = null;

  const still = (width) => {
    frame = { ...view.frame(width, PRODUCT.race, 40) };
    const { left, edge, top, low, x, y } = frame;
    const at = (k) => x(k / (budgets.length - 1));
    frame.at = at;
    const axes = [0, 0.25, 0.5, 0.75, 1].flatMap((tick) => levelLine(frame, tick, String(tick)));
    budgets.forEach((m, k) => {
      if (k % (frame.inner < 300 ? 3 : 2)) return;
      const text = m < 1024 ? String(m) : `${m / 1024}k`;
      axes.push(svg("text", { x: at(k), y: low + 17, "text-anchor": "middle" }, text));
    });
    axes.push(svg("text", { x: x(0.5), y: low + 34, "text-anchor": "middle" }, "draws"));
    for (const level of levels) furnish(level, { x1: left, x2: edge, y1: y(0.25), y2: y(0.25) }, []);
    furnish(cursor, { y1: top, y2: low }, []);
    for (const { dots } of series) dots.forEach((dot, k) => put(dot, "cx", at(k)));
    for (const name of names) put(name, "x", edge + 8);
    view.draw([svg("g", { class: "dtviz-axes" }, ...axes), ...moving]);
  };

  return {
    ...view,
    draw({ runs, chosen, epsilon, width }) {
      if (frame?.width !== width) still(width);
      const { at, y, top, low } = frame;
      put(cursor, "x1", at(chosen));
      put(cursor, "x2", at(chosen));
      put(levels[1], "y1", y(epsilon));
      put(levels[1], "y2", y(epsilon));
      [runs.map((run) => y(run.least)), runs.map((run) => y(run.error))].forEach((heights, which) => {
        const { curve, dots } = series[which];
        put(curve, "d", joined(heights.map((height, k) => [at(k), height])));
        dots.forEach((dot, k) => {
          put(dot, "cy", heights[k].toFixed(2));
          put(dot, "r", k === chosen ? 5 : 3);
        });
      });
      const last = runs.at(-1);
      const told = [
        { height: y(0.25), text: "a quarter" },
        { height: y(epsilon), text: `ε ${epsilonText(epsilon)}` },
        { height: y(last.least), text: "worst choice" },
        { height: y(last.error), text: "true error" },
      ].map((entry, k) => ({ ...entry, name: names[k] }));
      told.sort((one, other) => one.height - other.height);
      const places = spread(told.map(({ height }) => height), 14, top + 4, low);
      told.forEach(({ name, text }, row) => {
        say(name, text);
        put(name, "y", places[row] + 4);
      });
      const { least, error } = runs[chosen];
      view.describe(
        `At ${count(budgets[chosen], "draw")} the worst choice has ${decimals(least, 2)} of the best score, ` +
          `and the true error is ${decimals(error, 3)}.`,
      );
    },
  };
};

// --- the explorer ------------------------------------------------------------------------------

explorers.product = ({ model, el }) => {
  const records = model.get("_paths");
  const budgets = model.get("_budgets");
  const functions = new Map();
  const kept = {};
  // Compute a part of the state only when something it depends on has changed.
  const memo = (name, facts, make) => {
    if (!kept[name]?.facts.every((fact, k) => fact === facts[k])) kept[name] = { facts, value: make() };
    return kept[name].value;
  };

  const functionNow = () => {
    const name = model.get("function");
    if (!functions.has(name)) {
      const { n, table, depth } = records[name];
      const f = { name, n, depth, table: Uint8Array.from(table, Number) };
      const plan = cubePlan(n);
      // What nine common biases need is room enough on the charts for most others.
      const paths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => grown(f, Array(n).fill(tenth / 10)).path);
      const steps = Math.max(...paths.map((path) => path.steps));
      const cost = Math.max(0.5, ...paths.map((path) => path.costs[0]));
      functions.set(name, { ...f, plan, kinds: cubeKinds(plan, f.table), steps, cost });
    }
    return functions.get(name);
  };
  const grown = (f, p) => {
    const weights = pointWeights(p);
    const pairs = pairWeights(f, p, weights);
    const truth = { draws: 1, weights, pairs };
    return { ...truth, path: biasedPath(growBiased(f, truth)) };
  };
  const biasesNow = (n) => {
    const own = model.get("biases");
    return Array.from({ length: n }, (_, i) => own[i] ?? model.get("bias"));
  };
  const isRace = () => model.get("view") === "race";

  // What is on display, looked up or computed from the traits.
  const now = () => {
    const f = functionNow();
    const p = biasesNow(f.n);
    const facts = [f, p.join()];
    const truth = memo("truth", facts, () => grown(f, p));
    const epsilon = model.get("epsilon");
    return { f, p, truth, path: truth.path, facts, epsilon, stop: truth.path.stop(epsilon) };
  };
  // The bias moved last is the axis of the chart of influences; null for all of them together.
  let last = 0;
  const axisNow = () => (model.get("biases").length ? Math.min(last, functionNow().n - 1) : null);
  const sweepNow = ({ f, p }) => {
    const axis = axisNow();
    const moving = axis === null ? p.map((_, i) => i) : [axis];
    const others = p.map((value, i) => (moving.includes(i) ? "" : value)).join();
    const key = `${f.name} ${axis} ${others}`;
    return { axis, key, sweep: memo("sweep", [f, axis, others], () => sweepRoot(f, p, moving)) };
  };
  const runsNow = ({ f, p, truth, facts, epsilon }) => {
    const seed = model.get("seed");
    const draws = memo("draws", [f.n, seed], () => drawsOf(f.n, seed, budgets.at(-1)));
    const samples = memo("samples", [...facts, seed], () => sampleWeights(f, draws(p), budgets));
    return memo("runs", [...facts, seed, epsilon], () =>
      samples.map((sample) => sampledRun(f, truth, sample, epsilon)),
    );
  };

  let held = false;
  const together = (changes) => {
    held = true;
    change(model, changes);
    held = false;
    draw();
  };
  const toBias = (share) => clamp(Math.round(share * 100), 1, 99) / 100;
  const setAll = (bias) => together({ bias, biases: [] });
  const setOne = (i, value) => {
    const { p } = now();
    p[i] = value;
    together({ biases: [...p, ...model.get("biases").slice(p.length)] });
  };

  // Allow the error of the tree of so many splits, so that the learner stops there.
  const goTo = (step) => {
    const { path } = now();
    const error = path.errors[Math.min(step, path.steps)];
    const epsilon = Math.ceil(error / EPSILON_GRID - 1e-9) * EPSILON_GRID;
    change(model, { epsilon: Number(clamp(epsilon, 0, 0.5).toFixed(3)) });
  };

  // --- controls
  const which = selectControl({
    name: "function",
    label: "Function",
    options: Object.keys(records),
    onChange: (value) => change(model, { function: value }),
  });
  const views = selectControl({
    name: "view",
    label: "View",
    options: ["exact", "race"],
    onChange: (value) => change(model, { view: value }),
  });
  const common = rangeControl({
    name: "bias",
    label: "Bias of all, p",
    min: PRODUCT.bias,
    max: 1 - PRODUCT.bias,
    step: PRODUCT.bias,
    onInput: setAll,
  });
  const epsilons = rangeControl({
    name: "epsilon",
    label: "Error allowed, ε",
    min: 0,
    max: 0.5,
    step: EPSILON_GRID,
    ends: ["0.5", "0"],
    reversed: true,
    onInput: (value) => change(model, { epsilon: value }),
  });
  const samples = rangeControl({
    name: "samples",
    label: "Draws",
    min: 0,
    max: budgets.length - 1,
    step: 1,
    onInput: (value) => change(model, { samples: budgets[value] }),
  });
  const again = buttonControl({
    name: "seed",
    label: "Draw again",
    text: "Draw again",
    onClick: () => change(model, { seed: (model.get("seed") + 1) % 1000 }),
  });
  const status = statusLine();

  // --- pictures
  const facts = (path) => (node, state) => {
    const { best } = path();
    const estimated = path() === rival.path;
    const lines = [["probability", brief(path().probability(node))]];
    if (state === "inner") lines.push(["splits on", `x${best[node]}`]);
    lines.push([estimated ? "estimated score" : "score", decimals(path().score(node), 4)]);
    if (estimated) lines.push(["true score", decimals(path().trueScore(node), 4)]);
    if (state === "leaf") {
      const none = estimated ? "none seen" : "none, f is constant here";
      lines.push(["most influential", best[node] < 0 ? none : `x${best[node]}`], ["label", path().label(node)]);
    }
    lines.push(["error", decimals(path().error(node), 4)]);
    return lines;
  };
  const tree = treeView({ name: "Decision tree", facts: facts(() => tree.path) });
  const rival = treeView({ name: "Decision tree from samples", facts: facts(() => rival.path) });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Left branch: 0, right branch: 1. A box is a leaf with its label, paler the more mixed it is; below " +
      "it stands its score. Green: split next. A triangle folds a subtree: leaves, error; click to look inside.",
  );
  const rows = biasRows({ onBias: setOne });
  const sweep = sweepChart({
    onPick: (t) => (axisNow() === null ? setAll(toBias(t)) : setOne(axisNow(), toBias(t))),
  });
  const errors = chart({
    title: "Error and cost",
    scaleName: "square-root scale",
    name: "Curves of the error and the cost against the number of leaves.",
    keys: ["cost", "error", "race"],
    onStep: goTo,
  });
  const top = () => functionNow().cost;
  const drawLevel = epsilonLevel(errors, { top, onMove: (epsilon) => change(model, { epsilon }) });
  const scores = chart({
    title: "Score of the next split",
    scaleName: "log scale",
    name: "The score of each split against the number of leaves, and its lower bounds.",
    keys: ["score", "bound-cost", "bound", "bound-paper"],
    onStep: goTo,
  });
  const depths = depthTable();
  const sizes = sizeBars();
  const verdict = html("p", { class: "dtviz-verdict" });
  const race = raceChart({ budgets, onPick: (k) => change(model, { samples: budgets[k] }) });
  const asked = html("span", {});
  const raceKey = html(
    "p",
    { class: "dtviz-key" },
    "Worst choice: the least true score of a split it made, as a share of the best score there was; " +
      "at 1 it follows the exact learner, up to ties. It uses the same draws at each step, and stops " +
      "when they show error ≤ ε. ",
    asked,
  );

  const fields = [which, views, common, epsilons].map(({ root }) => root);
  const racing = html("div", { class: "dtviz-transport" }, samples.root, again.root);
  const controls = html("div", { class: "dtviz-controls dtviz-even" }, ...fields, racing);
  const sweepNote = html("p", { class: "dtviz-verdict dtviz-reigns" });
  const trees = html("div", { class: "dtviz-panel" }, tree.root, rival.root, key);
  const racePart = html("div", {}, race.root, raceKey);
  const charts = html("div", { class: "dtviz-side-charts" }, errors.root, scores.root, racePart);
  const exactly = html("div", { class: "dtviz-facts" }, depths.root, sizes.root, verdict);
  const pictures = html(
    "div",
    { class: "dtviz-product" },
    rows.root,
    html("div", {}, sweep.root, sweepNote),
    trees,
    charts,
    exactly,
  );
  const view = html("div", { class: "dtviz-view" }, controls, status.root, pictures);
  el.append(view);

  // --- drawing
  let widths = null; // of the columns of trees and of charts

  const drawTree = (one, path, stop) => {
    const before = one.path;
    one.path = path;
    if (!before?.sameSplits(path)) one.show(path);
    else if (before !== path) one.update(path);
    one.draw(stop, stop < path.steps ? path.split[stop] : -1);
  };

  const drawCharts = ({ f, path, stop, epsilon }, run) => {
    const steps = Math.max(f.steps, path.steps, run?.path.steps ?? 0);
    const frame = [f, steps, widths];
    memo("frame", frame, () => {
      errors.frame(steps, rootScale(top()));
      scores.frame(steps, logScale(1e-5, 0.6));
      return true;
    });
    errors.curve(0, (j) => path.costs[j], 0, path.steps);
    errors.curve(1, (j) => path.errors[j], 0, path.steps);
    errors.curve(2, run && ((j) => run.path.errors[j]), 0, run?.path.steps);
    // At equal size.
    const rival = run?.path.errors[Math.min(stop, run.path.steps)];
    errors.point(stop, [
      { value: path.costs[stop], text: `cost ${decimals(path.costs[stop], 2)}` },
      { value: path.errors[stop], text: `error ${decimals(path.errors[stop], 3)}` },
      run && { value: rival, text: `sampled ${decimals(rival, 3)}` },
    ]);
    drawLevel(epsilon);
  };

  const drawScores = ({ f, path, stop }, averages) => {
    const last = path.steps - 1;
    const floor = (delta) => path.steps > 0 && ((j) => path.errors[j] / ((j + 1) * delta));
    const floors = [averages.most, f.depth, averages.least];
    scores.curve(0, path.steps > 0 && ((j) => path.scores[j]), 0, last);
    floors.forEach((delta, k) => scores.curve(k + 1, floor(delta), 0, last));
    const tag = (name, value) => stop <= last && { value, text: `${name} ${brief(value)}` };
    scores.point(stop, [
      tag("score", path.scores[stop]),
      ...["by Δmax", "by D", "printed"].map((name, k) => tag(name, path.errors[stop] / ((stop + 1) * floors[k]))),
    ]);
    scores.remark("ochre: lower bounds");
  };

  const drawExact = (state) => {
    const { f, p, path, stop, epsilon, facts: depend } = state;
    const averages = memo("averages", depend, () => averageDepths(f.plan, f.kinds, p));
    depths.draw({ tree: path.depths(stop), depth: f.depth, averages });
    const bounds = sizes.draw({ leaves: stop + 1, n: f.n, depth: f.depth, averages, epsilon });
    drawScores(state, averages);
    // The first split whose score is below the floor as printed.
    const below = path.split.findIndex(
      (_, j) => path.scores[j] < (path.errors[j] / ((j + 1) * averages.least)) * (1 - TIE),
    );
    const remarks = [];
    if (f.depth === 0) remarks.push("f is constant: there is nothing to learn.");
    else if (epsilon === 0) remarks.push("At ε = 0 Theorem 1.1 promises nothing.");
    else if (Math.min(...bounds.slice(0, 3)) >= f.n) {
      remarks.push(`Vacuous here: 2${raised(f.n)} leaves always suffice, and the three bounds that hold allow more.`);
    }
    if (below >= 0) {
      remarks.push(
        `The score bound as printed fails ${below ? `after ${count(below, "split")}` : "before the first split"}: ` +
          `where ${averages.at}, f needs ${decimals(averages.most, 3)} questions on average, ` +
          `f itself ${decimals(averages.least, 3)}.`,
      );
    } else if (f.depth > 0) {
      remarks.push("The score bound as printed happens to hold here; elsewhere it fails.");
    }
    say(verdict, remarks.join(" "));
  };

  const words = ({ f, p, path, epsilon, stop }, run) => {
    const own = model.get("biases").length > 0;
    const bias = own ? `(${p.map(biasText).join(", ")})` : biasText(p[0] ?? model.get("bias"));
    const about = `p = ${bias}, epsilon ${epsilonText(epsilon)}`;
    const exact = `${count(stop + 1, "leaf", "leaves")}, error ${decimals(path.errors[stop], 3)}`;
    if (run) {
      const made = `${count(run.stop + 1, "leaf", "leaves")}, true error ${decimals(run.error, 3)}`;
      const splits = run.stop ? `, ${run.good} of ${count(run.stop, "split")} a best choice` : "";
      return `${about}, ${count(model.get("samples"), "draw")}: sampled ${made}${splits}; exact ${exact}`;
    }
    const root = path.best[0] < 0 ? "constant" : `root x${path.best[0]}`;
    const averages = kept.averages.value;
    return (
      `${about}: ${root}, ${exact}, cost ${decimals(path.costs[stop], 2)}; ` +
      `D ${f.depth}, Δ ${decimals(averages.least, 2)}`
    );
  };

  const draw = () => {
    if (!widths || held) return;
    const state = now();
    const { f, p, path, truth, stop, epsilon } = state;
    const k = budgets.indexOf(model.get("samples"));
    const runs = isRace() ? runsNow(state) : null;
    const run = runs?.[k] ?? null;
    if (run) run.path ??= biasedPath(run.grown, truth);
    for (const part of [scores.root, exactly]) part.hidden = Boolean(run);
    for (const part of [rival.root, racePart, racing]) part.hidden = !run;

    rows.show(f.n);
    rows.draw(p, memo("influences", state.facts, () => rootInfluences(truth.pairs, f.n)));
    const { axis, key: sweepKey, sweep: swept } = sweepNow(state);
    const told = reignsText(swept);
    say(sweepNote, told);
    say(sweep.title, "Influence");
    const name = axis === null ? "p of all variables" : `p of x${axis}`;
    say(sweep.note, `while ${name} moves`);
    sweep.draw({ sweep: swept, key: sweepKey, axis: name, n: f.n, t: p[axis ?? 0], width: widths.charts, told });

    drawTree(tree, path, stop);
    say(tree.title, `${run ? "Exact tree" : "Tree"}: ${count(stop + 1, "leaf", "leaves")}`);
    drawCharts(state, run);
    if (run) {
      drawTree(rival, run.path, run.stop);
      say(rival.title, `From ${count(budgets[k], "draw")}: ${count(run.stop + 1, "leaf", "leaves")}`);
      say(race.title, "The sampled learner");
      const pairs = grouped(pairsNeeded(f.n, epsilon));
      const fresh = `for ${pairs} fresh pairs a variable before the first split (δ = ${FAILURE})`;
      say(asked, `Theorem 5.1 asks for a quarter, and ${epsilon > 0 ? fresh : "at ε = 0 promises nothing"}.`);
      race.draw({ runs, chosen: k, epsilon, width: widths.charts });
    } else {
      drawExact(state);
    }
    makeRoom();
    status.say(words(state, run));

    which.input.value = model.get("function");
    views.input.value = model.get("view");
    const set = ({ input, value }, number, text) => {
      input.value = number;
      say(value, text);
      put(input, "aria-valuetext", text);
    };
    const own = model.get("biases").length > 0;
    set(common, model.get("bias"), own ? "mixed" : biasText(model.get("bias")));
    set(epsilons, epsilon, epsilonText(epsilon));
    set(samples, k, grouped(model.get("samples")));
  };

  // Room for the longest status of the mode, so that a longer number moves nothing below.
  const makeRoom = () => {
    const { n } = functionNow();
    const letters = (isRace() ? 136 : 86) + (model.get("biases").length ? 6 * n : 0);
    status.root.style.minHeight = `${14 + 21 * Math.ceil((7.7 * letters) / widths.all)}px`;
  };

  const layOut = () => {
    if (!widths) return;
    const { n } = functionNow();
    const height = Math.min(76 + 62 * n, 340);
    for (const one of [tree, rival]) {
      one.resize(widths.trees, height);
      // Smaller trees leave room: what is below them stays where it is.
      one.root.lastChild.style.minHeight = `${height}px`;
    }
    for (const one of [errors, scores]) Object.assign(one, { width: widths.charts, height: PRODUCT.chart });
    draw();
  };

  let before = model.get("biases");
  const stopListening = listen(model, {
    function: layOut,
    bias: draw,
    biases() {
      const after = model.get("biases");
      const moved = after.findIndex((value, i) => value !== (before[i] ?? model.get("bias")));
      if (moved >= 0) last = moved;
      before = after;
      draw();
    },
    epsilon: draw,
    view: draw,
    samples: draw,
    seed: draw,
  });
  const stopWatching = onWidth(view, (width) => {
    const [wide, narrow] = [width >= 800, width < 660];
    view.dataset.width = wide ? "wide" : narrow ? "narrow" : "medium";
    const gap = 28;
    const charts = wide ? Math.floor((width - gap) * 0.4) : narrow ? width : Math.floor((width - gap) / 2);
    widths = { all: width, trees: wide ? width - charts - gap : width, charts };
    layOut();
  });

  return () => {
    status.stop();
    stopListening();
    stopWatching();
    view.remove();
  };
};
