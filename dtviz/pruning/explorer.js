// Chapter 6: pruning. Slide what a method asks for, and see which subtrees go, and why.

import { CHART, chart } from "../explorers/static/chart.js";
import { rangeControl, selectControl, statusLine, tipBox } from "../explorers/static/controls.js";
import { OWN_KEYS, change, explorers, html, listen, onWidth, put, say, svg } from "../explorers/static/kit.js";
import { rootScale } from "../explorers/static/scale.js";
import { clamp, count } from "../explorers/static/text.js";
import { PRUNERS, answersTo, decisionAt, prunable, prunedBy, structuralRisk } from "./kernel.js";

// --- the picture of a tree that loses its twigs ----------------------------------------------------

const TWIGS = { height: 330, top: 14, foot: 14, tallest: 44, widest: 30, mark: 9 };

// Where the nodes are, and the size of a mark.
const twigPlaces = (tree, width) => {
  const levels = Math.max(...tree.depth);
  const slot = Math.min(width / tree.leaves[0], TWIGS.widest);
  const row = Math.min((TWIGS.height - TWIGS.top - TWIGS.foot) / Math.max(levels, 1), TWIGS.tallest);
  const left = (width - slot * tree.leaves[0]) / 2;
  const x = new Float64Array(tree.nodes);
  let placed = tree.leaves[0];
  for (let k = tree.nodes - 1; k >= 0; k -= 1) {
    if (tree.low[k] < 0) x[k] = left + ((placed -= 1) + 0.5) * slot;
    else x[k] = (x[tree.low[k]] + x[tree.high[k]]) / 2;
  }
  const y = Float64Array.from(tree.depth, (depth) => TWIGS.top + depth * row);
  return { x, y, mark: clamp(Math.min(slot - 1, row - 4), 3, TWIGS.mark) };
};

// The marks of a node and the line from its parent.
const twigMarks = (tree, { x, y, mark }, k) => {
  const leaf = svg("rect", { x: -mark / 2, y: -mark / 2, width: mark, height: mark });
  // A larger target than the mark.
  const reach = svg("rect", { class: "dtviz-reach", x: -9, y: -9, width: 18, height: 18 });
  const inner = svg("circle", { r: Math.max(mark / 3, 1.5) });
  const item = { role: "treeitem", tabindex: k ? -1 : 0, "data-node": k, "aria-level": tree.depth[k] + 1 };
  const place = { transform: `translate(${x[k]},${y[k]})`, ...OWN_KEYS };
  const group = svg("g", { ...item, ...place }, reach, inner, leaf);
  const up = tree.parent[k];
  const line = up < 0 ? null : { x1: x[up], y1: y[up], x2: x[k], y2: y[k] };
  return { x: x[k], y: y[k], group, edge: line && svg("g", {}, svg("line", line)) };
};

// Making the marks takes longer than all else a slider does: those of a tree are kept until the width changes.
const layOutTwigs = (view) => {
  const { tree, width, laid } = view;
  if (!laid.has(tree)) {
    const places = twigPlaces(tree, width);
    laid.set(tree, Array.from({ length: tree.nodes }, (_, k) => twigMarks(tree, places, k)));
  }
  view.twigs = laid.get(tree);
  view.states = [];
  view.items.replaceChildren(...view.twigs.map(({ group }) => group));
  view.edges.replaceChildren(...view.twigs.flatMap(({ edge }) => edge ?? []));
  const box = { width, height: TWIGS.height, viewBox: `0 0 ${width} ${TWIGS.height}` };
  for (const [key, value] of Object.entries(box)) view.canvas.setAttribute(key, value);
};

const markTrail = ({ tree, twigs }, k, on) => {
  for (let at = k; at > 0; at = tree.parent[at]) put(twigs[at].edge, "data-trail", on);
};

// Tell of node k in a box beside it; of none if k is negative.
const tellTwig = (view, k) => {
  const { tip, twigs, told, width } = view;
  if (told >= 0 && told < twigs.length) {
    markTrail(view, told, false);
    twigs[told].group.classList.remove("dtviz-told");
  }
  view.told = k;
  tip.root.hidden = k < 0;
  if (k < 0) return;
  markTrail(view, k, true);
  twigs[k].group.classList.add("dtviz-told");
  tip.say({ title: answersTo(view.tree, k), ...view.facts(k) });
  const { offsetWidth: wide, offsetHeight: tall } = tip.root;
  const { x, y } = twigs[k];
  tip.root.style.left = `${clamp(x - wide / 2, 0, Math.max(width - wide, 0))}px`;
  tip.root.style.top = `${y + 16 + tall <= TWIGS.height || y - 16 - tall < 0 ? y + 16 : y - 16 - tall}px`;
};

