// Chapters 5 and 6: pruning. Slide what a method asks for, and see which subtrees go, and why. A second
// view shows how fast growth by three costs drives the error down.

// --- the tree ----------------------------------------------------------------------------------

// A tree in preorder with the labels of three samples at every node, as the Python side packs it.
const prunable = (packed) => {
  const { variable, sample } = packed;
  const nodes = variable.length;
  const [low, high, parent] = [0, 1, 2].map(() => new Int32Array(nodes).fill(-1));
  const [size, leaves] = [0, 1].map(() => new Int32Array(nodes).fill(1));
  const depth = new Int32Array(nodes);
  for (let k = nodes - 1; k >= 0; k -= 1) {
    if (variable[k] < 0) continue;
    low[k] = k + 1;
    high[k] = k + 1 + size[k + 1];
    size[k] += size[low[k]] + size[high[k]];
    leaves[k] = leaves[low[k]] + leaves[high[k]];
  }
  for (let k = 0; k < nodes; k += 1) {
    if (variable[k] < 0) continue;
    for (const child of [low[k], high[k]]) {
      parent[child] = k;
      depth[child] = depth[k] + 1;
    }
  }
  const label = sample.training.ones.map((ones, k) => (ones > sample.training.zeros[k] ? 1 : 0));
  // Of each sample: how many points reach a node, and how many of them its label gets wrong.
  const counted = Object.fromEntries(
    Object.entries(sample).map(([name, { zeros, ones }]) => [
      name,
      {
        reach: zeros.map((zero, k) => zero + ones[k]),
        wrong: zeros.map((zero, k) => (label[k] ? zero : ones[k])),
        size: zeros[0] + ones[0],
      },
    ]),
  );
  // Where a node is: the answers on the way to it.
  const where = (k) => {
    const answers = [];
    for (let at = k; parent[at] >= 0; at = parent[at]) {
      const up = parent[at];
      const [name, first] = [packed.features[variable[up]], at === low[up]];
      const side = packed.threshold.length ? ` ${first ? "≤" : ">"} ${packed.threshold[up]}` : `=${first ? 0 : 1}`;
      answers.unshift(`${name}${side}`);
    }
    return answers.join(", ") || "the root";
  };
  // Errors on each sample of the trees on the way to this one.
  const grown = Object.values(counted).map(({ wrong, size: all }) => {
    let errors = wrong[0];
    return [wrong[0] / all, ...packed.order.map((k) => (errors += wrong[low[k]] + wrong[high[k]] - wrong[k]) / all)];
  });
  return { ...packed, grown, nodes, low, high, parent, size, leaves, depth, label, counted, where };
};

// --- the methods -------------------------------------------------------------------------------

// One pass from the leaves up: a node is cut if its current subtree, with its penalty, does not beat
// the leaf. `penalty(k, leaves)` is a number of errors, `leaves` those of the current subtree.
const bottomUp = (tree, { wrong }, penalty) => {
  const cut = new Uint8Array(tree.nodes);
  const [size, below, fine] = [0, 1, 2].map(() => new Float64Array(tree.nodes));
  const left = Float64Array.from(wrong);
  const leaves = new Int32Array(tree.nodes).fill(1);
  for (let k = tree.nodes - 1; k >= 0; k -= 1) {
    const [low, high] = [tree.low[k], tree.high[k]];
    if (low < 0) continue;
    size[k] = leaves[low] + leaves[high];
    below[k] = left[low] + left[high];
    fine[k] = penalty(k, size[k]);
    cut[k] = below[k] + fine[k] >= wrong[k] ? 1 : 0;
    leaves[k] = cut[k] ? 1 : size[k];
    left[k] = cut[k] ? wrong[k] : below[k];
  }
  return { cut, size, below, fine };
};

// The same record where the cuts are known: a node is compared with what is left below it.
const withCuts = (tree, { wrong }, cuts) => {
  const chosen = new Set(cuts);
  const record = bottomUp(tree, { wrong }, (k) => (chosen.has(k) ? Infinity : -Infinity));
  return { ...record, fine: null };
};

