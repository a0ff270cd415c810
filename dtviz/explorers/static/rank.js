// Chapter 2: FIND. Slide the sample and the rank bound, step through the calls as they were made.

// A run as the Python side packs it, with the nesting that the depths imply.
const recordedRun = (packed) => {
  const calls = packed.depth.length;
  const parent = new Int32Array(calls).fill(-1);
  const end = new Int32Array(calls).fill(calls);
  const open = [];
  packed.depth.forEach((depth, k) => {
    while (open.length > depth) end[open.pop()] = k;
    if (depth) parent[k] = open[depth - 1];
    open.push(k);
  });
  const children = (k) => {
    const made = [];
    for (let child = k + 1; child < end[k]; child = end[child]) made.push(child);
    return made;
  };
  // The calls that are running when call k is made, from call 0 to k itself.
  const stack = (k) => {
    const running = [];
    for (let at = k; at >= 0; at = parent[at]) running.unshift(at);
    return running;
  };
  return { ...packed, calls, parent, end, children, stack, levels: Math.max(...packed.depth) + 1 };
};

// The next call after k that is a second try, cyclically, or -1.
const nextAgain = (run, k) => {
  const after = run.again.indexOf(1, k + 1);
  return after < 0 ? run.again.indexOf(1) : after;
};

const listed = (names) =>
  names.length < 3 ? names.join(" and ") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

// --- the tree ----------------------------------------------------------------------------------

const RANK_TREE = { slot: 30, widest: 64, row: 46, top: 22, foot: 40 };

