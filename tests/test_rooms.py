"""The rooms of the package: imports run from the chapters to the ground floor, never across."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import dtviz
from dtviz.chapters import CHAPTERS

PACKAGE = Path(dtviz.__file__).parent

# What the modules of each room may import, besides the room itself.
ALLOWED = {
    "core": set(),
    "chapters.py": set(),
    "plot": {"core"},
    "explorers": {"core", "chapters", "plot"},
    # It stands above the chapters: nothing but the facade may import it.
    "atlas": {"core", "plot", "explorers", *CHAPTERS},
    "__init__.py": {"core", "plot", "explorers", "atlas", *CHAPTERS},
} | {chapter: {"core"} for chapter in CHAPTERS}
# Inside core: what lies at its top needs nothing else.
FLOORS = {
    "top": set(),
    "boolean": {"top"},
    "data": {"top"},
    "tree": {"top", "boolean", "data"},
    "boolean_trees": {"top", "boolean", "tree"},
    "cart": {"top", "data", "tree"},
}
# A chapter's explorer uses the kit of explorers.
EXTRA = {"explorer.py": {"explorers", "plot"}}


def imported(text: str) -> Iterator[tuple[int, str]]:
    """Yield each room of the package that a module's source imports, with the line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            names = [f"relative import of {node.module}"]
        elif isinstance(node, ast.ImportFrom) and node.module == "dtviz":
            names = [f"dtviz.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            if name.startswith("relative"):
                yield node.lineno, name
            elif name.partition(".")[0] == "dtviz":
                yield node.lineno, name.split(".")[1] if "." in name else "dtviz"


def breaches(path: Path, text: str) -> list[str]:
    """Tell each import of a module that the rule of the rooms forbids."""
    room, *rest = path.parts
    allowed = ALLOWED[room] | {room} | (EXTRA.get(rest[0], set()) if room in CHAPTERS else set())
    return [f"{path}:{line} imports {name}" for line, name in imported(text) if name not in allowed]


def outsiders(path: Path, text: str) -> list[str]:
    """Tell each import of a literal algorithm from outside the standard library, and of typing.

    A page may run the text as it stands, where nothing is installed and typing is slow to load.
    """
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
        else:
            continue
        for name in names:
            root = name.partition(".")[0]
            if root not in sys.stdlib_module_names or root == "typing":
                found.append(f"{path}:{node.lineno} imports {name}")
    return found


def modules() -> list[Path]:
    return sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))


def imports() -> dict[str, set[str]]:
    """What each module of the package imports from it, also for types alone."""
    stems = {path: ".".join(("dtviz", *path.with_suffix("").parts)) for path in modules()}
    names = {path: stem.removesuffix(".__init__") for path, stem in stems.items()}
    found: dict[str, set[str]] = {}
    for path, name in names.items():
        tree = ast.parse((PACKAGE / path).read_text("utf-8"))
        lines = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        whole = {f"{line.module}.{alias.name}" for line in lines for alias in line.names}
        found[name] = {one if one in names.values() else one.rpartition(".")[0] for one in whole}
        found[name] &= set(names.values())
    return found


def test_imports_make_no_circle():
    assert set(TopologicalSorter(imports()).static_order()) == set(imports())


def test_folders_of_the_core_import_downward():
    def floor(module: str) -> str:
        return module.split(".")[2] if module.count(".") > 1 + (module not in packages) else "top"

    packages = {f"dtviz.core.{folder}" for folder in FLOORS}
    core = {name: used for name, used in imports().items() if name.startswith("dtviz.core")}
    for module, used in core.items():
        allowed = FLOORS[floor(module)] | {floor(module)}
        assert {floor(one) for one in used} <= allowed, (module, used)


def test_every_room_is_known():
    assert {path.parts[0] for path in modules()} == set(ALLOWED)


@pytest.mark.parametrize("path", modules(), ids=str)
def test_imports_run_downward(path):
    assert breaches(path, (PACKAGE / path).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("core/tree/tree.py", "from dtviz.plot import tree"),
        ("core/tree/tree.py", "def f():\n    import dtviz.plot"),
        ("core/tree/tree.py", "import dtviz"),
        ("core/tree/tree.py", "from ..plot import tree"),
        ("rank/learners.py", "from dtviz.influence import ties"),
        ("rank/learners.py", "from dtviz import influence"),
        ("rank/learners.py", "from dtviz.explorers import base"),
        ("rank/explorer.py", "from dtviz.atlas import card"),
        ("plot/trees.py", "from dtviz.rank import find"),
        ("explorers/base.py", "from dtviz.rank.explorer import RankExplorer"),
        ("influence/explorer.py", "from dtviz.atlas import card"),
        ("plot/trees.py", "from dtviz.atlas import card"),
    ],
)
def test_a_forbidden_import_is_reported(path, text):
    assert len(breaches(Path(path), text)) == 1


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_literal_algorithms_need_the_standard_library_alone(chapter):
    path = Path(chapter, "literal.py")
    assert outsiders(path, (PACKAGE / path).read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np",
        "import math, numpy",
        "from numpy import array",
        "from dtviz.core.tree.tree import Tree",
        "from . import learners",
        "from .learners import find",
        "def find(sample):\n    import numpy",
        "from typing import Any",
    ],
)
def test_an_import_from_outside_the_standard_library_is_reported(text):
    assert len(outsiders(Path("rank/literal.py"), text)) == 1


# What each chapter has of its own, by the same name.
OF_EACH_CHAPTER = {"literal"}
# Chapters 1 and 3 ask the same of a size and of depths: CONTRIBUTING.md, "Names".
OF_TWO_CHAPTERS = {"score_floor_by_cost", "score_floor_by_error"}


def doubled(offered: Mapping[str, Mapping[str, object]]) -> set[str]:
    """Return the names that mean two things, given what each module offers.

    A constant, in capitals, belongs to its module; what `dtviz.plot` draws goes by the name of the
    thing drawn.
    """
    known: dict[str, object] = {}
    pairs = [
        (name, thing)
        for module, names in offered.items()
        for name, thing in names.items()
        if not name.isupper() and not module.startswith("dtviz.plot")
    ]
    return {name for name, thing in pairs if known.setdefault(name, thing) is not thing}


def offers() -> dict[str, dict[str, object]]:
    """Return what each module offers."""
    found = {}
    for path in modules():
        parts = ["dtviz", *path.with_suffix("").parts]
        if parts[-1] == "__main__":
            continue
        name = ".".join(part for part in parts if part != "__init__")
        module = importlib.import_module(name)
        found[name] = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    return found


def test_a_name_means_one_thing():
    assert doubled(offers()) == OF_EACH_CHAPTER | OF_TWO_CHAPTERS


def test_a_name_that_means_two_things_is_reported():
    offered = {"dtviz.rank": {"count": max, "LIMIT": 1}, "dtviz.plot": {"count": sum}}
    assert doubled(offered | {"dtviz.rank.counting": {"count": max, "LIMIT": 2}}) == set()
    assert doubled(offered | {"dtviz.pruning": {"count": min}}) == {"count"}


def test_each_chapter_has_its_rooms():
    for chapter in CHAPTERS:
        for name in ("__init__.py", "literal.py"):
            assert (PACKAGE / chapter / name).is_file(), (chapter, name)


def test_no_test_file_is_imported() -> None:
    """What tests share is in support/, but for what claims of a chapter share."""
    for path in Path(__file__).parent.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        names = [f".{node.module}." for node in nodes if isinstance(node, ast.ImportFrom)]
        assert [name for name in names if ".test_" in name and ".claims" not in name] == [], path