// Which entry of an ascending list is the last that is at most a value.
const lastAtMost = (list, value) => {
  let at = 0;
  while (at + 1 < list.length && list[at + 1] <= value) at += 1;
  return at;
};

const PRUNERS = {
  "reduced error": {
    dials: [],
    judge: "pruning",
    run: (tree) => bottomUp(tree, tree.counted.pruning, () => 0),
  },
  "fewest leaves": {
    dials: ["d"],
    judge: "training",
    run(tree, { d }) {
      // The front lists fewer and fewer errors; the smallest tree with at most d of them comes first.
      const at = tree.front.errors.findIndex((errors) => errors <= d);
      const { cuts } = tree.front;
      return withCuts(tree, tree.counted.training, at < 0 ? cuts.at(-1) : cuts[at]);
    },
  },
  "structural risk": {
    dials: [],
    judge: "training",
    run: (tree) => withCuts(tree, tree.counted.training, tree.front.cuts[tree.srm]),
  },
  "bottom up": {
    dials: ["c", "delta"],
    judge: "training",
    run(tree, { c, delta }) {
      const { training } = tree.counted;
      const confidence = Math.log(training.size / delta);
      const alpha = (k, leaves) =>
        c * Math.sqrt((tree.log_paths[tree.depth[k]] + tree.log_trees[leaves] + confidence) / training.reach[k]);
      return bottomUp(tree, training, (k, leaves) => alpha(k, leaves) * training.reach[k]);
    },
  },
  "cost complexity": {
    dials: ["alpha"],
    judge: "training",
    run: (tree, { alpha }) =>
      withCuts(tree, tree.counted.training, tree.weakest.cuts[lastAtMost(tree.weakest.breaks, alpha)]),
  },
};

// What is left of each node: "inner", "leaf", "stump" (a subtree was cut here) or "gone".
const remains = (tree, cut) => {
  const state = [];
  for (let k = 0; k < tree.nodes; k += 1) {
    const up = k ? state[tree.parent[k]] : "inner";
    if (up === "gone" || up === "stump") state.push("gone");
    else if (tree.low[k] < 0) state.push("leaf");
    else state.push(cut[k] ? "stump" : "inner");
  }
  return state;
};

// --- the picture of a tree that loses its twigs ----------------------------------------------------

const TWIGS = { height: 330, top: 14, foot: 14, tallest: 44, widest: 30, mark: 9 };