// A tree in preorder, its nodes shaded by rank; what does not fit side by side is folded.
const rankTree = () => {
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" });
  const title = html("div", { class: "dtviz-heading" });
  const root = html("div", { class: "dtviz-rank-tree" }, title, canvas);

  const measured = ({ variable }) => {
    const nodes = variable.length;
    const [size, leaves] = [new Int32Array(nodes).fill(1), new Int32Array(nodes).fill(1)];
    for (let k = nodes - 1; k >= 0; k -= 1) {
      if (variable[k] < 0) continue;
      const high = k + 1 + size[k + 1];
      size[k] += size[k + 1] + size[high];
      leaves[k] = leaves[k + 1] + leaves[high];
    }
    return { leaves, below: (k) => [k + 1, k + 1 + size[k + 1]] };
  };

  const words = ({ variable }, below, k = 0) => {
    if (variable[k] < 0) return String(-1 - variable[k]);
    const [low, high] = below(k).map((child) => words({ variable }, below, child));
    return `x${variable[k]}: if 0 (${low}), if 1 (${high})`;
  };

  const mark = (tree, k, leaves, folded, roomy) => {
    const at = { class: "dtviz-rank-number", x: folded ? 9 : 14, y: folded ? -6 : -12 };
    const rank = svg("text", at, String(tree.rank[k]));
    if (folded) {
      return [
        svg("title", {}, `subtree of rank ${tree.rank[k]} with ${leaves} leaves`),
        svg("path", { d: "M0 -10L15 22H-15Z" }),
        svg("text", { class: "dtviz-name", y: 18 }, String(leaves)),
        svg("text", { class: "dtviz-note", y: 35 }, roomy ? "leaves" : ""),
        rank,
      ];
    }
    const inner = tree.variable[k] >= 0;
    const box = { x: -13, y: -10, width: 26, height: 20, rx: inner ? 10 : 3 };
    const name = inner ? `x${tree.variable[k]}` : String(-1 - tree.variable[k]);
    const about = inner ? `tests ${name}, rank ${tree.rank[k]}` : `leaf ${name}, rank 0`;
    const text = svg("text", { class: "dtviz-name", y: 4 }, name);
    return [svg("title", {}, about), svg("rect", box), text, ...(inner ? [rank] : [])];
  };

  const draw = (tree, levels, width, nothing) => {
    const { slot, widest, row, top, foot } = RANK_TREE;
    const height = top + levels * row + foot;
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      canvas.setAttribute(key, value);
    }
    if (!tree) {
      const lines = nothing.map((line, k) =>
        svg("text", { class: k ? "" : "dtviz-none", x: width / 2, y: height / 2 - 12 + 24 * k }, line),
      );
      canvas.setAttribute("aria-label", nothing.join(": "));
      canvas.replaceChildren(svg("g", { class: "dtviz-nothing" }, ...lines));
      return;
    }
    const { leaves, below } = measured(tree);
    // Open nodes level by level while there is room.
    const slots = Math.max(2, Math.floor(width / slot));
    const opened = new Set();
    let drawn = 1;
    for (let level = [0]; level.length; ) {
      const next = [];
      for (const k of level) {
        if (tree.variable[k] < 0 || drawn >= slots) continue;
        opened.add(k);
        drawn += 1;
        next.push(...below(k));
      }
      level = next;
    }
    const step = Math.min(width / drawn, widest);
    const left = (width - step * drawn) / 2;
    const most = Math.max(tree.rank[0], 1);
    const [edges, nodes] = [[], []];
    let placed = 0;
    const place = (k, depth) => {
      const y = top + depth * row;
      const children = opened.has(k) ? below(k).map((child) => place(child, depth + 1)) : [];
      const x = children.length
        ? (children[0].x + children[1].x) / 2
        : left + (placed += 1) * step - step / 2;
      children.forEach((child, bit) => {
        const [mx, my] = [(x + child.x) / 2, (y + child.y) / 2];
        edges.push(svg("line", { x1: x, y1: y, x2: child.x, y2: child.y }));
        if (depth === 0) {
          const at = { x: mx + (bit ? 8 : -8), y: my, "text-anchor": bit ? "start" : "end" };
          edges.push(svg("text", at, String(bit)));
        }
      });
      const folded = !children.length && tree.variable[k] >= 0;
      const kind = folded ? "folded" : children.length ? "inner" : `leaf dtviz-label${-1 - tree.variable[k]} dtviz-pure`;
      const node = svg("g", { class: `dtviz-node dtviz-${kind}`, transform: `translate(${x},${y})` });
      node.append(...mark(tree, k, leaves[k], folded, step >= 44));
      const shade = tree.variable[k] >= 0 ? 10 + (35 * tree.rank[k]) / most : 100;
      node.style.setProperty("--dtviz-shade", `${shade}%`);
      nodes.push(node);
      return { x, y };
    };
    place(0, 0);
    canvas.setAttribute("aria-label", `Tree found: ${words(tree, below)}.`);
    canvas.replaceChildren(svg("g", { class: "dtviz-edges" }, ...edges), ...nodes);
  };
  return { root, title, draw };
};

// --- the calls ---------------------------------------------------------------------------------

const FLAME = { bar: 9, thinnest: 3, widest: 22 };

