"""Programs of the book that run in the page: each gives there what it gives in CPython."""

from __future__ import annotations

import gzip
import importlib
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from support import web
from support.cases import sweep
from support.site import ROOT

from dtviz.explorers.base import BUNDLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

sys.path.insert(0, str(ROOT / "book" / "_ext"))
run: Any = importlib.import_module("dtviz_run")
boot: Any = importlib.import_module("dtviz_run_boot")

FENCE = re.compile(r"^```\{run\}(.*)\n([\s\S]*?)^```$", re.MULTILINE)
BOX = re.compile(r":::\{prf:algorithm\}.*\n:label: (\S+)")


def sources(name: str) -> list[str]:
    """The Markdown cells of a notebook of the book."""
    notebook = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def names(pattern: re.Pattern[str]) -> dict[str, list[tuple[str, ...]]]:
    """What a pattern finds on the pages of the chapters, by page."""
    found = {}
    for path in sorted((ROOT / "book").glob("[0-9]-*/*.ipynb")):
        name = f"{path.parent.name}/{path.stem}"
        hits = pattern.findall("\n\n".join(sources(name)))
        if hits:
            found[name] = hits
    return found


PROGRAMS = names(FENCE)


def programs(name: str) -> list[str]:
    """The programs of a page, as the editor shows them."""
    made = []
    for statement, text in PROGRAMS[name]:
        module, *taken = statement.split() or [""]
        program = text.rstrip("\n")
        if module:
            program = f"{run.functions(module, taken)}\n\n\n{run.DIVIDER}\n{program}"
        made.append(program)
    return made


def in_cpython(program: str) -> tuple[str, list[str]]:
    """What a program prints, and its tree as the page describes it."""
    space: dict[str, Any] = {"__name__": "__main__"}
    printed = run.output_of(program, space)
    return printed, boot.describe_tree(space.get("tree"), space.get("names", ()))


def test_each_boxed_algorithm_runs_on_its_page() -> None:
    for name, boxes in names(BOX).items():
        literal = [
            statement.split()[0] for statement, _ in PROGRAMS.get(name, []) if statement.split()
        ]
        assert len(literal) >= len(boxes), f"{name}: of {boxes} only {literal} can be run"


def test_functions_of_the_book_are_taken_from_their_file() -> None:
    text = run.functions("rank.literal", ["rank"])
    assert "def rank(tree: Tree) -> int:" in text
    assert "def find(" not in text


