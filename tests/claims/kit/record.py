"""The record of the claims, ``book/claims.json``: what the last run that was accepted found."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.tree.tree import Tree

__all__ = ["as_drawing", "differences", "read", "text_of", "write"]

BOOK = Path(__file__).parents[3] / "book"
RECORD = BOOK / "claims.json"
MOST_LEAVES = 12
"""Larger trees are not drawn: a page shows dozens of claims."""
MOST_VARIABLES = 4
"""Nor are functions of more variables, whose cube nobody can read."""

Entry = dict[str, Any]


def as_drawing(example: object) -> Entry | None:
    """A tree or a function as data for a picture; None if it cannot be drawn."""
    if isinstance(example, BooleanFunction) and 1 <= example.n <= MOST_VARIABLES:
        return {"n": example.n, "code": example.code}
    tree = example.tree() if hasattr(example, "tree") else example
    if isinstance(tree, Tree) and tree.n_leaves <= MOST_LEAVES:
        return {"tree": tree.to_dict()}
    return None


@cache
def read() -> dict[str, Entry]:
    """The entries of the record by the ID of the claim."""
    if not RECORD.exists():
        return {}
    return {entry["id"]: entry for entry in json.loads(RECORD.read_text("utf-8"))}


def write(entries: Iterable[Entry], *, whole: bool) -> None:
    """Write entries to the record, in the order in which the book states them.

    Entries of other claims stay, unless the run was of the ``whole`` list.
    """
    known = ({} if whole else read()) | {entry["id"]: entry for entry in entries}
    order = {name: place for place, name in enumerate(_stated())}
    listed = sorted(
        known.values(), key=lambda e: (e["page"], order.get(e["id"], math.inf), e["id"])
    )
    RECORD.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _stated() -> Iterator[str]:
    """The IDs of the claims in the order in which the pages of the book state them."""
    contents = (BOOK.parent / "_toc.yml").read_text("utf-8")
    for page in re.findall(r"file: (book/\S+)", contents):
        for kind in (".ipynb", ".md"):
            if (path := BOOK.parent / f"{page}{kind}").exists():
                for names in re.findall(r"\{claim\}`([^`]+)`", text_of(path)):
                    yield from names.split()


@cache
def text_of(path: Path) -> str:
    """What the text cells of a page say."""
    if path.suffix == ".md":
        return path.read_text("utf-8")
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def differences(found: object, known: object, place: str = "") -> Iterator[str]:
    """Say where an entry differs from the record: floats by more than 1e-9, the rest at all."""
    if isinstance(found, Mapping) and isinstance(known, Mapping):
        for key in (*found, *(key for key in known if key not in found)):
            name = str(found.get("label", "")) or place
            yield from differences(found.get(key), known.get(key), f"{name}, {key}")
    elif isinstance(found, list) and isinstance(known, list) and len(found) == len(known):
        for one, other in zip(found, known, strict=True):
            yield from differences(one, other, place)
    elif isinstance(found, float) and isinstance(known, float):
        if not math.isclose(found, known, rel_tol=1e-9, abs_tol=1e-9):
            yield f"{place}: {found!r}, and {known!r} in the record"
    elif found != known:
        yield f"{place}: {found!r}, and {known!r} in the record"
