// The plane: points of two or three classes, and the regions that a tree of thresholds cuts it into.

// --- paths -------------------------------------------------------------------------------------

const CLASS_MARKS = ["●", "▲", "■"];

// The costs for the shares of any number of classes; for two, those of the chord.
const CLASS_COSTS = {
  error: (shares) => 1 - Math.max(...shares),
  gini: (shares) => shares.reduce((sum, p) => sum + p * (1 - p), 0),
  entropy: (shares) => -shares.reduce((sum, p) => sum + xlog2(p), 0) / 2,
  sqrt: (shares) => Math.max(0, (shares.reduce((sum, p) => sum + Math.sqrt(p), 0) ** 2 - 1) / 2),
};

const digits = (value, precision = 4) => String(Number(value.toPrecision(precision)));
// In at most five characters where that can be: 16.8, .0056, 1.2e5.
const shortDigits = (value) => {
  const plain = [3, 2, 1].map((precision) => digits(value, precision).replace(/^(-?)0\./, "$1."));
  return [...plain, value.toExponential(1).replace("+", "")].find((text) => text.length <= 5) ?? plain[1];
};

// A path as the Python side packs it: step j splits node split[j] at x[variable[j]] <= threshold[j]
// into nodes 2j + 1 and 2j + 2; counts[k][node] says how many points of class k are there, and
// score[node] what its best split gains. It answers what the tree view asks.
const planePath = (plane, { split, variable, threshold, counts, score }, cost) => {
  const steps = split.length;
  const nodes = 2 * steps + 1;
  const everything = [-Infinity, Infinity];
  const splitAt = new Int32Array(nodes).fill(steps);
  const boxes = [[everything, everything]];
  split.forEach((node, j) => {
    splitAt[node] = j;
    for (const side of [0, 1]) {
      const child = 2 * j + 1 + side;
      const [from, to] = boxes[node][variable[j]];
      boxes[child] = [...boxes[node]];
      boxes[child][variable[j]] = side ? [threshold[j], to] : [from, threshold[j]];
    }
  });
  const countsOf = (node) => counts.map((column) => column[node]);
  const size = (node) => countsOf(node).reduce((sum, k) => sum + k, 0);
  const total = size(0);
  const wrong = (node) => size(node) - Math.max(...countsOf(node));
  const impurity = (node) => CLASS_COSTS[cost](countsOf(node).map((k) => k / size(node)));
  const isLeaf = (node, step) => (node === 0 || (node - 1) >> 1 < step) && splitAt[node] >= step;
  const leaves = (step) => Array.from({ length: 2 * step + 1 }, (_, k) => k).filter((k) => isLeaf(k, step));
  const totals = (share) =>
    Array.from({ length: steps + 1 }, (_, step) => leaves(step).reduce((sum, node) => sum + share(node), 0));
  return {
    steps,
    split,
    variable,
    threshold,
    splitAt,
    isLeaf,
    size,
    impurity,
    counts: countsOf,
    box: (node) => boxes[node],
    errors: totals((node) => wrong(node) / total),
    costs: totals((node) => (size(node) / total) * impurity(node)),
    probability: (node) => size(node) / total,
    error: (node) => wrong(node) / total,
    score: (node) => score[node],
    label: (node) => countsOf(node).indexOf(Math.max(...countsOf(node))),
    mixed: (node) => (wrong(node) / size(node)) * (counts.length / (counts.length - 1)),
    fullTest: (node) => `x${variable[splitAt[node]]} ≤ ${digits(threshold[splitAt[node]])}`,
    // The leaf that a point falls into.
    find(point, step) {
      let node = 0;
      while (splitAt[node] < step) {
        const j = splitAt[node];
        node = 2 * j + (point[variable[j]] <= threshold[j] ? 1 : 2);
      }
      return node;
    },
    test: (node) => `x${variable[splitAt[node]]}≤${shortDigits(threshold[splitAt[node]])}`,
    testWidth: 56,
    answers: ["yes", "no"],
    mark: (label) => CLASS_MARKS[label],
    where: (node) =>
      boxes[node]
        .map(([from, to], k) => {
          if (from === -Infinity && to === Infinity) return "";
          const [low, high] = [from, to].map((bound) => digits(bound));
          if (from === -Infinity) return `x${k} ≤ ${high}`;
          return to === Infinity ? `x${k} > ${low}` : `${low} < x${k} ≤ ${high}`;
        })
        .filter(Boolean)
        .join(", ") || "the whole plane",
  };
};

// --- drawing -----------------------------------------------------------------------------------

