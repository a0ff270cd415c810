// The tree of the first page, as far as it has grown: the slider says how many questions it asks of the passengers who
// fall through it, those it has learned from and then the others.
"use strict";

// Pixels: from the top of a leaf to its heaps, which leave so much free between leaves.
const [BENEATH, BETWEEN] = [60, 8];

for (const box of document.querySelectorAll(".dtviz-front-tree")) {
  const { Falling, leafAt } = window.dtviz.falling;
  const { grown, people, nodes, row, words } = JSON.parse(box.dataset.tree);
  const part = (name) => box.querySelector(name);
  const [slider, button, drawing] = ["input", "button", ".drawing"].map(part);
  const [shown, said] = [[...box.querySelectorAll(".counts b")], part("[aria-live]")];
  const codes = [...people].map((digit) => parseInt(digit, 36));
  const [up, born, label] = [0, 1, 2].map((k) => nodes.map((node) => node[k]));
  const sizes = [grown, codes.length - grown];
  const last = Number(slider.max);
  let others = false;

  const falling = new Falling({
    onCount(right, done) {
      right.forEach((number, group) => {
        shown[group].textContent = number;
        box.querySelectorAll(".counts em")[group].textContent = done ? `${Math.round((100 * number) / sizes[group])}%` : "so far";
      });
      if (done && box.contains(document.activeElement)) said.textContent = part(".counts").innerText;
    },
  });
  drawing.prepend(falling.canvas);
  falling.people({
    kind: codes.map((code) => code % 2),
    colors: ["var(--died)", "var(--survived)"],
    group: codes.map((_, person) => (person < grown ? 0 : 1)),
  });

  // Below each node are two heaps, of those it has learned from and of the others.
  const layOut = () => {
    const { width, height } = drawing.getBoundingClientRect();
    falling.resize(width, height);
    const stops = nodes.map(([above, , , x, , level]) => ({ px: (x * width) / 100, py: level * row + words, up: above }));
    const heaps = [0, 1].flatMap((group) =>
      nodes.map(([, , , x, wide, level]) => {
        const top = level * row + BENEATH;
        const room = height - top;
        const share = { px: (x * width) / 100, width: (wide * width) / 100 - BETWEEN };
        return { ...share, py: top + 0.38 * room * group, height: (group ? 0.62 : 0.34) * room };
      }),
    );
    return { stops, heaps };
  };

  let places = layOut();
  const fall = (still) => {
    const asked = Number(slider.value);
    const leaf = codes.map((code) => leafAt(up, born, code >> 1, asked));
    const owner = leaf.map((node, person) => (person < grown || others ? node : -1));
    const right = codes.map((code, person) => Number(owner[person] >= 0 && label[leaf[person]] === code % 2));
    falling.go({ ...places, owner, right }, still);
  };

  const show = () => {
    const asked = Number(slider.value);
    for (const node of box.querySelectorAll("[data-born]")) {
      node.classList.toggle("absent", Number(node.dataset.born) > asked);
      node.classList.toggle("asks", Number(node.dataset.asked) >= 0 && Number(node.dataset.asked) < asked);
    }
    slider.setAttribute("aria-valuetext", asked === 1 ? "1 question" : `${asked} questions`);
    const next = asked ? "Ask another question" : "Ask a question";
    button.textContent = asked < last ? next : others ? "Start again" : `Now the other ${sizes[1]}`;
    box.classList.toggle("others", others);
  };

  slider.addEventListener("input", () => {
    show();
    fall();
  });
  button.addEventListener("click", () => {
    if (Number(slider.value) < last) slider.value = Number(slider.value) + 1;
    else {
      others = !others;
      if (!others) slider.value = 0;
    }
    show();
    fall();
  });
  new ResizeObserver(() => {
    if (drawing.clientWidth === falling.size.width) return;
    places = layOut();
    fall(true);
  }).observe(drawing);
  show();
  fall();
}
