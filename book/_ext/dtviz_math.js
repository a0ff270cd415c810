// A displayed formula that is wider than its place can be scrolled, by keyboard too, and shows on
// which side there is more. All others stay out of the tabulator's way.
(() => {
  const hiddenSides = (formula) => {
    const left = formula.scrollLeft > 1;
    const right = formula.scrollLeft + formula.clientWidth < formula.scrollWidth - 1;
    return [left && "before", right && "after"].filter(Boolean).join(" ");
  };

  const mark = (formula) => {
    const more = hiddenSides(formula);
    if (more) {
      formula.dataset.more = more;
      formula.tabIndex = 0;
      formula.setAttribute("role", "group");
      formula.setAttribute("aria-label", "Formula, can be scrolled");
    } else {
      delete formula.dataset.more;
      for (const name of ["tabindex", "role", "aria-label"]) formula.removeAttribute(name);
    }
  };

  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const formula of document.querySelectorAll(".math .formula")) {
    sizes.observe(formula);
    formula.addEventListener("scroll", () => mark(formula), { passive: true });
  }
})();