// The recursion: every call as a bar below the one that made it, and the running calls in words.
const callsView = ({ steps, onCall }) => {
  const bars = ["none", "tree", "again"].map((kind) => svg("path", { class: `dtviz-bars-${kind}` }));
  const here = svg("rect", { class: "dtviz-here" });
  const cover = svg("rect", { class: "dtviz-cover" });
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" }, ...bars, here, cover);
  const part = html("span", { class: "dtviz-aside" });
  const heading = html("div", { class: "dtviz-heading" }, "The calls of this run ", part);
  const list = html("ol", {
    class: "dtviz-calls",
    tabindex: 0,
    "aria-label": "The running calls and what they have tried",
    ...OWN_KEYS,
  });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Each bar is a call, drawn below the call that made it. Tall green: it returned a tree. " +
      "Low grey: none. Outlined, and ↻ in the list: the second try of step 3.3, with the full bound.",
  );
  const root = html("div", { class: "dtviz-run" }, heading, canvas, key, list);

  let run = null;
  let width = 0;
  let window = { from: 0, to: 0, step: 1 };

  const frame = (k) => {
    const room = Math.max(8, Math.floor(width / FLAME.thinnest));
    const length = Math.min(run.calls, room);
    const half = Math.max(1, Math.floor(length / 2));
    const from = clamp(Math.floor(k / half) * half - Math.floor(half / 2), 0, run.calls - length);
    const next = { run, width, from, to: from + length };
    if (Object.entries(next).every(([name, value]) => window[name] === value)) return;
    const step = Math.min(width / length, FLAME.widest);
    window = { ...next, step };
    const paths = { none: [], tree: [], again: [] };
    // Calls that were made before the window may still be running in it.
    for (const call of [...run.stack(from).slice(0, -1), ...Array.from({ length }, (_, j) => from + j)]) {
      const x = Math.max(0, call - from) * step;
      const x2 = (Math.min(run.end[call], window.to) - from) * step;
      const tall = run.found[call] ? FLAME.bar : 4;
      const y = (run.depth[call] + 1) * (FLAME.bar + 3) - 2 - tall;
      const bar = `M${x.toFixed(1)} ${y}H${(x2 - Math.min(1, step / 4)).toFixed(1)}v${tall}H${x.toFixed(1)}Z`;
      paths[run.found[call] ? "tree" : "none"].push(bar);
      if (run.again[call]) paths.again.push(bar);
    }
    Object.values(paths).forEach((path, j) => put(bars[j], "d", path.join("")));
    const height = run.levels * (FLAME.bar + 3) + 4;
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      put(canvas, name, value);
    }
    for (const [name, value] of Object.entries({ width: step * length, height })) put(cover, name, value);
    put(here, "height", height - 2);
    put(here, "y", 1);
    put(here, "width", Math.max(step, 2));
    say(part, length < run.calls ? `${from} to ${window.to - 1} of ${run.calls - 1}` : "");
    put(canvas, "aria-label", `${count(run.calls, "call")} nested at most ${run.levels} deep.`);
  };

  const given = (k) => {
    if (k === 0) return `FIND(S, ${run.rank[0]}): ${count(run.size[0], "distinct example")}`;
    const test = `x${run.variable[k]} = ${run.branch[k]}`;
    const second = run.again[k] ? "↻ second try, step 3.3: " : "";
    return `${second}${test}, bound ${run.rank[k]}: ${count(run.size[k], "example")}`;
  };

  // How call k returns, in full.
  const outcome = (k) => {
    const at = `step ${steps[run.step[k]]}`;
    const on = `x${run.split[k]}`;
    const led = run.end[k] - k - 1;
    const after = led ? `, after ${count(led, "further call")}` : "";
    const why = {
      1: `all labels are ${run.ones[k] > 0 ? 1 : 0}: a leaf`,
      2: "labels differ and the bound is 0: none",
      3.2: `both halves of ${on} fit bound ${run.rank[k] - 1}: a tree`,
      3.3: `one half of ${on} fits bound ${run.rank[k] - 1}, and the second try gives ${run.found[k] ? "a tree" : "none"}`,
      4: `no variable has a half that fits bound ${run.rank[k] - 1}: none`,
    }[steps[run.step[k]]];
    return `${why} (${at})${after}`;
  };

  const line = (k, depth, kind, text) => {
    const item = html("li", { class: `dtviz-call dtviz-call-${kind}` }, given(k), " ");
    item.style.setProperty("--dtviz-depth", depth);
    if (kind === "now") item.setAttribute("aria-current", "step");
    if (run.again[k]) item.classList.add("dtviz-call-again");
    item.append(html("span", { class: "dtviz-outcome" }, text));
    return item;
  };

  const tell = (k) => {
    const running = run.stack(k);
    const lines = [];
    running.forEach((call, depth) => {
      const next = running[depth + 1];
      if (next === undefined) {
        lines.push(line(call, depth, "now", `→ ${outcome(call)}`));
        return;
      }
      lines.push(line(call, depth, "open", `… trying x${run.variable[next]}`));
      const before = run.children(call).filter((child) => child < next);
      const same = before.filter((child) => run.variable[child] === run.variable[next]);
      const others = [...new Set(before.map((child) => run.variable[child]))].filter(
        (variable) => variable !== run.variable[next],
      );
      if (others.length) {
        const names = listed(others.map((variable) => `x${variable}`));
        const text = `${names}: no half fits bound ${run.rank[call] - 1}`;
        const item = html("li", { class: "dtviz-call dtviz-call-past" }, text);
        item.style.setProperty("--dtviz-depth", depth + 1);
        lines.push(item);
      }
      for (const child of same) {
        lines.push(line(child, depth + 1, "past", run.found[child] ? "→ tree" : "→ none"));
      }
    });
    list.replaceChildren(...lines);
    // Asking for the height now would lay out the page once more in every slider event.
    requestAnimationFrame(() => {
      list.scrollTop = list.scrollHeight;
    });
  };

  onDrag(cover, canvas, (x) => {
    if (run) onCall(clamp(window.from + Math.floor(x / window.step), window.from, window.to - 1));
  });

  return {
    root,
    outcome,
    draw(newRun, k, newWidth) {
      run = newRun;
      width = newWidth;
      frame(k);
      put(here, "x", (k - window.from) * window.step);
      tell(k);
    },
  };
};

