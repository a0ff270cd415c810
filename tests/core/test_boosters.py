"""Trees of LightGBM and XGBoost: dumps and predictions that LightGBM 4.7 and XGBoost 3.2 wrote.

Among the rows are every threshold of XGBoost's and its two neighbours.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import dtviz as dt

WRITTEN = json.loads((Path(__file__).parents[1] / "data" / "boosters.json").read_text("utf-8"))
X = np.array(WRITTEN["X"], dtype=np.float32)
NAMES = WRITTEN["features"]
LEAF = {"leaf_value": 1.0}


class Booster:
    """What is asked of a booster of either library."""

    feature_names, feature_types = NAMES, ["float", "int", "float"]

    def __init__(self, dump):
        self.dump = dump

    def dump_model(self):
        return self.dump


class XBooster(Booster):
    def get_dump(self, dump_format):
        assert dump_format == "json"
        return self.dump


class Wrapped:
    """What is asked of the estimators of both."""

    def __init__(self, booster):
        self.booster_ = booster

    def get_booster(self):
        return self.booster_


def test_each_tree_of_lightgbm_gives_what_it_gave():
    dump = WRITTEN["lightgbm"]
    for model in (dump, Booster(dump), Wrapped(Booster(dump))):
        trees = dt.from_lightgbm(model)
        assert len(trees) == 3
        for tree, expected in zip(trees, WRITTEN["lightgbm_predicts"], strict=True):
            assert tree.predict(X.astype(float)).tolist() == pytest.approx(expected, abs=1e-15)
            assert tree.names.features == tuple(NAMES)


def test_each_tree_of_xgboost_gives_what_it_gave():
    dump = WRITTEN["xgboost"]
    for trees in (dt.from_xgboost(dump, NAMES), dt.from_xgboost(XBooster(dump))):
        for tree, expected in zip(trees, WRITTEN["xgboost_predicts"], strict=True):
            assert tree.predict(X).tolist() == pytest.approx(expected, abs=1e-7)
    assert dt.from_xgboost(Wrapped(XBooster(dump))) == dt.from_xgboost(dump, NAMES)
    unnamed = [text.replace('"size"', '"f0"').replace('"colour"', '"f1"') for text in dump]
    unnamed = [text.replace('"weight"', '"f2"') for text in unnamed]
    assert dt.from_xgboost(unnamed) == dt.from_xgboost(dump, NAMES)
    assert len(dt.plot.tree(trees[0]).nodes) == trees[0].n_nodes


def test_gaps_and_categories_go_where_the_booster_sends_them():
    rows = np.array(WRITTEN["gaps_X"], dtype=float)
    assert np.isnan(rows).any(axis=0).all()
    trees = dt.from_lightgbm(WRITTEN["lightgbm_gaps"])
    assert sum(len(tree.subsets) for tree in trees) == 3
    for tree, expected in zip(trees, WRITTEN["lightgbm_gaps_predicts"], strict=True):
        assert tree.predict(rows).tolist() == expected
    trees = dt.from_xgboost(WRITTEN["xgboost_gaps"], [*NAMES[:1], "kind", *NAMES[2:]])
    for tree, expected in zip(trees, WRITTEN["xgboost_gaps_predicts"], strict=True):
        assert tree.predict(np.float32(rows)).tolist() == expected


def test_without_a_way_of_its_own_what_is_missing_is_zero_to_lightgbm():
    for bound, label in ((0.5, 1.0), (0.0, 1.0), (-0.5, 2.0)):
        (tree,) = dt.from_lightgbm(stump(missing_type="None", threshold=bound, default_left=False))
        assert tree.predict([[np.nan]]) == label == tree.predict([[0.0]])
    for codes, label in (("0||2", 1.0), ("1", 2.0)):
        (tree,) = dt.from_lightgbm(stump(missing_type="None", decision_type="==", threshold=codes))
        assert tree.predict([[np.nan]]) == label == tree.predict([[0.0]])


def xgboost_stump(**changed):
    children = [{"nodeid": 2, "leaf": 1}, {"nodeid": 1, "leaf": -1}]
    test = {"nodeid": 0, "split": "colour", "split_condition": 2, "yes": 1, "no": 2, "missing": 1}
    return json.dumps({**test, "children": children, **changed})


def test_whole_numbers_are_split_between_them():
    (tree,) = dt.from_xgboost(XBooster([xgboost_stump()]))
    assert str(tree).splitlines() == ["colour <= 1.5", "├─ yes: -1.0", "└─ no: 1.0"]
    (tree,) = dt.from_xgboost([xgboost_stump()], NAMES)
    assert tree.predict(np.float32([[0, 1.75, 0], [0, 2, 0]])).tolist() == [-1, 1]


def test_a_chain_of_any_depth_is_read():
    node = LEAF
    for k in range(5000):
        node = {**numeric(), "threshold": k, "left_child": node, "right_child": LEAF}
    (tree,) = dt.from_lightgbm(dump(node))
    assert tree.depth == 5000


def numeric():
    test = {"split_feature": 0, "decision_type": "<=", "threshold": 0.5}
    return {**test, "missing_type": "NaN", "default_left": True}


def dump(root):
    return {"feature_names": ["a"], "tree_info": [{"tree_structure": root}]}


def stump(**changed):
    return dump({**numeric(), "left_child": LEAF, "right_child": {"leaf_value": 2.0}, **changed})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dt.from_lightgbm(None), "model must be a Booster of LightGBM's.*got None"),
        (lambda: dt.from_lightgbm(XBooster([])), "model must be a Booster of LightGBM's"),
        (lambda: dt.from_lightgbm({}), "model must be a Booster of LightGBM's"),
        (lambda: dt.from_lightgbm(dump({})), "KeyError 'leaf_value' is met"),
        (lambda: dt.from_lightgbm(dump(3)), "TypeError"),
        (lambda: dt.from_lightgbm(stump(decision_type="==", threshold="1||x")), "invalid literal"),
        (lambda: dt.from_lightgbm(stump(missing_type="Zero")), "zeros that are zeros"),
        (
            lambda: dt.from_lightgbm(stump(left_child={**LEAF, "leaf_coeff": [1.0]})),
            "a linear leaf",
        ),
        (lambda: dt.from_lightgbm(stump(split_feature=7)), "names must name x0 .. x7"),
        (lambda: dt.from_xgboost(None), "model must be a Booster of XGBoost's.*got None"),
        (lambda: dt.from_xgboost("{}"), "model must be a Booster of XGBoost's"),
        (lambda: dt.from_xgboost(["booster[0]: 0:[f0<1]"]), "JSONDecodeError"),
        (lambda: dt.from_xgboost(["[" * 100_000]), "RecursionError"),
        (lambda: dt.from_xgboost(["{}"]), "KeyError 'split'"),
        (lambda: dt.from_xgboost([xgboost_stump()]), "feature_names must have the names of all"),
        (lambda: dt.from_xgboost([xgboost_stump()], ["a"]), "feature_names must have the names"),
        (lambda: dt.from_xgboost([xgboost_stump()], "ab"), "feature_names must be a sequence"),
        (lambda: dt.from_xgboost([xgboost_stump(split_condition=[1])], NAMES), "categories"),
        (
            lambda: dt.from_xgboost([xgboost_stump(split_condition=None)], NAMES),
            "tests with a threshold, got one without, of 'colour'",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
