"""Questions that a page asks before it tells: a small book with one of each kind, and faults."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_output
from support import site as checks
from support import web
from support.small_book import write_book

import dtviz as dt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from nbformat import NotebookNode
    from playwright.sync_api import Browser, Page

CHOICE = """:::{predict} Which variable does it ask first, of $x_0$ and $x_1$?
:label: pre-first
The function is $x_1 \\wedge (x_0 \\vee x_2)$.

$x_0$
: It matters for a *quarter* of the points, $x_{1}$ for more.

$x_1$
: It has the largest influence, $\\frac34$.

neither
: Something must be asked.
:::"""
NUMBER = """:::{predict} What is the influence of a variable on the majority of three?
:label: pre-majority
:number: 0.01

right
: It matters if the two others differ.

1/4
: That is one of the *two* ways to differ.

else
: Count the points where the two others differ.
:::"""
TREE = """:::{predict} Which leaf is split next?
:label: pre-leaf
:tree:
The tree grows on the conjunction of three bits.

A
: There the function is constant: nothing is left to ask.

B
: The other leaf is not constant.
:::"""
SHOWN = """:::{answer-start} pre-first
:::

It asks $x_1,$ as anybody would.

(asked-again)=
And again.

:::{answer-end}
:::

Look back at {ref}`pre-first`."""
EXTENSIONS = ("dtviz_predict", "dtviz_map", "dtviz_math")
ANSWERS = {"pre-first": "some lines\nx_1\n", "pre-majority": "0.5\n", "pre-leaf": "B\n"}
"""What the cells printed; nothing is run here."""


def cells(text: str, printed: str | None, *, drawn: bool = False) -> list[NotebookNode | str]:
    """A question, the picture that it asks about, and the cell that answers it."""
    made = [text]
    if drawn:
        tree = dt.build_top_down(dt.functions.conjunction(3)).tree(2)
        picture = dt.plot.lettered(tree)._repr_html_()
        outputs = [new_output("display_data", data={"text/html": picture, "text/plain": "a tree"})]
        tags = {"tags": ["question", "nbval-ignore-output"]}
        made.append(new_code_cell("drawn", metadata=tags, outputs=outputs))
    if printed is not None:
        outputs = [new_output("stream", name="stdout", text=printed)]
        made.append(new_code_cell("answer()", metadata={"tags": ["answer"]}, outputs=outputs))
    return made


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book with a question of each kind, and one more on another page."""
    root = tmp_path_factory.mktemp("predict")
    asked = [
        *cells(CHOICE, ANSWERS["pre-first"]),
        *cells(NUMBER, ANSWERS["pre-majority"]),
        *cells(TREE, ANSWERS["pre-leaf"], drawn=True),
        SHOWN,
    ]
    other = CHOICE.replace("pre-first", "pre-second")
    write_book(root, {"index": [], "asking": asked, "other": cells(other, "x_0")}, EXTENSIONS)
    checks.jupyter_book(root, root)
    return root / "_build/html/book"