// --- many samples ------------------------------------------------------------------------------

const DRAWS_CHART = { left: 44, right: 12, top: 30, bottom: 64, height: 316 };

// What a histogram of wrong points says: entry 0 counts the samples without a tree.
const drawn = (histogram, points, epsilon) => {
  const [none, ...often] = histogram;
  const trees = often.reduce((sum, times) => sum + times, 0);
  const quantile = (share) => {
    let seen = 0;
    return often.findIndex((times) => (seen += times) > share) / points;
  };
  const above = often.reduce((sum, times, wrong) => sum + (wrong / points > epsilon ? times : 0), 0);
  const median = trees ? (quantile((trees - 1) >> 1) + quantile(trees >> 1)) / 2 : null;
  return { none, trees, often, above, median, all: none + trees };
};

const drawsChart = ({ grid, onPick }) => {
  const layer = svg("g", {});
  const cover = svg("rect", { class: "dtviz-cover" });
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" }, layer, cover);
  const title = html("div", { class: "dtviz-heading" });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Dots: true errors of the trees found, larger where more samples gave that error; the line " +
      "joins the medians. Below: per cent of the samples above ε, and without a tree. Ochre: the m " +
      "that Theorem 2 asks for, if r is at least the rank of the target.",
  );
  const root = html("div", { class: "dtviz-draws" }, title, canvas, key);
  let place = null;

  const draw = ({ histograms, points, epsilon, chosen, asked, width }) => {
    const { left, right, top, bottom, height } = DRAWS_CHART;
    const [inner, low] = [width - left - right, height - bottom];
    const column = inner / grid.length;
    const x = (k) => left + (k + 0.5) * column;
    const summaries = histograms.map((histogram) => drawn(histogram, points, epsilon));
    const failing = summaries.some(({ none }) => none > 0);
    const worst = Math.max(...histograms.map((histogram) => (histogram.length - 2) / points));
    const highest = Math.max(worst, epsilon, 0.25) * 1.06;
    const y = (value) => low - (value / highest) * (low - top);
    const parts = [];
    const add = (tag, attributes, ...text) => parts.push(svg(tag, attributes, ...text));
    add("rect", { class: "dtviz-chosen", x: x(chosen) - column / 2, y: top, width: column, height: low - top });
    const axes = [];
    for (const tick of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]) {
      if (tick > highest) continue;
      axes.push(svg("line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick) }));
      axes.push(svg("text", { x: left - 7, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(1)));
    }
    const every = column < 27 ? 2 : 1;
    grid.forEach((m, k) => {
      if ((grid.length - 1 - k) % every) return;
      const share = Math.round((100 * summaries[k].above) / summaries[k].all);
      axes.push(svg("text", { x: x(k), y: low + 20, "text-anchor": "middle" }, String(m)));
      axes.push(svg("text", { class: "dtviz-share", x: x(k), y: low + 38, "text-anchor": "middle" }, String(share)));
      if (failing) {
        const part = Math.round((100 * summaries[k].none) / summaries[k].all);
        axes.push(svg("text", { x: x(k), y: low + 56, "text-anchor": "middle" }, String(part)));
      }
    });
    if (failing) axes.push(svg("text", { x: left - 7, y: low + 56, "text-anchor": "end" }, "% none"));
    axes.push(svg("text", { x: left - 7, y: low + 20, "text-anchor": "end" }, "m"));
    axes.push(svg("text", { class: "dtviz-share", x: left - 7, y: low + 38, "text-anchor": "end" }, "% > ε"));
    parts.push(svg("g", { class: "dtviz-axes" }, ...axes));
    const medians = [];
    summaries.forEach(({ often, median, all }, k) => {
      often.forEach((times, wrong) => {
        if (!times) return;
        const r = Math.max(1.5, Math.min(column * 0.48, 9) * Math.sqrt(times / all));
        add("circle", { class: "dtviz-sampled", cx: x(k), cy: y(wrong / points), r: r.toFixed(2) });
      });
      if (median !== null) medians.push(`${x(k).toFixed(1)} ${y(median).toFixed(1)}`);
    });
    if (medians.length) add("path", { class: "dtviz-curve dtviz-error", d: `M${medians.join("L")}` });
    add("line", { class: "dtviz-goal", x1: left, x2: width - right, y1: y(epsilon), y2: y(epsilon) });
    add("text", { class: "dtviz-epsilon", x: width - right, y: y(epsilon) - 5, "text-anchor": "end" }, `ε = ${epsilonText(epsilon)}`);
    if (asked !== null) {
      const last = grid.length - 1;
      const beyond = asked > grid[last];
      const label = `Theorem 2: m ≥ ${asked.toLocaleString("en")}${beyond ? " →" : ""}`;
      let at = width - right;
      if (!beyond) {
        const k = Math.max(1, grid.findIndex((m) => m >= asked));
        const part = Math.log(asked / grid[k - 1]) / Math.log(grid[k] / grid[k - 1]);
        at = x(k - 1 + Math.max(0, part));
        add("path", { class: "dtviz-curve dtviz-bound", d: `M${at} ${top}V${low}` });
      }
      const side = beyond || at > width / 2 ? "end" : "start";
      add("text", { class: "dtviz-tag dtviz-bound", x: at, y: top - 10, "text-anchor": side }, label);
    }
    layer.replaceChildren(...parts);
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      put(canvas, name, value);
    }
    const cell = { x: left, y: top, width: inner, height: low - top };
    for (const [name, value] of Object.entries(cell)) put(cover, name, value);
    const now = summaries[chosen];
    put(canvas, "aria-label", `True error against the number of examples; at ${count(grid[chosen], "example")} ${now.above} of ${now.all} samples are above epsilon.`);
    place = (px) => clamp(Math.floor((px - left) / column), 0, grid.length - 1);
  };
  onDrag(cover, canvas, (px) => place && onPick(place(px)));
  return { root, title, draw };
};

