// Chapter 4: impurity. A split is a chord under a concave curve, and a tree cuts the plane.

// The four costs side by side: a button each, with a picture and what it says in words.
const costTiles = ({ label, picture, onPick }) => {
  const tiles = Object.keys(COSTS).map((cost) => {
    const text = html("span", { class: "dtviz-tile-text" });
    const drawn = picture(cost);
    const name = html("span", { class: "dtviz-tile-name" }, cost);
    const button = html("button", { type: "button", class: "dtviz-tile", ...OWN_KEYS }, name, drawn.canvas, text);
    button.addEventListener("click", () => onPick(cost));
    return { cost, button, text, drawn };
  });
  const buttons = tiles.map(({ button }) => button);
  const root = html("div", { class: "dtviz-tiles", role: "group", "aria-label": label }, ...buttons);
  return {
    root,
    each: (act) => tiles.forEach(({ cost, drawn }) => act(drawn, cost)),
    resize(room, columns, height) {
      root.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      const width = Math.floor((room - 10 * (columns - 1)) / columns) - 14;
      for (const { drawn } of tiles) drawn.resize(width, height);
    },
    // shownBy(cost) is what to draw, tell(cost) says it in a few words.
    draw(chosen, shownBy, tell) {
      for (const { cost, button, text, drawn } of tiles) {
        put(button, "aria-pressed", cost === chosen);
        say(text, tell(cost));
        drawn.draw(shownBy(cost));
      }
    },
  };
};

// --- the chord ---------------------------------------------------------------------------------

// What stands beside the numbers of a split.
const splitRemark = (cost, { p, r }, drop) => {
  if (p === r) return ": the children are alike";
  const oneSide = (p - 0.5) * (r - 0.5) >= 0;
  return cost === "error" && oneSide && drop === 0 ? ": p and r are on one side of 1/2" : "";
};

const chordPart = ({ model }) => {
  const splitNow = () => ({ p: model.get("p"), r: model.get("r"), tau: model.get("tau") });
  const share = (name, label, min, max) =>
    rangeControl({ name, label, min, max, step: 0.01, onInput: (value) => change(model, { [name]: value }) });
  const sliders = {
    p: share("p", "First child, p", 0, 1),
    r: share("r", "Second child, r", 0, 1),
    tau: share("tau", "Weight of r, τ", 0.01, 0.99),
  };
  const chart = chordChart({ onMove: (changes) => change(model, changes) });
  const tiles = costTiles({
    label: "The same split under the four costs",
    picture: smallChord,
    onPick: (cost) => change(model, { cost }),
  });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "The children lie on the curve, larger where they weigh more; the split replaces G(q) by the " +
      "chord at q. The green gap is what the split gains. Drag p, q or r.",
  );
  const four = html("div", {}, html("div", { class: "dtviz-heading" }, "The four costs"), tiles.root);
  return {
    root: html("div", { class: "dtviz-chord-view" }, html("div", {}, chart.root, key), four),
    fields: Object.values(sliders).map(({ root }) => root),
    resize(width, kind) {
      const side = kind === "wide" ? Math.floor((width - 32) * 0.6) : width;
      chart.resize(side);
      if (kind === "wide") tiles.resize(width - 32 - side, 2, 112);
      else tiles.resize(width, kind === "narrow" ? 2 : 4, 96);
    },
    // Draws, and returns the state in words.
    draw(cost) {
      const split = splitNow();
      chart.draw(cost, split);
      tiles.draw(cost, () => split, (other) => `drop ${dropText(splitDrop(other, split).drop)}`);
      for (const [name, { input, value }] of Object.entries(sliders)) {
        const text = epsilonText(split[name]);
        input.value = split[name];
        say(value, text);
        put(input, "aria-valuetext", text);
      }
      const { q, before, after, drop } = splitDrop(cost, split);
      const [p, r, tau] = [split.p, split.r, split.tau].map(epsilonText);
      return (
        `${cost}, tau ${tau}: q = ${epsilonText(q)} splits into p = ${p} and r = ${r}; ` +
        `impurity ${before.toFixed(3)} to ${after.toFixed(3)}, drop ${dropText(drop)}` +
        splitRemark(cost, split, drop)
      );
    },
  };
};

// --- the plane ---------------------------------------------------------------------------------

