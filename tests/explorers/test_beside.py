"""A second tree beside the first: `tree_beside()` is the one the page draws; how two differ."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import traitlets
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import Explorer
from dtviz.explorers.beside import lawful, read_splits
from dtviz.rank.explorer import RankExplorer

ROOT = Path(dt.__file__).parent
STATIC = ROOT / "explorers/static"

# A tree in preorder: [variable, threshold] where it asks, [label] where it answers.
PREORDER = """
const fake = (state) => ({ get: (trait) => state[trait], set() {}, save_changes() {}, on() {} });
const along = (path, step) => {
  const found = [];
  const walk = (node) => {
    const j = path.splitAt[node];
    if (j >= step) return found.push([path.label(node)]);
    found.push([path.variable[j], path.threshold?.[j] ?? 0.5]);
    for (const side of [1, 2]) walk(2 * j + side);
  };
  walk(0);
  return found;
};
"""
ASK = {
    "influence": """(model) => {
      const other = pathState(model).second();
      return other && along(other.path, other.step);
    }""",
    "product": """(model) => {
      const state = productState(model);
      const other = state.beside(state.now());
      return other && along(other.path, other.step);
    }""",
    "rank": """(model) => {
      const other = keptState(model)();
      const preorder = ({ variable, label, halves }) =>
        halves.length ? [[variable, 0.5], ...halves.flatMap(preorder)] : [[label]];
      return other?.run.tree ? preorder(other.run.tree) : null;
    }""",
    "impurity": """(model) => {
      const state = planeState(model);
      if (model.get("beside") === "nothing") return null;
      const path = state.pathOf(model.get("beside"));
      return along(path, state.stepOn(path));
    }""",
    "pruning": """(model) => {
      const state = pruningState(model);
      const beside = model.get("beside");
      if (beside === "nothing") return null;
      const { low, variable, threshold, label } = state.tree();
      const all = Array.from(low, (child) => (child < 0 ? "leaf" : "inner"));
      const states = beside === "the full tree" ? all : state.outcomeOf(beside).states;
      const asks = (k) => (states[k] === "inner" ? [[variable[k], threshold[k]]] : [[label[k]]]);
      return states.flatMap((now, k) => (now === "gone" ? [] : asks(k)));
    }""",
}
SOURCE = {name: ROOT / name / "state.js" for name in ASK}

FUNCTIONS = ("parity(4)", "x0 & (x1 | ~x2)", "0x96", "maj(x0, x1, x2, x3, x4)", "x0 ^ x3")


def some(rng: random.Random, kept: dict[str, Any]) -> dict[str, Any]:
    """Some of the settings that can be kept."""
    return dict(rng.sample(sorted(kept.items()), rng.randrange(len(kept) + 1)))


OWN = (None, [[0, 1]], [[0, 0], [2, 2]])


def _influence(rng: random.Random) -> dict[str, Any]:
    kept = {"function": rng.choice(FUNCTIONS[1:]), "epsilon": rng.choice([0.0, 0.1, 0.25])}
    kept |= {"step": rng.choice([None, 1, 3]), "splits": rng.choice(OWN)}
    beside = rng.choice(["best", "kept", "kept", "nothing"])
    now = {"function": rng.choice(FUNCTIONS[1:]), "epsilon": rng.choice([0.0, 0.3])}
    return {**now, "beside": beside, "kept": some(rng, kept)}


def _product(rng: random.Random) -> dict[str, Any]:
    kept = {"function": rng.choice(FUNCTIONS[1:]), "bias": rng.choice([0.2, 0.5, 0.77])}
    kept["biases"] = rng.choice([[], [0.9], [0.1, 0.6, 0.3, 0.2, 0.45, 0.5]])
    kept |= {"epsilon": rng.choice([0.0, 0.1]), "splits": rng.choice(OWN)}
    now = {"function": rng.choice(FUNCTIONS[1:]), "epsilon": rng.choice([0.0, 0.2])}
    now["biases"] = rng.choice([[], [0.31, 0.62], [None, 0.31]])
    now["view"] = rng.choice(["exact", "exact", "bounds", "race"])
    beside = rng.choice(["best", "kept", "kept", "nothing"])
    return {**now, "beside": beside, "kept": some(rng, kept)}


def _rank(rng: random.Random) -> dict[str, Any]:
    rows = [f"{x:03b}{rng.randrange(2)}" for x in rng.sample(range(8), rng.randint(1, 8))]
    kept = {"target": rng.choice([*FUNCTIONS, ""]), "m": rng.choice([1, 8, 48, 256])}
    kept |= {"rank": rng.randrange(5), "seed": rng.randrange(1000)}
    kept |= {"flipped": rng.choice([[], [0, 3], [5, 40]]), "rows": rng.choice([[], rows])}
    now = {"target": rng.choice(FUNCTIONS), "m": rng.choice([12, 64]), "rank": rng.randrange(4)}
    now |= {"rows": rng.choice([[], [], rows]), "beside": rng.choice(["kept"] * 3 + ["nothing"])}
    return {**now, "kept": some(rng, kept)}


def _impurity(rng: random.Random) -> dict[str, Any]:
    points = [[rng.randrange(9) / 4, rng.randrange(9) / 4, rng.randrange(3)] for _ in range(30)]
    return {
        "view": "plane",
        "data": rng.choice(["xor", "iris", "yours"]),
        "points": points,
        "cost": rng.choice(["gini", "error"]),
        "leaves": rng.randint(1, 12),
        "splits": rng.choice([None, None, [[0, 1, 0.6]]]),
        "beside": rng.choice(["nothing", *dt.COST_FUNCTIONS]),
    }


def _pruning(rng: random.Random) -> dict[str, Any]:
    return {
        "sample": rng.choice(["titanic", "x0 & (x1 | ~x2)", "breast cancer"]),
        "noise": rng.choice([0.0, 0.1, 0.3]),
        "flips": rng.choice([[], [3, 5, 7]]),
        "d": rng.randrange(40),
        "alpha": rng.choice([0.0, 0.004, 0.02]),
        "c": rng.choice([0.02, 0.2]),
        "beside": rng.choice(["nothing", "the full tree", *dt.pruning.explorer.METHODS]),
    }


STATES = {
    "influence": (_influence, dt.InfluenceExplorer, 20),
    "product": (_product, dt.ProductExplorer, 20),
    "rank": (_rank, dt.RankExplorer, 50),
    "impurity": (_impurity, dt.ImpurityExplorer, 12),
    "pruning": (_pruning, dt.PruningExplorer, 8),
}


@cache
def explorers(name: str) -> list[Explorer]:
    states, make, number = STATES[name]
    rng = random.Random(name)  # noqa: S311
    return [make(**states(rng)) for _ in range(number)]


@cache
def trees_beside(name: str) -> list[dt.Tree | None]:
    return [explorer.tree_beside() for explorer in explorers(name)]  # type: ignore[attr-defined]


def preorder(tree: dt.Tree | None) -> list[list[float]] | None:
    """A tree as the page's."""
    if tree is None:
        return None
    thresholds = [0.5] * tree.n_nodes if tree.threshold is None else tree.threshold.tolist()
    labels = np.asarray(tree.value).tolist()
    nodes = zip(tree.variable.tolist(), thresholds, labels, strict=True)
    return [[i, cut] if i >= 0 else [label] for i, cut, label in nodes]