// Up and down along the tree, left and right along a level.
const nextTwig = (tree, k, key) => {
  if (key === "ArrowUp") return tree.parent[k];
  if (key === "ArrowDown") return tree.low[k];
  const row = [...tree.depth.keys()].filter((j) => tree.depth[j] === tree.depth[k]);
  const at = row.indexOf(k);
  if (key === "ArrowLeft") return row[at - 1] ?? -1;
  if (key === "ArrowRight") return row[at + 1] ?? -1;
  return key === "Home" ? 0 : -1;
};

// The node that the keyboard comes to.
const enterTwig = (view, k) => {
  put(view.twigs[view.current].group, "tabindex", -1);
  view.current = k;
  put(view.twigs[k].group, "tabindex", 0);
};

// Leave the marks of a tree as they were made: nothing told, its root first.
const leaveTwigs = (view) => {
  if (!view.twigs.length) return;
  tellTwig(view, -1);
  enterTwig(view, 0);
};

const listenToTwigs = (view) => {
  const { stage, items } = view;
  const indexOf = (event) => {
    const group = event.target.closest?.("[role=treeitem]");
    return group ? Number(group.dataset.node) : -1;
  };
  stage.addEventListener("pointerover", (event) => tellTwig(view, indexOf(event)));
  stage.addEventListener("pointerleave", () => {
    tellTwig(view, items.querySelector(":focus-visible") ? view.current : -1);
  });
  stage.addEventListener("click", (event) => tellTwig(view, indexOf(event)));
  stage.addEventListener("focusin", (event) => {
    enterTwig(view, indexOf(event));
    tellTwig(view, view.current);
  });
  stage.addEventListener("focusout", () => tellTwig(view, -1));
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Escape") tellTwig(view, -1);
    else {
      const next = nextTwig(view.tree, indexOf(event), event.key);
      if (next < 0) return;
      view.twigs[next].group.focus();
    }
    event.preventDefault();
  });
};

// Show what is left of each node, as `remains` has it.
const drawTwigs = (view, states) => {
  const { tree, twigs } = view;
  states.forEach((state, k) => {
    if (view.states[k] === state) return;
    const { group, edge } = twigs[k];
    const kind = tree.low[k] < 0 || state === "stump" ? "box" : "dot";
    put(group, "class", `dtviz-twig dtviz-${state} dtviz-as-${kind} dtviz-label${tree.label[k]}`);
    const what = { inner: "Split", leaf: "Leaf", stump: "Cut here", gone: "Cut off" }[state];
    put(group, "aria-label", `${what}: ${answersTo(tree, k)}`);
    if (edge) put(edge, "class", state === "gone" ? "dtviz-gone" : "");
  });
  view.states = states;
  if (view.told >= 0) tellTwig(view, view.told);
};

// A view of a tree; `facts(k)` is what the tip tells of a node.
const twigView = ({ name, facts }) => {
  const edges = svg("g", { class: "dtviz-edges", "aria-hidden": "true" });
  const items = svg("g", { role: "tree", "aria-label": name });
  const canvas = svg("svg", { class: "dtviz-canvas dtviz-twigs" }, edges, items);
  const tip = tipBox();
  const title = html("div", { class: "dtviz-heading" });
  const stage = html("div", { class: "dtviz-stage" }, canvas, tip.root);
  const root = html("div", { class: "dtviz-tree" }, title, stage);
  const state = { tree: null, width: 0, laid: new Map(), twigs: [], states: [], told: -1, current: 0 };
  const view = { edges, items, canvas, tip, stage, facts, ...state };
  listenToTwigs(view);
  return {
    root,
    title,
    show(tree) {
      leaveTwigs(view);
      view.tree = tree;
      if (view.width) layOutTwigs(view);
    },
    resize(width) {
      leaveTwigs(view);
      view.width = width;
      view.laid.clear();
      layOutTwigs(view);
    },
    draw: (states) => drawTwigs(view, states),
  };
};

// --- controls ------------------------------------------------------------------------------------

const DIAL_LABELS = { d: "Errors allowed, d", c: "Constant, c", delta: "Confidence, δ", alpha: "Price of a leaf, α" };

const dialsOf = (model) => Object.fromEntries(Object.keys(DIAL_LABELS).map((name) => [name, model.get(name)]));