const planePart = ({ model }) => {
  const planes = model.get("_paths");
  const grown = new Map();
  // The chosen data with its four paths, and the most splits that one of them has.
  const now = () => {
    const name = model.get("data");
    const plane = planes[name];
    if (!grown.has(name)) {
      const paths = Object.fromEntries(
        Object.entries(plane.paths).map(([cost, packed]) => [cost, planePath(plane, packed, cost)]),
      );
      grown.set(name, { paths, longest: Math.max(...Object.values(paths).map(({ steps }) => steps)) });
    }
    return { name, plane, ...grown.get(name), path: grown.get(name).paths[model.get("cost")] };
  };
  const stepOn = ({ steps }) => Math.min(model.get("leaves") - 1, steps);
  const goTo = (leaves) => {
    if (leaves >= 1 && leaves <= now().longest + 1) change(model, { leaves });
  };
  const asked = () => Math.min(model.get("leaves"), now().longest + 1);

  // --- controls
  const data = selectControl({
    name: "data",
    label: "Data",
    options: Object.keys(planes),
    onChange: (value) => change(model, { data: value, playing: false }),
  });
  const button = (name, label, text, onClick) => buttonControl({ name, label, text, onClick });
  const play = button("playing", "Play", "", () => change(model, { playing: !model.get("playing") }));
  const back = button("back", "One leaf fewer", "‹", () => goTo(asked() - 1));
  const forward = button("forward", "One leaf more", "›", () => goTo(asked() + 1));
  const leaves = rangeControl({ name: "leaves", label: "Leaves", min: 1, max: 1, step: 1, onInput: goTo });
  const transport = html(
    "div",
    { class: "dtviz-transport" },
    ...[play, back, leaves, forward].map(({ root }) => root),
  );

  // --- pictures
  const facts = (node, state) => {
    const { plane, path } = now();
    const cost = model.get("cost");
    const lines = path.counts(node).map((often, k) => [`${CLASS_MARKS[k]} ${plane.classes[k]}`, String(often)]);
    lines.push([cost, path.impurity(node).toFixed(3)]);
    if (state === "inner") lines.push(["splits on", path.fullTest(node)]);
    lines.push(["gain of its split", dropText(path.score(node))]);
    return lines;
  };
  const tree = treeView({ name: "Decision tree", facts, onTell: (node) => map.point(node) });
  const map = planeView({ name: "The plane", facts, onTell: (node) => tree.point(node) });
  const curves = chart({
    title: "Impurity and error",
    scaleName: "",
    name: "Curves of the impurity and of the error against the number of leaves.",
    keys: ["cost", "error"],
    onStep: (step) => goTo(step + 1),
  });
  const tiles = costTiles({
    label: "The regions under the four costs",
    picture: smallPlane,
    onPick: (cost) => change(model, { cost }),
  });
  const fourTitle = html("div", { class: "dtviz-heading" });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Left branch: yes. Below a leaf: what its best split would gain. Green: the next split, dashed in " +
      "the plane. A triangle folds a subtree: leaves, error; click to look inside. Point at a region " +
      "or at a node, or walk the tree with the arrow keys, and the other picture answers.",
  );
  // The share of class 1 on both sides of the last split, and the weight of the second.
  const asChord = buttonControl({
    name: "chord",
    label: "Show the last split as a chord",
    text: "The last split as a chord",
    onClick() {
      const { path } = now();
      const step = stepOn(path);
      const [first, second] = [2 * step - 1, 2 * step];
      const [p, r] = [first, second].map((node) => path.counts(node)[1] / path.size(node));
      change(model, { p, r, tau: path.size(second) / (path.size(first) + path.size(second)), view: "chord" });
    },
  });
  const root = html(
    "div",
    { class: "dtviz-plane-view" },
    html("div", {}, map.root, asChord.root),
    html("div", {}, tree.root, key),
    html("div", {}, curves.root),
    html("div", {}, fourTitle, tiles.root),
  );

  // What is drawn once for a path; the rest follows the slider.
  let sized = 0;
  let shown = {};
  const show = () => {
    const { name, plane, paths, longest, path } = now();
    if (shown.name === name && shown.path === path && shown.sized === sized) return;
    map.show(plane, path);
    if (shown.path !== path) tree.show(path);
    if (shown.name !== name || shown.sized !== sized) tiles.each((small, cost) => small.show(plane, paths[cost]));
    const top = Math.max(...Object.values(paths).map(({ costs }) => costs[0]));
    curves.frame(longest, { at: (value) => value / top, ticks: niceTicks(0, top, 4) });
    curves.curve(0, (j) => path.costs[j], 0, path.steps);
    curves.curve(1, (j) => path.errors[j], 0, path.steps);
    shown = { name, path, sized };
  };

  // What comes after the tree on display.
  const outlook = (path, step) => {
    if (step < path.steps) {
      const gain = path.costs[step] - path.costs[step + 1];
      return gain > 1e-12 ? `the next split gains ${dropText(gain)}` : "the next split gains nothing";
    }
    return path.errors[step] === 0 ? "every leaf is pure" : "the path ends here";
  };

  // --- play: ten seconds, or an unhurried pace for a short path
  let timer = 0;
  const beat = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    const { longest } = now();
    const wait = calm() ? 1000 : clamp(10000 / longest, 300, 900);
    timer = setTimeout(() => {
      const next = asked() + 1;
      if (next <= longest) change(model, { leaves: next });
      else change(model, { leaves: longest + 1, playing: false });
    }, wait);
  };

  return {
    root,
    fields: [data.root, transport],
    beat,
    // Played to the end already: start again from one leaf.
    rewind() {
      if (model.get("playing") && asked() === now().longest + 1) change(model, { leaves: 1 });
    },
    stop: () => clearTimeout(timer),
    resize(width, kind) {
      const side = kind === "narrow" ? width : Math.floor((width - 32) / 2);
      sized = side;
      map.resize(side, clamp(Math.round(side * 0.78), 280, 420));
      // Four tiles in a row, or two above two and a higher chart beside them.
      const roomy = side > 520;
      Object.assign(curves, { width: side, height: roomy || kind === "narrow" ? 190 : 300 });
      tiles.resize(side, roomy ? 4 : 2, roomy ? 124 : 104);
      show();
      tree.resize(side, clamp(Math.round(side * 0.78), 280, 420) - 20);
    },
    draw(cost) {
      const { name, plane, paths, longest, path } = now();
      const step = stepOn(path);
      const size = count(step + 1, "leaf", "leaves");
      show();
      map.draw(step);
      tree.draw(step, step < path.steps ? path.split[step] : -1);
      curves.point(step, [
        { value: path.costs[step], text: `impurity ${path.costs[step].toFixed(3)}` },
        { value: path.errors[step], text: `error ${path.errors[step].toFixed(3)}` },
      ]);
      tiles.draw(
        cost,
        (other) => stepOn(paths[other]),
        (other) => `error ${paths[other].errors[stepOn(paths[other])].toFixed(3)}`,
      );
      say(map.title, name);
      say(tree.title, `Tree of ${size}`);
      say(fourTitle, `The four costs, at most ${count(asked(), "leaf", "leaves")}`);
      data.input.value = name;
      put(leaves.input, "max", longest + 1);
      leaves.input.value = asked();
      say(leaves.value, `${asked()} of ${longest + 1}`);
      put(leaves.input, "aria-valuetext", `${asked()} of ${longest + 1}`);
      leaves.value.style.minWidth = "8ch";
      // A chord is about two classes.
      asChord.input.hidden = plane.classes.length > 2;
      asChord.input.disabled = step === 0;
      back.input.disabled = asked() === 1;
      forward.input.disabled = asked() === longest + 1;
      const playing = model.get("playing");
      say(play.input, playing ? "Pause" : "Play");
      put(play.input, "aria-label", playing ? "Pause" : "Play");
      return (
        `${name}, ${cost}: ${size}, impurity ${path.costs[step].toFixed(3)}, ` +
        `error ${path.errors[step].toFixed(3)}; ${outlook(path, step)}`
      );
    },
  };
};