def to_digits(tree: list[list[float]] | None) -> list[list[float]] | None:
    """A tree with numbers to the twelve digits to which some thresholds are sent."""
    return tree and [[float(f"{x:.12g}") for x in node] for node in tree]


@pytest.mark.parametrize("name", STATES)
def test_the_tree_beside_is_the_one_the_page_draws(name: str) -> None:
    trees = [*map(preorder, trees_beside(name))]
    assert sum(tree is None for tree in trees) > 0
    assert len({json.dumps(tree) for tree in trees}) > 5
    given = [explorer._state() for explorer in explorers(name)]
    use = f"(all) => {{ {PREORDER} return all.map((state) => ({ASK[name]})(fake(state))); }}"
    found = evaluate([SOURCE[name]], use, given)
    assert [*map(to_digits, found)] == [*map(to_digits, trees)]


def test_every_explorer_with_a_second_tree_has_the_method() -> None:
    kinds = [getattr(dt, name) for name in dt.__all__ if name.endswith("Explorer")]
    second = {kind for kind in kinds if "beside" in kind.class_trait_names()}
    assert second == {make for _, make, _ in STATES.values()}


PARTING = """(pairs) => pairs.map(([here, there]) => {
  const compared = (tree, who) => ({ path: foundPath(tree), step: foundPath(tree).steps, who });
  return differenceText(compared(here, "A"), compared(there, "B"));
})"""


