// The chord: what a split gains is the gap between a concave curve and one of its chords.

// The costs of a node whose share of class 1 is q. All are 1/2 at q = 1/2 and 0 at 0 and 1.
const COSTS = {
  error: { formula: "min(q, 1 − q)", of: (q) => Math.min(q, 1 - q) },
  gini: { formula: "2q(1 − q)", of: (q) => 2 * q * (1 - q) },
  entropy: { formula: "H(q)/2, H in bits", of: (q) => -(xlog2(q) + xlog2(1 - q)) / 2 },
  sqrt: { formula: "√(q(1 − q))", of: (q) => Math.sqrt(q * (1 - q)) },
};
const xlog2 = (x) => (x > 0 ? x * Math.log2(x) : 0);

// A split into children of class shares p (weight 1 - tau) and r (weight tau), under one cost.
const splitDrop = (cost, { p, r, tau }) => {
  const { of } = COSTS[cost];
  const q = (1 - tau) * p + tau * r;
  const [before, after] = [of(q), (1 - tau) * of(p) + tau * of(r)];
  // Concavity makes it at least 0; what is left of a difference of equal numbers is rounding.
  const drop = before - after > 1e-12 ? before - after : 0;
  return { q, before, after, drop };
};
const dropText = (drop) => (drop > 0 && drop < 0.0005 ? "< 0.001" : drop === 0 ? "0" : drop.toFixed(3));

const CHORD = { left: 34, right: 106, top: 14, bottom: 68, height: 330, samples: 200, highest: 0.54 };

const setBox = (canvas, width, height) => {
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    put(canvas, name, value);
  }
};

// The graph of a cost within a box of pixels.
const costCurve = (cost, x, y) => {
  const { samples } = CHORD;
  const corners = Array.from({ length: samples + 1 }, (_, k) => {
    // Closer together at the ends, where the root is steep.
    const q = (1 - Math.cos((Math.PI * k) / samples)) / 2;
    return `${x(q).toFixed(1)} ${y(COSTS[cost].of(q)).toFixed(1)}`;
  });
  return `M${corners.join("L")}`;
};

