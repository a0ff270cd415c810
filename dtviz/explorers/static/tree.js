// Growth paths, and the drawing of a tree that grows along one.

// --- growth paths ------------------------------------------------------------------------------

// What the splits alone say: node 0 is the root, and step j splits node split[j] on variable[j]
// into nodes 2j + 1 (bit 0) and 2j + 2 (bit 1).
const pathShape = (split, variable) => {
  const steps = split.length;
  const nodes = 2 * steps + 1;
  const depth = new Uint8Array(nodes);
  const parent = new Int32Array(nodes).fill(-1);
  const splitAt = new Int32Array(nodes).fill(steps);
  split.forEach((node, j) => {
    splitAt[node] = j;
    for (const child of [2 * j + 1, 2 * j + 2]) {
      parent[child] = node;
      depth[child] = depth[node] + 1;
    }
  });
  // The answers on the way from the root to a node, as [variable, bit].
  const restriction = (node) => {
    const answers = [];
    for (let at = node; at > 0; at = parent[at]) {
      answers.unshift([variable[(at - 1) >> 1], at % 2 ? 0 : 1]);
    }
    return answers;
  };
  return {
    steps,
    split,
    variable,
    depth,
    parent,
    splitAt,
    restriction,
    // What a tree view writes: the test of a node and the two answers to it, the mark of a label,
    // where a node is.
    test: (node) => `x${variable[splitAt[node]]}`,
    testWidth: TREE.boxWidth,
    answers: ["0", "1"],
    mark: String,
    where: (node) =>
      restriction(node)
        .map(([tested, bit]) => `x${tested}=${bit}`)
        .join(", ") || "no variable fixed",
  };
};

// A path as the Python side packs it; counts are multiples of 2^-n.
const growth = ({ n, size, split, variable, best, ones, cost, score }) => {
  const shape = pathShape(split, variable);
  const { steps, depth } = shape;
  const total = 2 ** n;
  const probability = (node) => 2 ** -depth[node];
  const error = (node) => Math.min(ones[node], total * probability(node) - ones[node]) / total;
  // Sums of integers over 2^n are exact, so they equal Python's to the last bit.
  const totals = (share) => {
    const sums = new Float64Array(steps + 1);
    sums[0] = share(0);
    split.forEach((node, j) => {
      sums[j + 1] = sums[j] - share(node) + share(2 * j + 1) + share(2 * j + 2);
    });
    return sums;
  };
  const errors = totals(error);
  return {
    ...shape,
    n,
    size,
    best,
    errors,
    costs: totals((node) => cost[node] / total),
    // The score of the split that comes next, 0 after the last.
    scores: Float64Array.from({ length: steps + 1 }, (_, j) =>
      j < steps ? score[split[j]] / total : 0,
    ),
    probability,
    error,
    score: (node) => score[node] / total,
    label: (node) => (2 * ones[node] > total * probability(node) ? 1 : 0),
    // The first step whose error is at most epsilon.
    stop(epsilon) {
      let [low, high] = [0, steps];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (errors[middle] <= epsilon) high = middle;
        else low = middle + 1;
      }
      return low;
    },
    // How mixed a node is, 0 if pure, 1 if half and half.
    mixed: (node) => (2 * error(node)) / probability(node),
  };
};

// --- trees -------------------------------------------------------------------------------------

// The error at a node after each of the splits folded into it.
const foldedErrors = (path, { node, folded }) => {
  let error = path.error(node);
  return folded.map((j) => {
    error += path.error(2 * j + 1) + path.error(2 * j + 2) - path.error(path.split[j]);
    return error;
  });
};