const pruningControls = (model) => {
  const set = (trait) => (value) => change(model, { [trait]: value });
  const noises = model.get("_noises");
  const [samples, methods] = ["_paths", "_methods"].map((name) => Object.keys(model.get(name)));
  const sample = selectControl({ name: "sample", label: "Data", options: samples, onChange: set("sample") });
  const method = selectControl({ name: "method", label: "Method", options: methods, onChange: set("method") });
  const noise = rangeControl({
    name: "noise",
    label: "Labels flipped",
    min: 0,
    max: noises.length - 1,
    step: 1,
    onInput: (at) => change(model, { noise: noises[at] }),
  });
  const dials = Object.entries(DIAL_LABELS).map(([name, label]) => {
    // The errors allowed end where those of the root do: see frameCharts.
    const [min, max, step] = model.get("_dials")[name] ?? [0, 1, 1];
    return [name, rangeControl({ name, label, min, max, step, onInput: set(name) })];
  });
  const dialBox = html("div", { class: "dtviz-dials" }, noise.root, ...dials.map(([, dial]) => dial.root));
  const choices = html("div", { class: "dtviz-choices" }, sample.root, method.root);
  const root = html("div", { class: "dtviz-controls" }, choices, dialBox);
  return { root, sample, method, noise, dials: Object.fromEntries(dials) };
};

const showControls = (model, { sample, method, noise, dials }) => {
  sample.input.value = model.get("sample");
  method.input.value = model.get("method");
  const wanted = model.get("_methods")[model.get("method")];
  for (const [name, dial] of Object.entries(dials)) {
    dial.root.hidden = !wanted.includes(name);
    const value = model.get(name);
    dial.input.value = value;
    say(dial.value, name === "d" ? String(value) : value.toFixed(name === "alpha" ? 4 : 2));
  }
  const share = model.get("noise").toFixed(2);
  noise.input.value = model.get("_noises").indexOf(model.get("noise"));
  say(noise.value, share);
  put(noise.input, "aria-valuetext", share);
};

// --- pictures ------------------------------------------------------------------------------------

// The tree on display; each is made once.
const treesOf = (model) => {
  const records = model.get("_paths");
  const made = new Map();
  return () => {
    const packed = records[model.get("sample")][model.get("_noises").indexOf(model.get("noise"))];
    if (!made.has(packed)) made.set(packed, prunable(packed));
    return made.get(packed);
  };
};

const SAMPLE_WORDS = { training: "training", pruning: "pruning sample" };

// What the tip tells of node k.
const twigFacts = (tree, method, record, k) => {
  const { judge } = PRUNERS[method];
  const { reach, wrong, size } = tree.counted[judge];
  const lines = [[`${SAMPLE_WORDS[judge]}, here`, `${reach[k]} of ${size}`]];
  if (tree.low[k] < 0) {
    lines.push(["label", tree.label[k]], ["errors", wrong[k]]);
    return { lines };
  }
  const told = decisionAt(tree, method, record, k);
  lines.push([`errors, ${count(told.size, "leaf", "leaves")}`, told.below]);
  if (told.fine !== null && method === "bottom up") lines.push(["penalty", `+ ${told.fine.toFixed(1)}`]);
  lines.push(["errors, one leaf", told.alone]);
  if (told.fine === null) return { lines, hint: told.cut ? "Cut." : "Kept." };
  const sum = told.below + told.fine;
  const shown = Number.isInteger(sum) ? sum : sum.toFixed(1);
  return { lines, hint: told.cut ? `Cut: ${shown} ≥ ${told.alone}.` : `Kept: ${shown} < ${told.alone}.` };
};

const errorsChart = () =>
  chart({
    title: "Errors against size",
    scaleName: "as the tree grows",
    name: "Training error, error on the pruning sample and true error against the number of leaves.",
    keys: ["training", "pruning", "truth"],
    onStep: () => {},
  });

// The staircase of fewest errors, with a mark at the least structural risk.
const frontChart = (onStep) => {
  const front = chart({
    title: "Fewest training errors",
    scaleName: "of every size",
    name: "The fewest training errors of a pruning with so many leaves, and the structural risk.",
    keys: ["training", "bound-risk"],
    onStep,
  });
  const best = svg("g", { class: "dtviz-best" }, svg("circle", { r: 6 }), svg("text", { y: -12, "text-anchor": "middle" }));
  front.over.append(best);
  return { front, best };
};

const frameCharts = ({ errors, front, controls }, tree) => {
  const steps = tree.leaves[0] - 1;
  const { training } = tree.counted;
  errors.frame(steps, rootScale(0.5));
  Object.values(tree.grown).forEach((curve, k) => errors.curve(k, (j) => curve[j]));
  front.frame(steps, rootScale(1.25));
  front.curve(0, (j) => tree.fewest[j] / training.size);
  front.curve(1, (j) => structuralRisk(tree, j + 1));
  put(controls.dials.d.input, "max", training.wrong[0]);
};