// --- the explorer ------------------------------------------------------------------------------

explorers.impurity = ({ model, el }) => {
  const parts = { chord: chordPart({ model }), plane: planePart({ model }) };
  const select = (name, label, options) =>
    selectControl({ name, label, options, onChange: (value) => change(model, { [name]: value }) });
  const views = select("view", "View", Object.keys(parts));
  const costs = select("cost", "Cost, G", Object.keys(COSTS));
  const status = statusLine();
  const fields = [views.root, costs.root, ...parts.chord.fields, ...parts.plane.fields];
  const controls = html("div", { class: "dtviz-controls dtviz-even" }, ...fields);
  const view = html("div", { class: "dtviz-view" }, controls, status.root, parts.chord.root, parts.plane.root);
  el.append(view);

  let room = null; // { width, kind }
  const sized = {};
  const draw = () => {
    const name = model.get("view");
    for (const [other, { root, fields: own }] of Object.entries(parts)) {
      for (const part of [root, ...own]) part.hidden = other !== name;
    }
    views.input.value = name;
    costs.input.value = model.get("cost");
    if (!room) return;
    // Room for the longest line, so that nothing below it moves.
    const longest = { chord: 120, plane: 92 }[name] * 7.7;
    status.root.style.minHeight = `${14 + 21 * Math.ceil(longest / room.width)}px`;
    if (sized[name] !== room) {
      sized[name] = room;
      parts[name].resize(room.width, room.kind);
    }
    status.say(parts[name].draw(model.get("cost")));
  };

  const traits = ["view", "cost", "p", "r", "tau", "data"].map((trait) => [trait, draw]);
  const stopListening = listen(model, {
    ...Object.fromEntries(traits),
    leaves() {
      draw();
      parts.plane.beat();
    },
    playing() {
      parts.plane.rewind();
      draw();
      parts.plane.beat();
    },
  });
  const stopWatching = onWidth(view, (width) => {
    const kind = width >= 800 ? "wide" : width < 560 ? "narrow" : "medium";
    view.dataset.width = kind;
    room = { width, kind };
    draw();
  });
  parts.plane.beat();

  return () => {
    parts.plane.stop();
    status.stop();
    stopListening();
    stopWatching();
    view.remove();
  };
};