FAULTS = {
    "fits-none": (CHOICE, "x_2", "printed 'x_2', which is 0 of 'x_0', 'x_1', 'neither'"),
    "fits-two": (CHOICE.replace("neither", "x_1"), "x_1", "which is 2 of"),
    "no-cell": (CHOICE, None, "no cell tagged 'answer' follows it"),
    "no-reason": (CHOICE.replace("Something", "% Something"), "x_1", "'neither' has no reason"),
    "no-text": (CHOICE.replace("neither\n", "both\n\nneither\n"), "x_1", "must end with one"),
    "one-choice": (CHOICE.partition("\n\n$x_1$")[0] + "\n:::", "x_0", "it has one choice"),
    "no-list": (CHOICE.partition("$x_0$\n")[0] + ":::", "x_1", "must end with one definition list"),
    "no-end": (CHOICE[:-3] + "\nMore.\n:::", "x_1", "must end with one definition list"),
    "near": (NUMBER.replace("1/4", "0.505"), "0.5", "'0.505' is no wrong number"),
    "no-number": (NUMBER, "a half", "must print a number ('a half')"),
    "no-else": (NUMBER.replace("else", "3/4"), "0.5", "name 'right' and 'else'"),
    "no-leaf": (TREE.replace("A\n:", "C\n:"), "B", "can be clicked are ['A', 'B']"),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a build says of a page of faulty questions."""
    root = tmp_path_factory.mktemp("faults")
    page: list[NotebookNode | str] = []
    for name, (text, printed, _) in FAULTS.items():
        named = re.sub(r":label: .*", f":label: pre-{name}", text)
        page += [*cells(named, printed, drawn=":tree:" in text), "On."]
    page += cells(CHOICE, "x_1") + cells(CHOICE, "x_1")
    page += ["No question.", *cells("Nor this.", "x_1")]
    page.append(":::{answer-start} pre-none\n:::\n\nNo.\n\n:::{answer-end}\n:::")
    page.append(SHOWN.replace(":::{answer-end}", "## Elsewhere\n\n:::{answer-end}"))
    page.append(":::{answer-start} pre-near\n:::")
    # The faults of a map, for which no book of its own is built.
    circle = ":::{prf:lemma} A\n:label: lem-a\nBy {prf:ref}`lem-b`.\n:::\n\n"
    circle += circle.replace("lem-b", "lem-c").replace("lem-a", "lem-b").replace("lem-c", "lem-a")
    page.append(circle + ":::{lemma-map}\n:::")
    write_book(root, {"index": page}, EXTENSIONS)
    with pytest.raises(checks.BuildError) as caught:
        checks.jupyter_book(root, root)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.xdist_group("planted questions")
class TestFaults:
    @pytest.mark.parametrize("name", FAULTS)
    def test_a_faulty_question_stops_the_build(self, said: str, name: str) -> None:
        warnings = [line for line in said.splitlines() if f"question pre-{name}:" in line]
        assert any(FAULTS[name][2] in line for line in warnings), warnings

    def test_what_belongs_to_no_one_question_stops_it_too(self, said: str) -> None:
        assert "asks pre-first, too" in said
        assert said.count("answers no question just above it") == 1
        assert said.count("this part answers no question above it") == 1
        assert said.count("this part ends in another section") == 1
        assert said.count("a part that answers a question has no end") == 1
        assert "statements rest on each other: lem-a, lem-b" in said


@pytest.mark.slow
@pytest.mark.xdist_group("planted questions")
class TestPage:
    """What stands on the page, before any script."""

    @pytest.fixture(scope="class")
    @classmethod
    def html(cls, planted: Path) -> BeautifulSoup:
        return BeautifulSoup((planted / "asking.html").read_text("utf-8"), "html.parser")

    def test_what_the_cell_printed_is_right(self, planted: Path, html: BeautifulSoup) -> None:
        right = {label: html.select_one(f"#{label} form")["data-right"] for label in ANSWERS}
        assert right == {"pre-first": "x_1", "pre-majority": "0.5", "pre-leaf": "B"}
        # Another answer makes another choice right.
        other = BeautifulSoup((planted / "other.html").read_text("utf-8"), "html.parser")
        assert other.select_one("#pre-second form")["data-right"] == "x_0"
        choice = other.select_one("#pre-second dt.right")
        assert choice.get_text() == "right: x0"
        assert choice.find("msub") is not None

    def test_the_solution_is_folded_with_every_reason_and_the_cell(
        self, html: BeautifulSoup
    ) -> None:
        solution = html.select_one("#pre-first > details")
        assert not solution.has_attr("open")
        classes = [" ".join(part["class"]) for part in solution.select("dt")]
        assert classes == ["wrong", "right", "wrong"]
        for word in ("quarter", "largest influence", "Something must be asked", "answer()", "x_1"):
            assert word in solution.get_text()
        assert html.select(".cell.tag_answer") == html.select("details .cell.tag_answer")

    def test_the_questions_of_all_pages_are_known(self, planted: Path) -> None:
        text = (planted.parent / "_static/dtviz-questions.js").read_text("utf-8")
        pages = json.loads(text.removeprefix("globalThis.dtvizQuestions = ").rstrip(";\n"))
        assert pages == {"book/asking": list(ANSWERS), "book/other": ["pre-second"]}


class Asked:
    """A question on an open page."""

    def __init__(self, page: Page, label: str) -> None:
        self.page, self.box = page, page.locator(f"#{label}")
        self.verdict = self.box.locator(".dtviz-predict-verdict")
        self.solution = self.box.locator(".dtviz-predict-solution")

    def press(self, name: str) -> None:
        self.box.get_by_role("button", name=name).click()

    def feedback(self) -> str:
        return self.verdict.inner_text()


@pytest.fixture
def page(planted: Path, tab: Callable[..., web.Visit]) -> Iterator[Page]:
    """The page with the three questions, of which nobody has answered one."""
    seen = tab((planted / "asking.html").as_uri(), width=1200)
    seen.page.evaluate("localStorage.removeItem('dtviz-predictions')")
    seen.page.reload()
    yield seen.page
    assert seen.complaints == []
    assert seen.foreign() == []
    seen.page.evaluate("localStorage.removeItem('dtviz-predictions')")


@pytest.mark.slow
@pytest.mark.xdist_group("planted questions")
class TestReader:
    def test_a_choice_wrong_tried_again_and_right(self, page: Page) -> None:
        asked, fold = Asked(page, "pre-first"), page.get_by_text("as anybody would")
        assert not asked.solution.is_visible()
        assert not fold.is_visible()
        asked.press("Commit")
        assert asked.feedback() == "Choose an answer first."
        asked.box.get_by_role("radio").nth(0).check()
        asked.press("Commit")
        assert asked.feedback().startswith("✗ Not that one.")
        assert "quarter" in asked.feedback()
        assert "largest" not in asked.feedback()
        assert not asked.solution.is_visible()
        assert not fold.is_visible()
        asked.press("Try again")
        assert asked.feedback() == ""
        asked.box.get_by_role("radio").nth(1).check()
        asked.press("Commit")
        assert asked.feedback().startswith("✓ Right.")
        assert "largest influence" in asked.feedback()
        assert asked.solution.get_by_text("Something must be asked").is_visible()
        assert fold.is_visible()
        assert asked.box.get_by_role("button", name="Try again").count() == 0

    def test_numbers_as_people_write_them(self, page: Page) -> None:
        asked = Asked(page, "pre-majority")
        expected = {
            "": "Type a number",
            "half": "Type a number",
            "1/0": "Type a number",
            "0.25": "✗ 0.25 is not it.\n\nThat is one of the two",
            "1": "✗ 1 is not it.\n\nCount the points",
            "0.511": "✗ 0.511 is not it.\n\nCount the points",
            "0.51": "✓ 0.51 is right.",
            "1/2": "✓ 1/2 is right.",
            "50 %": "✓ 50 % is right.",
            "0,5": "✓ 0,5 is right.\n\nIt matters if",
        }
        for typed, words in expected.items():
            asked.box.get_by_role("textbox").fill(typed)
            page.keyboard.press("Enter")
            assert asked.feedback().startswith(words), typed
            if words.startswith("✗"):
                asked.press("Try again")
            elif words.startswith("✓") and typed != "0,5":
                page.evaluate("localStorage.removeItem('dtviz-predictions')")
                page.reload()

    def test_a_leaf_is_clicked_and_what_was_said_outlives_the_page(self, page: Page) -> None:
        asked = Asked(page, "pre-leaf")
        asked.box.locator("[data-node=B]").click()
        assert asked.box.get_by_role("radio", name="B").is_checked()
        asked.box.locator("[data-node=A]").click()
        asked.press("Commit")
        assert "nothing is left to ask" in asked.feedback()
        progress = page.locator(".bd-links .dtviz-predicted")
        assert progress.all_inner_texts() == ["1/3"]
        asked.press("Show me")
        assert asked.box.locator("[data-node=B]").get_attribute("class") == "right"
        page.reload()
        assert asked.box.get_by_role("radio", name="A").is_checked()
        assert "nothing is left to ask" in asked.feedback()
        assert asked.solution.get_by_text("The other leaf").is_visible()
        assert progress.all_inner_texts() == ["1/3"]
        page.once("dialog", lambda dialog: dialog.accept())
        with page.expect_navigation():
            asked.press("Clear all my answers")
        assert progress.count() == 0
        assert asked.feedback() == ""

    def test_the_keyboard_is_enough(self, page: Page) -> None:
        asked = Asked(page, "pre-first")
        asked.box.get_by_role("radio").first.focus()
        for key in ("ArrowDown", "ArrowDown", "Tab", "Enter"):
            page.keyboard.press(key)
        assert "Something must be asked" in asked.feedback()
        for key in ("Enter", "ArrowUp", "Enter"):  # try again, another, commit
            page.keyboard.press(key)
        assert asked.feedback().startswith("✓ Right.")
        # The focus waits where the page goes on.
        assert page.evaluate("document.activeElement.textContent") == "Solution"

    def test_what_shows_the_answer_is_opened_by_key_and_by_a_link(self, page: Page) -> None:
        fold = page.locator(".dtviz-answer")
        words = "This answers an earlier question"
        assert fold.locator("summary").inner_text() == words
        fold.locator("summary").press("Enter")
        assert fold.get_by_text("as anybody would").is_visible()
        page.wait_for_selector("#pre-first[data-read]")
        page.goto(f"{page.url}#asked-again")
        page.reload()
        assert fold.get_by_text("And again.").is_visible()

    def test_fits_a_phone_and_bars_nobody(self, page: Page) -> None:
        """In both themes, with a verdict of each kind."""
        Asked(page, "pre-leaf").box.locator("[data-node=A]").click()
        Asked(page, "pre-leaf").press("Commit")
        Asked(page, "pre-majority").box.get_by_role("textbox").fill("0.5")
        page.keyboard.press("Enter")
        for theme in web.THEMES:
            web.change(page, {"theme": theme, "width": 360})
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            assert web.axe_findings(page, "main, .bd-links") == []

    def test_printed_it_is_a_question_with_its_solution(self, page: Page) -> None:
        page.emulate_media(media="print")
        for label, word in (("pre-first", "largest influence"), ("pre-majority", "Count the")):
            asked = Asked(page, label)
            assert asked.solution.get_by_text(word).is_visible()
            assert not asked.box.locator("button").first.is_visible()
        assert page.get_by_text("as anybody would").is_visible()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        text = page.locator(".bd-article").inner_text()
        at = [text.index(word) for word in ("And again.", "Answers", "largest influence")]
        assert at == sorted(at)
        assert text.count("What is the influence of a variable") == 2
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="null")
        assert page.locator("#pre-first > .dtviz-predict-solution").count() == 1
        assert page.get_by_text("Answers", exact=True).count() == 0

    def test_without_scripts_it_is_a_list_with_a_folded_solution(
        self, planted: Path, visit: Callable[..., web.Visit]
    ) -> None:
        seen = visit((planted / "asking.html").as_uri(), javascript=False).page
        asked = Asked(seen, "pre-first")
        assert asked.box.locator("label").count() == 3
        assert not asked.box.locator("button, input").first.is_visible()
        assert not asked.solution.get_by_text("largest influence").is_visible()
        asked.solution.locator("summary").first.click()
        assert asked.solution.get_by_text("largest influence").is_visible()
        assert not seen.locator("#pre-majority input").is_visible()
        assert seen.get_by_text("as anybody would").is_visible()

    def test_a_browser_that_keeps_nothing_still_answers(
        self, planted: Path, browser: Browser
    ) -> None:
        """Nor one in which something else stands under our name."""
        with web.reader(browser, {}) as context:
            context.add_init_script(
                "localStorage.setItem('dtviz-predictions', '5');"
                "const broken = () => { throw new Error('blocked'); };"
                "Storage.prototype.setItem = broken;"
            )
            seen = web.listen(context.new_page())
            seen.page.goto((planted / "asking.html").as_uri())
            asked = Asked(seen.page, "pre-leaf")
            asked.box.locator("[data-node=B]").click()
            asked.press("Commit")
            assert asked.feedback().startswith("✓ Right.")
            # The theme's script stores what it likes, unguarded.
            assert set(seen.complaints) <= {"uncaught: blocked"}


NEAR = """
() => {
  const parts = [...document.querySelectorAll(".bd-article :is(p, li, dd, td, figcaption, pre)")]
    .filter((part) => part.checkVisibility() && !part.querySelector("p, li, dd, pre"));
  const words = (part) => {
    const copy = part.cloneNode(true);
    for (const fraction of copy.querySelectorAll("mfrac"))
      fraction.replaceWith([...fraction.children].map((one) => one.textContent).join("/"));
    return copy.textContent;
  };
  return [...document.querySelectorAll(".dtviz-predict")].map((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    const isNear = (part) => {
      const place = part.getBoundingClientRect();
      return !box.contains(part) && place.bottom > top - 900 && place.top < bottom + 900;
    };
    const right = box.querySelector("dt.right > span:last-child").textContent;
    return { label: box.id, right, texts: parts.filter(isNear).map(words) };
  });
}
"""


OTHERWISE = {"pre-rank-caterpillar"}
"""Its number is also that of the leaves of another function, in a table."""


def is_rare(text: str) -> bool:
    """Whether an answer is a number that stands in a text for hardly anything else."""
    try:
        value = Fraction(text.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return False
    return value.numerator >= 10 or value.denominator > 4


@pytest.mark.browser
def test_no_answer_is_in_view_of_its_question(site: Path, tab: Callable[..., web.Visit]) -> None:
    """A number that answers does not stand within a screen of the question, unless it is folded."""
    seen, found, folds = 0, [], 0
    for path in sorted(site.glob("book/*/*.html")):
        if 'class="dtviz-predict' not in path.read_text("utf-8"):
            continue
        page = tab(path.as_uri(), width=1440, height=900, reduced_motion=True).page
        folds += page.locator(".dtviz-answer:not([open])").count()
        for asked in page.evaluate(NEAR):
            if asked["label"] in OTHERWISE or not is_rare(asked["right"]):
                continue
            seen += 1
            word = re.compile(rf"(?<![\d.,/]){re.escape(asked['right'])}(?![\d/]|[.,]\d)")
            near = [text for text in asked["texts"] if word.search(text)]
            found += [f"{asked['label']}, {asked['right']}: {text[:120]}" for text in near]
    assert seen >= 20
    assert folds >= 50
    assert found == []