const drawFront = ({ front, best }, tree, leaves) => {
  const fewest = tree.fewest[leaves - 1];
  const risk = structuralRisk(tree, leaves);
  front.point(leaves - 1, [
    { value: fewest / tree.counted.training.size, text: `errors ${fewest}` },
    { value: risk, text: `risk ${risk.toFixed(2)}` },
  ]);
  const choice = tree.front.sizes[tree.srm];
  const steps = tree.leaves[0] - 1;
  const inner = front.width - CHART.left - CHART.right;
  const x = CHART.left + (steps ? ((choice - 1) / steps) * inner : inner / 2);
  put(best, "transform", `translate(${x},${front.y(structuralRisk(tree, choice))})`);
  say(best.lastChild, `least risk: ${choice}`);
  put(best.lastChild, "text-anchor", x < CHART.left + 50 ? "start" : "middle");
};

// Draw what the method makes of the tree.
const drawPruning = (page, tree) => {
  const { model, twigs, errors, status } = page;
  const method = model.get("method");
  const { record, states, leaves, rates } = prunedBy(tree, method, dialsOf(model));
  page.record = record;
  twigs.draw(states);
  const grown = count(tree.leaves[0], "leaf", "leaves");
  say(twigs.title, `${grown} grown, ${leaves.toLocaleString("en")} kept`);
  const [trained, pruned, truth] = [rates.training, rates.pruning, rates.truth].map((rate) => rate.toFixed(3));
  errors.point(leaves - 1, [
    { value: rates.training, text: `training ${trained}` },
    { value: rates.pruning, text: `pruning ${pruned}` },
    { value: rates.truth, text: `${tree.truth} ${truth}` },
  ]);
  drawFront(page, tree, leaves);
  const asked = model.get("_methods")[method].map((name) => `, ${name} = ${model.get(name)}`).join("");
  status.say(
    `${method}${asked}, noise ${model.get("noise").toFixed(2)}: ${leaves} of ${grown} kept; ` +
      `errors: training ${trained}, pruning sample ${pruned}, ${tree.truth} ${truth}`,
  );
};

// --- the explorer --------------------------------------------------------------------------------

const pruningPage = (model, treeNow) => {
  const page = { model, controls: pruningControls(model), status: statusLine(), errors: errorsChart(), record: null };
  const facts = (k) => twigFacts(treeNow(), model.get("method"), page.record, k);
  page.twigs = twigView({ name: "Decision tree and what is cut of it", facts });
  const onStep = (step) => change(model, { method: "fewest leaves", d: treeNow().fewest[step] });
  Object.assign(page, frontChart(onStep));
  const key = html(
    "p",
    { class: "dtviz-key" },
    "Circles are tests, boxes leaves (blue 0, orange 1). A framed box stands where a subtree was cut; what went with it is faint. Point at a node to see why.",
  );
  const panel = html("div", { class: "dtviz-panel" }, page.twigs.root, key);
  const pictures = html("div", { class: "dtviz-pictures" }, panel, page.errors.root, page.front.root);
  page.root = html("div", { class: "dtviz-view" }, page.controls.root, page.status.root, pictures);
  return page;
};

const resizePruning = ({ root, errors, front, twigs }, width) => {
  const wide = width >= 800;
  const narrow = width < 560;
  root.dataset.width = wide ? "wide" : narrow ? "narrow" : "medium";
  const gap = 28;
  const side = wide ? Math.round(width * 0.38) : narrow ? width : Math.floor((width - gap) / 2);
  for (const one of [errors, front]) Object.assign(one, { width: side, height: 190 });
  twigs.resize(wide ? width - side - gap : width);
};

explorers.pruning = ({ model, el }) => {
  const treeNow = treesOf(model);
  const page = pruningPage(model, treeNow);
  el.append(page.root);

  const draw = () => {
    // Hidden so far: there is no room to draw in.
    if (!page.root.dataset.width) return;
    showControls(model, page.controls);
    drawPruning(page, treeNow());
  };
  const newTree = () => {
    page.twigs.show(treeNow());
    if (page.root.dataset.width) frameCharts(page, treeNow());
    draw();
  };
  const redraws = Object.fromEntries(["method", ...Object.keys(DIAL_LABELS)].map((trait) => [trait, draw]));
  const stopListening = listen(model, { ...redraws, sample: newTree, noise: newTree });

  page.twigs.show(treeNow());
  const stopWatching = onWidth(page.root, (width) => {
    resizePruning(page, width);
    frameCharts(page, treeNow());
    draw();
  });
  return () => {
    page.status.stop();
    stopListening();
    stopWatching();
    page.root.remove();
  };
};