def found(tree: dt.Tree, k: int = 0) -> dict[str, Any]:
    """A tree as the page's FIND returns it, but for its ranks, bounds and places."""
    halves = [int(tree.low[k]), int(tree.high[k])] if tree.variable[k] >= 0 else []
    label = int(np.asarray(tree.value)[k])
    below = [found(tree, half) for half in halves]
    return {"variable": int(tree.variable[k]), "label": label, "halves": below}


def words_apart(one: dt.Tree, other: dt.Tree) -> tuple[str, str, str] | None:
    """By definition: where they ask differently, else where one ends, else where labels differ."""

    def answer(tree: dt.Tree, k: int) -> str:
        asks = tree.variable[k] >= 0
        return f"asks x{tree.variable[k]}" if asks else f"answers {tree.value[k]}"

    level, apart = [("", 0, 0)], {}
    for way, a, b in level:
        texts = answer(one, a), answer(other, b)
        asking = [text.startswith("asks") for text in texts]
        if texts[0] != texts[1]:
            kind = 0 if all(asking) else 1 if any(asking) else 2
            apart.setdefault(kind, (way, *texts))
        elif all(asking):
            i = one.variable[a]
            for bit, (low, high) in enumerate([(one.low, other.low), (one.high, other.high)]):
                step = f"{way}, x{i}={bit}" if way else f"x{i}={bit}"
                level.append((step, int(low[a]), int(high[b])))
    return apart[min(apart)] if apart else None


def test_where_two_trees_of_find_part() -> None:
    known = [tree for tree in trees_beside("rank") if tree is not None]
    pairs = [(one, other) for one in known for other in known]
    given = [[found(one), found(other)] for one, other in pairs]
    modules = [ROOT / "rank/kernel.js", STATIC / "controls/beside.js"]
    for (one, other), words in zip(pairs, evaluate(modules, PARTING, given), strict=True):
        place, here, there = words_apart(one, other) or ("", "", "")
        where = f"at {place or 'the root'} A {here}; B {there}."
        apart = f"First difference, ringed in both: {where}"
        assert words == (apart if here else "Both trees are the same.")


def test_settings_kept_may_be_of_rows_alone() -> None:
    explorer = RankExplorer(beside="kept")
    assert explorer.tree_beside() is None, "nothing is kept yet"
    explorer.kept = {"target": "", "rows": ["00", "11"]}
    beside = explorer.tree_beside()
    assert beside is not None
    assert beside.n_leaves == 2
    assert "beside it that of own rows, m = 2, rank 1: a tree of 2 leaves" in explorer.caption()
    explorer.kept = {"target": ""}
    assert explorer.tree_beside() is None, "neither a target nor rows"
    alone = RankExplorer([[0], [1]], [0, 1], beside="kept", kept={"rows": []})
    assert alone.tree_beside() is None
    alone.kept = {"target": "x0 & x1", "rows": [], "m": 256}
    assert alone.tree_beside() == dt.optimal(dt.functions.conjunction(2)).tree()


SURPLUS = """
({ split, shown }) => shown.map(({ leaves, step, enough }) => {
  const { surplusOf } = TreeView.prototype;
  const of = (node) => surplusOf.call({ onPath: { split } }, { node, folded: [] }, step, enough);
  return leaves.map(of).reduce((all, own) => all + own);
})
"""


def test_as_many_leaves_are_hatched_as_are_more_than_enough() -> None:
    split = dt.build_top_down(dt.functions.caterpillar(3)).split_node.tolist()
    shown = []
    for step in (1, 5, len(split)):
        leaves = sorted({*range(2 * step + 1)} - {*split[:step]})
        shown += [{"leaves": leaves, "step": step, "enough": k} for k in range(1, step + 2)]
    page = [STATIC / "drawing/tree.js"]
    surplus = evaluate(page, SURPLUS, {"split": split, "shown": shown})
    assert surplus == [len(each["leaves"]) - each["enough"] for each in shown]