// `facts(k)` lists what is told of a node, as [term, value].
const twigView = ({ name, facts }) => {
  const edges = svg("g", { class: "dtviz-edges", "aria-hidden": "true" });
  const items = svg("g", { role: "tree", "aria-label": name });
  const canvas = svg("svg", { class: "dtviz-canvas dtviz-twigs" }, edges, items);
  const tip = tipBox();
  const title = html("div", { class: "dtviz-heading" });
  const stage = html("div", { class: "dtviz-stage" }, canvas, tip.root);
  const root = html("div", { class: "dtviz-tree" }, title, stage);

  let tree = null;
  let width = 0;
  let twigs = [];
  let states = [];
  let told = -1;
  let current = 0;

  const trail = (k, on) => {
    for (let at = k; at > 0; at = tree.parent[at]) put(twigs[at].edge, "data-trail", on);
  };
  const tell = (k) => {
    if (told >= 0 && told < twigs.length) {
      trail(told, false);
      twigs[told].group.classList.remove("dtviz-told");
    }
    told = k;
    tip.root.hidden = k < 0;
    if (k < 0) return;
    trail(k, true);
    twigs[k].group.classList.add("dtviz-told");
    tip.say({ title: tree.where(k), ...facts(k) });
    const { offsetWidth: wide, offsetHeight: tall } = tip.root;
    const { x, y } = twigs[k];
    tip.root.style.left = `${clamp(x - wide / 2, 0, Math.max(width - wide, 0))}px`;
    tip.root.style.top = `${y + 16 + tall <= TWIGS.height || y - 16 - tall < 0 ? y + 16 : y - 16 - tall}px`;
  };
  const indexOf = (event) => {
    const group = event.target.closest?.("[role=treeitem]");
    return group ? Number(group.dataset.node) : -1;
  };
  const enter = (k) => {
    put(twigs[current].group, "tabindex", -1);
    current = k;
    put(twigs[k].group, "tabindex", 0);
  };
  // Up and down along the tree, left and right along a level.
  const neighbour = (k, key) => {
    if (key === "ArrowUp") return tree.parent[k];
    if (key === "ArrowDown") return tree.low[k];
    const row = twigs.map((_, j) => j).filter((j) => tree.depth[j] === tree.depth[k]);
    const at = row.indexOf(k);
    if (key === "ArrowLeft") return row[at - 1] ?? -1;
    if (key === "ArrowRight") return row[at + 1] ?? -1;
    if (key === "Home") return 0;
    return -1;
  };
  stage.addEventListener("pointerover", (event) => tell(indexOf(event)));
  stage.addEventListener("pointerleave", () => tell(items.querySelector(":focus-visible") ? current : -1));
  stage.addEventListener("click", (event) => tell(indexOf(event)));
  stage.addEventListener("focusin", (event) => {
    enter(indexOf(event));
    tell(current);
  });
  stage.addEventListener("focusout", () => tell(-1));
  stage.addEventListener("keydown", (event) => {
    const k = indexOf(event);
    if (event.key === "Escape") tell(-1);
    else {
      const next = neighbour(k, event.key);
      if (next < 0) return;
      twigs[next].group.focus();
    }
    event.preventDefault();
  });

  const layOut = () => {
    const levels = Math.max(...tree.depth);
    const slot = Math.min(width / tree.leaves[0], TWIGS.widest);
    const row = Math.min((TWIGS.height - TWIGS.top - TWIGS.foot) / Math.max(levels, 1), TWIGS.tallest);
    const left = (width - slot * tree.leaves[0]) / 2;
    const mark = clamp(Math.min(slot - 1, row - 4), 3, TWIGS.mark);
    const x = new Float64Array(tree.nodes);
    let placed = tree.leaves[0];
    for (let k = tree.nodes - 1; k >= 0; k -= 1) {
      if (tree.low[k] < 0) x[k] = left + ((placed -= 1) + 0.5) * slot;
      else x[k] = (x[tree.low[k]] + x[tree.high[k]]) / 2;
    }
    twigs = Array.from({ length: tree.nodes }, (_, k) => {
      const y = TWIGS.top + tree.depth[k] * row;
      const leaf = svg("rect", { x: -mark / 2, y: -mark / 2, width: mark, height: mark });
      // A larger target than the mark.
      const reach = svg("rect", { class: "dtviz-reach", x: -9, y: -9, width: 18, height: 18 });
      const inner = svg("circle", { r: Math.max(mark / 3, 1.5) });
      const item = { role: "treeitem", tabindex: k ? -1 : 0, "data-node": k, "aria-level": tree.depth[k] + 1 };
      const place = { transform: `translate(${x[k]},${y})`, ...OWN_KEYS };
      const group = svg("g", { ...item, ...place }, reach, inner, leaf);
      const up = tree.parent[k];
      const line = up < 0 ? null : { x1: x[up], y1: y - row, x2: x[k], y2: y };
      return { x: x[k], y, group, edge: line && svg("g", {}, svg("line", line)) };
    });
    current = 0;
    told = -1;
    tip.root.hidden = true;
    states = [];
    items.replaceChildren(...twigs.map(({ group }) => group));
    edges.replaceChildren(...twigs.flatMap(({ edge }) => edge ?? []));
    const box = { width, height: TWIGS.height, viewBox: `0 0 ${width} ${TWIGS.height}` };
    for (const [key, value] of Object.entries(box)) canvas.setAttribute(key, value);
  };

  return {
    root,
    title,
    show(newTree) {
      tree = newTree;
      if (width) layOut();
    },
    resize(newWidth) {
      width = newWidth;
      layOut();
    },
    draw(newStates) {
      newStates.forEach((state, k) => {
        if (states[k] === state) return;
        const { group, edge } = twigs[k];
        const kind = tree.low[k] < 0 || state === "stump" ? "box" : "dot";
        put(group, "class", `dtviz-twig dtviz-${state} dtviz-as-${kind} dtviz-label${tree.label[k]}`);
        const what = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" }[state];
        put(group, "aria-label", `${what}: ${tree.where(k)}`);
        if (edge) put(edge, "class", state === "gone" ? "dtviz-gone" : "");
      });
      states = newStates;
      if (told >= 0) tell(told);
    },
  };
};

