"""Listings: the text of the file, cut short where it is long, and a program that runs."""

from __future__ import annotations

import importlib
import inspect
import json
import math
import types
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import dtviz as dt
from dtviz.chapters import CHAPTERS

LITERALS = [importlib.import_module(f"dtviz.{chapter}.literal") for chapter in CHAPTERS]
EVERY = [
    (module, name)
    for module in LITERALS
    for name, value in vars(module).items()
    if inspect.isfunction(value) and value.__module__ == module.__name__
]


def run(program):
    made = types.ModuleType("program")
    exec(program, vars(made))  # noqa: S102 -- our own text
    return made


@pytest.mark.parametrize(
    ("module", "name"), EVERY, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_program_holds_all_that_it_calls(module, name):
    """Every name that its functions load is there, down to the last."""
    made = run(dt.show_source(getattr(module, name)).program)
    assert inspect.isfunction(vars(made)[name])

    def loaded(code):
        yield from code.co_names
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield from loaded(constant)

    for value in list(vars(made).values()):
        if inspect.isfunction(value) and value.__module__ == "program":
            for used in loaded(value.__code__):
                assert not hasattr(module, used) or hasattr(made, used)


def test_a_program_runs_by_itself():
    literal = dt.influence.literal
    made = run(dt.show_source(literal.build_top_down).program)
    f = lambda x: x[0] & x[1] | x[2] & x[3]  # noqa: E731
    assert made.build_top_down(f, 4) == literal.build_top_down(f, 4)


def test_a_program_holds_no_more_than_that():
    program = dt.show_source(dt.rank.literal.find).program
    assert "def informative" in program
    assert "def find_min" not in program
    assert "def rank" not in program
    assert "import math" not in dt.show_source(dt.impurity.literal.gini).program


def test_the_text_is_that_of_the_file():
    for module, name in EVERY:
        text, file = dt.show_source(getattr(module, name)).text, inspect.getsource(module)
        lines = {line.partition("  # noqa")[0] for line in file.split("\n")} | {'    """'}
        lines |= {f'{line}"""' for line in lines}
        assert [line for line in text.split("\n") if line not in lines] == []
        assert "noqa" not in text
        assert "----" not in text
        compile(text, name, "exec")


def test_a_docstring_is_cut_at_its_first_section():
    text = dt.show_source(dt.rank.literal.find).text
    assert "if it fails, so does S." in text
    assert "Parameters" not in text
    assert text.endswith("return None")


def test_the_page_gets_elements_that_a_style_sheet_and_a_script_know():
    listing = dt.show_source(dt.rank.literal.find, dt.rank.literal.find_min)
    soup = BeautifulSoup(listing._repr_html_(), "html.parser")
    top = soup.find(class_="dtviz-literal")
    assert top["data-module"] == "dtviz.rank.literal"
    assert top["data-functions"] == "find find_min"
    shown, program = top.select("div.highlight > pre")
    assert shown.get_text().strip() == listing.text
    assert program.get_text().strip() == listing.program
    assert program.find_parent("details")
    assert str(listing) == listing.text


@pytest.mark.parametrize(("number", "chapter"), list(enumerate(CHAPTERS, 1)))
def test_each_chapter_shows_its_algorithms(number, chapter):
    book = Path(__file__).parents[2] / "book"
    pages = sorted((book / f"{number}-{chapter}").glob("*.ipynb"))
    notebooks = [json.loads(page.read_text("utf-8")) for page in pages]
    cells = [
        "".join(cell["source"])
        for notebook in notebooks
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    listings = "".join(cell for cell in cells if cell.startswith("dt.show_source("))
    assert f"dt.{chapter}.literal." in listings


@pytest.mark.parametrize(
    "functions",
    [
        (),
        (3,),
        (math.sqrt,),
        (dt.rank.literal.Sample,),
        (lambda: 0,),
        (dt.rank.literal.find, dt.pruning.literal.errors),
    ],
)
def test_only_functions_of_one_module_are_shown(functions):
    with pytest.raises(ValueError, match="functions must be functions of one module"):
        dt.show_source(*functions)
