"""Chapter 1, the algorithm: scores, and runs against a version that rescans every leaf."""

from functools import cache, partial
from itertools import pairwise

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import all_runs, followed, stated
from claims.kit import holds, same
from claims.kit.populations import EPSILONS, by_book, grown, lowest, node_paths
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean_trees import topdown

COMPARED = "runs, compared step by step"


@cache
def _again(f):
    return topdown.build_top_down(f)


def _rescanned(f, **how):
    return grown(partial(world.at_leaf, f), **how)


def highest(counts):
    """The most influential variable, the highest if some are tied."""
    return len(counts) - 1 - counts[::-1].index(max(counts))


def deepest_first(score, path):
    """Ties go to the deepest leaf."""
    return -score, -len(path), by_book(score, path)


@stated(
    "BLT-DEF-SCORE",
    r"$\mathrm{score}(\ell) = 2^{-|\ell|} \max_i \mathrm{Inf}_i(f_\ell)$: the share of all "
    r"points that reach $\ell$ and at which flipping $x_{i(\ell)}$ changes $f$.",
    note="The source leaves ties open. Here: the lowest variable; among leaves the shallowest, "
    "then the leftmost.",
)
@holds(
    "scores and variables by counting points",
    r"\operatorname{score}(\ell)=2^{-n}\,\#\bigl\{x\text{ in }\ell:"
    r"f(x)\ne f(x^{\oplus i})\bigr\}",
    {
        "the highest of equally influential variables": {"choose": highest},
        "without the weight 2^-|l|": {"weigh": False},
    },
    kind="definition",
)
@same("nodes of greedy runs")
def test_scores_are_counts_of_points(choose=lowest, weigh=True):
    for run in followed():
        path = _again(run.f)
        for node, leaf in enumerate(node_paths(path)):
            counts = world.at_leaf(run.f, leaf)[1]
            # Where f is constant, the package names no variable.
            off = path.node_variable[node] != (choose(counts) if any(counts) else -1)
            points = max(counts) * (1 if weigh else 2 ** len(leaf))
            gap = abs(points - path.node_score[node] * 2**run.f.n) + off
            yield gap, f"{run.name}, node {node}"


@stated(
    "BLT-ALG",
    r"BuildTopDownDT: start from one leaf; split the leaf of the highest score on its most "
    r"influential variable; stop once the error is at most $\varepsilon$.",
)
def test_runs_follow_the_definition(trial):
    @trial.form(
        "against a version that rescans every leaf",
        "",
        {
            "ties go to the highest variable": {"choose": highest},
            "ties go to the deepest leaf": {"order": deepest_first},
        },
    )
    @same(COMPARED)
    def step_by_step(**how):
        for run in followed():
            path, points = _again(run.f), 2**run.f.n
            paths = node_paths(path)
            columns = (
                [paths[node] for node in path.split_node],
                path.split_variable.tolist(),
                (points * path.errors[:-1]).tolist(),
                (points * path.costs[:-1]).tolist(),
            )
            yield list(zip(*columns, strict=True)) != _rescanned(run.f, **how), run.name

    @trial.form(
        "the first tree with error ≤ epsilon",
        r"\operatorname{error}(T^\circ,f)>\varepsilon",
        {
            "goes on while error ≥ epsilon": {"above": np.greater_equal},
            "goes on while cost > 2 epsilon": {"place": 3, "factor": 2},
        },
    )
    @same("pairs of a run and an epsilon")
    def stops(factor=1, place=2, above=np.greater):
        """The loop runs while error, or cost, is above ``factor`` epsilon."""
        for run in followed():
            total = np.array([split[place] for split in _rescanned(run.f)]) / 2**run.f.n
            for epsilon in (*EPSILONS, 0.125, 0.0):
                steps = above(total, factor * epsilon).sum()
                gap = _again(run.f).n_leaves_for(epsilon) - 1 - steps
                yield gap, f"{run.name}, epsilon {epsilon}"


@stated(
    "OURS-POSITIVE",
    "As long as the loop runs, the leaf split has a positive score, no path queries a variable "
    "twice, and the loop ends after at most $2^n - 1$ rounds.",
)
def test_no_constant_leaf_is_split(trial):
    @trial.form("positive scores", "", {"after the last step, too": {"last": None}})
    @same(world.STEPS)
    def positive(last=-1):
        for run in all_runs():
            for step, score in enumerate(_again(run.f).scores[:last]):
                yield score <= 0, f"{run.name}, step {step}"

    @trial.form("no variable twice on a path", "", {"0.99 n": {"share": 0.99}})
    @world.tight("runs")
    def asked_once(share=1):
        """The depth of the deepest leaf: all its variables differ, so there are at most n."""
        for run in followed():
            paths = node_paths(_again(run.f))
            twice = any(len(dict(path)) < len(path) for path in paths)
            yield 99 if twice else max(map(len, paths)), share * run.f.n, run.name

    @trial.form("rounds", "2^n-1", {"at most 2^n - 2": {"more": -2}})
    @world.tight("runs")
    def rounds(more=-1):
        for run in all_runs():
            yield run.path.n_splits, 2.0**run.f.n + more, run.name


@stated(
    "OURS-SORT",
    r"Grow the full greedy tree in any order, and sort its internal nodes by score, depth and "
    r"place. BuildTopDownDT splits them in exactly this order; with a larger $\varepsilon$ it "
    r"splits the first of them, until the error is at most $\varepsilon$.",
)
def test_the_growth_path_is_one_sort(trial):
    def full(f, path=()):
        """The internal nodes, depth first: the score, the way there, the variable."""
        counts = world.at_leaf(f, path)[1]
        if any(counts):
            yield max(counts), path, lowest(counts)
            for bit in (0, 1):
                yield from full(f, (*path, (lowest(counts), bit)))

    @trial.form(
        "the sorted list is the run that rescans",
        "",
        {
            "by depth first": {"order": lambda score, path: (len(path), by_book(score, path))},
            "among equals the deeper first": {"order": deepest_first},
        },
    )
    @same(COMPARED)
    def one_sort(order=by_book):
        for run in followed():
            listed = sorted(full(run.f), key=lambda node: order(*node[:2]))
            made = [step[:2] for step in _rescanned(run.f)]
            yield [node[1:] for node in listed] != made, run.name

    @trial.form("scores never rise", "", {"always fall by 1 %": {"factor": 0.99}})
    @world.tight("pairs of steps in turn")
    def never_rises(factor=1):
        """Scores along runs of the package; the last is of more than 65,535 points."""
        large = ("random(18, seed 0)", zoo.random(18, 0))
        for name, f in [*((run.name, run.f) for run in all_runs()), large]:
            yield from ((b, factor * a, name) for a, b in pairwise(_again(f).scores))
