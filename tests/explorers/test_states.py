"""What the explorers say is what ``tests/states`` records, words only, in one file a chapter.

Whoever adds a state writes it below the others, "state:" and the Python that makes the explorer,
and lines with ">" for what a reader then does; ``make states`` writes the rest.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from support.explorers import UNFOLD, settle, words

import dtviz as dt
from dtviz.chapters import WITH_EXPLORERS
from dtviz.explorers import front_end

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page
    from support.explorers import Open

    from dtviz.explorers.base import Explorer

STATES = Path(__file__).resolve().parents[1] / "states"
HEAD = """\
What the explorer says, in captions, on the page and to a screen reader; "#" is a number, and ">"
what a reader does. Each sentence follows the numbers of its states. To renew them: make states."""
# The sentences on display, less the places in a tree; what is within one is a part of it.
SHOWN = """
(root) => {
  const found = [];
  const apart = "select, button, svg";
  const places = { tree: /(:) .*/, treeitem: /([,:]) [^:;]*/ };
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true });
  const textOf = (node) => {
    if (node.nodeType === 3) return node.data;
    return node.matches?.(apart) || !isSeen(node) ? "" : [...node.childNodes].map(textOf).join("");
  };
  const visit = (node, isSaid) => {
    // What lies along a slider comes when the page has time; `test_landscape.py` waits for it.
    if (!isSeen(node) || node.matches(".dtviz-landscape")) return;
    const isText = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (node.matches("select")) found.push([...node.options].map((one) => one.text).join(" | "));
    else if (isText && !isSaid) found.push([...node.childNodes].map(textOf).join(""));
    for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) {
      const place = places[node.getAttribute("role")];
      found.push((node.getAttribute(name) ?? "").replace(place ?? "", place ? "$1 …" : ""));
    }
    for (const child of node.children) {
      if (!node.matches("select")) visit(child, (isSaid || isText) && !child.matches(apart));
    }
  };
  visit(root, false);
  return found;
}
"""


class State(NamedTuple):
    """The Python that makes an explorer, what a reader does, and the words then."""

    made: str
    done: list[str]
    words: list[str]


def read(text: str) -> list[State]:
    """Read a record."""
    states: list[State] = []
    for line in text.splitlines():
        if found := re.match(r"state( \d+)?: ", line):
            states.append(State(line[found.end() :], [], []))
        elif line.startswith("> "):
            states[-1].done.append(line[2:])
        elif found := re.match(r"\[([\d -]+)\] ", line):
            for span in found[1].split():
                first, dash, last = span.partition("-")
                end = int(last or (len(states) if dash else first))
                for state in states[int(first) - 1 : end]:
                    state.words.append(line[found.end() :])
    return states


def write(states: list[State]) -> str:
    """Write a record: the states, and below them each sentence once."""
    lines = [HEAD, ""]
    for k, (made, done, _) in enumerate(states, 1):
        lines += [f"state {k}: {made}", *(f"> {step}" for step in done)]
    lines.append("")
    for said in dict.fromkeys(said for state in states for said in state.words):
        spans: list[list[int]] = []
        for k in (k for k, state in enumerate(states, 1) if said in state.words):
            if spans and spans[-1][-1] == k - 1:
                spans[-1][1:] = [k]
            else:
                spans.append([k])
        # A last span is open, so that a further state changes few lines.
        texts = ["-".join(map(str, span)) for span in spans]
        if spans[-1][-1] == len(states):
            texts[-1] = f"{spans[-1][0]}-"
        lines.append(f"[{' '.join(texts)}] {said}")
    return "\n".join(lines) + "\n"


def differences(old: list[State], new: list[State]) -> list[str]:
    """List what the states say otherwise than before; what several do, at the first of them."""
    found: list[str] = []
    for was, now in zip(old, new, strict=True):
        lines = [f"  was: {said}" for said in was.words if said not in now.words]
        lines += [f"  now: {said}" for said in now.words if said not in was.words]
        fresh = [line for line in lines if line not in found]
        found += [was.made, *was.done, *fresh] if fresh else []
    return found


def do(explorer: Locator, step: str) -> None:
    """Do what a reader does to the first of a selector: "click", "hover", "fill" with a text."""
    verb, what = step.split(" ", 1)
    selector, _, text = what.partition(" = ")
    part = explorer.locator(f"{selector}:visible").first
    {"click": part.click, "hover": part.hover, "fill": lambda: part.fill(text)}[verb]()


def show(page: Page, file: Path, states: list[State]) -> list[State]:
    """Show states on one page, which is written to a file, and read the words of each."""
    made: list[Explorer] = [eval(state.made, {"dt": dt}) for state in states]  # noqa: S307
    text = front_end.page("".join(explorer._mount("") for explorer in made), "States")
    file.write_text(text.removesuffix("</body></html>") + UNFOLD + "</body></html>", "utf-8")
    page.goto(file.as_uri())
    settle(page)
    shown = []
    parts = page.locator(".dtviz-explorer").all()
    for state, explorer, part in zip(states, made, parts, strict=True):
        for step in state.done:
            do(part, step)
            settle(page)
        said = dict.fromkeys(map(words, [explorer.caption(), *part.evaluate(SHOWN)]))
        shown.append(state._replace(words=[one for one in said if re.search(r"[^\W\d_]", one)]))
    return shown


@pytest.mark.parametrize("chapter", WITH_EXPLORERS)
def test_each_state_says_what_is_recorded(
    chapter: str, tab: Open, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    record, page = STATES / f"{chapter}.txt", tab("about:blank", reduced_motion=True).page
    known = read(record.read_text("utf-8"))
    new = show(page, tmp_path / "states.html", known)
    changed = "\n".join(differences(known, new))
    if pytestconfig.getoption("--renew-states"):
        record.write_text(write(new), "utf-8")
        pytestconfig.get_terminal_writer().line(f"\n{chapter}: {changed or 'no difference'}")
    elif changed:
        pytest.fail(f"{changed}\n(`make states` renews the record)", pytrace=False)
