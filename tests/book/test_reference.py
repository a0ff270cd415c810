"""The reference: each public name stands on it, once, with what a tinkerer needs to use it."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from functools import cached_property
from textwrap import indent
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest
from bs4 import BeautifulSoup
from support.site import ROOT, Page, content, pages

import dtviz as dt
from dtviz.chapters import CHAPTERS

if TYPE_CHECKING:
    from pathlib import Path


ROOMS = (
    "dtviz",
    *(f"dtviz.{room}" for room in (*CHAPTERS, "atlas", "plot")),
    "dtviz.core.functions",
    "dtviz.core.data.datasets",
)
MEMBER = property | cached_property | classmethod | staticmethod | FunctionType
TITLES = ".admonition-title, .rubric, .cell_output, .dtviz-explorer"
VALIDATES = re.compile(r"raise ValueError|\b(?:as_\w+|checked_\w+)\(")


def public() -> dict[str, Any]:
    """Every spelling of every public name, read from the packages alone."""
    found = {}
    for room in ROOMS:
        package = importlib.import_module(room)
        for name in package.__all__:
            value = getattr(package, name)
            if not inspect.ismodule(value):
                found[f"{room}.{name}".replace(".core", "").replace(".data.", ".")] = value
    return found


def shortest() -> dict[str, Any]:
    """Each public function and class, as ``dtviz.name``, or by the first room that offers it."""
    first: dict[int, str] = {}
    for name, value in public().items():  # ``dtviz`` comes first, then the chapters in order
        if inspect.isroutine(value) or inspect.isclass(value):
            first.setdefault(id(value), name)
    every = public()
    return {name: every[name] for name in sorted(first.values())}


def members(kind: type) -> dict[str, Any]:
    """Methods and properties that a public class defines itself."""
    return {
        name: value
        for name, value in vars(kind).items()
        if not name.startswith("_") and isinstance(value, MEMBER)
    }


def without_example() -> set[str]:
    """Public functions and classes whose docstring has no example; errors need none."""
    return {
        name
        for name, value in shortest().items()
        if not (inspect.isclass(value) and issubclass(value, Exception))
        and not re.search(r"^Examples\n-{8}\n[^\0]*>>> ", inspect.getdoc(value) or "", re.MULTILINE)
    }


def without_raises() -> set[str]:
    """Functions and methods that refuse arguments and do not say so."""
    routines = {name: value for name, value in shortest().items() if inspect.isfunction(value)}
    for name, value in shortest().items():
        if inspect.isclass(value):
            for member in members(value):
                routine = getattr(value, member)
                if inspect.isfunction(routine) or inspect.ismethod(routine):
                    routines[f"{name}.{member}"] = routine
    return {
        name
        for name, value in routines.items()
        if VALIDATES.search(inspect.getsource(value)) and "Error" not in (value.__doc__ or "")
    }


@pytest.fixture(scope="module")
def reference(site: Path) -> list[Page]:
    return [page for page in pages(site) if page.name.startswith("book/reference/")]


class TestNames:
    def test_each_public_name_stands_once(self, reference: list[Page]) -> None:
        ids = [str(tag["id"]) for page in reference for tag in content(page).select("[id]")]
        wrong = {name: ids.count(name) for name in public() if ids.count(name) != 1}
        assert wrong == {}

    def test_each_public_member_stands_once(self, reference: list[Page]) -> None:
        ids = [str(tag["id"]) for page in reference for tag in content(page).select("[id]")]
        wrong = {
            f"{name}.{member}": ids.count(f"{name}.{member}")
            for name, value in shortest().items()
            if inspect.isclass(value)
            for member in members(value)
            if ids.count(f"{name}.{member}") != 1
        }
        assert wrong == {}

    def test_each_entry_leads_to_its_place(self, reference: list[Page]) -> None:
        placed = {
            str(entry.find("dt")["id"])
            for page in reference
            for entry in content(page).select("dl.py")
            if entry.select_one(":scope > dd > .dtviz-place a.reference.internal[href]")
        }
        assert set(shortest()) - placed == set()


class TestDocstrings:
    def test_every_public_name_has_an_example(self) -> None:
        assert without_example() == set()

    def test_what_refuses_says_so(self) -> None:
        assert without_raises() == set()


class TestDecisionTable:
    def test_its_names_exist(self, site: Path) -> None:
        (page,) = (page for page in pages(site) if page.name == "book/reference/index.html")
        names = content(page).select("li code")
        assert len(names) > 40
        for name in names:
            value: Any = dt
            for part in name.get_text().split(".")[1:]:
                value = getattr(value, part)
            assert name.find_parent("a") is not None, name


class TestMentions:
    def test_each_mention_in_prose_is_a_link(self, site: Path) -> None:
        names, wrong, seen = public(), [], 0
        for page in pages(site):
            for code in content(page).select("p code.literal, li code.literal, td code.literal"):
                name = re.sub(r"^dt\.", "dtviz.", code.get_text().partition("(")[0])
                if name in names and not code.css.closest(TITLES):
                    seen += 1
                    link = code.find_parent("a")
                    place = str(link["href"]).rpartition("#")[2] if link else ""
                    if names.get(place) is not names[name]:
                        wrong.append(f"{page.name}: {code.get_text()}")
        assert wrong == []
        assert seen > 100


ROWS = ["parity(3)", "tribes(2, 2)", "gini", "random", "x0 and parity(3)"]
TABLE = dt.table([(name, 2) for name in ROWS], ["name", "leaves"])._repr_html_()
PLANTED = """
Planted
=======

