"""What an explorer shows, as an object to work on: methods make it, and are named alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dtviz as dt
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import Explorer

ALONE: dict[str, Any] = {"function": "majority(5)", "beside": "nothing"}
# The states have few leaves: no picture folds a subtree.
SHOWN: dict[str, Callable[[], Explorer]] = {
    "influence": lambda: dt.InfluenceExplorer(**ALONE, epsilon=0.2),
    "influence, by step": lambda: dt.InfluenceExplorer(**ALONE, step=3),
    "rank": lambda: dt.RankExplorer(target="multiplexer(2)", m=12, rank=2),
    "product": lambda: dt.ProductExplorer(biases=[0.8, 0.2], epsilon=0.05),
    "impurity": lambda: dt.ImpurityExplorer(view="plane", data="iris", leaves=5),
    "pruning": lambda: dt.PruningExplorer(method="cost complexity", alpha=0.02),
}
every_one = pytest.mark.parametrize("name", SHOWN)


def drawn(monkeypatch: pytest.MonkeyPatch, explorer: Explorer) -> list[Tree]:
    """The trees that its picture draws."""
    found: list[Tree] = []
    pen = dt.plot.tree

    def spy(tree: Tree, **given: Any) -> Any:
        found.append(tree)
        return pen(tree, **given)

    monkeypatch.setattr(dt.plot, "tree", spy)
    explorer.picture()
    return found


@every_one
def test_tree_is_the_tree_in_the_picture(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    explorer: Any = SHOWN[name]()
    shown = explorer.tree()
    assert 1 < shown.n_leaves < 16
    assert drawn(monkeypatch, explorer) == [shown]


def test_the_path_leads_to_the_tree() -> None:
    explorer = dt.InfluenceExplorer(function="majority(5)", epsilon=0, step=3)
    assert explorer.tree() == explorer.path().tree(4)
    pruner = dt.PruningExplorer(method="cost complexity", alpha=0.02)
    assert pruner.pruning().counts.given == pruner.path().tree()
    assert pruner.tree() == pruner.pruning().tree()
    assert pruner.tree().n_leaves < pruner.path().n_leaves
    finder = dt.RankExplorer(target="parity(4)", m=64, rank=1)
    assert finder.tree() is None
    assert finder.run().tree() is None


@pytest.mark.parametrize(
    ("name", "offered", "argument"),
    [
        ("influence", "functions", "functions"),
        ("rank", "targets", "targets"),
        ("product", "functions", "functions"),
        ("impurity", "planes", "X"),
        ("pruning", "examples", "samples"),
    ],
)
def test_what_is_offered_is_fixed_since_the_page_has_it_too(
    name: str, offered: str, argument: str
) -> None:
    explorer = SHOWN[name]()
    choices = getattr(explorer, offered)
    names = [*(getattr(explorer, "_about", None) or explorer._paths)]
    first = next(iter(choices))
    with pytest.raises(TypeError, match=f"{offered} of an explorer stay .* give it {argument}="):
        choices["b"] = choices[first]
    with pytest.raises(TypeError, match=f"{offered} of an explorer stay"):
        del choices[first]
    with pytest.raises(AttributeError, match=f"{offered} of an explorer stay"):
        setattr(explorer, offered, {first: choices[first]})
    assert [*getattr(explorer, offered)] == names


def test_a_mapping_changed_by_its_owner_changes_no_explorer() -> None:
    mine = {"a": dt.functions.majority(3)}
    explorer = dt.InfluenceExplorer(mine)
    mine["a"] = dt.functions.parity(3)
    assert explorer.functions["a"] == dt.functions.majority(3)
    assert repr(explorer.functions) == repr({"a": dt.functions.majority(3)})
