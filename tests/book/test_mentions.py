"""Every mention and every Play, driven: the figure shows the numbers that their sentence prints.

Both are read off the page: the sentence, and what the figure says once it is set. Words that follow
the figure are at its opening as they are written.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from support import web

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

# A mention is "{k}" before its words, a formula, code or link "⟨x0⟩".
DRIVE = r"""
async () => {
  const frames = async (k) => { for (; k; k -= 1) await new Promise(requestAnimationFrame); };
  const PARTS = "[role=status], .dtviz-heading, .dtviz-value, .dtviz-verdict, td, svg text";
  const seen = (part) => part.checkVisibility({ visibilityProperty: true });
  const show = (el) => ({
    text: [...el.querySelectorAll(PARTS)].filter(seen).map((part) => part.textContent).join(" | "),
    root: el.querySelector("[role=treeitem]")?.ariaLabel ?? "",
  });
  const explorers = [...document.querySelectorAll(".dtviz-explorer")];
  const named = (name) => {
    const [, kind, number] = name.match(/^(\D+)(\d*)$/);
    return explorers.filter((el) => el.dataset.explorer === kind)[(number || 1) - 1];
  };
  const textOf = (block) => {
    const copy = block.cloneNode(true);
    copy.querySelectorAll("[data-set]").forEach((one, k) => one.prepend(`{${k}}`));
    copy.querySelectorAll("[data-now]").forEach((one) => one.replaceWith("⟨⟩"));
    for (const part of copy.querySelectorAll("math, code, a:not(.dtviz-term)")) {
      part.replaceWith(`⟨${part.textContent.replace(/\s/g, "")}⟩`);
    }
    return copy.textContent.replace(/\s+/g, " ");
  };
  const now = [...document.querySelectorAll("[data-now]")].map((one) => one.textContent);
  const blocks = new Set();
  for (const one of document.querySelectorAll("[data-set]")) blocks.add(one.closest("p, li, td"));
  const mentions = [];
  for (const block of blocks) {
    const states = [];
    for (const one of block.querySelectorAll("[data-set]")) {
      one.click();
      await frames(3);
      states.push({ ...show(named(one.dataset.explorer)), set: one.dataset.set });
    }
    mentions.push({ text: textOf(block), states });
  }
  const plays = [];
  for (const el of explorers) {
    const button = [...el.querySelectorAll("button[name=playing]")].find(seen);
    if (!button) continue;
    button.click();
    for (let k = 0; k < 400 && button.textContent === "Pause"; k += 1) await frames(1);
    await frames(3);
    const ranges = [...button.parentElement.querySelectorAll("input[type=range]")];
    const ends = ({ value, min, max }) => [min, max].includes(value);
    plays.push({ ...show(el), isDone: button.textContent === "Play", isAtEnd: ranges.filter(seen).some(ends) });
  }
  const said = [...document.querySelectorAll("article p, article li")].filter((one) =>
    /\bpress Play\b/i.test(one.textContent) && !one.querySelector("p, li") && !one.closest(".dtviz-explorer"));
  return { now, mentions, plays, said: said.map(textOf) };
}
"""  # noqa: E501
# Beats of Play last a second for who wants little motion.
HURRY = (
    "const later = setTimeout; setTimeout = (f, ms, ...x) => later(f, ms === 1000 ? 1 : ms, ...x);"
)

WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten"),
]
WORDS += ["eleven", "twelve"]
NUMBER = re.compile(
    rf"(?<![\w.,])(?P<number>\d[\d,]*\d|\d+\.\d+|\d|{'|'.join(WORDS)})(?![\w(]|\.\d)"
    r"(?: (?P<noun>percent|lea|split|cut|call|node|draw)\w*| (?P<word>\w+))?",
    re.IGNORECASE,
)
SHOWN = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)")
ROOT = re.compile(r"(?:begins? with|root asks) ⟨(\w+)")


def shows(text: str, number: str, noun: str) -> bool:
    """Whether a figure shows a number of a sentence: so many of them, or a share, rounded."""
    if noun == "percent":
        if f"{number}%" in text:
            return True
        number = f"0.{number:0>2}"
    if "." in number:
        near = 0.5 * 10.0 ** -len(number.partition(".")[2]) + 1e-9
        return any(abs(float(one) - float(number)) <= near for one in SHOWN.findall(text))
    word = number.lower()
    value = WORDS.index(word) if word in WORDS else int(number.replace(",", ""))
    if noun in ("split", "cut"):
        return bool(re.search(rf"(?<!\d){value} of \d|{value} split|\b{value + 1:,} lea", text))
    return bool(re.search(rf"(?<![\d.,]){value:,}(?: of [\d,]+)? {noun}", text))


def lacking(sentence: str, states: list[dict[str, str]], noun: str) -> tuple[list[str], str]:
    """List what a part of a sentence says and none of the figure's states shows.

    A number without a noun counts what the one before it does.
    """
    found = []
    for match in NUMBER.finditer(re.sub("⟨[^⟩]*⟩", "⟨⟩", sentence)):
        number, own, word = match["number"], (match["noun"] or "").lower(), match["word"]
        if not own and "." not in number and (word or not noun or number.lower() == "one"):
            continue
        noun = own or noun
        if not any(shows(state["text"], number, own or noun) for state in states):
            found.append(f"{number} {own or noun}")
    asked = [state["root"] for state in states]
    names = [name for name in ROOT.findall(sentence) if f"splits on {name}," not in "".join(asked)]
    return [*found, *(f"{name} at the root" for name in names)], noun


def mistakes(mentions: list[dict[str, Any]]) -> list[str]:
    """Say which numbers of a text with mentions the figure does not show once they are set.

    What follows a mention in its sentence is said of it, up to the next; "from" one "to" another,
    of both; what stands before the first, or in a later sentence, of any.
    """
    found = []
    for block in mentions:
        text, states = unicodedata.normalize("NFKC", block["text"]), block["states"]
        sentences = re.split(r"(?<=[.?!]) (?=[A-Z⟨{])", text)
        while not re.search(r"\{\d+\}", sentences[0]):
            del sentences[0]
        for sentence in sentences:
            head, *parts = re.split(r"\{(\d+)\}", sentence)
            noun, about = "", states
            pieces = [("", head), *zip(parts[::2], parts[1::2], strict=True)]
            for k, (at, piece) in enumerate(pieces):
                goes_on = k > 1 and pieces[k - 1][1].endswith(" to ")
                if at:
                    about = [*(about if goes_on else []), states[int(at)]]
                wrong, noun = lacking(piece, about, noun)
                found += [f"{each}: {sentence}" for each in wrong]
    return found


def driven(browser: Browser, address: str) -> dict[str, Any]:
    with web.reader(browser, {"reduced_motion": True}) as context:
        context.add_init_script(HURRY)
        page: Page = context.new_page()
        page.goto(address)
        page.wait_for_selector(".dtviz-live", state="attached")
        found: dict[str, Any] = page.evaluate(DRIVE)
        return found


@pytest.mark.slow
def test_figures_show_what_their_sentences_say(site: Path, browser: Browser) -> None:
    found, count = [], 0
    for path in sorted(site.glob("book/**/*.html")):
        source = path.read_text("utf-8")
        if 'class="dtviz-explorer"' not in source:
            continue
        seen = driven(browser, path.as_uri())
        count += sum(len(block["states"]) for block in seen["mentions"])
        wrong = mistakes(seen["mentions"])
        written = BeautifulSoup(source, "html.parser").select("[data-now]")
        pairs = zip(written, seen["now"], strict=True)
        wrong += [f"{one} opens as {text}" for one, text in pairs if one.get_text() != text]
        plays = seen["plays"]
        for play in plays:
            ends = play["isAtEnd"] or "Growth stops" in play["text"]
            wrong += [] if play["isDone"] and ends else [f"Play ends early: {play['text']}"]
        for text in seen["said"]:
            for sentence in re.findall(r"[^.?!]*\bPlay\b[^.?!]*", text):
                wrong += [f"{each}: {sentence}" for each in lacking(sentence, plays, "")[0]]
        found += [f"{path.relative_to(site)}: {each}" for each in wrong]
    assert count > 100
    assert found == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("With {0}2 it has 8 leaves, with {1}3 it has 10.", []),
        ("With {0}2 it has 10 leaves, with {1}3 it has 10.", ["10 lea"]),
        ("With {0}2 it has 8 leaves, with {1}3 it has 8.", ["8 lea"]),
        ("From {0}2 to {1}3: 8 leaves become ten, and 7 splits 9.", []),
        ("At {0}2 the error is 0.19, or 19 percent; it is {1}less after nine cuts.", []),
        ("At {0}2 the error is 0.18, or 18 percent.", ["0.18 ", "18 percent"]),
        ("It begins with ⟨x0⟩ {0}here.", []),
        ("It begins with ⟨x1⟩ {0}here. The tree has 11 leaves.", ["x1 at the root", "11 lea"]),
    ],
)
def test_wrong_numbers_are_found(text: str, wrong: list[str]) -> None:
    root = "Split, no variable fixed: splits on x0, score 1"
    shown = ("a tree of 8 leaves: error .188", "10 of 12 leaves | 9 of 11 | error 0.050")
    states = [{"text": one, "root": root} for one in shown]
    found = [each.partition(": ")[0] for each in mistakes([{"text": text, "states": states}])]
    assert found == wrong