// What of a path's subtree at `root` is drawn: its first splits, while they fit into `slots` leaves
// side by side and `levels` levels. A later split is folded into the drawn node above it. The choice
// does not depend on the step, so no node ever moves while the tree grows.
const drawnPart = (path, root, slots, levels) => {
  const spots = [];
  const owner = new Int32Array(2 * path.steps + 1).fill(-1);
  const add = (node, up, level) => {
    owner[node] = spots.length;
    spots.push({ node, up, level, low: -1, high: -1, x: 0, folded: [], errors: [] });
    return owner[node];
  };
  add(root, -1, 0);
  for (let j = 0, drawn = 1; j < path.steps; j += 1) {
    const node = path.split[j];
    const at = owner[node];
    if (at < 0) continue;
    const spot = spots[at];
    const [low, high] = [2 * j + 1, 2 * j + 2];
    if (spot.node === node && spot.level < levels && drawn < slots) {
      spot.low = add(low, at, spot.level + 1);
      spot.high = add(high, at, spot.level + 1);
      drawn += 1;
    } else {
      owner[low] = at;
      owner[high] = at;
      spot.folded.push(j);
    }
  }
  let leaves = 0;
  const place = (spot) => {
    if (spot.low < 0) {
      spot.x = leaves + 0.5;
      leaves += 1;
    } else {
      place(spots[spot.low]);
      place(spots[spot.high]);
      spot.x = (spots[spot.low].x + spots[spot.high].x) / 2;
    }
  };
  place(spots[0]);
  for (const spot of spots) spot.errors = foldedErrors(path, spot);
  return { spots, owner, leaves, levels: Math.max(...spots.map((spot) => spot.level)) };
};

// How many entries of an ascending list are below a bound.
const countBelow = (list, bound) => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

// Pixels: a box, the narrowest columns, the widest one, the lowest and highest row, the margins.
const TREE = {
  boxWidth: 28,
  boxHeight: 20,
  slot: 30,
  foldedSlot: 40,
  widest: 84,
  row: 32,
  tallest: 62,
  top: 18,
  foot: 58,
};

const isEnd = (state) => state === "leaf" || state === "folded";

