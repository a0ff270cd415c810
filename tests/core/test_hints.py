"""Names that others use, or that are misspelt: the message says what to write here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import traitlets

import dtviz as dt
from dtviz.core.hints import ADVICE, ARGUMENTS, MOVED, THINGS, did_you_mean, with_hints

X, y = [[1], [2], [3]], [0, 1, 1]
PATH = dt.grow(X, y)
F = dt.functions.majority(3)

WRONG: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: dt.grow(X, y, criterion="gini"),
        r"grow\(\) has no argument 'criterion': here it is cost",
    ),
    (lambda: dt.grow(X, y, max_leaf_nodes=2), "here it is max_leaves=..."),
    (lambda: dt.grow(X, y, ccp_alpha=0.1), r"cost_complexity_prune\(tree, X, y, alpha\)"),
    (lambda: dt.grow(X, y, random_state=0), "growth draws nothing"),
    (lambda: dt.grow(X, y, n_estimators=9), "BaggingClassifier"),
    (lambda: dt.grow(X, y, max_dept=2), r"did you mean 'max_depth'\?"),
    (lambda: dt.grow(X, y, color=2), "'color'; it has X, y, cost, max_leaves, .*_decrease$"),
    (lambda: dt.grow(X, y, names=["a"]), "here it is feature_names=..."),
    (lambda: dt.grow(X, y, min_samples_split=2), "min_samples_leaf=... limits the leaves"),
    (lambda: dt.id3(X, y, criterion="gini"), "here it is cost=..."),
    (lambda: PATH.tree(max_leaves=2), r"GrowthPath.tree\(\) .* here it is n_leaves=..."),
    (lambda: PATH.predict(X, eps=0.1), "here it is epsilon=..."),
    (lambda: dt.TopDownClassifier(criterion="gini"), r"TopDownClassifier\(\) .* is cost=..."),
    (lambda: dt.TopDownRegressor(max_leaf_nodes=2), r"TopDownRegressor\(\) .* max_leaves=..."),
    (lambda: dt.build_top_down(F, bias=0.1), "here it is mu=..."),
    (lambda: dt.build_top_down(F, epsilon=0.1), r"path.tree\(epsilon=...\)"),
    (
        lambda: dt.pruning.cost_complexity_prune(PATH.tree(), X, y, ccp_alpha=0.1),
        "here it is alpha=...",
    ),
    (lambda: dt.pruning.cross_validated_prune(X, y, dt.grow, cv=3), "here it is folds=..."),
    (lambda: dt.pruning.cross_validated_prune(X, y, dt.grow, random_state=3), "it is rng=..."),
    (lambda: dt.plot.tree(PATH, feature_names=["a"]), "here it is names=..."),
    (lambda: PATH.tree().to_text(feature_names=["a"]), r"^Tree.to_text\(\) .* is names=..."),
    (lambda: PATH.tree().rules(X, names=["a"]), r"tree.named\(names\) has others"),
    (lambda: PATH.tree().to_sql(color=1), r"^Tree.to_sql\(\) .*; it has class_names$"),
    (lambda: dt.BooleanFunction(1, [0, 1], names=["a"]), "BooleanFunction.* is variables=..."),
    (lambda: dt.BooleanFunction.from_text("a", size=1), r"; it has text, n, variables$"),
    (lambda: dt.find_min(F, bias=1), r"find_min\(\) has no argument 'bias'; it has X, y$"),
    (lambda: dt.id3(X, y, max_depth=2), "dt.grow has it"),
    (lambda: dt.impurity.optimal_tree(X, y, max_depth=2), "here it is depth=..."),
]


@pytest.mark.parametrize(("call", "rule"), WRONG, ids=[rule for _, rule in WRONG])
def test_a_foreign_argument_says_ours(call: Callable[[], Any], rule: str) -> None:
    with pytest.raises(TypeError, match=rule):
        call()


CHOICES: list[tuple[Callable[[], Any], str]] = [
    (lambda: dt.grow(X, y, "ginni"), "squared, got 'ginni': did you mean 'gini'?"),
    (lambda: dt.id3(X, y, "Entropy"), "did you mean 'entropy'?"),
    (lambda: dt.TopDownClassifier("ginny").fit(X, y), "did you mean 'gini'?"),
    (
        lambda: dt.pruning.cost_complexity_path(PATH.tree(), X, y, cost="erorr"),
        "did you mean 'error'?",
    ),
    (lambda: dt.plot.tree(PATH, node_color="deph"), "did you mean 'depth'?"),
    (lambda: dt.optimal(F).tree("average depth"), "did you mean 'average_depth'?"),
    (lambda: dt.ImpurityExplorer(cost="ginni"), "did you mean 'gini'?"),
    (lambda: dt.PruningExplorer(method="reduced_error"), "did you mean 'reduced error'?"),
    (lambda: dt.InfluenceExplorer(epsilom=0.1), "got epsilom: did you mean 'epsilon'?"),
    (lambda: dt.InfluenceExplorer(function="majorty(5)"), "did you mean 'majority(5)'?"),
    (lambda: dt.ImpurityExplorer(criterion="gini"), "got criterion: here it is cost=..."),
    (lambda: dt.ProductExplorer(mu=0.3), "got mu: here it is bias=..."),
    (lambda: dt.grow(X, y, "squared_error"), "did you mean 'squared'?"),
    (lambda: dt.grow(X, y, "log_loss"), "did you mean 'entropy'?"),
]


@pytest.mark.parametrize(("call", "end"), CHOICES, ids=[end for _, end in CHOICES])
def test_a_misspelt_choice_says_the_nearest(call: Callable[[], Any], end: str) -> None:
    with pytest.raises((ValueError, traitlets.TraitError)) as caught:
        call()
    assert str(caught.value).endswith(end)


def test_what_is_near_nothing_gets_no_guess() -> None:
    assert did_you_mean("misery", ["gini", "entropy"]) == did_you_mean(3, ["gini"]) == ""
    with pytest.raises(ValueError, match=r"got 'misery'$"):
        dt.grow(X, y, "misery")


def test_things_by_other_names() -> None:
    for name, call in {**THINGS, **MOVED}.items():
        with pytest.raises(AttributeError) as caught:
            getattr(dt, name)
        assert str(caught.value).endswith(f"has no attribute {name!r}: write {call}")
    with pytest.raises(
        AttributeError, match=r"no attribute 'build_topdown': did you mean 'build_t"
    ):
        _ = dt.build_topdown
    # What is said is there.
    for call in THINGS.values():
        found: Any = dt
        for name in call.removeprefix("dt.").split("(")[0].split(".") if call[:3] == "dt." else ():
            found = getattr(found, name)


MISSING: list[tuple[Any, str, str]] = [
    (PATH, "feature_importances_", "write tree.feature_importances()"),
    (PATH, "rules", "write path.tree().rules()"),
    (PATH.tree(), "get_depth", "write tree.depth"),
    (PATH.tree(), "to_python", "write tree.to_sql(), tree.rules() or tree.to_dict()"),
    (F, "minterm", "did you mean 'minterms'?"),
    (dt.functions, "majorty", "did you mean 'majority'?"),
    (dt.datasets, "titanik", "did you mean 'titanic'?"),
    (dt.measures, "influnces", "did you mean 'influences'?"),
]


@pytest.mark.parametrize(("thing", "name", "end"), MISSING, ids=[name for _, name, _ in MISSING])
def test_a_name_that_a_thing_has_not_says_what_it_has(thing: Any, name: str, end: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}': ") as caught:
        getattr(thing, name)
    assert str(caught.value).endswith(end)
    assert not hasattr(thing, "_repr_latex_")


def test_an_old_name_works_and_says_the_new_one() -> None:
    tree = PATH.tree()
    with pytest.warns(DeprecationWarning, match="labelled is called labeled now"):
        assert tree.labelled(tree.value) == tree
    assert not hasattr(PATH, "labelled")


def test_a_hint_names_an_argument_that_something_has() -> None:
    rooms: list[Any] = [dt, dt.pruning, dt.plot, dt.impurity]
    takers = [getattr(room, name) for room in rooms for name in room.__all__]
    takers.append(dt.influence.GrowthPath.tree)
    wrapped = [
        {*inspect.signature(taker).parameters} for taker in takers if hasattr(taker, "__wrapped__")
    ]
    wrapped.append({*dt.ProductExplorer.class_traits()})
    assert len(wrapped) > 15
    for ours in ARGUMENTS.values():
        assert any({*ours} & parameters for parameters in wrapped), ours
    assert not set(ADVICE) & {name for name, ours in ARGUMENTS.items() if len(ours) > 2}


def test_other_errors_pass() -> None:
    @with_hints
    def divide(a: int, b: int = 1) -> float:
        return a / b

    assert divide(3, b=2) == 1.5
    with pytest.raises(TypeError, match="unsupported operand"):
        divide("3", b=2)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        divide()
    assert str(inspect.signature(divide)) == "(a: 'int', b: 'int' = 1) -> 'float'"
    for name, home in [("cross_validated_prune", "pruning"), ("majority", "functions")]:
        with pytest.raises(AttributeError, match=rf"write dt.{home}.{name}$"):
            getattr(dt, name)
    with pytest.raises(AttributeError, match=r"no attribute 'literal'$"):
        _ = dt.literal  # which each chapter has