// --- the guarantee -----------------------------------------------------------------------------

const raised = (power) => [...String(power)].map((digit) => POWERS[digit]).join("");

// The least m with m >= (ln |F| + ln(1/delta)) / epsilon, and the error that m examples promise.
const examplesAsked = (log, epsilon, delta) => Math.ceil((log - Math.log(delta)) / epsilon);
const errorPromised = (log, m, delta) => (log - Math.log(delta)) / m;

const promiseTable = () => {
  const caption = html("caption", {});
  const heads = ["Counting", "m asked", ""].map((text) => html("th", { scope: "col" }, text));
  const head = html("tr", {}, ...heads);
  const body = html("tbody", {});
  const table = html("table", { class: "dtviz-promise" }, caption, html("thead", {}, head), body);
  const verdict = html("p", { class: "dtviz-verdict" });
  const root = html("div", { class: "dtviz-promised" }, table, verdict);
  return {
    root,
    draw({ record, bound, m, seen, epsilon, delta }) {
      const { paper, leaves, exact } = record.log_counts;
      const points = 2 ** record.n;
      say(caption, `How many examples for error ≤ ${epsilonText(epsilon)} with probability ${Number((1 - delta).toFixed(4))}, rank ≤ ${bound}`);
      say(heads[2], `error promised at m = ${m}`);
      const rows = [
        ["Theorem 2", paper[bound]],
        ["with the exact leaf count", leaves[bound]],
        ["with the exact class count", bound < record.n ? exact[bound] : null],
        [`all 2${raised(points)} functions`, points * Math.LN2],
      ].filter(([, log]) => log !== null);
      body.replaceChildren(
        ...rows.map(([name, log]) => {
          const promised = errorPromised(log, m, delta);
          const cells = [examplesAsked(log, epsilon, delta).toLocaleString("en"), promised >= 1 ? "none" : `≤ ${promised.toFixed(3)}`];
          return html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((text) => html("td", {}, text)));
        }),
      );
      const asked = bound > 0 ? examplesAsked(paper[bound], epsilon, delta) : 0;
      // Each point is missed with probability at most exp(-m / points).
      const everything = Math.ceil(points * Math.log(points / delta));
      const remarks = [`The cube has ${points} points; ${m === 1 ? "this draw shows" : `these ${m} draws show`} ${seen} of them.`];
      if (asked >= everything) {
        remarks.unshift(
          `Theorem 2 is vacuous here: with the same probability ${everything.toLocaleString("en")} draws show the whole cube.`,
        );
      }
      if (bound < record.rank) {
        remarks.unshift(
          `The target has rank ${record.rank}, so FIND may return none; a tree that it does return is covered by Lemma 4.`,
        );
      }
      say(verdict, remarks.join(" "));
    },
  };
};