// A tree that grows in place. `facts(node, state)` lists what is told of an inner node or a leaf, as
// [term, value]; draw(step, next) shows the tree after `step` splits and marks the leaf `next`;
// onTell(node) hears which node the reader points at, -1 for none.
const treeView = ({ name, facts, onTell = () => {} }) => {
  const edges = svg("g", { class: "dtviz-edges", "aria-hidden": "true" });
  const items = svg("g", { role: "tree", "aria-label": name });
  const canvas = svg("svg", { class: "dtviz-canvas" }, edges, items);
  const tip = tipBox();
  const out = html("button", { type: "button", class: "dtviz-out", hidden: "", ...OWN_KEYS }, "Whole tree");
  const title = html("span");
  const where = html("span", { class: "dtviz-aside dtviz-where" });
  const heading = html("div", { class: "dtviz-heading dtviz-crumbs" }, title, where, out);
  const stage = html("div", { class: "dtviz-stage" }, canvas, tip.root);
  const root = html("div", { class: "dtviz-tree" }, heading, stage);

  let path = null;
  let part = null;
  let size = { width: 0, height: 0 }; // what there is room for
  let height = 0; // what the tree takes of it
  let shown = { step: 0, next: -1 };
  let zoomed = 0;
  let current = -1; // the spot in the tab order
  let told = -1; // the spot the tip is about

  const stateOf = (spot, step) => {
    if (spot.node > 0 && (spot.node - 1) >> 1 >= step) return "absent";
    if (spot.low >= 0) return path.splitAt[spot.node] < step ? "inner" : "leaf";
    return spot.folded.length > 0 && spot.folded[0] < step ? "folded" : "leaf";
  };

  const summary = (spot) => {
    const at = path.where(spot.node);
    if (spot.state === "folded") {
      const error = spot.errors[spot.leaves - 2];
      const lines = [["leaves", String(spot.leaves)], ["error", error.toFixed(4)]];
      return { title: at, lines, hint: "Click or press Enter to look inside." };
    }
    return { title: at, lines: facts(spot.node, spot.state === "inner" ? "inner" : "leaf") };
  };

  // The edges from the root to the node told of stand out.
  const trail = (index, on) => {
    for (let at = index; at > 0; at = part.spots[at].up) put(part.spots[at].edge, "data-trail", on);
  };

  const stress = (index) => {
    if (told >= 0) {
      part.spots[told].group.classList.remove("dtviz-told");
      trail(told, false);
    }
    const seen = part?.spots[index] && part.spots[index].state !== "absent";
    told = seen ? index : -1;
    if (!seen) return;
    part.spots[index].group.classList.add("dtviz-told");
    trail(index, true);
  };

  const tell = (index) => {
    stress(index);
    const spot = part?.spots[told];
    onTell(spot ? spot.node : -1);
    if (!spot) {
      tip.root.hidden = true;
      return;
    }
    tip.say(summary(spot));
    // Below what is written under the node where there is room, so that its path stays in sight.
    const { offsetWidth: wide, offsetHeight: tall } = tip.root;
    const below = spot.py + (spot.state === "folded" ? 54 : 32);
    const above = spot.py - 16 - tall;
    tip.root.style.left = `${clamp(spot.px - wide / 2, 0, size.width - wide)}px`;
    tip.root.style.top = `${below + tall <= height || above < 0 ? below : above}px`;
  };

  const enter = (index) => {
    if (current >= 0) part.spots[current]?.group.setAttribute("tabindex", "-1");
    current = index;
    part.spots[index].group.setAttribute("tabindex", "0");
  };

  const zoom = (node) => {
    zoomed = node;
    layOut();
    draw(shown.step, shown.next);
    enter(0);
    part.spots[0].group.focus();
    // Its name stands in the heading; the tip would only cover what the reader came to see.
    tell(-1);
  };

  // Left and right walk along the leaves, up and down between parent and children.
  const neighbour = (index, key) => {
    const spot = part.spots[index];
    if (key === "ArrowUp") return spot.up;
    if (key === "ArrowDown") return spot.state === "inner" ? spot.low : -1;
    const row = part.spots
      .map((other, k) => ({ k, x: other.x, end: isEnd(other.state) }))
      .filter(({ k, end }) => end || k === index)
      .sort((a, b) => a.x - b.x);
    const at = row.findIndex(({ k }) => k === index);
    if (key === "ArrowLeft") return row[at - 1]?.k ?? -1;
    if (key === "ArrowRight") return row[at + 1]?.k ?? -1;
    if (key === "Home") return row[0].k;
    if (key === "End") return row.at(-1).k;
    return -1;
  };

  const indexOf = (event) => {
    const group = event.target.closest?.("[role=treeitem]");
    return group ? Number(group.dataset.spot) : -1;
  };
  // On HTML, not on the drawing: Chromium lets Tab stop at SVG elements that listen to focus.
  stage.addEventListener("pointerover", (event) => tell(indexOf(event)));
  stage.addEventListener("pointerout", (event) => {
    // Back to what the keyboard points at, if it does.
    const held = items.querySelector(":focus-visible") ? current : -1;
    if (!items.contains(event.relatedTarget)) tell(held);
  });
  stage.addEventListener("focusin", (event) => {
    enter(indexOf(event));
    tell(current);
  });
  stage.addEventListener("focusout", () => tell(-1));
  const open = (index) => {
    const spot = part.spots[index];
    if (spot?.state === "folded" && index > 0) zoom(spot.node);
    else tell(index);
  };
  stage.addEventListener("click", (event) => open(indexOf(event)));
  stage.addEventListener("keydown", (event) => {
    const index = indexOf(event);
    if (event.key === "Enter" || event.key === " ") open(index);
    else if (event.key === "Escape" && !tip.root.hidden) tell(-1);
    else if (event.key === "Escape" && zoomed) zoom(0);
    else {
      const next = neighbour(index, event.key);
      if (next < 0) return;
      part.spots[next].group.focus();
    }
    event.preventDefault();
  });
  out.addEventListener("click", () => zoom(0));

  // Copied for each node: far quicker than to make one piece by piece.
  const { boxWidth: w, boxHeight: h } = TREE;
  const blank = svg(
    "g",
    { role: "treeitem", tabindex: -1, ...OWN_KEYS },
    svg("path", { d: `M0 ${-h / 2}L17 ${h / 2 + 12}H-17Z` }),
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h }),
    svg("text", { class: "dtviz-name", y: 4 }),
    svg("text", { class: "dtviz-note", y: h / 2 + 13 }),
    svg("text", { class: "dtviz-note dtviz-error", y: h / 2 + 39 }),
  );

  const makeSpot = (spot, index) => {
    spot.group = blank.cloneNode(true);
    [spot.fold, spot.box, spot.text, spot.note, spot.lower] = spot.group.children;
    spot.group.setAttribute("data-spot", index);
    if (spot.up < 0) return;
    const from = part.spots[spot.up];
    const side = index === from.low ? 0 : 1;
    const [mx, my] = [(from.px + spot.px) / 2, (from.py + spot.py) / 2];
    const line = { x1: from.px, y1: from.py, x2: spot.px, y2: spot.py };
    const at = { x: mx + (side ? 7 : -7), y: my, "text-anchor": side ? "start" : "end" };
    spot.bit = svg("text", at, path.answers[side]);
    spot.edge = svg("g", {}, svg("line", line), spot.bit);
  };

  const layOut = () => {
    const { width } = size;
    const all = path.steps + 1;
    const roomy = !zoomed && all * TREE.slot <= width;
    const slots = roomy ? all : Math.max(2, Math.floor(width / TREE.foldedSlot));
    const room = (zoomed ? height : size.height) - TREE.top - TREE.foot;
    part = drawnPart(path, zoomed, slots, Math.floor(room / TREE.row));
    const slot = Math.min(width / part.leaves, TREE.widest);
    const row = Math.min(room / Math.max(part.levels, 1), TREE.tallest);
    // Looking into a subtree must not move what is below the tree.
    if (!zoomed) height = Math.ceil(TREE.top + part.levels * row + TREE.foot);
    const left = (width - slot * part.leaves) / 2;
    part.short = slot < 40;
    part.spots.forEach((spot) => {
      spot.px = left + spot.x * slot;
      spot.py = TREE.top + spot.level * row;
    });
    part.spots.forEach(makeSpot);
    part.spots.forEach((spot) => {
      spot.home = `translate(${spot.px}px,${spot.py}px)`;
      const from = part.spots[Math.max(spot.up, 0)];
      spot.birth = `translate(${from.px}px,${from.py}px)`;
    });
    items.replaceChildren(...part.spots.map((spot) => spot.group));
    edges.replaceChildren(...part.spots.flatMap((spot) => spot.edge ?? []));
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
      canvas.setAttribute(key, value);
    }
    current = -1;
    told = -1;
    tip.root.hidden = true;
    out.hidden = zoomed === 0;
    say(where, zoomed ? `inside ${path.where(zoomed)}` : "");
  };

  // Dress one node for its state; `last` marks the split just made, `next` the one to come.
  const dress = (spot, state, leaves, last, next) => {
    spot.state = state;
    spot.leaves = leaves;
    const { group, node } = spot;
    const absent = state === "absent";
    group.style.transform = absent ? spot.birth : spot.home;
    put(group, "data-state", state);
    put(group, "data-leaves", leaves);
    put(group, "aria-level", spot.level + 1);
    put(group, "aria-hidden", absent);
    if (spot.edge) put(spot.edge, "class", absent ? "dtviz-absent" : "");
    if (absent) {
      put(group, "class", "dtviz-node");
      return;
    }
    const label = path.label(node);
    const impurity = path.mixed(node);
    const kind = state === "leaf" ? `dtviz-label${label}${impurity === 0 ? " dtviz-pure" : ""}` : "";
    const marks = `${last ? "dtviz-last" : ""} ${next ? "dtviz-next" : ""}`;
    put(group, "class", `dtviz-node dtviz-${state} ${kind} ${marks}`);
    const wide = state === "inner" ? path.testWidth : TREE.boxWidth;
    put(spot.box, "x", -wide / 2);
    put(spot.box, "width", wide);
    put(spot.box, "rx", state === "inner" ? 10 : 3);
    // Pure leaves are solid; mixed ones are a tint, the paler the closer to half and half.
    const shade = impurity > 0 ? 60 - 48 * impurity : 100;
    spot.box.style.setProperty("--dtviz-shade", `${shade.toFixed(1)}%`);
    const shorten = part.short ? tiny : small;
    if (state === "inner") {
      say(spot.text, path.test(node));
      say(spot.note, "");
    } else if (state === "leaf") {
      say(spot.text, path.mark(label));
      say(spot.note, shorten(path.score(node)));
    } else {
      say(spot.text, String(leaves));
      say(spot.note, "leaves");
    }
    put(spot.text, "y", state === "folded" ? 18 : 4);
    put(spot.note, "y", state === "folded" ? 35 : 23);
    say(spot.lower, state === "folded" ? tiny(spot.errors[leaves - 2]) : "");
    const { title, lines } = summary(spot);
    const what = { inner: "Split", leaf: "Leaf", folded: "Folded subtree" }[state];
    put(group, "aria-label", `${what}, ${title}: ${lines.map((line) => line.join(" ")).join(", ")}`);
  };

  const draw = (step, next) => {
    shown = { step, next };
    // Sliding back before the node we look into was made leads out again.
    if (zoomed && (zoomed - 1) >> 1 >= step) {
      zoomed = 0;
      layOut();
    }
    const made = step > 0 ? part.owner[path.split[step - 1]] : -1;
    const coming = next >= 0 ? part.owner[next] : -1;
    part.spots.forEach((spot, index) => {
      const state = stateOf(spot, step);
      const leaves = { absent: 0, inner: 0, leaf: 1, folded: 1 + countBelow(spot.folded, step) }[state];
      const [last, marked] = [index === made, index === coming];
      const key = `${state} ${leaves} ${last} ${marked}`;
      if (spot.key === key) return;
      spot.key = key;
      dress(spot, state, leaves, last, marked);
      if (index === told) tell(index);
    });
    part.spots.forEach((spot) => {
      if (!spot.edge || spot.state === "absent") return;
      const fresh = spot.up === made && part.spots[made].state === "inner";
      put(spot.edge, "class", fresh ? "dtviz-fresh" : "");
      put(spot.bit, "visibility", fresh || spot.up === 0 ? "inherit" : "hidden");
    });
    // Tab leads to the leftmost leaf, or to where the reader was.
    const { state } = part.spots[current] ?? {};
    if (!isEnd(state) && !(state === "inner" && items.matches(":focus-within"))) {
      const ends = part.spots.filter((spot) => isEnd(spot.state));
      enter(part.spots.indexOf(ends.reduce((a, b) => (b.x < a.x ? b : a))));
    }
  };

  return {
    root,
    title,
    draw,
    // Mark the node, or the fold that holds it, and the way to it; -1 marks none.
    point(node) {
      const held = items.querySelector(":focus-visible") ? current : -1;
      if (part) stress(node < 0 ? held : part.owner[node]);
    },
    resize(width, height) {
      size = { width, height };
      if (!path) return;
      layOut();
      draw(shown.step, shown.next);
    },
    show(newPath) {
      path = newPath;
      zoomed = 0;
      if (size.width) layOut();
    },
    // A path of the same splits: other numbers on the nodes that stand.
    update(newPath) {
      path = newPath;
      for (const spot of part?.spots ?? []) {
        spot.errors = foldedErrors(path, spot);
        spot.key = "";
      }
    },
  };
};
