"""What Python gives an explorer: tables, names, biases, lists; and what is said of wrong ones."""

from __future__ import annotations

import copy
import json
import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import traitlets
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.planes import categories_of

FRAME = pd.DataFrame({"a": [0, 1, 0, 1] * 6, "b": [0, 0, 1, 1] * 6, "y": [0, 1, 1, 0] * 6})
TABLES = (dt.RankExplorer, dt.ImpurityExplorer, dt.PruningExplorer)
LISTS: dict[str, dict[str, Any]] = {
    "RankExplorer": {"flipped": [1], "rows": ["01", "10"]},
    "ProductExplorer": {"biases": [0.5], "kept": {"biases": [0.5]}},
    "ImpurityExplorer": {"points": [[0, 1, 0], [1, 1, 1]], "names": ["a", "b", "c", "d"]},
    "PruningExplorer": {"flips": [1], "names": ["a"]},
    "InfluenceExplorer": {"splits": [[0, 1]], "kept": {"splits": [[0, 0]]}},
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_changed_as_a_whole(name: str) -> None:
    explorer = getattr(dt, name)(**LISTS[name])
    for trait, value in LISTS[name].items():
        held: Any = getattr(explorer, trait)
        inner = held[next(iter(held))] if isinstance(held, dict) else held[0]
        for one in (one for one in (held, inner) if isinstance(one, list | dict)):
            with pytest.raises(TypeError, match=f"{trait} of an explorer is changed as a whole"):
                one.pop()
            with pytest.raises(TypeError, match="in place"):
                one[0] = one  # type: ignore[index]
        copied = copy.deepcopy(held)
        assert getattr(explorer, trait) == copied == json.loads(json.dumps(held)) == value
        copied.clear()
        setattr(explorer, trait, value)


@pytest.mark.parametrize("kind", TABLES)
def test_a_frame_and_the_name_of_its_target(kind: Any) -> None:
    by_name, apart = kind(FRAME, "y"), kind(FRAME[["a", "b"]], FRAME["y"])
    assert by_name.tree() == apart.tree()
    # Names that are no text.
    numbered = kind(FRAME.set_axis([0, 1, 2], axis=1), "2")
    assert numbered.tree().variable.tolist() == by_name.tree().variable.tolist()
    with pytest.raises(ValueError, match=r"y must be given with a table: its labels"):
        kind(FRAME)
    with pytest.raises(ValueError, match=r"y must be .* the name of one column of X, got 'z'"):
        kind(FRAME, "z")
    with pytest.raises(ValueError, match="y must be labels, or X a data frame with a column 'y'"):
        kind(FRAME.to_numpy(), "y")


def test_what_cannot_be_shown_is_refused() -> None:
    X, y = FRAME[["a", "b"]].to_numpy(), FRAME["y"]
    too_large = [[1.7e308, 0], [-1.7e308, 1], [3, 4]], [0, 1, 0]
    with pytest.raises(ValueError, match=r"samples must be .*, got \[1, 2\]$"):
        dt.PruningExplorer([1, 2])
    with pytest.raises(ValueError, match="feature_names must be different names, got 'q' twice"):
        dt.ImpurityExplorer(X, y, feature_names=["q", "q"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match=r"X must have numbers up to 1e\+150 in size"):
            dt.ImpurityExplorer(*too_large)
        assert dt.ImpurityExplorer([[1e150, 0], [-1e150, 1], [3, 4]], [0, 1, 0]).to_html()
    with pytest.raises(
        traitlets.TraitError, match=r"give dt.functions.parity\(6\) as targets; got"
    ):
        dt.RankExplorer(target="parity(6)")


def test_a_bias_is_as_small_as_can_be_computed() -> None:
    f = dt.functions.parity(6)
    for bias in (1e-300, 5e-324, 9e-41):
        with pytest.raises(traitlets.TraitError, match="bias must be from 1e-40 to below 1, got"):
            dt.ProductExplorer(f, bias=bias)
        with pytest.raises(traitlets.TraitError, match=r"biases must be .* from 1e-40 to below 1"):
            dt.ProductExplorer(f, biases=[bias])
    assert dt.ProductExplorer(f, bias=1e-40).tree() is not None


def test_a_bias_set_later_is_heard() -> None:
    """Where every variable has its own, as in a page: the common one takes their place."""
    explorer = dt.ProductExplorer(dt.functions.majority(3), biases=[0.2])
    explorer.bias = 0.6
    assert explorer.mu.p.tolist() == [0.2, 0.6, 0.6]
    explorer.bias = dt.ProductDistribution([0.1, 0.2, 0.3])
    assert (explorer.biases, explorer.bias) == ([0.1, 0.2, 0.3], 0.6)
    for wrong in ([0.5, 0.5], [0.5] * 4):
        with pytest.raises(ValueError, match="bias must be a number, or one for each of 3 varia"):
            explorer.bias = wrong
    with pytest.raises(traitlets.TraitError, match="biases must be at most 6 numbers, each None"):
        explorer.bias = [0.5, 0.5, 1.5]
    assert explorer.biases == [0.1, 0.2, 0.3]
    explorer.bias = 0.9
    assert explorer.mu.p.tolist() == [0.9] * 3
    explorer.set_state({"bias": 0.4, "biases": [0.1, 0.2, 0.3]})
    assert explorer.mu.p.tolist() == [0.1, 0.2, 0.3], "a link has both"


@pytest.mark.parametrize("kind", [dt.AtlasExplorer, dt.GrowingExplorer, dt.InfluenceExplorer])
def test_examples_are_sent_where_they_are_shown(kind: Any) -> None:
    for given in ((FRAME, "y"), (FRAME[["a", "b"]], FRAME["y"])):
        with pytest.raises(ValueError, match=r"not examples .* write dt\.ImpurityExplorer\(X, y\)"):
            kind(*given)
    with pytest.raises(ValueError, match="Explorer takes nothing but its traits by name, got 1"):
        dt.GrowingExplorer(dt.functions.majority(3))
    with pytest.raises(ValueError, match="RankExplorer takes targets, y, and its traits by name"):
        dt.RankExplorer(FRAME, "y", 3)


def test_one_text_stands_for_a_list_of_one() -> None:
    assert dt.InfluenceExplorer(views="tree").views == ["tree"]


FEATURES = ["by: bus 0, car 1", "age", "by: bus 0", "by: a, b 0, c 1", "a: b: c 0, d 1", "x: 0, 1"]
FEATURES += ["x: 1 0, 0 1", ""]


def test_the_names_of_categories_at_an_axis() -> None:
    ours = [categories_of(feature) for feature in FEATURES]
    result = evaluate([STATIC / "computing/points.js"], "(all) => all.map(categoriesOf)", FEATURES)
    assert [(one["name"], tuple(one["kinds"])) if one else None for one in result] == ours
    assert ours[0] == ("by", ("bus", "car"))
    assert [one is None for one in ours] == [False, True, True, True, False, True, False, True]
    frame = pd.DataFrame({"km": [1, 5, 9, 7], "by": ["bus", "foot", "bus", "foot"]})
    figure = dt.ImpurityExplorer(frame, ["no", "no", "yes", "yes"]).picture()
    assert [tick.get_text() for tick in figure.axes[0].get_yticklabels()] == ["bus", "foot"]
    assert np.all(figure.axes[0].get_yticks() == [0, 1])


def weather(rows: int = 40) -> pd.DataFrame:
    """Bits with names, and whether the bus was late."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 2, (rows, 3)), columns=["rain", "snow", "Monday"])
    return frame.assign(late=frame.rain ^ frame.snow)


def test_all_rows_of_a_table_of_bits_are_shown() -> None:
    """The first 24 were, until ``m`` was set."""
    frame = weather()
    explorer = dt.RankExplorer(frame, "late")
    assert (explorer.m, len(explorer.sample[1])) == (48, len(frame))
    assert dt.RankExplorer(frame, "late", m=8).sample[1].tolist() == frame.late[:8].tolist()
    assert dt.RankExplorer(weather(256), "late").m == 256


def test_the_tree_of_bits_is_called_as_the_columns_are() -> None:
    explorer = dt.RankExplorer(weather(), "late")
    tree = explorer.tree()
    assert tree is not None
    assert tree.to_text().startswith(("rain", "snow"))
    explorer.kept, explorer.beside = {"rows": list(explorer.rows), "m": 8}, "kept"
    beside = explorer.tree_beside()
    assert beside is not None
    assert beside.to_text().startswith(("rain", "snow"))
    # Other rows of other columns have no names.
    explorer.rows = ["00", "11"]
    other = explorer.tree()
    assert other is not None
    assert other.to_text().startswith("x0")


@pytest.mark.parametrize(
    ("words", "kinds"), [(["no", "yes"], "U"), ([1, 2], "i"), ([-1, 1], "i"), ([0, 1], "i")]
)
def test_a_tree_says_the_readers_own_labels(words: list[Any], kinds: str) -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 2))
    y = np.array(words)[(X.sum(axis=1) > 0).astype(int)]
    for explorer in (dt.PruningExplorer(X, y, beside="the full tree"), dt.ImpurityExplorer(X, y)):
        if isinstance(explorer, dt.ImpurityExplorer):
            explorer.view, explorer.beside = "plane", "error"
            explorer.leaves = 12
        for tree in (explorer.tree(), explorer.tree_beside()):
            assert tree is not None
            result = tree.predict(X)
            assert result.dtype.kind == kinds
            assert np.mean(result == y) > 0.8
        explorer.to_html()
    own = dt.ImpurityExplorer(X, y, view="plane", splits=[[0, 0, 0.0]], leaves=2).tree()
    assert set(own.predict(X).tolist()) == set(words)


def test_messages_name_the_column_and_what_can_be_done() -> None:
    frame = weather().assign(sky="grey")
    with pytest.raises(ValueError, match="only 0 and 1, got 'grey' in column 'sky'"):
        dt.RankExplorer(frame, "late")
    numbers = frame[["rain", "snow"]], np.linspace(0, 1, len(frame))
    with pytest.raises(ValueError, match='regression is cost="squared"'):
        dt.grow(*numbers)
    # There is no such cost.
    with pytest.raises(ValueError, match=r"y must be classes, not .* at index 1$"):
        dt.PruningExplorer(*numbers)


@pytest.mark.parametrize("value", ["q" * 10**6, ["q"] * 10**5])
def test_messages_do_not_repeat_a_long_value(value: Any) -> None:
    explorer = dt.PruningExplorer(dt.functions.majority(3))
    wrongs: list[Any] = [
        lambda: dt.PruningExplorer(noise=value),
        lambda: setattr(explorer, "d", value),
        lambda: dt.RankExplorer(m=value),
        lambda: dt.PruningExplorer(FRAME, "".join(value)),
        lambda: dt.ImpurityExplorer(**{"".join(value): 1}),
    ]
    for wrong in wrongs:
        with pytest.raises((ValueError, traitlets.TraitError)) as error:
            wrong()
        assert len(str(error.value)) < 500


TEXT = "rain & wind | sun"
NAMES = ("rain", "sun", "wind")


@pytest.mark.parametrize("make", [dt.InfluenceExplorer, dt.ProductExplorer, dt.RankExplorer])
def test_trees_and_captions_have_the_readers_names(make: Any) -> None:
    for given in (
        TEXT,
        dt.BooleanFunction.from_text(TEXT),
        {"f": dt.BooleanFunction.from_text(TEXT)},
    ):
        explorer = make(given)
        assert explorer.tree().names.features == NAMES
        assert not re.search(r"\bx_?\d", explorer.caption())
    assert str(make(TEXT).tree()).startswith(("sun", "rain"))
    with pytest.raises(ValueError, match="must have a variable, 0, 1, ~, not or"):
        make("rain &")


def test_find_and_growth_keep_the_names() -> None:
    f = dt.BooleanFunction.from_text(TEXT)
    X = pd.DataFrame(dt.cube_points(3), columns=NAMES)
    trees = [
        dt.rank.find_min(f),
        dt.rank.find_min(X, f.table),
        dt.rank.find(X, f.table, rank=1),
        dt.rank.find_run(X, f.table, rank=1).tree(),
        dt.growing.grow_predicates(X, f.table).tree(),
        dt.build_top_down(f).tree(),
        dt.optimal(f).tree(),
    ]
    for tree in trees:
        assert tree is not None
        assert tree.names.features == NAMES
        assert tree.function(3) == f
