// Chapter 1: influence-greedy growth. Slide epsilon, and the tree BuildTopDownDT outputs follows.

// The largest epsilon of the slider below a positive error.
const epsilonBelow = (error) =>
  Number(((Math.ceil(error / EPSILON_GRID - 1e-9) - 1) * EPSILON_GRID).toFixed(3));

explorers.influence = ({ model, el }) => {
  const records = model.get("_paths");
  const grown = new Map();
  const pathNow = () => {
    const name = model.get("function");
    if (!grown.has(name)) grown.set(name, growth(records[name]));
    return grown.get(name);
  };
  // The step shown: where epsilon stops the learner, or earlier while it is still growing.
  const shown = (path = pathNow()) => {
    const stop = path.stop(model.get("epsilon"));
    return { stop, step: Math.min(model.get("step") ?? stop, stop) };
  };
  // Show `step` splits; beyond what epsilon asks for, ask for less error.
  const goTo = (step) => {
    const path = pathNow();
    if (step < 0 || step > path.steps) return;
    const enough = step <= shown(path).stop;
    const epsilon = enough ? model.get("epsilon") : epsilonBelow(path.errors[step - 1]);
    // epsilon first: its handler forgets the step.
    change(model, { epsilon, step: step === path.stop(epsilon) ? null : step });
  };

  // --- controls
  const which = selectControl({
    name: "function",
    label: "Function",
    options: Object.keys(records),
    onChange: (value) => change(model, { function: value }),
  });
  const bounds = checkControl({
    name: "show_bounds",
    label: "Bounds of the lemmas",
    onChange: (value) => change(model, { show_bounds: value }),
  });
  const slider = rangeControl({
    name: "epsilon",
    label: "Error allowed, ε",
    min: 0,
    max: 0.5,
    step: EPSILON_GRID,
    ends: ["0.5", "0"],
    reversed: true,
    onInput: (value) => change(model, { epsilon: value }),
  });
  const splits = rangeControl({
    name: "step",
    label: "Splits",
    min: 0,
    max: 0,
    step: 1,
    onInput: goTo,
  });
  const back = buttonControl({
    name: "back",
    label: "One split back",
    text: "‹",
    onClick: () => goTo(shown().step - 1),
  });
  const forward = buttonControl({
    name: "forward",
    label: "One split forward",
    text: "›",
    onClick: () => goTo(shown().step + 1),
  });
  const play = buttonControl({
    name: "playing",
    label: "Play",
    text: "",
    onClick: () => change(model, { playing: !model.get("playing") }),
  });
  const status = statusLine();
  const transport = html("div", { class: "dtviz-transport" }, play.root, back.root, splits.root, forward.root);

  // --- pictures
  const facts = (node, state) => {
    const path = pathNow();
    const { best, probability } = path;
    const lines = [["probability", `${probability(node)}`]];
    if (state === "inner") lines.push(["splits on", `x${best[node]}`]);
    lines.push(["score", path.score(node).toFixed(4)]);
    if (state === "leaf") {
      const variable = best[node] < 0 ? "none, f is constant here" : `x${best[node]}`;
      lines.push(["most influential", variable], ["label", path.label(node)]);
    }
    lines.push(["error", path.error(node).toFixed(4)]);
    return lines;
  };
  const tree = treeView({ name: "Decision tree", facts });
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Left branch: 0, right branch: 1. A box is a leaf with its label, paler the more mixed it is; " +
      "below it stands its score. Green: split next. A triangle folds a subtree: leaves, error; click to look inside.",
  );
  const errors = chart({
    title: "Error and cost",
    scaleName: "square-root scale",
    name: "Curves of the error, the cost and half the cost against the number of leaves.",
    keys: ["cost", "half", "error"],
    onStep: goTo,
  });
  const scores = chart({
    title: "Score of the next split",
    scaleName: "log scale",
    name: "The score of each split against the number of leaves.",
    keys: ["score", "bound", "bound-paper", "bound-cost"],
    onStep: goTo,
  });
  const top = () => Math.max(pathNow().costs[0], 0.5);
  const drawLevel = epsilonLevel(errors, { top, onMove: (epsilon) => change(model, { epsilon }) });

  const controls = html(
    "div",
    { class: "dtviz-controls" },
    which.root,
    bounds.root,
    slider.root,
    transport,
  );
  const pictures = html(
    "div",
    { class: "dtviz-pictures" },
    html("div", { class: "dtviz-panel" }, tree.root, key),
    errors.root,
    scores.root,
  );
  const view = html("div", { class: "dtviz-view" }, controls, status.root, pictures);
  el.append(view);

  // --- drawing
  const frameCharts = () => {
    const path = pathNow();
    const { steps, costs, errors: error, scores: score, size } = path;
    errors.frame(steps, rootScale(top()));
    errors.curve(0, (j) => costs[j]);
    errors.curve(1, (j) => costs[j] / 2);
    errors.curve(2, (j) => error[j]);
    const floor = steps ? score[steps - 1] : 0.5;
    const bounded = model.get("show_bounds") && steps > 0;
    const log = Math.log2(size);
    const least = bounded
      ? Math.min((2 * error[steps - 1]) / (steps * log), EPSILON_GRID / (steps * log))
      : floor;
    scores.frame(steps, logScale(least / 1.4, Math.max(score[0], 0.1) * 1.4));
    scores.curve(0, (j) => score[j], 0, steps - 1);
    scores.curve(1, bounded && ((j) => (2 * error[j]) / ((j + 1) * log)), 0, steps - 1);
    errors.fill(bounded && ((j) => costs[j] / 2), (j) => error[j]);
    errors.remark(bounded && "Lemma 5.1: error ≤ cost/2");
    scores.remark(bounded && `smallest tree: s = ${size}`);
  };

  const drawCharts = (path, epsilon, step, stop) => {
    const { steps, costs, errors: error, scores: score, size } = path;
    const bounded = model.get("show_bounds") && steps > 0;
    errors.point(step, [
      { value: costs[step], text: `cost ${costs[step].toFixed(2)}` },
      { value: costs[step] / 2, text: `cost/2 ${(costs[step] / 2).toFixed(2)}` },
      { value: error[step], text: `error ${error[step].toFixed(3)}` },
    ]);
    drawLevel(epsilon);

    const log = Math.log2(size);
    const wide = Math.log2((4 * size) / epsilon);
    const paper = (j) => epsilon / ((j + 1) * log);
    const byCost = (j) => costs[j] / ((j + 1) * wide * log);
    // Lemma 5.2 speaks while the error is above epsilon, Lemma 5.4 while the cost is large.
    const useful = bounded && epsilon > 0;
    let large = -1;
    while (useful && large < steps && costs[large + 1] >= epsilon * wide) large += 1;
    scores.curve(2, useful && stop > 0 && paper, 0, stop - 1);
    scores.curve(3, useful && large >= 0 && byCost, 0, large);
    const tag = (name, value, speaks) => speaks && { value, text: `${name} ${brief(value)}` };
    scores.point(step, [
      tag("score", score[step], step < steps),
      tag("sharper", (2 * error[step]) / ((step + 1) * log), bounded && step < steps),
      tag("Lemma 5.2", paper(step), useful && step < stop),
      tag("Lemma 5.4", byCost(step), useful && step <= large),
    ]);
  };

  const draw = () => {
    const path = pathNow();
    const epsilon = model.get("epsilon");
    const { stop, step } = shown(path);
    const leaves = count(step + 1, "leaf", "leaves");
    const error = path.errors[step];
    tree.draw(step, step < path.steps ? path.split[step] : -1);
    drawCharts(path, epsilon, step, stop);

    const growing = step < stop ? ", still growing" : "";
    status.say(
      `epsilon ${epsilonText(epsilon)}${growing}: ${leaves}, ` +
        `error ${error.toFixed(3)}, cost ${path.costs[step].toFixed(2)}`,
    );
    say(tree.title, `Tree after ${count(step, "split")}`);
    slider.input.value = epsilon;
    say(slider.value, epsilonText(epsilon));
    put(slider.input, "aria-valuetext", `${epsilonText(epsilon)}, ${leaves}`);
    splits.value.style.minWidth = `${2 * String(path.steps).length + 4}ch`;
    put(splits.input, "max", path.steps);
    splits.input.value = step;
    say(splits.value, `${step} of ${path.steps}`);
    put(splits.input, "aria-valuetext", `${step} of ${path.steps}`);
    which.input.value = model.get("function");
    bounds.input.checked = model.get("show_bounds");
    back.input.disabled = step === 0;
    forward.input.disabled = step === path.steps;
    const playing = model.get("playing");
    say(play.input, playing ? "Pause" : "Play");
    put(play.input, "aria-label", playing ? "Pause" : "Play");
  };

  const redraw = () => {
    frameCharts();
    draw();
  };

  // --- play: about twenty seconds for a large tree, an unhurried pace for a small one
  let timer = 0;
  const pace = () => {
    const { stop } = shown();
    if (calm()) return { wait: 1000, stride: Math.max(1, Math.ceil(stop / 20)) };
    return { wait: clamp(12000 / stop, 90, 900), stride: Math.max(1, Math.ceil(stop / 200)) };
  };
  const beat = () => {
    clearTimeout(timer);
    if (!model.get("playing")) return;
    const { wait, stride } = pace();
    timer = setTimeout(() => {
      const { step, stop } = shown();
      const next = step + stride;
      if (next < stop) change(model, { step: next });
      else change(model, { step: null, playing: false });
    }, wait);
  };

  const stopListening = listen(model, {
    epsilon() {
      if (model.get("step") !== null) change(model, { step: null });
      draw();
    },
    step() {
      draw();
      beat();
    },
    function() {
      change(model, { step: null, playing: false });
      tree.show(pathNow());
      redraw();
    },
    show_bounds: redraw,
    playing() {
      const { step, stop } = shown();
      if (model.get("playing") && step === stop) {
        // Nothing to grow at this epsilon: ask for no error, and watch the whole growth.
        if (stop === 0) change(model, { epsilon: 0 });
        // Played to the end already: start again from one leaf.
        change(model, { step: 0 });
      }
      draw();
      beat();
    },
  });

  tree.show(pathNow());
  const stopWatching = onWidth(view, (width) => {
    const wide = width >= 800;
    const narrow = width < 560;
    view.dataset.width = wide ? "wide" : narrow ? "narrow" : "medium";
    const gap = 28;
    const side = wide ? Math.round(width * 0.38) : narrow ? width : Math.floor((width - gap) / 2);
    const height = 190;
    for (const one of [errors, scores]) Object.assign(one, { width: side, height });
    frameCharts();
    tree.resize(wide ? width - side - gap : width, wide || narrow ? 400 : 340);
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
