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
  // The page below does not move when the tree grows: its room is that of all questions.
  const first = slider.value;
  slider.value = slider.max;
  show();
  box.style.minHeight = `${Math.ceil(box.getBoundingClientRect().height)}px`;
  slider.value = first;
  slider.addEventListener("input", show);
  show();
}