@pytest.mark.parametrize(
    ("module", "taken", "said"),
    [
        ("rank", ["rank"], "must name a module such as rank.literal, got 'rank'"),
        ("os.literal", ["rank"], "names what is not there"),
        ("rank.literal", ["lines"], "names what is not there"),
        ("rank.literal", ["Tree"], "functions must be functions of one module"),
    ],
)
def test_what_is_no_literal_function_is_refused(module: str, taken: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        run.functions(module, taken)


def test_a_tree_is_described_in_lines() -> None:
    assert boot.describe_tree((0, 0, (1, 0, 1)), ["a"]) == ["?a", "=0", "?x1", "=0", "=1"]
    assert boot.describe_tree((2, 1.5, "no", "yes")) == ["?x2 ≤ 1.5", "=no", "=yes"]
    assert boot.describe_tree(None) == []
    assert boot.describe_tree((0, 0, None)) == []
    deep: Any = 0
    for _ in range(1001):
        deep = (0, 0, deep)
    assert boot.describe_tree(deep) == []


# Each editor that is made, and each tree that is drawn, is noted down first.
NOTE = """
globalThis.editors = [];
globalThis.drawn = [];
let makeEditor;
Object.defineProperty(globalThis, "dtvizEditor", {
  get: () => (...settings) => {
    const editor = makeEditor(...settings);
    globalThis.editors.push(editor);
    return editor;
  },
  set(make) { makeEditor = make; },
});
globalThis.dtviz = {};
let tree;
Object.defineProperty(globalThis.dtviz, "tree", {
  get: () => tree,
  set({ drawTree }) {
    tree = {
      drawTree(root, lines, ...more) {
        globalThis.drawn.push(lines);
        return drawTree(root, lines, ...more);
      },
    };
  },
});
"""


def wait(page: Page, box: int = 0) -> str:
    """Wait until a program has come to its end, and return what the page says of it."""
    part = page.locator(".dtviz-run").nth(box)
    part.locator(".dtviz-run-status").wait_for(state="attached")
    page.wait_for_function(
        "box => { const part = document.querySelectorAll('.dtviz-run')[box];"
        " return !part.hasAttribute('data-busy')"
        " && part.querySelector('.dtviz-run-status').textContent !== '' }",
        arg=box,
    )
    return part.locator(".dtviz-run-status").inner_text()


def program_of(page: Page, box: int = 0) -> str:
    """Return the program in an editor, which shows only the lines in view."""
    return str(page.evaluate("box => editors[box].state.doc.toString()", box))


@pytest.mark.parametrize("name", sweep(PROGRAMS, 8))
def test_a_page_runs_its_programs_as_cpython_does(site: Path, browser: Browser, name: str) -> None:
    with web.opened(browser, "about:blank", {}) as seen:
        page = seen.page
        page.add_init_script(NOTE)
        page.goto((site / "book" / f"{name}.html").as_uri())
        boxes = page.locator(".dtviz-run")
        assert not [url for url in seen.requests if "run-python" in url or "explorer-tree" in url]
        wanted = programs(name)
        assert boxes.count() == len(wanted)
        for k, program in enumerate(wanted):
            printed, tree = in_cpython(program)
            page.evaluate("drawn.length = 0")
            boxes.nth(k).get_by_role("button").click()
            said = wait(page, k)
            assert program_of(page, k) == program
            assert said.startswith("It ran in"), said
            assert boxes.nth(k).locator(".dtviz-run-out").first.text_content() == printed
            assert page.evaluate("drawn") == ([tree] if tree else [])
        assert seen.foreign() == []
        assert seen.complaints == []


def test_a_page_without_a_program_loads_none_of_it(site: Path) -> None:
    for name in ("index", "2-rank/index"):
        assert "run.js" not in (site / "book" / f"{name}.html").read_text("utf-8")


def test_print_and_no_script_show_the_program_and_what_it_prints(
    site: Path, browser: Browser
) -> None:
    printed, _ = in_cpython(programs("2-rank/3-find")[0])
    profile: web.Profile = {"javascript": False}
    with web.opened(browser, (site / "book/2-rank/3-find.html").as_uri(), profile) as seen:
        seen.page.emulate_media(media="print")
        box = seen.page.locator(".dtviz-run-box")
        assert box.locator("pre").nth(1).inner_text().strip() == printed.strip()
        assert box.locator(".dtviz-run").is_hidden()


ANSWERS = {
    "4-impurity/7-exercises": """
from functools import cache


def smallest(points):
    @cache
    def leaves(part):
        if len({label for _, label in part}) == 1:
            return 1
        best = len(part)
        for i in (0, 1):
            for t in sorted({x[i] for x, _ in part})[:-1]:
                low = frozenset(e for e in part if e[0][i] <= t)
                best = min(best, leaves(low) + leaves(part - low))
        return best

    return leaves(frozenset(points))


""",
    "6-pruning/8-exercises": """
def examples_needed(n, delta, s, c):
    m = 1
    while c * math.sqrt((math.log(trees(n, s)) + math.log(m / delta)) / m) >= 0.5:
        m += 1
    return m


""",
}
"""Answers to the exercises that are tested in the page."""


@pytest.mark.parametrize("name", sweep(ANSWERS, 2))
def test_an_exercise_is_answered(site: Path, browser: Browser, name: str) -> None:
    with web.opened(browser, "about:blank", {}) as seen:
        page = seen.page
        page.add_init_script(NOTE)
        page.goto((site / "book" / f"{name}.html").as_uri())
        page.get_by_role("button", name="Write it here").click()
        wait(page)
        assert "expected" in page.locator(".dtviz-run-out").first.inner_text()
        tests = f"{ANSWERS[name]}{run.TESTS}"
        answered = program_of(page).replace(run.TESTS, tests)
        said, out = type_in(page, answered)
        assert said.startswith("It ran in")
        assert "expected" not in out
        assert out.strip() == in_cpython(answered)[0].strip()


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with one program alone, and the scripts it needs beside it."""
    folder = tmp_path_factory.mktemp("run")
    (folder / run.PYTHON).write_text(run.python_script(), "utf-8")
    (folder / run.SCRIPTS["tree"]).write_bytes((BUNDLES / "tree.js").read_bytes())
    for name in ("run.js", "run.css"):
        (folder / name).write_bytes((ROOT / "book/_static" / name).read_bytes())
    functions = run.functions("rank.literal", ["rank"])
    program = f"{functions}\n\n\n{run.DIVIDER}\ntree = (0, 0, (1, 0, 1))\nprint(rank(tree))"
    data = run.editor_data(program, "rank", "run-0", "Edit and run").astext()
    page = folder / "page.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en" data-theme="light"><meta charset="utf-8"><title>Run</title>'
        '<link rel="stylesheet" href="run.css"><main class="bd-article"><h1>Run</h1>'
        f'{data}<p><a href="#after">after</a></p></main>'
        '<script defer src="run.js"></script></html>',
        "utf-8",
    )
    return page.as_uri()


@pytest.fixture(scope="module")
def began(bare: str, browser: Browser) -> Iterator[web.Visit]:
    """The page, its program opened."""
    with web.opened(browser, "about:blank", {"width": 900}) as seen:
        seen.page.add_init_script(NOTE)
        seen.page.goto(bare)
        seen.page.get_by_role("button", name="Edit and run").click()
        assert wait(seen.page).startswith("It ran in")
        yield seen
        assert seen.foreign() == []
        assert seen.complaints == []


@pytest.fixture
def page(began: web.Visit) -> Page:
    """The page with the program that it had at first."""
    return began.page


def write(page: Page, text: str) -> None:
    """Write a program into the editor in place of the one that is there, and run it."""
    page.locator(".cm-content").first.focus()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")


def type_in(page: Page, text: str) -> tuple[str, str]:
    """Run a program, and return the status and the output."""
    write(page, text)
    return wait(page), page.locator(".dtviz-run-out").first.inner_text()


def test_a_syntax_error_shows_its_line(page: Page) -> None:
    said, out = type_in(page, "x = 1\nprint('first')\ndef f(:\n    pass\n")
    assert said == "It failed in line 3."
    assert "def f(:" in out
    assert "SyntaxError" in out
    assert page.locator(".cm-activeLine").inner_text() == "def f(:"


def test_an_error_tells_the_way_to_it(page: Page) -> None:
    program = "def f(x):\n    return g(x)\n\ndef g(x):\n    return 1 / x\n\nprint('so far')\nf(0)\n"
    said, out = type_in(page, program)
    assert said == "It failed in line 5."
    assert out.split("\n")[:6] == [
        "so far",
        "Traceback (most recent call last):",
        "  line 8, in <module>",
        "    f(0)",
        "  line 2, in f",
        "    return g(x)",
    ]
    assert "ZeroDivisionError: " in out


def test_numpy_is_not_here_and_the_page_says_where(page: Page) -> None:
    said, out = type_in(page, "import math\nimport numpy as np\n")
    assert said == "It failed in line 2."
    assert "No module named 'numpy'" in out
    assert "run it in Jupyter" in out


def test_a_recursion_without_end_is_an_error(page: Page) -> None:
    said, out = type_in(page, "def f(n):\n    return f(n + 1)\n\n\nf(0)\n")
    assert said == "It failed in line 2."
    assert "RecursionError" in out
    assert "more calls ..." in out
    assert len(out.split("\n")) < 60


def test_input_is_refused_in_words(page: Page) -> None:
    said, out = type_in(page, "name = input('Who? ')\n")
    assert said == "It failed in line 1."
    assert "no input and no files: write the data into it" in out


def test_a_run_leaves_nothing_to_the_next(page: Page) -> None:
    spoiled = (
        "import builtins\nimport math\nleft = 1\nbuiltins.print = None\n"
        "builtins.len = lambda x: 7\nmath.sqrt = None\n"
    )
    type_in(page, spoiled)
    said, out = type_in(page, "import math\nprint(len('ab'), math.sqrt(4), 'left' in globals())\n")
    assert said.startswith("It ran in")
    assert out.strip() == "2 2.0 False"


@pytest.mark.parametrize("text", ["x", "x" * 1000])
def test_a_program_that_prints_too_much_is_stopped(page: Page, text: str) -> None:
    said, out = type_in(page, f"while True:\n    print({text!r})\n")
    assert said == "It failed in line 2."
    assert "a program in the page may print 100,000 characters" in out
    assert 99_000 - len(text) < out.count("x") + out.count("\n") < 101_000


def test_a_loop_without_end_is_stopped_by_the_reader(page: Page) -> None:
    write(page, "while True:\n    pass\n")
    stop = page.get_by_role("button", name="Stop")
    page.wait_for_function(
        "document.querySelector('[role=status]').textContent.includes('Running')"
    )
    stop.click()
    assert wait(page) == "Stopped by you."
    assert page.evaluate("document.activeElement.textContent") == "Run"
    assert type_in(page, "print(1)")[1].strip() == "1"


def test_a_loop_without_end_is_stopped_by_the_clock(bare: str, browser: Browser) -> None:
    with web.opened(browser, "about:blank", {}) as seen:
        seen.page.clock.install()
        seen.page.goto(bare)
        seen.page.get_by_role("button", name="Edit and run").click()
        wait(seen.page)
        write(seen.page, "while True:\n    pass\n")
        running = "document.querySelector('[role=status]').textContent.includes('Running')"
        seen.page.wait_for_function(running)
        seen.page.clock.fast_forward(30_000)
        assert wait(seen.page) == "Stopped after 30 seconds, the time limit."


def test_a_page_can_be_closed_while_its_program_runs(bare: str, browser: Browser) -> None:
    with web.opened(browser, bare, {}) as seen:
        seen.page.get_by_role("button", name="Edit and run").click()
        wait(seen.page)
        write(seen.page, "while True:\n    pass\n")
        seen.page.close()
    assert browser.is_connected()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("x = []\nwhile True:\n    x.append([0] * 10**7)\n", "MemoryError"),
        ("x = [0] * 10**9\n", "MemoryError"),
        ("x = 'a'\nwhile True:\n    x = x + x\n", "Invalid string length"),
    ],
)
def test_a_program_that_takes_all_memory_fails_alone(page: Page, program: str, said: str) -> None:
    status, out = type_in(page, program)
    assert status.startswith("It failed in line")
    assert said in out
    assert type_in(page, "print(1)")[1].strip() == "1"


def test_the_program_comes_back_and_its_tree_is_drawn(page: Page) -> None:
    type_in(page, "tree = 1\n")
    assert page.locator(".dtviz-run").get_by_text("The tree has 1 leaf").is_visible()
    page.get_by_role("button", name="Reset").click()
    assert wait(page).startswith("It ran in")
    assert "return a + 1 if" in program_of(page)
    # It opens at the example, not at the functions above.
    assert page.locator(".cm-activeLine").inner_text() == run.DIVIDER
    assert page.locator(".cm-line", has_text="print(rank(tree))").is_visible()
    assert page.locator(".dtviz-run").get_by_text("The tree has 3 leaves").is_visible()


def test_the_editor_is_left_by_the_keyboard(page: Page) -> None:
    area = page.locator(".cm-content")
    area.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("if True:\nx = 1\nif x:\ny = 2")
    page.keyboard.press("Tab")
    assert program_of(page) == "if True:\n    x = 1\n    if x:\n            y = 2"
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.className").startswith("cm-content")


def test_nobody_is_kept_out(page: Page) -> None:
    assert web.axe_findings(page, ".dtviz-run") == []


def test_the_scripts_stay_small() -> None:
    small = b"".join(path.read_bytes() for path in (ROOT / "book/_static").glob("run*"))
    assert len(gzip.compress(small)) < 12_000
    python = run.python_script().encode()
    assert len(gzip.compress(python)) < 900_000
    worker = python.rpartition(b"globalThis.dtvizPython = ")[2].rstrip(b";\n")
    assert "dtvizRun" in json.loads(worker)