def test_the_tree_beside() -> None:
    f = dt.functions.caterpillar(3)
    explorer = dt.InfluenceExplorer(beside="nothing")
    assert explorer.tree_beside() is None
    explorer = dt.InfluenceExplorer()
    best = explorer.tree_beside()
    assert best == dt.optimal(f).tree()
    assert explorer.tree().n_leaves == 44
    assert "44 leaves" in explorer.caption()
    assert explorer.caption().endswith("beside it the smallest tree, 14 leaves.")
    explorer.beside = "kept"
    assert explorer.tree_beside() is None, "nothing is kept yet"
    explorer.kept = {"function": "majority(5)", "epsilon": 0.2}
    other = explorer.tree_beside()
    assert other == dt.build_top_down(dt.functions.majority(5)).tree(epsilon=0.2)
    assert explorer.caption().endswith(f"beside it the tree kept, {other.n_leaves} leaves.")
    explorer.kept = {"epsilon": 0.1}
    assert explorer.tree_beside() == dt.build_top_down(f).tree(epsilon=0.1)


def test_what_is_kept_is_whole() -> None:
    """As the page keeps it: every setting, the ones that are None too."""
    explorer = dt.InfluenceExplorer(beside="kept")
    kept = {"function": "x0 ^ x1", "epsilon": 0.0, "step": None, "splits": None}
    explorer.kept = kept
    assert explorer.kept == kept
    assert explorer.tree_beside() == dt.optimal(dt.functions.parity(2)).tree()
    with pytest.raises(traitlets.TraitError, match=r"kept must have settings .*: step"):
        explorer.kept = kept | {"step": -1}
    assert explorer.kept == kept


def test_the_smallest_tree_of_many_variables_is_not_known() -> None:
    explorer = dt.InfluenceExplorer(dt.functions.conjunction(14), beside="best")
    assert explorer.tree_beside() is None
    assert "beside it the curves" in explorer.caption()


def test_a_tree_of_ones_own() -> None:
    f = dt.functions.majority(3)
    explorer = dt.InfluenceExplorer(f, splits=[[0, 2], [2, 0]])
    tree = explorer.tree()
    assert tree.variable.tolist() == [2, -1, 0, -1, -1]
    assert "A tree of the reader's own for f: 3 leaves, error 0.250" in explorer.caption()
    left = r"variables of f, which has 2 of them, got \[1, 5\] as split 1: left out from there on"
    with pytest.warns(UserWarning, match=left):
        two = dt.InfluenceExplorer(dt.functions.conjunction(2), splits=[[0, 1], [1, 5], [2, 0]])
    assert two.tree().n_leaves == 2
    with pytest.warns(UserWarning, match=left):
        two.splits = [[0, 0], [1, 5]]
    # Set together they are judged together, as a link of the page sets them.
    two.set_state({"splits": [[0, 5]], "function": "x0 & x5"})
    assert two.splits == [[0, 5]]


def test_another_function_leaves_out_splits_with_words() -> None:
    """As far as it can make them they are made."""
    both = {"a": dt.functions.conjunction(3), "b": dt.functions.conjunction(2)}
    explorer = dt.InfluenceExplorer(both, splits=[[0, 1], [1, 2], [2, 0]])
    with pytest.warns(UserWarning, match=r"b, which has 2 of them, got \[1, 2\] as split 1: left"):
        explorer.function = "b"
    assert explorer.tree().n_leaves == 2
    # What is kept may be of another function, too.
    explorer.beside, explorer.kept = "kept", {"function": "a", "splits": [[0, 2]]}
    explorer.kept = {"splits": [[0, 1], [2, 2]]}
    assert explorer.tree_beside().n_leaves == 2


NO_SPLITS: tuple[object, ...] = (
    [[0, 1], [0, 1]], [[0, 1], [1, 1]], [[0, -1]], [[0, 6]], [[0, 1.0]], [[0, "1"]], [["٣", 1]],
    [[0, 1, 2]], [[0, float("nan")]], [[0, 10**400]], [0, 1], {"0": 1}, "0,1", 0, True,
)  # fmt: skip


def test_splits_that_no_tree_has_are_refused() -> None:
    for value in NO_SPLITS:
        with pytest.raises(ValueError, match="splits must be None or pairs") as caught:
            read_splits(value, most=6)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 250


def test_splits_are_made_as_far_as_they_can_be() -> None:
    assert read_splits([], most=6) == []
    assert read_splits([(0, 2), (1, 0)], most=6) == [[0, 2], [1, 0]]
    assert lawful([[0, 2], [1, 0]], 2) == []
    assert lawful([[0, 1], [1, 0], [3, 0]], 2) == [(0, 1), (1, 0)]
