"""Chapter 1, the algorithm: scores, and runs against a version that rescans every leaf."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from claims.influence.by_hand import (
    Restriction,
    Shares,
    by_leaf,
    cost_at,
    largest,
    restricted,
)
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, equality
from claims.kit.populations import EPSILONS, Run, runs
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction
from dtviz.core.growth import GrowthPath


def _node_paths(path: GrowthPath) -> list[Restriction]:
    """The restriction that leads to each node of a path, root first."""
    found: list[Restriction] = [()]
    for node, variable in zip(path.split_node, path.split_variable, strict=True):
        found += [(*found[node], (int(variable), bit)) for bit in (0, 1)]
    return found


def _lowest(shares: Shares) -> int:
    return shares.index(max(shares))


def _highest(shares: Shares) -> int:
    return len(shares) - 1 - shares[::-1].index(max(shares))


def _least(shares: Shares) -> int:
    """The least influential variable of those that matter."""
    return shares.index(min(share for share in shares if share))


def _scores_are_counts_of_points(
    choose: Callable[[Shares], int] = _lowest,
    score: Callable[[Shares], Fraction] = largest,
    *,
    weighted: bool = True,
) -> Outcome:
    gap, names = [], []
    for run in _followed():
        for node, path in enumerate(_node_paths(run.path)):
            queried = {i for i, _ in path}
            free = [i for i in range(run.f.n) if i not in queried]
            shares = by_leaf(run.f, path)
            chosen = free[choose(shares)] if any(shares) else -1
            # Where f is constant, the package names no variable.
            off = chosen != run.path.node_variable[node]
            stated = score(shares) * (1 if weighted else 2 ** len(path))
            gap.append(float(abs(stated - Fraction(run.path.node_score[node])) + off))
            names.append(f"{run.name}, node {node}")
    return equality("nodes of greedy runs", gap, names.__getitem__)


@cache
def _followed() -> tuple[Run, ...]:
    """The runs that are followed by hand."""
    return (*runs(3), *(run for run in runs(0) if run.f.n <= 6))


# -- the algorithm --------------------------------------------------------------------------------

Made = tuple[Restriction, int, Fraction, Fraction]
Key = tuple[object, ...]


def _bits(path: Restriction) -> list[int]:
    return [bit for _, bit in path]


def _book_order(score: Fraction, path: Restriction) -> Key:
    """Among equals the shallowest, then the leftmost: branches compare like words."""
    return -score, len(path), _bits(path)


def _by_definition(
    f: BooleanFunction,
    choose: Callable[[Shares], int] = _lowest,
    order: Callable[[Fraction, Restriction], Key] = _book_order,
) -> list[Made]:
    """BuildTopDownDT to error 0 as it is written: each step rescans every leaf.

    Per step the leaf split, its variable, the error and the cost before the split.
    """
    leaves: list[Restriction] = [()]
    made: list[Made] = []
    while True:
        error = Fraction(0)
        for path in leaves:
            ones = restricted(f, path).code.bit_count()
            error += Fraction(min(ones, (1 << (f.n - len(path))) - ones), 1 << f.n)
        if error == 0:
            return made
        cost = sum((cost_at(f, path) for path in leaves), Fraction(0))
        open_leaves = [path for path in leaves if any(by_leaf(f, path))]
        split = min(open_leaves, key=lambda path: order(max(by_leaf(f, path)), path))
        free = [i for i in range(f.n) if i not in {j for j, _ in split}]
        variable = free[choose(by_leaf(f, split))]
        made.append((split, variable, error, cost))
        leaves.remove(split)
        leaves += [(*split, (variable, bit)) for bit in (0, 1)]


@cache
def _grown() -> tuple[tuple[Run, GrowthPath, list[Made]], ...]:
    """The runs that are followed, grown once more, and their steps in fractions."""
    found = []
    for run in _followed():
        path = topdown.build_top_down(run.f)
        paths = _node_paths(path)
        made = [
            (paths[split.node], split.variable, Fraction(error), Fraction(cost))
            for split, error, cost in zip(path.splits, path.errors, path.costs, strict=False)
        ]
        found.append((run, path, made))
    return tuple(found)


def _runs_follow_the_definition(
    choose: Callable[[Shares], int] = _lowest,
    order: Callable[[Fraction, Restriction], Key] = _book_order,
) -> Outcome:
    wrong = [made != _by_definition(run.f, choose, order) for run, _, made in _grown()]
    return equality("runs, compared step by step", wrong, lambda k: _followed()[k].name)


def _stops_when_it_should(
    goes_on: Callable[[Fraction, Fraction, float], bool] = lambda error, _, epsilon: (
        error > epsilon
    ),
) -> Outcome:
    """The loop runs while ``goes_on(error, cost, epsilon)``."""
    gap, names = [], []
    for run, path, _ in _grown():
        made = _by_definition(run.f)
        for epsilon in (*EPSILONS, 0.125, 0.0):
            steps = sum(goes_on(error, cost, epsilon) for *_, error, cost in made)
            gap.append(path.n_leaves_for(epsilon) - 1 - steps)
            names.append(f"{run.name}, epsilon {epsilon}")
    return equality("pairs of a run and an epsilon", gap, names.__getitem__)


@claim(
    "BLT-DEF-SCORE",
    BLT,
    r"$\mathrm{score}(\ell) = 2^{-|\ell|} \max_i \mathrm{Inf}_i(f_\ell)$. Times $2^n$ it is an "
    r"integer, the number of points of $\ell$ at which flipping $x_{i(\ell)}$ changes $f$.",
    PAGE,
    note="The source leaves ties open. Here: the lowest variable; among leaves the shallowest, "
    "then the leftmost.",
)
def test_blt_def_score(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "scores and variables by counting points",
                _scores_are_counts_of_points,
                r"\operatorname{score}(\ell)=2^{-n}\,\#\bigl\{x\text{ in }\ell:"
                r"f(x)\ne f(x^{\oplus i})\bigr\}",
                spoilt(
                    _scores_are_counts_of_points,
                    {
                        "the highest of equally influential variables": {"choose": _highest},
                        "without the weight 2^-|l|": {"weighted": False},
                        "the sum of the influences": {
                            "score": lambda shares: sum(shares, Fraction(0))
                        },
                    },
                ),
                kind="definition",
            ),
        )
    )


@claim(
    "BLT-ALG",
    BLT,
    r"BuildTopDownDT: start from one leaf; split the leaf of the highest score on its most "
    r"influential variable; stop once the error is at most $\varepsilon$.",
    PAGE,
)
def test_blt_alg(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "against a version that rescans every leaf",
                _runs_follow_the_definition,
                mutants=spoilt(
                    _runs_follow_the_definition,
                    {
                        "ties go to the highest variable": {"choose": _highest},
                        "splits on the least influential variable that matters": {"choose": _least},
                        "ties go to the deepest leaf": {
                            "order": lambda score, path: (-score, -len(path), _bits(path))
                        },
                        "ties go to the right": {
                            "order": lambda score, path: (
                                -score,
                                len(path),
                                [-bit for bit in _bits(path)],
                            )
                        },
                        "leaves by influence, without the weight 2^-|l|": {
                            "order": lambda score, path: _book_order(score * 2 ** len(path), path)
                        },
                        "level by level": {"order": lambda _, path: _book_order(Fraction(0), path)},
                    },
                ),
            ),
            Form(
                "the first tree with error ≤ epsilon",
                _stops_when_it_should,
                r"\operatorname{error}(T^\circ,f)>\varepsilon",
                spoilt(
                    _stops_when_it_should,
                    {
                        "goes on while error ≥ epsilon": {
                            "goes_on": lambda error, _, epsilon: error >= epsilon
                        },
                        "goes on while cost > 2 epsilon": {
                            "goes_on": lambda _, cost, epsilon: cost > 2 * epsilon
                        },
                    },
                ),
            ),
        )
    )
