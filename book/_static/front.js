// The tree of the first page, as far as it has grown: the slider says how many questions it asks.
"use strict";

for (const box of document.querySelectorAll(".dtviz-front-tree")) {
  const slider = box.querySelector("input");
  const right = JSON.parse(box.dataset.right);
  const show = () => {
    const asked = Number(slider.value);
    for (const node of box.querySelectorAll("[data-split]")) {
      node.classList.toggle("open", Number(node.dataset.split) < asked);
    }
    const questions = asked === 1 ? "1 question" : `${asked} questions`;
    box.querySelector("output").textContent = `${questions}, right for ${right[asked]}%`;
    slider.setAttribute("aria-valuetext", questions);
  };
  slider.addEventListener("input", show);
  show();
}
