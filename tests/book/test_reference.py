"""The reference: each public name stands on it, once, with what a tinkerer needs to use it."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from functools import cached_property
from itertools import chain
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest
from anywidget import AnyWidget
from bs4 import BeautifulSoup
from sklearn.tree import DecisionTreeClassifier
from support.site import ROOT, Page, content, pages

import dtviz as dt
from dtviz.chapters import CHAPTERS
from dtviz.core.hints import THINGS

if TYPE_CHECKING:
    from pathlib import Path


ROOMS = (
    "dtviz",
    *(f"dtviz.{room}" for room in (*CHAPTERS, "atlas", "plot")),
    "dtviz.core.boolean.functions",
    "dtviz.core.data.datasets",
)
MEMBER = property | cached_property | classmethod | staticmethod | FunctionType
TITLES = ".admonition-title, .rubric, .cell_output, .dtviz-explorer"


def public() -> dict[str, Any]:
    """Every spelling of every public name, read from the packages alone."""
    found = {}
    for room in ROOMS:
        package = importlib.import_module(room)
        for name in package.__all__:
            value = getattr(package, name)
            if not inspect.ismodule(value):
                found[re.sub(r"\.core\.\w+", "", f"{room}.{name}")] = value
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


def build(folder: Path, text: str) -> tuple[str, str]:
    """Build a book of one page with our extension of the reference: its warnings, and the page."""
    extensions = ["sphinx.ext.autodoc", "numpydoc", "sphinx_proof"]
    extensions += ["dtviz_reference", "dtviz_scikit_learn"]
    (folder / "conf.py").write_text(
        f"import sys; sys.path[:0] = [{str(ROOT / 'book' / '_ext')!r}, {str(ROOT)!r}]\n"
        f"extensions = {extensions}\nnitpicky = True\nautodoc_typehints = 'none'\n"
        "default_role = 'py:obj'\nnumpydoc_show_class_members = False\n"
    )
    (folder / "index.rst").write_text(text)
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stderr, (folder / "out" / "index.html").read_text("utf-8")


@pytest.fixture(scope="class")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Build a page with one sound line of `reference` and several faults: its warnings, and it."""
    return build(tmp_path_factory.mktemp("planted"), PLANTED)


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


@pytest.fixture(scope="class")
def classes(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, BeautifulSoup]:
    """Build a page with all public classes and the names of scikit-learn: its warnings, and it."""
    rooms: dict[str, list[str]] = {}
    for name, value in public().items():
        if inspect.isclass(value):
            room, _, last = name.rpartition(".")
            rooms.setdefault(room, []).append(f"   {last} genindex")
    blocks = (f".. reference:: {room}\n\n" + "\n".join(lines) for room, lines in rooms.items())
    text = "\n\n".join(["All\n===", *blocks, ".. scikit-learn-names::"])
    warnings, page = build(tmp_path_factory.mktemp("classes"), text)
    return warnings, BeautifulSoup(page, "html.parser")


@pytest.mark.xdist_group("classes of the reference")
class TestClasses:
    def test_an_entry_has_all_that_the_class_has(self, classes: tuple[str, BeautifulSoup]) -> None:
        """What a function returns has its own members and inherited ones, fields and properties."""
        said = {
            str(entry.dt["id"]): set(re.findall(r"\w+", entry.get_text(" ")))
            for entry in classes[1].select("dl.py.class")
            if entry.dt is not None
        }
        assert len(said) > 30
        foreign = {*dir(AnyWidget), *dir(tuple), "set_fit_request", "set_score_request"}
        missing = {}
        for name, value in shortest().items():
            if name in said:
                fields = chain.from_iterable(map(inspect.get_annotations, value.__mro__))
                has = {n for n in (*dir(value), *fields) if n[0] != "_"}
                missing[name] = has - said[name] - foreign
        assert {name: lacking for name, lacking in missing.items() if lacking} == {}

    def test_inherited_members_lead_to_their_entries(
        self, classes: tuple[str, BeautifulSoup]
    ) -> None:
        path = classes[1].select_one('[id="dtviz.impurity.ImpurityPath"] + dd')
        assert path is not None
        links = {str(link["href"]) for link in path.select("a.internal[href]")}
        names = ("", ".tree", ".predict", ".score", ".n_leaves", ".nodes", ".contributions")
        assert {f"#dtviz.influence.GrowthPath{name}" for name in names} <= links
        for kind in ("TopDownClassifier", "TopDownRegressor"):
            assert classes[1].find(id=f"dtviz.{kind}.decision_path") is not None

    def test_names_of_scikit_learn_have_ours_beside_them(
        self, classes: tuple[str, BeautifulSoup]
    ) -> None:
        (table,) = classes[1].select("table.docutils:not(.field-list)")
        said = [[str(x.get_text()) for x in row.select("td")] for row in table.select("tbody tr")]
        ours = {name.strip(): text.strip() for name, text in said}
        peers = {*inspect.signature(DecisionTreeClassifier).parameters, *THINGS} - {"prune"}
        assert peers <= {*ours}
        assert ours["criterion"] == "cost="
        assert ours["splitter"] == "nothing"
        assert "cost_complexity_path" in ours["cost_complexity_pruning_path"]
        assert table.select_one('a[href="#dtviz.Tree.feature_importances"]') is not None
        for name in ("sample_weight", "max_depth"):
            assert "dt.TopDownClassifier and dt.grow" in ours[name]