// One cost, large, with handles: onMove({ p }), onMove({ r }) or onMove({ tau }) hears the reader.
const chordChart = ({ onMove }) => {
  const axes = svg("g", { class: "dtviz-axes" });
  const drops = svg("path", { class: "dtviz-drops" });
  const curve = svg("path", { class: "dtviz-curve dtviz-cost" });
  const chord = svg("line", { class: "dtviz-chord" });
  const gap = svg("line", { class: "dtviz-gap" });
  const dot = (kind) => svg("circle", { class: `dtviz-dot dtviz-${kind}` });
  const [children, above, below] = [[dot("child"), dot("child")], dot("cost"), dot("child")];
  put(above, "r", 4.5);
  put(below, "r", 4.5);
  const leaders = svg("path", { class: "dtviz-leader dtviz-cost" });
  const names = ["cost", "score", "cost"].map((kind) => svg("text", { class: `dtviz-tag dtviz-${kind}` }));
  const handles = ["p", "q", "r"].map((name) => {
    const reach = svg("rect", { class: "dtviz-reach", x: -17, y: -20, width: 34, height: 52 });
    const stem = svg("path", { class: "dtviz-stem" });
    const knob = name === "q" ? svg("path", { d: "M0 -8L8 0L0 8L-8 0Z" }) : svg("circle", { r: 7 });
    const text = svg("text", { y: 25, "text-anchor": "middle" });
    const group = svg("g", { class: `dtviz-handle dtviz-handle-${name}` }, reach, stem, knob, text);
    return { name, group, stem, text };
  });
  const marks = [drops, curve, chord, gap, ...children, above, below, leaders, ...names];
  const canvas = svg(
    "svg",
    { class: "dtviz-canvas", role: "img" },
    axes,
    ...marks,
    ...handles.map(({ group }) => group),
  );
  const title = html("span");
  const formula = html("span", { class: "dtviz-aside" });
  const root = html("div", {}, html("div", { class: "dtviz-heading" }, title, " ", formula), canvas);

  let width = 0;
  let split = { p: 0, r: 1, tau: 0.5 };
  const low = CHORD.height - CHORD.bottom;
  const x = (q) => CHORD.left + q * (width - CHORD.left - CHORD.right);
  const y = (value) => low - (value / CHORD.highest) * (low - CHORD.top);
  const share = (px) => clamp((px - CHORD.left) / (width - CHORD.left - CHORD.right), 0, 1);

  for (const { name, group } of handles) {
    onDrag(group, canvas, (px) => {
      const { p, r } = split;
      if (name !== "q") onMove({ [name]: Number(share(px).toFixed(2)) });
      else if (p !== r) onMove({ tau: clamp(Number(((share(px) - p) / (r - p)).toFixed(2)), 0.01, 0.99) });
    });
  }

  const frame = () => {
    setBox(canvas, width, CHORD.height);
    const lines = [0, 0.25, 0.5].flatMap((tick) => [
      svg("line", { x1: x(0), x2: x(1), y1: y(tick), y2: y(tick) }),
      svg("text", { x: x(0) - 7, y: y(tick) + 4, "text-anchor": "end" }, tickText(tick)),
    ]);
    const columns = [0, 0.25, 0.5, 0.75, 1].map((tick) =>
      svg("text", { x: x(tick), y: low + 47, "text-anchor": "middle" }, tickText(tick)),
    );
    const half = svg("line", { class: "dtviz-halfway", x1: x(0.5), x2: x(0.5), y1: y(0.5), y2: low });
    const unit = svg("text", { x: x(1) + 14, y: low + 47 }, "share of class 1");
    axes.replaceChildren(half, ...lines, ...columns, unit);
  };

  const place = (mark, q, value) => {
    put(mark, "cx", x(q).toFixed(1));
    put(mark, "cy", y(value).toFixed(1));
  };

  const draw = (cost, newSplit) => {
    split = newSplit;
    const { p, r, tau } = split;
    const { of } = COSTS[cost];
    const { q, before, after, drop } = splitDrop(cost, split);
    say(title, cost);
    say(formula, `G(q) = ${COSTS[cost].formula}`);
    put(curve, "d", costCurve(cost, x, y));
    const ends = { x1: x(p), y1: y(of(p)), x2: x(r), y2: y(of(r)) };
    for (const [name, value] of Object.entries(ends)) put(chord, name, value.toFixed(1));
    const bar = { x1: x(q), x2: x(q), y1: y(before), y2: y(after) };
    for (const [name, value] of Object.entries(bar)) put(gap, name, value.toFixed(1));
    // A child's dot is as large as its weight.
    [
      [p, 1 - tau],
      [r, tau],
    ].forEach(([share, weight], k) => {
      place(children[k], share, of(share));
      put(children[k], "r", (3 + 5 * Math.sqrt(weight)).toFixed(1));
    });
    place(above, q, before);
    place(below, q, after);
    const feet = [
      [p, of(p)],
      [q, after],
      [r, of(r)],
    ].map(([share, value]) => `M${x(share).toFixed(1)} ${y(value).toFixed(1)}V${low}`);
    put(drops, "d", feet.join(""));

    const told = [
      [`before ${before.toFixed(3)}`, before],
      [`drop ${dropText(drop)}`, (before + after) / 2],
      [`after ${after.toFixed(3)}`, after],
    ];
    const places = spread(told.map(([, value]) => y(value)), 17, CHORD.top, low - 6);
    told.forEach(([text], k) => {
      say(names[k], text);
      put(names[k], "x", x(1) + 26);
      put(names[k], "y", (places[k] + 4).toFixed(1));
    });
    const lines = told.map(([, value], k) => {
      const from = `M${(x(q) + 7).toFixed(1)} ${y(value).toFixed(1)}`;
      return `${from}H${x(1) + 10}L${x(1) + 22} ${places[k].toFixed(1)}`;
    });
    put(leaders, "d", lines.join(""));

    const shares = { p, q, r };
    const row = [...handles].sort((a, b) => shares[a.name] - shares[b.name]);
    const spots = spread(row.map(({ name }) => x(shares[name])), 57, 26, width - 26);
    row.forEach(({ name, group, stem, text }, k) => {
      const at = x(shares[name]);
      put(group, "transform", `translate(${at.toFixed(1)},${low})`);
      say(text, `${name} ${epsilonText(shares[name])}`);
      put(text, "x", (spots[k] - at).toFixed(1));
      put(stem, "d", `M0 7L${(spots[k] - at).toFixed(1)} 14`);
    });
    put(
      canvas,
      "aria-label",
      `The curve of ${cost} and its chord from p = ${epsilonText(p)} to r = ${epsilonText(r)}; at q = ${epsilonText(q)} the chord is ${dropText(drop)} below the curve.`,
    );
  };

  return {
    root,
    draw,
    resize(newWidth) {
      width = newWidth;
      frame();
    },
  };
};

// The same chord under one cost, small.
const smallChord = (cost) => {
  const [ground, curve] = [svg("path", { class: "dtviz-drops" }), svg("path", { class: "dtviz-curve dtviz-cost" })];
  const [chord, gap] = [svg("line", { class: "dtviz-chord" }), svg("line", { class: "dtviz-gap" })];
  const canvas = svg("svg", { class: "dtviz-canvas", "aria-hidden": "true" }, ground, curve, chord, gap);
  let [x, y] = [null, null];
  return {
    canvas,
    resize(width, height) {
      setBox(canvas, width, height);
      x = (q) => 5 + q * (width - 10);
      y = (value) => height - 5 - (value / 0.5) * (height - 12);
      put(ground, "d", `M${x(0)} ${y(0)}H${x(1)}`);
      put(curve, "d", costCurve(cost, x, y));
    },
    draw(split) {
      const { of } = COSTS[cost];
      const { q, before, after } = splitDrop(cost, split);
      const lines = [
        [chord, { x1: x(split.p), y1: y(of(split.p)), x2: x(split.r), y2: y(of(split.r)) }],
        [gap, { x1: x(q), y1: y(before), x2: x(q), y2: y(after) }],
      ];
      for (const [line, ends] of lines) {
        for (const [name, value] of Object.entries(ends)) put(line, name, value.toFixed(1));
      }
    },
  };
};