// Round numbers from low to high, about `wanted` of them.
const niceTicks = (low, high, wanted) => {
  const rough = (high - low) / wanted;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * decade).find((s) => s >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
};

const tickLabel = (tick) => (digits(tick).length > 6 ? shortDigits(tick) : digits(tick));

// Where the points lie, with a little room around them.
const spans = ({ points }) =>
  points.map((column) => {
    const [low, high] = [Math.min(...column), Math.max(...column)];
    const room = (high - low || 1) * 0.04;
    return [low - room, high + room];
  });

// From coordinates to pixels of a frame, and back.
const planeScale = (plane, { left, top, width, height }) => {
  const [[x0, x1], [y0, y1]] = spans(plane);
  const x = (value) => left + clamp((value - x0) / (x1 - x0), 0, 1) * width;
  const y = (value) => top + height - clamp((value - y0) / (y1 - y0), 0, 1) * height;
  const back = (px, py) => [
    x0 + ((px - left) / width) * (x1 - x0),
    y0 + ((top + height - py) / height) * (y1 - y0),
  ];
  // The part of a node's box within the frame.
  const rect = ([[a, b], [c, d]]) => ({ x: x(a), y: y(d), width: x(b) - x(a), height: y(c) - y(d) });
  return { x, y, back, rect, ranges: [[x0, x1], [y0, y1]] };
};

const setRect = (node, rect) => {
  for (const [name, value] of Object.entries(rect)) put(node, name, value.toFixed(1));
};

// The regions of every tree on a path; those of the tree on display are visible.
const regionLayer = () => {
  const group = svg("g", { class: "dtviz-regions" });
  let [path, regions] = [null, []];
  return {
    group,
    show(newPath, scale) {
      path = newPath;
      regions = Array.from({ length: 2 * path.steps + 1 }, (_, node) => {
        const region = svg("rect", { class: `dtviz-region dtviz-label${path.label(node)}`, "data-node": node });
        region.style.setProperty("--dtviz-shade", `${(38 - 26 * path.mixed(node)).toFixed(1)}%`);
        setRect(region, scale.rect(path.box(node)));
        return region;
      });
      group.replaceChildren(...regions);
    },
    draw(step) {
      regions.forEach((region, node) => put(region, "visibility", path.isLeaf(node, step) ? "inherit" : "hidden"));
    },
  };
};

// A mark of radius r for each class, told apart by shape as well as by colour.
const SHAPES = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  (x, y, r) => `M${x} ${y - 1.25 * r}L${x + 1.2 * r} ${y + 0.85 * r}H${x - 1.2 * r}Z`,
  (x, y, r) => `M${x - 0.9 * r} ${y - 0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}Z`,
];

const pointPaths = ({ points: [first, second], labels, classes }, scale, r) =>
  classes.map((_, k) => {
    const d = labels.flatMap((label, i) => {
      if (label !== k) return [];
      const [x, y] = [scale.x(first[i]), scale.y(second[i])].map((v) => Math.round(10 * v) / 10);
      return [SHAPES[k](x, y, r)];
    });
    return svg("path", { class: `dtviz-points dtviz-label${k}`, d: d.join("") });
  });

const MAP = { left: 44, right: 6, top: 24, bottom: 42 };

