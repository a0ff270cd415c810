"""Pages under a mouse: what lies on top of what can be clicked, and what a click does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 1024, 1440)
MOVED = "moves away from the mouse"

# Find what a reader can point at, go to one of them, and watch what the page is given. A click is
# kept from the page, which is not left, prints nothing and runs no code; only summaries and sliders
# do what they do.
SETUP = """
() => {
  if (globalThis.mouse) return;
  const still = document.head.appendChild(document.createElement("style"));
  still.textContent = "* { transition: none !important; animation: none !important }";
  const CONTROLS = "a[href], button, summary, input, select, textarea, label, [role=button]";
  const clean = (text) => text.trim().replace(/\\s+/g, " ").slice(0, 40);
  const name = (part) => part && [
    part.localName + (part.type ? `[${part.type}]` : ""),
    ...String(part.getAttribute("class") ?? "").split(/\\s+/).filter(Boolean),
  ].join(".");
  const show = (part) => `${name(part)} "${
    clean(part.innerText || part.ariaLabel || part.title || part.name || "")}"`;
  const seen = { opacityProperty: true, visibilityProperty: true };
  const parts = () => [...document.querySelectorAll(CONTROLS)].filter((part) =>
    part.checkVisibility(seen) && !part.closest("svg [aria-hidden=true]")
    && (part.localName !== "label" || part.control));
  // The middle of the largest box: the words of a link may stand in two lines.
  const box = (part) => {
    const area = ({ width, height }) => width * height;
    return [...part.getClientRects()].reduce((a, b) => (area(b) > area(a) ? b : a), new DOMRect());
  };
  const place = (part, share = 0.5) => {
    const { x, y, width, height } = box(part);
    return { x: x + width * share, y: y + height / 2, size: Math.min(width, height) };
  };
  // What is kept outside the window until it has the focus.
  const isAway = ({ x, y }) => x < 0 || y < 0;
  const isOf = (part, top) =>
    part.contains(top) || (part.control ?? part) === (top?.closest("label")?.control ?? top);
  const isHit = (part, { x, y }) => isOf(part, document.elementFromPoint(x, y));
  // Scroll only where it must be: it takes longest, and the theme's bars follow the page.
  const go = (part, share = 0.5) => {
    if (!isHit(part, place(part))) {
      part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    return place(part, share);
  };
  const covered = () => parts().flatMap((part) => {
    const at = go(part);
    if (at.size <= 1 || isAway(at)) return [];
    const top = document.elementFromPoint(at.x, at.y);
    return isHit(part, at) ? [] : [[show(part), top ? show(top) : "outside the window"]];
  });
  const kinds = () => {
    const first = new Map();
    for (const part of parts()) {
      const kind = part.matches(".dtviz-chip > summary") ? part : name(part);
      if (first.has(kind) || part.disabled || part.localName === "label") continue;
      const at = go(part);
      if (at.size > 1 && !isAway(at)) first.set(kind, part);
    }
    return [...first.values()];
  };
  const MOVED = "moves away from the mouse";
  let given = null, hasMoved = false, aimed = null;
  // A bar of the theme may scroll between the aim and the click.
  const isMissed = ({ clientX: x, clientY: y }) => !aimed || ![...aimed.getClientRects()].some(
    (box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  addEventListener("mousedown", (event) => {
    hasMoved = isMissed(event);
    if (event.target.closest("select")) event.preventDefault();
  }, true);
  addEventListener("click", (event) => {
    given = event.target;
    if (event.target.closest("summary, input[type=range]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  let list, state;
  const aim = async (at) => {
    const part = aimed = list[at];
    go(part);
    // The theme's bars follow the page: not before they stand still.
    for (let frame = 0, still = 0, last = place(part); frame < 60 && still < 4; frame += 1) {
      await new Promise(requestAnimationFrame);
      const now = place(part);
      still = now.x === last.x && now.y === last.y ? still + 1 : 0;
      last = now;
    }
    if (!part.checkVisibility(seen)) return null;
    given = null;
    if (part.type === "range") {
      const [low, high, now] = [part.min || 0, part.max || 100, part.value].map(Number);
      state = part.value;
      const isHigh = 2 * now > low + high;
      return go(part, isHigh === (part.dir === "rtl") ? 0.8 : 0.2);
    }
    state = part.closest("details")?.open;
    return go(part);
  };
  const found = (at) => {
    const part = list[at];
    if (!part.checkVisibility(seen)) return null;
    if (hasMoved) return [show(part), MOVED];
    if (part.localName === "summary") {
      const details = part.parentElement;
      const isEmpty = details.open && !part.nextElementSibling?.checkVisibility(seen);
      const isStuck = details.open === state;
      details.open = state;
      if (isStuck || isEmpty) return [show(part), isStuck ? "does not toggle" : "shows nothing"];
    } else if (part.type === "range") {
      if (document.activeElement !== part) return [show(part), "takes no focus"];
      if (part.value === state) return [show(part), "keeps its value"];
    } else if (part.localName !== "select" && !(given && isOf(part, given))) {
      return [show(part), given ? `clicks ${show(given)}` : "receives no click"];
    }
    return null;
  };
  const begin = () => (list = kinds()).length;
  const coveredWhenOpen = async () => {
    // The panel of Python lies over the rest for as long as the reader wants it.
    const folded = "details:not([open], :has(> .dtviz-share-panel))";
    const closed = [...document.querySelectorAll(folded)];
    for (const details of closed) details.open = true;
    // What unfolds is drawn when it hears of it, before the reader sees it.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const pairs = covered();
    for (const details of closed) details.open = false;
    return pairs;
  };
  globalThis.mouse = { covered, coveredWhenOpen, begin, aim, found };
}
"""


def click(page: Page, at: int) -> list[str] | None:
    """Click one of the kinds; say what is wrong with it, if anything is."""
    if not (point := page.evaluate(f"mouse.aim({at})")):
        return None
    page.mouse.click(point["x"], point["y"])
    wrong: list[str] | None = page.evaluate(f"mouse.found({at})")
    return wrong


def mistakes(page: Page, width: int) -> list[str]:
    """List what the mouse cannot reach at a width of the window, and whose click fails.

    All that can be clicked is looked at twice, as it was loaded and with all that folds open; of
    each kind one is clicked, and every chip.
    """
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(SETUP)
    pairs = page.evaluate("mouse.covered()")
    if pairs:  # a bar of the theme may have been on its way, or a card be open
        page.mouse.move(0, 0)
        page.wait_for_timeout(800)
        pairs = page.evaluate("mouse.covered()")
    for at in range(page.evaluate("mouse.begin()")):
        pair = click(page, at)
        for again in range(4):  # a bar moved it, or the card of the link before lies over it
            if not pair or (again and pair[1] != MOVED):
                break
            page.mouse.move(0, 0)
            page.wait_for_timeout(800)
            pair = click(page, at)
        pairs += [pair] if pair else []
    hidden = page.evaluate("mouse.coveredWhenOpen()")
    if hidden:
        page.mouse.move(0, 0)
        page.wait_for_timeout(800)
        hidden = page.evaluate("mouse.coveredWhenOpen()")
    pairs += hidden
    rows = dict.fromkeys((part, top) for part, top in pairs)
    return [f"{width} px | {part} | {top}" for part, top in rows]


LOOKS = """
(controls) => {
  const isFaint = (part) => {
    const { opacity, cursor, display } = getComputedStyle(part);
    return display === "none" || (opacity <= 0.5 && cursor === "default");
  };
  const states = [[false, null], [true, null], [false, "true"]];
  const parts = [...document.querySelectorAll(controls)].filter((part) => part.checkVisibility());
  return parts.map((part) => {
    const { disabled, ariaDisabled } = part;
    const looks = states.map(([isDisabled, said]) => {
      Object.assign(part, { disabled: isDisabled, ariaDisabled: said });
      return isFaint(part);
    });
    Object.assign(part, { disabled, ariaDisabled });
    return [part.outerHTML, ...looks];
  });
}
"""


def looks(page: Page, controls: str) -> dict[str, tuple[bool, ...]]:
    """Say of each control whether it looks disabled: as it is, disabled, by ARIA alone."""
    return {name: tuple(faint) for name, *faint in page.evaluate(LOOKS, controls)}
