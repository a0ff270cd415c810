"""Chapter 1, the algorithm: scores, and runs against a version that rescans every leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import PAGE, Counts, Restriction, all_runs, by_book, followed
from claims.kit import BLT, OURS, Outcome, Trial, claim, equality
from claims.kit.populations import EPSILONS
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction
from dtviz.core.growth_path import GrowthPath


@cache
def _again(f: BooleanFunction) -> GrowthPath:
    """The run of the package, made again."""
    return topdown.build_top_down(f)


def _node_paths(path: GrowthPath) -> list[Restriction]:
    """The restriction that leads to each node of a path, root first."""
    found: list[Restriction] = [()]
    for node, variable in zip(path.split_node, path.split_variable, strict=True):
        found += [(*found[node], (int(variable), bit)) for bit in (0, 1)]
    return found


def highest(counts: Counts) -> int:
    """The most influential variable, the highest if some are tied."""
    return len(counts) - 1 - counts[::-1].index(max(counts))


def _name(k: int) -> str:
    return followed()[k].name


@claim(
    "BLT-DEF-SCORE",
    BLT,
    r"$\mathrm{score}(\ell) = 2^{-|\ell|} \max_i \mathrm{Inf}_i(f_\ell)$. Times $2^n$ it is an "
    r"integer, the number of points of $\ell$ at which flipping $x_{i(\ell)}$ changes $f$.",
    PAGE,
    note="The source leaves ties open. Here: the lowest variable; among leaves the shallowest, "
    "then the leftmost.",
)
def test_scores_are_counts_of_points(trial: Trial) -> None:
    def counted(
        choose: Callable[[Counts], int] = world.lowest,
        score: Callable[[Counts], int] = max,
        weigh: bool = True,
    ) -> Outcome:
        gap, names = [], []
        for run in followed():
            path = _again(run.f)
            for node, leaf in enumerate(_node_paths(path)):
                counts = world.at_leaf(run.f, leaf)[1]
                # Where f is constant, the package names no variable.
                off = path.node_variable[node] != (choose(counts) if any(counts) else -1)
                stated = score(counts) * (1 if weigh else 2 ** len(leaf))
                gap.append(abs(stated - path.node_score[node] * 2**run.f.n) + off)
                names.append(f"{run.name}, node {node}")
        return equality("nodes of greedy runs", gap, names.__getitem__)

    trial.holds(
        "scores and variables by counting points",
        counted,
        r"\operatorname{score}(\ell)=2^{-n}\,\#\bigl\{x\text{ in }\ell:"
        r"f(x)\ne f(x^{\oplus i})\bigr\}",
        {
            "the highest of equally influential variables": {"choose": highest},
            "without the weight 2^-|l|": {"weigh": False},
            "the sum of the influences": {"score": sum},
        },
        kind="definition",
    )


@claim(
    "BLT-ALG",
    BLT,
    r"BuildTopDownDT: start from one leaf; split the leaf of the highest score on its most "
    r"influential variable; stop once the error is at most $\varepsilon$.",
    PAGE,
)
def test_runs_follow_the_definition(trial: Trial) -> None:
    def made(path: GrowthPath, n: int) -> list[tuple[Restriction, int, float, float]]:
        paths, totals = _node_paths(path), 2**n * np.array([path.errors, path.costs])
        return [
            (paths[split.node], split.variable, error, cost)
            for split, (error, cost) in zip(path.splits, totals.T[:-1].tolist(), strict=True)
        ]

    def step_by_step(**how: Any) -> Outcome:
        wrong = [made(_again(run.f), run.f.n) != world.grown(run.f, **how) for run in followed()]
        return equality("runs, compared step by step", wrong, _name)

    def stops(factor: float = 1, place: int = 2, strictly: bool = True) -> Outcome:
        """The loop runs while error, or cost, is above ``factor`` epsilon."""
        gap, names = [], []
        for run in followed():
            total = np.array([split[place] for split in world.grown(run.f)]) / 2**run.f.n
            for epsilon in (*EPSILONS, 0.125, 0.0):
                limit = factor * epsilon
                steps = int((total > limit if strictly else total >= limit).sum())
                gap.append(_again(run.f).n_leaves_for(epsilon) - 1 - steps)
                names.append(f"{run.name}, epsilon {epsilon}")
        return equality("pairs of a run and an epsilon", gap, names.__getitem__)

    trial.holds(
        "against a version that rescans every leaf",
        step_by_step,
        "",
        {
            "ties go to the highest variable": {"choose": highest},
            "splits on the least influential variable that matters": {
                "choose": lambda counts: counts.index(min(filter(None, counts)))
            },
            "ties go to the deepest leaf": {
                "order": lambda score, path: (-score, -len(path), by_book(score, path))
            },
            "ties go to the right": {
                "order": lambda score, path: (-score, len(path), [-bit for _, bit in path])
            },
            "leaves by influence, without the weight 2^-|l|": {
                "order": lambda score, path: by_book(score * 2 ** len(path), path)
            },
            "level by level": {"order": lambda _, path: by_book(0, path)},
        },
    )
    trial.holds(
        "the first tree with error ≤ epsilon",
        stops,
        r"\operatorname{error}(T^\circ,f)>\varepsilon",
        {
            "goes on while error ≥ epsilon": {"strictly": False},
            "goes on while cost > 2 epsilon": {"place": 3, "factor": 2},
            "goes on while error > 1.01 epsilon": {"factor": 1.01},
        },
    )


@claim(
    "OURS-POSITIVE",
    OURS,
    r"As long as the loop runs, the leaf split has a positive score, no path asks for a variable "
    r"twice, and the loop ends after at most $2^n - 1$ rounds.",
    PAGE,
)
def test_no_constant_leaf_is_split(trial: Trial) -> None:
    def positive(last: int = -1) -> Outcome:
        found = [(run.name, *row) for run in all_runs() for row in enumerate(_scores(run.f)[:last])]
        return equality(
            world.STEPS,
            [score <= 0 for *_, score in found],
            lambda k: "{}, step {}".format(*found[k]),
        )

    def asked_once(share: float = 1) -> Outcome:
        """The depth of the deepest leaf: all its variables differ, so there are at most n."""
        found = [_node_paths(_again(run.f)) for run in followed()]
        deepest = [max(paths, key=len) for paths in found]
        twice = [any(len({i for i, _ in p}) < len(p) for p in paths) for paths in found]
        left = [99 if again else len(p) for again, p in zip(twice, deepest, strict=True)]
        return world.sharp("runs", left, [share * run.f.n for run in followed()], _name)

    def rounds(more: int = -1) -> Outcome:
        found = all_runs()
        most = [2.0**run.f.n + more for run in found]
        return world.sharp(
            "runs", [run.path.n_splits for run in found], most, lambda k: found[k].name
        )

    trial.holds("positive scores", positive, "", {"after the last step, too": {"last": None}})
    trial.holds("no variable twice on a path", asked_once, "", {"0.99 n": {"share": 0.99}})
    trial.holds("rounds", rounds, "2^n-1", {"at most 2^n - 2": {"more": -2}})


def _scores(f: BooleanFunction) -> list[float]:
    return [float(score) for score in _again(f).scores]


@claim(
    "OURS-SORT",
    OURS,
    r"Grow the full greedy tree in any order, and sort its internal nodes by score, depth and "
    r"place. BuildTopDownDT splits them in exactly this order; with a larger $\varepsilon$ it "
    r"splits the first of them, until the error is at most $\varepsilon$.",
    PAGE,
)
def test_the_growth_path_is_one_sort(trial: Trial) -> None:
    def full(f: BooleanFunction, path: Restriction = ()) -> Iterator[tuple[int, Restriction, int]]:
        """The internal nodes, depth first: the score, the way there, the variable."""
        counts = world.at_leaf(f, path)[1]
        if any(counts):
            yield max(counts), path, world.lowest(counts)
            for bit in (0, 1):
                yield from full(f, (*path, (world.lowest(counts), bit)))

    def one_sort(order: Callable[..., tuple[Any, ...]] = by_book) -> Outcome:
        wrong = []
        for run in followed():
            listed = sorted(full(run.f), key=lambda node: order(*node[:2]))
            wrong.append([node[1:] for node in listed] != [made[:2] for made in world.grown(run.f)])
        return equality("runs, compared step by step", wrong, _name)

    def never_rises(factor: float = 1) -> Outcome:
        """Scores along runs of the package; the last is of more than 65,535 points."""
        found = [(run.name, _scores(run.f)) for run in all_runs()]
        found.append(("random(18, seed 0)", _scores(zoo.random(18, 0))))
        left = np.concatenate([scores[1:] for _, scores in found])
        right = factor * np.concatenate([scores[:-1] for _, scores in found])
        names = np.repeat([name for name, _ in found], [len(scores) - 1 for _, scores in found])
        return world.sharp("pairs of steps in turn", left, right, names.__getitem__)

    trial.holds(
        "the sorted list is the run that rescans",
        one_sort,
        "",
        {
            "by depth first": {"order": lambda score, path: (len(path), by_book(score, path))},
            "among equals the deeper first": {
                "order": lambda score, path: (-score, -len(path), by_book(score, path))
            },
            "among equals the right one first": {
                "order": lambda score, path: (-score, len(path), [-bit for _, bit in path])
            },
        },
    )
    trial.holds("scores never rise", never_rises, "", {"always fall by 1 %": {"factor": 0.99}})