A literal: ``dt.optimal``, and again: ``dt.optimal``.

.. py:function:: dtviz.optimal

.. py:function:: dtviz.functions.parity

.. py:function:: dtviz.functions.random

.. py:function:: dtviz.functions.tribes

.. py:function:: dtviz.impurity.gini

.. reference:: dtviz.plot

   growth genindex
   forest genindex
   hypercube
   regions no-such-section
   label_line thm-no-such-theorem
"""


@pytest.fixture(scope="class")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Build a page with one sound line of `reference` and several faults: its warnings, and it."""
    folder = tmp_path_factory.mktemp("planted")
    extensions = ["sphinx.ext.autodoc", "numpydoc", "sphinx_proof", "dtviz_reference"]
    (folder / "conf.py").write_text(
        f"import sys; sys.path[:0] = [{str(ROOT / 'book' / '_ext')!r}, {str(ROOT)!r}]\n"
        f"extensions = {extensions}\nnitpicky = True\nautodoc_typehints = 'none'\n"
        "default_role = 'py:obj'\nnumpydoc_show_class_members = False\n"
    )
    table = f".. raw:: html\n\n{indent(TABLE, '   ')}\n"
    (folder / "index.rst").write_text(f"{PLANTED}\n{table}")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr, (folder / "out" / "index.html").read_text("utf-8")


@pytest.mark.xdist_group("planted reference")
class TestPlanted:
    def test_a_missing_name_is_reported_and_no_other(self, planted: tuple[str, str]) -> None:
        assert "dtviz.plot.tree stands on no page of the reference" in planted[0]
        assert "dtviz.plot.growth stands on no page" not in planted[0]

    @pytest.mark.parametrize(
        "warning",
        [
            "dtviz.plot.forest is no public name",
            "hypercube names no place in the book",
            "no-such-section",
            "thm-no-such-theorem",
        ],
    )
    def test_a_fault_is_reported(self, planted: tuple[str, str], warning: str) -> None:
        assert warning in planted[0]

    def test_the_sound_line_is_not(self, planted: tuple[str, str]) -> None:
        assert "growth names no place" not in planted[0]
        assert "dtviz.plot.growth is no public name" not in planted[0]

    def test_each_mention_is_a_link(self, planted: tuple[str, str]) -> None:
        assert planted[1].count('href="#dtviz.optimal"') == 3  # two, and the mark of the entry

    def test_a_row_named_after_a_function_or_a_cost_is_a_link(
        self, planted: tuple[str, str]
    ) -> None:
        """But not one whose name only contains a call, or is a word that a function has, too."""
        heads = BeautifulSoup(planted[1], "html.parser").select(".dtviz-table th[scope=row]")
        assert [head.get_text() for head in heads] == ROWS
        assert [head.a["href"] if head.a else None for head in heads] == [
            "#dtviz.functions.parity", "#dtviz.functions.tribes", "#dtviz.impurity.gini", None, None
        ]  # fmt: skip