// --- growth by three costs -------------------------------------------------------------------------

const GROWTH_COSTS = ["gini", "entropy", "sqrt"];

// Costs and their bounds against the number of splits, both on log scales.
const ratesChart = ({ onPower }) => {
  const axes = svg("g", { class: "dtviz-axes" });
  const keys = GROWTH_COSTS.flatMap((cost) => [cost, `${cost}-bound`]);
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
  const root = html("div", {}, title, canvas, key);
  const frame = { left: 52, right: 150, top: 12, bottom: 40, height: 360 };
  let width = 0;
  let powers = [];
  const low = Math.log10(0.0005);
  const high = Math.log10(0.5);
  const x = (power) => frame.left + (power / powers.at(-1)) * (width - frame.left - frame.right);
  const y = (cost) =>
    frame.top +
    ((high - Math.log10(Math.max(cost, 0.0005))) / (high - low)) * (frame.height - frame.top - frame.bottom);

  onDrag(cover, canvas, (px) => {
    const share = (px - frame.left) / (width - frame.left - frame.right);
    onPower(clamp(Math.round(share * (powers.length - 1)), 0, powers.length - 1));
  });

  return {
    root,
    resize(newWidth, newPowers) {
      width = newWidth;
      powers = newPowers;
      const foot = frame.height - frame.bottom;
      const edge = width - frame.right;
      const rows = [0.5, 0.1, 0.01, 0.001].flatMap((tick) => [
        svg("line", { x1: frame.left, x2: edge, y1: y(tick), y2: y(tick) }),
        svg("text", { x: frame.left - 8, y: y(tick) + 4, "text-anchor": "end" }, String(tick)),
      ]);
      const every = width < 560 ? 4 : 2;
      const columns = powers
        .filter((power) => Number.isInteger(power / every))
        .map((power) => {
          const text = power === 0 ? "1" : `10${[...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
          return svg("text", { x: x(power), y: foot + 18, "text-anchor": "middle" }, text);
        });
      const unit = svg("text", { x: edge + 16, y: foot + 18 }, "splits t");
      axes.replaceChildren(...rows, ...columns, unit);
      const box = { width, height: frame.height, viewBox: `0 0 ${width} ${frame.height}` };
      for (const [attribute, value] of Object.entries(box)) canvas.setAttribute(attribute, value);
      const cell = { x: frame.left, y: frame.top, width: edge - frame.left, height: foot - frame.top };
      for (const [attribute, value] of Object.entries(cell)) cover.setAttribute(attribute, value);
      put(cursor, "y1", frame.top);
      put(cursor, "y2", foot);
    },
    draw(curves, at) {
      const told = [];
      keys.forEach((one, k) => {
        const values = curves[one];
        // Below the foot of the chart a curve ends.
        const seen = values.findIndex((value) => value < 0.0005);
        const shown = seen < 0 ? values : values.slice(0, seen + 1);
        put(lines[k], "d", `M${shown.map((v, j) => `${x(powers[j]).toFixed(1)} ${y(v).toFixed(1)}`).join("L")}`);
        put(dots[k], "cx", x(powers[at]));
        put(dots[k], "cy", y(values[at]));
        const [cost, bound] = one.split("-");
        say(tags[k], `${cost}${bound ? " ≤" : ""} ${brief(values[at])}`);
        told.push({ k, y: y(values[at]) });
      });
      put(cursor, "x1", x(powers[at]));
      put(cursor, "x2", x(powers[at]));
      told.sort((a, b) => a.y - b.y || a.k - b.k);
      const places = spread(told.map((one) => one.y), 16, frame.top, frame.height - frame.bottom - 4);
      const edge = width - frame.right;
      told.forEach(({ k, y: height }, row) => {
        put(tags[k], "x", edge + 18);
        put(tags[k], "y", places[row] + 4);
        put(leaders[k], "d", `M${x(powers[at])} ${height}H${edge + 2}L${edge + 14} ${places[row]}`);
      });
    },
  };
};

// --- the explorer ------------------------------------------------------------------------------

const SAMPLE_WORDS = { training: "training", pruning: "pruning sample" };

explorers.pruning = ({ model, el }) => {
  const records = model.get("_paths");
  const noises = model.get("_noises");
  const growth = model.get("_growth");
  const made = new Map();
  const treeNow = () => {
    const name = model.get("sample");
    const noise = noises.findIndex((value) => Math.abs(value - model.get("noise")) < 1e-9);
    const key = `${name} ${noise}`;
    if (!made.has(key)) made.set(key, prunable(records[name][noise]));
    return made.get(key);
  };
  const set = (trait) => (value) => change(model, { [trait]: value });

  // --- controls
  const view = selectControl({ name: "view", label: "View", options: model.get("_views"), onChange: set("view") });
  const sample = selectControl({ name: "sample", label: "Data", options: Object.keys(records), onChange: set("sample") });
  const method = selectControl({ name: "method", label: "Method", options: Object.keys(PRUNERS), onChange: set("method") });
  const noise = rangeControl({
    name: "noise",
    label: "Labels flipped",
    min: 0,
    max: noises.length - 1,
    step: 1,
    onInput: (at) => change(model, { noise: noises[at] }),
  });
  const dials = {
    d: rangeControl({ name: "d", label: "Errors allowed, d", min: 0, max: 1, step: 1, onInput: set("d") }),
    c: rangeControl({ name: "c", label: "Constant, c", min: 0.02, max: 2, step: 0.02, onInput: set("c") }),
    delta: rangeControl({ name: "delta", label: "Confidence, δ", min: 0.01, max: 0.5, step: 0.01, onInput: set("delta") }),
    alpha: rangeControl({ name: "alpha", label: "Price of a leaf, α", min: 0, max: 0.1, step: 0.0005, onInput: set("alpha") }),
  };
  const gamma = rangeControl({
    name: "gamma",
    label: "Edge, γ",
    min: 0,
    max: growth.gammas.length - 1,
    step: 1,
    onInput: (at) => change(model, { gamma: growth.gammas[at] }),
  });
  const power = rangeControl({
    name: "log_splits",
    label: "Splits, t",
    min: 0,
    max: growth.powers.length - 1,
    step: 1,
    onInput: (at) => change(model, { log_splits: growth.powers[at] }),
  });
  const status = statusLine();
  const dialBox = html("div", { class: "dtviz-dials" }, noise.root, ...Object.values(dials).map((dial) => dial.root));
  const choices = html("div", { class: "dtviz-choices" }, view.root, sample.root, method.root);
  const controls = html("div", { class: "dtviz-controls dtviz-pruning-controls" }, choices, dialBox, gamma.root, power.root);

  // --- pictures
  let record = null;
  const facts = (k) => {
    const tree = treeNow();
    const { judge } = PRUNERS[model.get("method")];
    const { reach, wrong, size } = tree.counted[judge];
    const lines = [[`${SAMPLE_WORDS[judge]}, here`, `${reach[k]} of ${size}`]];
    if (tree.low[k] < 0) {
      lines.push(["label", tree.label[k]], ["errors", wrong[k]]);
      return { lines };
    }
    lines.push([`errors, ${count(record.size[k], "leaf", "leaves")}`, record.below[k]]);
    if (record.fine && model.get("method") === "bottom up") lines.push(["penalty", `+ ${record.fine[k].toFixed(1)}`]);
    lines.push(["errors, one leaf", wrong[k]]);
    const sum = record.below[k] + (record.fine ? record.fine[k] : 0);
    const shown = Number.isInteger(sum) ? sum : sum.toFixed(1);
    if (!record.fine) return { lines, hint: record.cut[k] ? "Cut." : "Kept." };
    return { lines, hint: record.cut[k] ? `Cut: ${shown} ≥ ${wrong[k]}.` : `Kept: ${shown} < ${wrong[k]}.` };
  };
  const twigs = twigView({ name: "Decision tree and what is cut of it", facts });
  const twigKey = html(
    "p",
    { class: "dtviz-key" },
    "Circles are tests, boxes leaves (blue 0, orange 1). A framed box stands where a subtree was cut; what went with it is faint. Point at a node to see why.",
  );
  const errors = chart({
    title: "Errors against size",
    scaleName: "as the tree grows",
    name: "Training error, error on the pruning sample and true error against the number of leaves.",
    keys: ["training", "pruning", "truth"],
    onStep: () => {},
  });
  const front = chart({
    title: "Fewest training errors",
    scaleName: "of every size",
    name: "The fewest training errors of a pruning with so many leaves, and the structural risk.",
    keys: ["training", "bound-risk"],
    onStep(step) {
      const tree = treeNow();
      const fewest = tree.fewest[step];
      change(model, { method: "fewest leaves", d: fewest });
    },
  });
  const best = svg("g", { class: "dtviz-best" }, svg("circle", { r: 6 }), svg("text", { y: -12, "text-anchor": "middle" }));
  front.over.append(best);
  const rates = ratesChart({ onPower: (at) => change(model, { log_splits: growth.powers[at] }) });

  const pruningPart = html(
    "div",
    { class: "dtviz-pictures" },
    html("div", { class: "dtviz-panel" }, twigs.root, twigKey),
    errors.root,
    front.root,
  );
  const frameBox = html("div", { class: "dtviz-view" }, controls, status.root, pruningPart, rates.root);
  el.append(frameBox);

  // --- drawing
  const risk = (tree, j) => tree.fewest[j] / tree.counted.training.size + Math.sqrt((j + 1) / tree.counted.training.size);
  const frameCharts = () => {
    const tree = treeNow();
    const steps = tree.leaves[0] - 1;
    const { training } = tree.counted;
    // The fewest errors of a pruning with at most j + 1 leaves.
    tree.fewest ??= Array.from({ length: steps + 1 }, (_, j) => tree.front.errors[lastAtMost(tree.front.sizes, j + 1)]);
    errors.frame(steps, rootScale(0.5));
    tree.grown.forEach((curve, k) => errors.curve(k, (j) => curve[j]));
    front.frame(steps, rootScale(1.25));
    front.curve(0, (j) => tree.fewest[j] / training.size);
    front.curve(1, (j) => risk(tree, j));
    put(dials.d.input, "max", training.wrong[0]);
  };

  const share = (value) => value.toFixed(3);
  const drawPruning = () => {
    const tree = treeNow();
    const name = model.get("method");
    const { d, c, delta, alpha } = Object.fromEntries(Object.keys(dials).map((key) => [key, model.get(key)]));
    record = PRUNERS[name].run(tree, { d, c, delta, alpha });
    const states = remains(tree, record.cut);
    const ends = states.map((state, k) => (state === "leaf" || state === "stump" ? k : -1)).filter((k) => k >= 0);
    const errorsOf = ({ wrong, size }) => ends.reduce((sum, k) => sum + wrong[k], 0) / size;
    const [trained, pruned, truth] = ["training", "pruning", "truth"].map((key) => errorsOf(tree.counted[key]));
    const kept = ends.length;
    twigs.draw(states);
    say(twigs.title, `${count(tree.leaves[0], "leaf", "leaves")} grown, ${kept.toLocaleString("en")} kept`);
    errors.point(kept - 1, [
      { value: trained, text: `training ${share(trained)}` },
      { value: pruned, text: `pruning ${share(pruned)}` },
      { value: truth, text: `${tree.truth} ${share(truth)}` },
    ]);
    const { sizes, errors: fewest } = tree.front;
    const at = lastAtMost(sizes, kept);
    front.point(kept - 1, [
      { value: fewest[at] / tree.counted.training.size, text: `errors ${fewest[at]}` },
      { value: risk(tree, kept - 1), text: `risk ${risk(tree, kept - 1).toFixed(2)}` },
    ]);
    const choice = sizes[tree.srm];
    const steps = tree.leaves[0] - 1;
    const inner = front.width - CHART.left - CHART.right;
    const x = CHART.left + (steps ? ((choice - 1) / steps) * inner : inner / 2);
    put(best, "transform", `translate(${x},${front.y(risk(tree, choice - 1))})`);
    say(best.lastChild, `least risk: ${choice}`);
    put(best.lastChild, "text-anchor", x < CHART.left + 50 ? "start" : "middle");
    const asked = PRUNERS[name].dials.map((key) => `, ${key} = ${model.get(key)}`).join("");
    status.say(
      `${name}${asked}, noise ${model.get("noise").toFixed(2)}: ${kept} of ${count(tree.leaves[0], "leaf", "leaves")} kept; ` +
        `errors: training ${share(trained)}, pruning sample ${share(pruned)}, ${tree.truth} ${share(truth)}`,
    );
    return trained;
  };

  const drawRates = () => {
    const g = growth.gammas.findIndex((value) => Math.abs(value - model.get("gamma")) < 1e-9);
    const at = growth.powers.findIndex((value) => Math.abs(value - model.get("log_splits")) < 1e-9);
    rates.draw(growth.curves[g], at);
    const told = GROWTH_COSTS.map(
      (cost) => `${cost} ${brief(growth.curves[g][cost][at])} (bound ${brief(growth.curves[g][`${cost}-bound`][at])})`,
    );
    status.say(`gamma ${model.get("gamma").toFixed(2)}, 10^${growth.powers[at]} splits: ${told.join(", ")}`);
    gamma.input.value = g;
    say(gamma.value, model.get("gamma").toFixed(2));
    put(gamma.input, "aria-valuetext", model.get("gamma").toFixed(2));
    power.input.value = at;
    say(power.value, `10^${growth.powers[at]}`);
    put(power.input, "aria-valuetext", `10 to the power ${growth.powers[at]}`);
  };

  const draw = () => {
    const pruning = model.get("view") === "pruning";
    view.input.value = model.get("view");
    sample.input.value = model.get("sample");
    method.input.value = model.get("method");
    for (const one of [sample.root, method.root, dialBox, pruningPart]) one.hidden = !pruning;
    for (const one of [gamma.root, power.root, rates.root]) one.hidden = pruning;
    if (!pruning) {
      drawRates();
      return;
    }
    const wanted = PRUNERS[model.get("method")].dials;
    for (const [key, dial] of Object.entries(dials)) {
      dial.root.hidden = !wanted.includes(key);
      const value = model.get(key);
      dial.input.value = value;
      const text = key === "d" ? String(value) : value.toFixed(key === "alpha" ? 4 : 2);
      say(dial.value, text);
    }
    const at = noises.findIndex((value) => Math.abs(value - model.get("noise")) < 1e-9);
    noise.input.value = at;
    say(noise.value, model.get("noise").toFixed(2));
    put(noise.input, "aria-valuetext", model.get("noise").toFixed(2));
    drawPruning();
  };
  const newTree = () => {
    twigs.show(treeNow());
    frameCharts();
    draw();
  };

  const redraws = Object.fromEntries(["method", ...Object.keys(dials), "gamma", "log_splits"].map((trait) => [trait, draw]));
  let room = () => {};
  const stopListening = listen(model, { ...redraws, sample: newTree, noise: newTree, view: () => room() });

  twigs.show(treeNow());
  const stopWatching = onWidth(frameBox, (width) => {
    const wide = width >= 800;
    const narrow = width < 560;
    frameBox.dataset.width = wide ? "wide" : narrow ? "narrow" : "medium";
    const gap = 28;
    const side = wide ? Math.round(width * 0.38) : narrow ? width : Math.floor((width - gap) / 2);
    room = () => {
      for (const one of [errors, front]) Object.assign(one, { width: side, height: 190 });
      frameCharts();
      twigs.resize(wide ? width - side - gap : width);
      rates.resize(width, growth.powers);
      draw();
    };
    room();
  });

  return () => {
    status.stop();
    stopListening();
    stopWatching();
    frameBox.remove();
  };
};