// --- the explorer ------------------------------------------------------------------------------

explorers.rank = ({ model, el }) => {
  const records = model.get("_paths");
  const grid = model.get("_grid");
  const steps = model.get("_steps");
  const runs = new Map();

  // What is on display, looked up from the traits.
  const now = () => {
    const record = records[model.get("target")];
    const k = Math.max(0, grid.indexOf(model.get("m")));
    const highest = record.run[k].length - 1;
    const bound = Math.min(model.get("rank"), highest);
    const packed = record.runs[record.run[k][bound]];
    if (!runs.has(packed)) runs.set(packed, recordedRun(packed));
    const run = runs.get(packed);
    const call = Math.min(model.get("call") ?? Math.max(0, run.again.indexOf(1)), run.calls - 1);
    return { record, k, m: grid[k], highest, bound, run, call };
  };
  const goTo = (call) => {
    if (call >= 0 && call < now().run.calls) change(model, { call });
  };

  // The reader's other run starts with its own first call to look at. Values that Python sets stay:
  // an answer to one of them would cross the next one on its way.
  let held = false;
  const another = (changes) => {
    held = true;
    change(model, { ...changes, call: null, playing: false });
    held = false;
    draw();
  };

  const share = (name, label) =>
    rangeControl({
      name,
      label,
      min: 0.01,
      max: 0.5,
      step: 0.01,
      onInput: (value) => change(model, { [name]: value }),
    });
  const which = selectControl({
    name: "target",
    label: "Target",
    options: Object.keys(records),
    onChange: (value) => another({ target: value }),
  });
  const views = selectControl({
    name: "view",
    label: "View",
    options: ["one sample", "many samples"],
    onChange: (value) => change(model, { view: value }),
  });
  const examples = rangeControl({
    name: "m",
    label: "Examples, m",
    min: 0,
    max: grid.length - 1,
    step: 1,
    onInput: (value) => another({ m: grid[value] }),
  });
  const bounds = rangeControl({
    name: "rank",
    label: "Rank bound, r",
    min: 0,
    max: 1,
    step: 1,
    onInput: (value) => another({ rank: value }),
  });
  const epsilons = share("epsilon", "Error allowed, ε");
  const deltas = share("delta", "Failure allowed, δ");
  const calls = rangeControl({ name: "call", label: "Call", min: 0, max: 0, step: 1, onInput: goTo });
  const button = (name, label, text, onClick) => buttonControl({ name, label, text, onClick });
  const play = button("playing", "Play", "", () => change(model, { playing: !model.get("playing") }));
  const back = button("back", "One call back", "‹", () => goTo(now().call - 1));
  const forward = button("forward", "One call forward", "›", () => goTo(now().call + 1));
  const again = button("again", "Next second try", "↻", () => {
    const { run, call } = now();
    goTo(nextAgain(run, call));
  });
  const transport = html(
    "div",
    { class: "dtviz-transport" },
    ...[play, back, calls, forward, again].map(({ root }) => root),
  );
  const status = statusLine();
  const tree = rankTree();
  const promise = promiseTable();
  const recursion = callsView({ steps, onCall: goTo });
  const draws = drawsChart({ grid, onPick: (k) => another({ m: grid[k] }) });

  const fields = [which, views, examples, bounds, epsilons, deltas].map(({ root }) => root);
  const controls = html("div", { class: "dtviz-controls dtviz-even" }, ...fields);
  const treeKey = html(
    "p",
    { class: "dtviz-key" },
    "Left branch: 0, right branch: 1. The number beside a node is its rank, and so is its shade; " +
      "leaves have rank 0. A triangle folds a subtree of so many leaves.",
  );
  const left = html("div", {}, tree.root, treeKey);
  const oneSample = html("div", {}, transport, recursion.root);
  const right = html("div", { class: "dtviz-right" }, oneSample, draws.root);
  const pictures = html("div", { class: "dtviz-pair" }, left, right, promise.root);
  const view = html("div", { class: "dtviz-view" }, controls, status.root, pictures);
  el.append(view);

  // --- drawing
  let side = 0;
  const shown = {};
  // Redraw a part only when something it shows has changed.
  const fresh = (part, ...facts) => {
    const same = shown[part]?.every((fact, k) => fact === facts[k]);
    shown[part] = facts;
    return !same;
  };

  const drawStatus = ({ record, k, m, bound, run }) => {
    const about = `${model.get("target")}, m = ${m}, rank ${bound}`;
    const epsilon = model.get("epsilon");
    const points = 2 ** record.n;
    if (model.get("view") === "many samples") {
      const { none, above, median, all } = drawn(record.draws[bound][k], points, epsilon);
      const middle = median === null ? "" : `median error ${median.toFixed(3)}, `;
      const failed = none ? `, ${none} without a tree` : "";
      status.say(`${about}, ${all} samples: ${middle}${above} above epsilon ${epsilonText(epsilon)}${failed}`);
      return;
    }
    const found = run.tree
      ? `tree of ${count((run.tree.rank.length + 1) / 2, "leaf", "leaves")}, rank ${run.tree.rank[0]}, ` +
        `true error ${(run.tree.wrong / points).toFixed(3)}`
      : "no consistent tree";
    status.say(`${about}: ${found}; ${count(run.calls, "call")}`);
  };

  const set = ({ input, value }, number, text) => {
    input.value = number;
    say(value, text);
    put(input, "aria-valuetext", text);
  };

  const draw = () => {
    if (!side || held) return;
    const state = now();
    const { record, k, m, highest, bound, run, call } = state;
    const [epsilon, delta] = [model.get("epsilon"), model.get("delta")];
    const many = model.get("view") === "many samples";
    drawStatus(state);
    if (fresh("tree", run, m, side)) {
      say(tree.title, run.tree ? `The tree FIND returns: rank ${run.tree.rank[0]}` : "FIND returns none");
      const nothing = ["None", `no tree of rank ≤ ${bound} agrees with ${m === 1 ? "the example" : `all ${m} examples`}`];
      tree.draw(run.tree, record.n, side, nothing);
    }
    const seen = record.distinct[k];
    if (fresh("promise", record, bound, m, epsilon, delta)) {
      promise.draw({ record, bound, m, seen, epsilon, delta });
    }
    oneSample.hidden = many;
    draws.root.hidden = !many;
    right.classList.toggle("dtviz-first", many);
    const log = bound >= record.rank && bound > 0 ? record.log_counts.paper[bound] : null;
    const asked = log === null ? null : examplesAsked(log, epsilon, delta);
    if (many && fresh("draws", record, bound, k, epsilon, asked, side)) {
      say(draws.title, `True error of ${drawn(record.draws[bound][k], 1, 0).all} samples of each size`);
      draws.draw({ histograms: record.draws[bound], points: 2 ** record.n, epsilon, chosen: k, asked, width: side });
    }
    if (!many && fresh("calls", run, call, side)) recursion.draw(run, call, side);

    which.input.value = model.get("target");
    views.input.value = model.get("view");
    put(bounds.input, "max", highest);
    put(calls.input, "max", run.calls - 1);
    calls.value.style.minWidth = `${2 * String(run.calls).length + 4}ch`;
    set(examples, k, String(m));
    set(bounds, bound, String(bound));
    set(epsilons, epsilon, epsilonText(epsilon));
    set(deltas, delta, epsilonText(delta));
    set(calls, call, `${call} of ${run.calls - 1}`);
    back.input.disabled = call === 0;
    forward.input.disabled = call === run.calls - 1;
    again.input.disabled = !run.again.includes(1);
    const playing = model.get("playing");
    say(play.input, playing ? "Pause" : "Play");
    put(play.input, "aria-label", playing ? "Pause" : "Play");
  };

  // --- play: half a minute at most, an unhurried pace for a short run
  let timer = 0;
  const beat = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    const { calls: length } = now().run;
    const wait = calm() ? 1000 : clamp(30000 / length, 150, 1000);
    const stride = Math.max(1, Math.ceil((length * wait) / 30000));
    timer = setTimeout(() => {
      const { run, call } = now();
      const next = Math.min(call + stride, run.calls - 1);
      change(model, next < run.calls - 1 ? { call: next } : { call: next, playing: false });
    }, wait);
  };

  const stopListening = listen(model, {
    target: draw,
    m: draw,
    rank: draw,
    epsilon: draw,
    delta: draw,
    view: draw,
    call() {
      draw();
      beat();
    },
    playing() {
      const { run, call } = now();
      const started = model.get("call") !== null && call < run.calls - 1;
      if (model.get("playing") && !started) change(model, { call: 0 });
      draw();
      beat();
    },
  });

  const stopWatching = onWidth(view, (width) => {
    const wide = width >= 800;
    view.dataset.width = wide ? "wide" : width < 560 ? "narrow" : "medium";
    side = wide ? Math.floor((width - 32) / 2) : width;
    draw();
  });
  beat();

  return () => {
    clearTimeout(timer);
    status.stop();
    stopListening();
    stopWatching();
    view.remove();
  };
};