// The plane, large. facts(node, "leaf") lists what is told of a region; onTell(node) hears which one
// the reader points at, -1 for none; draw(step) shows the regions after `step` splits, the line of
// the last one and, dashed, that of the next; point(node) outlines the box of a node.
const planeView = ({ name, facts, onTell }) => {
  const axes = svg("g", { class: "dtviz-axes" });
  const regions = regionLayer();
  const dots = svg("g", {});
  const last = svg("line", { class: "dtviz-last-cut" });
  const coming = svg("line", { class: "dtviz-next-cut" });
  const told = svg("rect", { class: "dtviz-told-region", visibility: "hidden" });
  const canvas = svg("svg", { class: "dtviz-canvas", role: "img" }, axes, regions.group, dots, last, coming, told);
  const tip = tipBox();
  const stage = html("div", { class: "dtviz-stage" }, canvas, tip.root);
  const title = html("span");
  const legend = html("span", { class: "dtviz-legend" });
  const root = html("div", { class: "dtviz-plane" }, html("div", { class: "dtviz-heading" }, title, " ", legend), stage);

  let [plane, path, scale] = [null, null, null];
  let size = { width: 0, height: 0 };
  let step = 0;
  let at = null; // where the reader points, in pixels

  const cut = (line, j) => {
    put(line, "visibility", j >= 0 && j < path.steps ? "inherit" : "hidden");
    if (j < 0 || j >= path.steps) return;
    const { x, y, width, height } = scale.rect(path.box(path.split[j]));
    const where = path.threshold[j];
    const ends = path.variable[j]
      ? { x1: x, x2: x + width, y1: scale.y(where), y2: scale.y(where) }
      : { x1: scale.x(where), x2: scale.x(where), y1: y, y2: y + height };
    for (const [key, value] of Object.entries(ends)) put(line, key, value.toFixed(1));
  };

  const point = (node) => {
    put(told, "visibility", node < 0 ? "hidden" : "inherit");
    if (node >= 0) setRect(told, scale.rect(path.box(node)));
  };

  const tell = (px, py) => {
    at = [px, py];
    const node = path.find(scale.back(px, py), step);
    point(node);
    onTell(node);
    tip.say({ title: path.where(node), lines: facts(node, "leaf") });
    const { offsetWidth: wide, offsetHeight: tall } = tip.root;
    tip.root.style.left = `${clamp(px + 16 + wide > size.width ? px - 16 - wide : px + 16, 0, size.width - wide)}px`;
    tip.root.style.top = `${clamp(py + 16, 0, Math.max(0, size.height - tall))}px`;
  };
  const forget = () => {
    if (!at) return;
    at = null;
    tip.root.hidden = true;
    point(-1);
    onTell(-1);
  };
  const over = (event) => {
    const box = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { left, right, top, bottom } = MAP;
    const inside = px >= left && px <= size.width - right && py >= top && py <= size.height - bottom;
    if (inside) tell(px, py);
    else forget();
  };
  stage.addEventListener("pointermove", over);
  stage.addEventListener("pointerleave", forget);
  // A tap: the finger has left by then.
  stage.addEventListener("click", over);

  const axisName = (k) => (plane.features[k] === `x${k}` ? `x${k}` : `x${k}: ${plane.features[k]}`);
  const layOut = () => {
    const { width, height } = size;
    const { left, right, top, bottom } = MAP;
    const frame = { left, top, width: width - left - right, height: height - top - bottom };
    scale = planeScale(plane, frame);
    setBox(canvas, width, height);
    const [across, up] = scale.ranges;
    const low = top + frame.height;
    axes.replaceChildren(
      ...niceTicks(...across, frame.width / 56).flatMap((tick) => {
        const [x, text] = [scale.x(tick), tickLabel(tick)];
        // Not where it would be cut off.
        if (x + 3.4 * text.length > width) return [];
        return [svg("text", { x, y: low + 16, "text-anchor": "middle" }, text)];
      }),
      ...niceTicks(...up, frame.height / 36).map((tick) =>
        svg("text", { x: left - 6, y: scale.y(tick) + 4, "text-anchor": "end" }, tickLabel(tick)),
      ),
      svg("text", { x: left + frame.width, y: low + 34, "text-anchor": "end" }, axisName(0)),
      svg("text", { x: 0, y: 12 }, axisName(1)),
    );
    dots.replaceChildren(...pointPaths(plane, scale, plane.labels.length > 300 ? 2.6 : 3.4));
    regions.show(path, scale);
    forget();
  };

  const draw = (newStep) => {
    step = newStep;
    regions.draw(step);
    cut(last, step - 1);
    cut(coming, step);
    put(canvas, "aria-label", `${name}: ${count(plane.labels.length, "point")}, ${count(step + 1, "region")}.`);
    forget();
  };

  return {
    root,
    title,
    draw,
    point,
    resize(width, height) {
      size = { width, height };
    },
    show(newPlane, newPath) {
      [plane, path] = [newPlane, newPath];
      const often = plane.classes.map((_, k) => path.counts(0)[k]);
      legend.replaceChildren(
        ...plane.classes.map((text, k) =>
          html("span", { class: `dtviz-class dtviz-label${k}` }, html("b", {}, CLASS_MARKS[k]), ` ${text} (${often[k]}) `),
        ),
      );
      layOut();
    },
  };
};

// The regions under one cost, small.
const smallPlane = () => {
  const regions = regionLayer();
  const dots = svg("g", {});
  const canvas = svg("svg", { class: "dtviz-canvas", "aria-hidden": "true" }, regions.group, dots);
  let size = null;
  return {
    canvas,
    resize(width, height) {
      size = { left: 0, top: 0, width, height };
      setBox(canvas, width, height);
    },
    show(plane, path) {
      const scale = planeScale(plane, size);
      dots.replaceChildren(...pointPaths(plane, scale, 1.1));
      regions.show(path, scale);
    },
    draw: (step) => regions.draw(step),
  };
};
