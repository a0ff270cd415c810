"""Faults planted on purpose, each caught by the check that guards the real book against it.

A check that cannot fail guards nothing. The same functions and commands run here and on the book;
a broken explorer control is planted in ``test_explorers.py``, beside the tests that drive one.
"""

from __future__ import annotations

import subprocess
import sys
from html import escape
from typing import TYPE_CHECKING

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from support import site as checks
from support import web

from tools import notebooks

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def page(body: str, head: str = "") -> checks.Page:
    text = f"<html><head>{head}</head><body><article>{body}</article></body></html>"
    return checks.Page("planted.html", BeautifulSoup(text, "html.parser"))


def stored(source: str, printed: str, **metadata: object) -> nbformat.NotebookNode:
    """Notebook of one cell that is said to have printed ``printed``."""
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    notebook = new_notebook(cells=[new_code_cell(source, outputs=outputs, metadata=metadata)])
    notebooks.normalize(notebook)
    return notebook


def html_output(html: str) -> nbformat.NotebookNode:
    return new_output("display_data", data={"text/plain": "1", "text/html": html})


def nbval(folder: Path, notebook: nbformat.NotebookNode) -> tuple[int, str]:
    """Run `make test-notebooks` on ``notebook``: its return code and what it said."""
    (folder / "planted.ipynb").write_text(notebooks.dumps(notebook), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval", "-rA", "-p", "no:cacheprovider", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    return done.returncode, done.stdout


class TestCheckedNumbers:
    SOURCE = "import dtviz as dt\nprint(dt.influences(dt.functions.majority(3)).sum())"
    WRONG = "assert dt.influences(dt.functions.majority(3)).sum() == 1.25"

    @pytest.mark.slow
    def test_cells_whose_numbers_are_sound_wrong_and_stale(self, tmp_path: Path) -> None:
        """Each cell is judged alone, in one run: a kernel and a pytest are the most of the work."""
        cells = [(self.SOURCE, "1.5\n"), (self.WRONG, ""), (self.SOURCE, "1.25\n")]
        cells += [(self.SOURCE, "1.5\n1.5\n"), (self.SOURCE, ""), (self.SOURCE, "1.5\n")]
        notebook = stored(*cells[0])
        notebook.cells = [stored(*cell).cells[0] for cell in cells]
        notebooks.normalize(notebook)
        code, said = nbval(tmp_path, notebook)
        verdicts = [
            next(word for word in ("PASSED", "FAILED") if f"{word} planted.ipynb::Cell {k}" in said)
            for k in range(len(cells))
        ]
        assert verdicts == ["PASSED", "FAILED", "FAILED", "FAILED", "FAILED", "PASSED"], said
        assert code == 1
        assert "AssertionError" in said

    @pytest.mark.parametrize("end", [";", " ;\n", ";  # said", ";\n# said\n# more\n"])
    def test_a_value_that_is_hidden(self, end: str) -> None:
        assert len(checks.hidden_values(stored(f"x = 1\nx{end}", ""))) == 1
        for shown in (f"x = 1{end}", f"x = 1{end}\nx"):
            assert checks.hidden_values(stored(shown, "1\n")) == []
        assert checks.hidden_values(stored(f"x{end}", "", tags=[notebooks.DRAWS])) == []

    def test_a_number_printed_where_nobody_compares_it(self) -> None:
        notebook = stored("print(1.5)", "", tags=[notebooks.DRAWS])
        notebook.cells[0].outputs = [new_output("stream", name="stdout", text="1.5\n")]
        assert any("nobody compares" in fault for fault in notebooks.executed_faults(notebook, ""))

    @pytest.mark.parametrize(
        ("output", "tags", "fault"),
        [
            (new_output("error", ename="E", evalue="", traceback=[]), [], "stores an error"),
            (new_output("stream", name="stderr", text="careful"), [], "stores a warning"),
            (new_output("display_data", data={"image/png": ""}), [], "needs the tag"),
            (html_output('<table id="x7f"><tr><td>1</table>'), [], "needs the tag"),
            (new_output("stream", name="stdout", text="1"), [notebooks.DRAWS], "not to be stored"),
        ],
    )
    def test_an_output_that_does_not_belong_in_the_file(
        self, tmp_path: Path, output: nbformat.NotebookNode, tags: list[str], fault: str
    ) -> None:
        path = tmp_path / "planted.ipynb"
        notebook = stored("pass", "", tags=tags)
        notebook.cells[0].outputs = [output]
        path.write_text(notebooks.dumps(notebook), "utf-8")
        assert any(fault in found for found in notebooks.faults(path))

    def test_a_table_is_stored_as_text_and_as_html(self, tmp_path: Path) -> None:
        path = tmp_path / "planted.ipynb"
        notebook = stored("frame", "")
        notebook.cells[0].outputs = [html_output("<table><tr><td>1</table>")]
        notebooks.normalize(notebook)
        path.write_text(notebooks.dumps(notebook), "utf-8")
        assert notebooks.faults(path) == []
        assert "<table>" in path.read_text("utf-8")

    def test_a_cell_marked_as_never_run_which_nbval_would_not_compare(self, tmp_path: Path) -> None:
        path = tmp_path / "planted.ipynb"
        notebook = stored("print(1)", "1\n")
        path.write_text(notebooks.dumps(notebook), "utf-8")
        assert notebooks.faults(path) == []
        notebook.cells[0].execution_count = None
        path.write_text(notebooks.dumps(notebook), "utf-8")
        assert any("make notebooks" in found for found in notebooks.faults(path))


class TestThirdParty:
    @pytest.mark.parametrize(
        "tag",
        [
            '<script src="https://cdn.example.org/x.js"></script>',
            '<script src="//cdn.example.org/x.js"></script>',
            '<script>fetch("https://example.org/data.json")</script>',
            '<script type="module">import x from "https://esm.sh/x"</script>',
            '<link rel="stylesheet" href="https://fonts.googleapis.com/css?family=Lato">',
            '<link rel="preconnect" href="https://fonts.gstatic.com">',
            '<img alt="A tree." src="http://example.org/tree.png">',
            '<img alt="A tree." srcset="tree.png 1x, https://example.org/tree.png 2x">',
            '<iframe src="https://example.org/"></iframe>',
            '<video poster="https://example.org/p.png"></video>',
            '<form action="https://example.org/count"></form>',
            "<style>@import 'https://example.org/x.css';</style>",
            "<style>@font-face { src: url(https://example.org/x.woff2) }</style>",
            '<p style="background: url(//example.org/x.png)">text</p>',
            '<svg><image href="https://example.org/x.png"/></svg>',
            '<meta http-equiv="refresh" content="0; url=https://example.org">',
        ],
    )
    def test_a_third_party_url_in_a_page(self, tag: str) -> None:
        assert len(checks.third_party(page(tag))) == 1
        assert len(checks.third_party(page("", head=tag))) == 1

    @pytest.mark.parametrize(
        "tag",
        [
            '<a href="https://arxiv.org/abs/1911.07375">the paper</a>',
            '<link rel="canonical" href="https://example.org/">',
            '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
            '<script src="../_static/x.js"></script>',
            '<img alt="A tree." src="data:image/png;base64,aaaa//aaa.bbb">',
            '<pre>print("https://example.org")</pre>',
        ],
    )
    def test_a_link_or_a_name_is_no_request(self, tag: str) -> None:
        assert checks.third_party(page(tag)) == []

    def test_a_third_party_url_in_a_style_sheet(self, tmp_path: Path) -> None:
        (tmp_path / "x.css").write_text("a { background: url('https://example.org/x.png') }")
        assert len(checks.third_party_styles(tmp_path)) == 1


class TestAltText:
    @pytest.mark.parametrize(
        "picture",
        [
            '<img src="tree.png">',
            '<img src="tree.png" alt="">',
            '<img src="tree.png" alt="_images/tree.png">',
            '<img src="tree.png" alt="A tree with three leaves">',
            '<svg width="100"><path d="M0 0"/></svg>',
            '<svg aria-label="tree"><path d="M0 0"/></svg>',
            "<canvas></canvas>",
        ],
    )
    def test_a_figure_without_alt_text(self, picture: str) -> None:
        assert checks.figures_without_alt(page(picture))

    @pytest.mark.parametrize(
        "picture",
        [
            '<img src="tree.png" alt="A tree that asks for x_0 and has two leaves.">',
            '<svg role="img" aria-label="A tree that asks for x_0 and has two leaves."></svg>',
            '<svg aria-hidden="true"><path d="M0 0"/></svg>',
        ],
    )
    def test_a_sentence_is_enough(self, picture: str) -> None:
        assert checks.figures_without_alt(page(picture)) == []


SOUND = """\
# Planted

:::{prf:lemma} Cost
:label: lem-cost
The cost is $c \\ge 0$.
:::

See {prf:ref}`lem-cost`.
"""


def build_page(folder: Path, text: str) -> None:
    """Build a book of one notebook page, with the configuration of the real one."""
    config = yaml.safe_load((checks.ROOT / "_config.yml").read_text("utf-8"))
    sphinx = config["sphinx"]
    ours = sphinx.pop("local_extensions")
    extensions = [name for name in sphinx["config"]["extensions"] if name not in ours]
    for path in ("html_static_path", "html_css_files", "html_extra_path", "templates_path"):
        del sphinx["config"][path]
    for made in ("html_math_renderer", "bibtex_reference_style", "bibtex_default_style"):
        del sphinx["config"][made]
    sphinx["config"]["extensions"] = extensions
    config["bibtex_bibfiles"] = ["book.bib"]
    del config["html"]["favicon"]
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    (folder / "book.bib").write_text("")
    notebook = new_notebook(cells=[new_markdown_cell(text)])
    notebooks.normalize(notebook)
    (folder / "index.ipynb").write_text(notebooks.dumps(notebook), "utf-8")
    checks.jupyter_book(folder, folder)


BROKEN = {
    "lem-planted": "{prf:ref}`lem-planted`",
    "ref-planted": "{ref}`ref-planted`",
    "num-planted": "{numref}`num-planted`",
    "eq-planted": "{eq}`eq-planted`",
    "page-planted": "[this](page-planted.md)",
    "anchor-planted": "[this](#anchor-planted)",
    "Planted2020": "{cite:t}`Planted2020`",
    "roleplanted": "{roleplanted}`x`",
}


@pytest.fixture(scope="module")
def warnings(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Warnings of a build that a page full of broken references stopped."""
    text = "\n\n".join([SOUND, *BROKEN.values()])
    with pytest.raises(checks.BuildError) as stopped:
        build_page(tmp_path_factory.mktemp("broken"), text)
    return [line for line in str(stopped.value).splitlines() if "WARNING" in line]


@pytest.mark.xdist_group("broken references")
class TestReferences:
    def test_a_sound_page_builds(self, tmp_path: Path) -> None:
        build_page(tmp_path, SOUND)
        (built,) = (p for p in checks.pages(tmp_path / "_build/html") if p.name == "index.html")
        assert checks.unresolved(built) == []
        assert "Lemma 1" in built.html.get_text()

    @pytest.mark.parametrize("name", BROKEN)
    def test_an_unresolved_reference_stops_the_build(self, warnings: list[str], name: str) -> None:
        assert any(name in line for line in warnings)

    @pytest.mark.parametrize(
        "left",
        [
            "<p>See {prf:ref}`lem-cost`.</p>",
            "<p>See Lemma ??.</p>",
            "<p>:::{note}</p>",
            '<p>See <code class="xref prf prf-ref">lem-cost</code>.</p>',
            '<p>See <span class="problematic">lem-cost</span>.</p>',
        ],
    )
    def test_a_reference_left_as_typed(self, left: str) -> None:
        assert checks.unresolved(page(left))

    def test_code_may_show_what_a_reference_looks_like(self) -> None:
        assert checks.unresolved(page("<pre>{prf:ref}`lem-cost` ??</pre>")) == []

    @pytest.mark.parametrize("target", ["missing.html", "b.html#missing", "#missing"])
    def test_a_dead_link(self, tmp_path: Path, target: str) -> None:
        (tmp_path / "a.html").write_text(f'<a href="{target}">x</a><a href="b.html#here">y</a>')
        (tmp_path / "b.html").write_text('<p id="here">z</p>')
        assert len(checks.dead_links(tmp_path)) == 1


class TestInTheBrowser:
    """What only a browser sees: addresses put together by a script, contrast, missing names."""

    @staticmethod
    def write(folder: Path, body: str) -> str:
        path = folder / "planted.html"
        path.write_text(
            f'<!DOCTYPE html><html lang="en"><head><title>Planted</title></head>'
            f"<body><main><h1>Planted</h1>{body}</main></body></html>",
            "utf-8",
        )
        return path.as_uri()

    def test_a_sound_page(self, tmp_path: Path, visit: Callable[..., web.Visit]) -> None:
        seen = visit(self.write(tmp_path, "<p>Sound.</p>"))
        assert (seen.foreign(), seen.complaints, web.axe_findings(seen.page)) == ([], [], [])

    def test_a_request_to_a_third_party(
        self, tmp_path: Path, visit: Callable[..., web.Visit]
    ) -> None:
        hidden = "<script>fetch('https://' + 'example.invalid/count').catch(() => {})</script>"
        body = self.write(tmp_path, hidden)
        assert checks.third_party(page(hidden)) == []
        seen = visit(body)
        seen.settle()
        assert seen.foreign() == ["https://example.invalid/count"]

    @pytest.mark.parametrize(
        "script", ["throw new Error('planted')", "console.error('planted')", "console.warn('p')"]
    )
    def test_a_complaint_of_a_script(
        self, tmp_path: Path, visit: Callable[..., web.Visit], script: str
    ) -> None:
        assert len(visit(self.write(tmp_path, f"<script>{script}</script>")).complaints) == 1

    @pytest.mark.parametrize(
        "barrier",
        [
            '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
            '<input type="range">',
            '<p style="color: #aaa; background: #fff">Pale.</p>',
        ],
    )
    def test_a_barrier(self, tmp_path: Path, visit: Callable[..., web.Visit], barrier: str) -> None:
        assert len(web.axe_findings(visit(self.write(tmp_path, barrier)).page)) == 1

    def test_a_pale_word_in_a_block_of_code(
        self, tmp_path: Path, visit: Callable[..., web.Visit]
    ) -> None:
        """Of the words that are drawn alike, the first, the middle and the last are looked at."""
        words = ['<span class="n">word</span>'] * 20
        words[12] = words[15] = '<span class="c">pale</span>'
        words[17] = '<span class="n" style="color: #bbb">paler</span>'
        body = (
            "<style>.highlight { background: #fff; color: #000 } .highlight .c { color: #aaa }"
            "</style>" + 2 * f'<div class="highlight"><pre>{" ".join(words)}</pre></div>'
        )
        found = web.axe_findings(visit(self.write(tmp_path, body)).page)
        kinds = [line.count(">pale<") + 2 * line.count(">paler<") for line in found]
        assert kinds == [1, 2, 1, 1, 2]

    def test_a_word_that_is_pale_in_the_dark_alone(
        self, tmp_path: Path, visit: Callable[..., web.Visit]
    ) -> None:
        """In the light it is drawn as its neighbors are, and yet it does not go with them."""
        words = ['<span class="n">word</span>'] * 20
        words[12] = '<span class="c">pale</span>'
        body = (
            "<style>.highlight { background: #fff; color: #000 } @media"
            " (prefers-color-scheme: dark) { .highlight { background: #000; color: #fff }"
            " .highlight .c { color: #333 } }</style>"
            f'<div class="highlight"><pre>{" ".join(words)}</pre></div>'
        )
        page = visit(self.write(tmp_path, body)).page
        assert web.axe_findings(page) == []
        page.emulate_media(color_scheme="dark")
        for only in (None, web.BY_LOOK):
            assert [">pale<" in line for line in web.axe_findings(page, only=only)] == [True]

    def test_a_barrier_in_one_of_many_formulas(
        self, tmp_path: Path, visit: Callable[..., web.Visit]
    ) -> None:
        formula = "<math><mi{}>x</mi></math>"
        formulas = [formula.format("")] * 9
        formulas[6] = formula.format(" aria-hidden=true tabindex=0")
        page = visit(self.write(tmp_path, "".join(formulas))).page
        (found,) = web.axe_findings(page)
        assert "aria-hidden-focus" in found
        assert page.locator("math").count() < 9, "the others are plain text"

    def test_a_pale_formula_on_a_ground_of_its_own(
        self, tmp_path: Path, visit: Callable[..., web.Visit]
    ) -> None:
        """One of the formulas that are drawn alike is looked at on each ground."""
        formula = "<math><mi>xyz</mi></math>"
        colored = '<math style="color: #ccc"><mi>pale</mi></math>'
        body = (
            f'<div style="background: #fff; color: #555">{2 * formula}{colored}'
            f'<p style="background: #777">{2 * formula}</p></div>'
        )
        found = web.axe_findings(visit(self.write(tmp_path, body)).page)
        # On the gray ground both, first and last of their kind.
        assert [">pale<" in line for line in found] == [True, False, False]

    @pytest.mark.parametrize("place", [0, 7, 19])
    def test_a_pale_line_among_its_like(
        self, tmp_path: Path, visit: Callable[..., web.Visit], place: int
    ) -> None:
        """What is hidden, drawn on another ground, or fainter stands for nothing but itself."""
        lines = ['<p class="pale" hidden>Hidden.</p>'] * 20
        lines[place] = '<p class="pale">Pale.</p>'
        grounds = '<div style="background: #000">{}</div><div style="opacity: 0.4">{}</div>'
        body = (
            "<style>body { background: #fff; color: #000 } .pale { color: #aaa }</style>"
            + "<p>Black.</p>" * 5
            + grounds.format('<p class="pale">Bright.</p>' * 5, "<p>Black, faint.</p>")
            + "".join(lines)
        )
        found = web.axe_findings(visit(self.write(tmp_path, body)).page)
        assert [(">Pale.<" in line, ">Black, faint.<" in line) for line in found] == [
            (False, True),
            (True, False),
        ]


@pytest.mark.parametrize("text", ["Text(0, 0.5, 'fare')", "<TreeDrawing: 7 nodes>", "7"])
def test_values_beside_pictures_are_found(text: str) -> None:
    output = f'<div class="cell_output"><div class="output text_plain">{escape(text)}</div></div>'
    assert len(checks.stray_values(page(output))) == (text != "7")


class TestSigns:
    @pytest.mark.parametrize("text", ["<b>p</b>,, k", "one ; two", "( a)", "it is , as", "ends.."])
    def test_signs_that_were_moved_are_found(self, text: str) -> None:
        assert len(checks.odd_signs(page(f"<p>{text}</p>"))) == 1

    @pytest.mark.parametrize(
        "text", ["<i>f</i>, (<i>g</i>)", "1, .., K", "et al., 1987", "f(x)..."]
    )
    def test_signs_in_their_place_are_not(self, text: str) -> None:
        assert checks.odd_signs(page(f"<p>{text}</p><pre>a , b</pre>")) == []
