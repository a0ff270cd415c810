// Chapter 4: impurity. A split is a chord under a concave curve.

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
    resize(width, height) {
      for (const { drawn } of tiles) drawn.resize(width, height);
    },
    // tell(cost) says it in a few words.
    draw(chosen, shown, tell) {
      for (const { cost, button, text, drawn } of tiles) {
        put(button, "aria-pressed", cost === chosen);
        say(text, tell(cost));
        drawn.draw(shown);
      }
    },
  };
};

// What stands beside the numbers of a split.
const splitRemark = (cost, { p, r }, drop) => {
  if (p === r) return ": the children are alike";
  const oneSide = (p - 0.5) * (r - 0.5) >= 0;
  return cost === "error" && oneSide && drop === 0 ? ": p and r are on one side of 1/2" : "";
};

explorers.impurity = ({ model, el }) => {
  const splitNow = () => ({ p: model.get("p"), r: model.get("r"), tau: model.get("tau") });

  const share = (name, label, min, max) =>
    rangeControl({ name, label, min, max, step: 0.01, onInput: (value) => change(model, { [name]: value }) });
  const costs = selectControl({
    name: "cost",
    label: "Cost, G",
    options: Object.keys(COSTS),
    onChange: (value) => change(model, { cost: value }),
  });
  const sliders = {
    p: share("p", "First child, p", 0, 1),
    r: share("r", "Second child, r", 0, 1),
    tau: share("tau", "Weight of r, τ", 0.01, 0.99),
  };
  const status = statusLine();
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
  const fields = [costs, sliders.p, sliders.r, sliders.tau].map(({ root }) => root);
  const controls = html("div", { class: "dtviz-controls dtviz-even" }, ...fields);
  const four = html("div", {}, html("div", { class: "dtviz-heading" }, "The four costs"), tiles.root);
  const pictures = html("div", { class: "dtviz-chord-view" }, html("div", {}, chart.root, key), four);
  const view = html("div", { class: "dtviz-view" }, controls, status.root, pictures);
  el.append(view);

  const draw = () => {
    const cost = model.get("cost");
    const split = splitNow();
    const { q, before, after, drop } = splitDrop(cost, split);
    const [p, r, tau] = [split.p, split.r, split.tau].map((value) => value.toFixed(2));
    status.say(
      `${cost}, tau ${tau}: q = ${q.toFixed(2)} splits into p = ${p} and r = ${r}; ` +
        `impurity ${before.toFixed(3)} to ${after.toFixed(3)}, drop ${dropText(drop)}` +
        splitRemark(cost, split, drop),
    );
    chart.draw(cost, split);
    tiles.draw(cost, split, (other) => `drop ${dropText(splitDrop(other, split).drop)}`);
    costs.input.value = cost;
    for (const [name, { input, value }] of Object.entries(sliders)) {
      const text = split[name].toFixed(2);
      input.value = split[name];
      say(value, text);
      put(input, "aria-valuetext", text);
    }
  };

  const stopListening = listen(model, { cost: draw, p: draw, r: draw, tau: draw });
  const stopWatching = onWidth(view, (width) => {
    const wide = width >= 800;
    view.dataset.width = wide ? "wide" : width < 560 ? "narrow" : "medium";
    const side = wide ? Math.floor((width - 32) * 0.6) : width;
    // Room for the longest line, so that nothing below it moves.
    status.root.style.minHeight = `${13 + 21 * (width < 560 ? 3 : width < 960 ? 2 : 1)}px`;
    chart.resize(side);
    const room = wide ? width - 32 - side : width;
    const columns = view.dataset.width === "medium" ? 4 : 2;
    tiles.resize(Math.floor((room - 10 * (columns - 1)) / columns) - 14, wide ? 112 : 96);
    draw();
  });

  return () => {
    status.stop();
    stopListening();
    stopWatching();
    view.remove();
  };
};
