"""Chapter 1, the lemmas about trees: cost as a potential, and the score of the leaf to be split."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import PAGE, PAIRS, STEPS, Array, Floats, Ints, leaves, sharp
from claims.kit import BLT, OURS, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions, log2, ratio, steps, trees_and_functions
from dtviz import influence as chapter
from dtviz.core.tree import Tree

PLACES = "leaves of a tree on which a function is not constant"
SPLITS = "splits of a leaf for a function"


def _pair(k: int) -> str:
    return trees_and_functions(3).describe(*divmod(k, 256))


def _tree(k: int) -> Tree:
    return trees_and_functions(3).trees[k // 256]


@cache
def _plain() -> tuple[Array, Array]:
    """Whether f is constant at each leaf, and whether it is a literal: ``(P, 256)``."""
    found, x, table = leaves(), np.arange(8), all_functions(3).table
    constant = (found.ones == 0) | (found.ones == found.mass)
    literal = np.zeros_like(constant)
    for i in range(3):
        agree = found.inside.astype(int) @ (table == (x >> i & 1)).T
        free = found.after[:, i, None] >= 0
        literal |= free & ((agree == 0) | (agree == found.mass))
    return constant, literal


@claim(
    "BLT-L5.1a",
    BLT,
    r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}_f(T^\circ)$; indeed $\mathrm{error} \le "
    r"\mathrm{cost}/2$, with equality just where each $f_\ell$ is a constant or a literal.",
    PAGE,
)
def test_error_is_at_most_half_the_cost(trial: Trial) -> None:
    pairs = trees_and_functions(3)

    def below(factor: float, least: float = 1) -> Outcome:
        bound = factor * pairs.cost
        return sharp(PAIRS, pairs.error, bound, _pair, example=_tree, least=least)

    def equal_where(constants: bool = True, negated: bool = True) -> Outcome:
        constant, literal = _plain()
        plain = literal | constant if constants else literal
        if not negated:
            # A negation has the value 1 at the first point of a leaf.
            first = all_functions(3).table[:, leaves().inside.argmax(axis=1)].T
            plain = plain & (constant | (first == 0))
        at_all = np.logical_and.reduceat(plain, leaves().start)
        tight = 2 * pairs.error == pairs.cost
        return outcome(PAIRS, tight == at_all, tight, _pair, example=_tree)

    less = {"0.499 of the cost": {"factor": 0.499}}
    trial.holds(
        "error ≤ cost/2",
        lambda factor=1 / 2: below(factor),
        r"\operatorname{error}(T^\circ,f)\le\frac12\,\operatorname{cost}_f(T^\circ)",
        less,
    )
    trial.holds(
        "equality for constants and literals",
        equal_where,
        "",
        {"not for constants": {"constants": False}, "not for negations": {"negated": False}},
    )
    formula = r"\operatorname{error}(T^\circ,f)\le\operatorname{cost}_f(T^\circ)"
    trial.holds("error ≤ cost", lambda factor=1: below(factor, least=1 / 2), formula, less)


@claim(
    "BLT-L5.1b",
    BLT,
    r"Replacing a leaf $\ell$ by a query to $x_i$ lowers the cost by exactly "
    r"$2^{-|\ell|}\, \mathrm{Inf}_i(f_\ell)$; for a greedy split that is the score.",
    PAGE,
)
def test_a_split_takes_the_influence_off_the_cost(trial: Trial) -> None:
    def any_split(taken: Callable[[Ints, Ints, int], Array] = lambda own, _, __: own) -> Outcome:
        """What is ``taken`` off, by points that change inside, all that do, and the leaf's."""
        found, cost = leaves(), trees_and_functions(3).cost
        p, i = np.nonzero(found.after >= 0)
        everywhere = np.array([world.sensitive(3, j).sum(axis=1) for j in range(3)])
        stated = taken(found.changes[p, i], everywhere[i], found.mass[p])
        gap = cost[found.tree[p]] - cost[found.after[p, i]] - stated
        return equality(
            SPLITS, gap, lambda k: f"x{i[k // 256]} at {found.where(p[k // 256], k % 256)}"
        )

    def greedy(factor: float = 1, later: int = 0) -> Outcome:
        run = steps(3, 0)
        return equality(
            STEPS, run.cost - run.next_cost - factor * np.roll(run.score, later), run.describe
        )

    trial.holds(
        "any split",
        any_split,
        r"2^{-|\ell|}\operatorname{Inf}_i(f_\ell)",
        {
            "without the weight 2^-|l|": {"taken": lambda own, _, mass: own * 8 / mass},
            "the influence on f, not on f_l": {"taken": lambda _, every, mass: every * mass / 8},
            "the bit drawn again": {"taken": lambda own, _, __: own / 2},
        },
    )
    variants = {"the score of the step before": {"later": 1}, "half the score": {"factor": 0.5}}
    trial.holds("greedy splits", greedy, "", variants)


@claim(
    "BLT-L5.1c",
    BLT,
    r"A split of a leaf on which $f$ is not constant, on its most influential variable, "
    r"lowers the cost; the error never rises, but may stay.",
    PAGE,
    note="Implicit in the source.",
)
def test_a_split_lowers_the_cost(trial: Trial) -> None:
    @cache
    def tried() -> tuple[Ints, Ints, Ints]:
        """Places and functions not constant there, and the changes for each variable, -1 asked."""
        found = leaves()
        p, code = np.nonzero(found.changes.any(axis=1))
        return p, code, np.where(found.after[p] < 0, -1, found.changes[p, :, code])

    def any_leaf(
        choose: Callable[[Ints], Ints] = lambda shares: shares.argmax(axis=1), falls: int = 0
    ) -> Outcome:
        """The cost falls; the error does not rise, or ``falls`` as well."""
        p, code, shares = tried()
        pairs, found = trees_and_functions(3), leaves()
        before, after = (found.tree[p], code), (found.after[p, choose(shares)], code)
        drop = pairs.cost[before] - pairs.cost[after]
        good = (drop > 0) & (pairs.error[before] - pairs.error[after] >= falls)
        return outcome(
            PLACES,
            good,
            -drop,
            lambda k: f"the cost drops by {drop[k] / 8:g} at {found.where(p[k], code[k])}",
            example=lambda k: pairs.trees[before[0][k]],
        )

    def along_runs(factor: float = 1) -> Outcome:
        run = steps(3, 0)
        return sharp(STEPS, run.next_error, factor * run.error, run.describe)

    trial.holds(
        "for any leaf of any tree",
        any_leaf,
        r"\operatorname{cost}_f(T')<\operatorname{cost}_f(T^\circ)",
        {
            "split on the least influential variable": {
                "choose": lambda shares: np.where(shares < 0, 99, shares).argmin(axis=1)
            },
            "split on the last variable not asked": {
                "choose": lambda shares: 2 - (shares[:, ::-1] >= 0).argmax(axis=1)
            },
            "the error falls, too": {"falls": 1},
        },
    )
    trial.holds(
        "the error along greedy runs",
        along_runs,
        r"\operatorname{error}(T',f)\le\operatorname{error}(T^\circ,f)",
        {"it always falls by 0.1 %": {"factor": 0.999}},
    )
    trial.fails("for the error in place of the cost", lambda: along_runs(0.999))


# -- the score of the leaf that is split -----------------------------------------------------------


@cache
def _variance_of_steps() -> Floats:
    """The average variance at the leaves before each step of `steps(3, 0)`."""
    found = []
    for run in steps(3, 0).runs:
        path = run.path
        err = path.node_error / path.node_probability
        found.append(path.totals(path.node_probability * 4 * err * (1 - err))[:-1])
    return np.concatenate(found)


@claim(
    "BLT-L5.2i",
    BLT,
    r"If a tree with $j+1$ leaves errs by more than $\varepsilon$, some leaf has $2^{-|\ell|}\, "
    r"\mathrm{err}(f_\ell) > \varepsilon/(j+1)$: the largest term of a sum is at least the mean.",
    PAGE,
)
def test_some_leaf_has_its_share_of_the_error(trial: Trial) -> None:
    def largest(factor: float = 1) -> Outcome:
        pairs = trees_and_functions(3)
        mean = factor * pairs.error / pairs.n_leaves[:, None]
        return sharp(PAIRS, mean, pairs.worst_error, _pair, example=_tree)

    def selected() -> Outcome:
        """A misreading: the leaf that is split need not be one that errs much."""
        run = steps(3, 0)
        share = np.concatenate([made.path.node_error[made.path.split_node] for made in run.runs])
        mean = run.error / (run.step + 1)
        return outcome(
            STEPS,
            share >= mean,
            mean - share,
            lambda k: f"share {share[k]:g}, average {mean[k]:g} at {run.describe(k)}",
        )

    formula = r"2^{-|\ell|}\operatorname{err}(f_\ell)\ge\frac{e_j}{j+1}"
    more = {"1.001 times the average": {"factor": 1.001}}
    trial.holds(
        "the largest share is at least the average", largest, formula, more, kind="identity"
    )
    trial.fails("for the leaf that is selected", selected)


@claim(
    "OURS-FLOOR",
    OURS,
    r"With $V = \sum_\ell 2^{-|\ell|} \mathrm{Var}(f_\ell)$, the leaf split at step $j$ has score "
    r"at least $V/((j+1) \log_2 s)$; in any tree with $j + 1$ leaves some leaf has.",
    PAGE,
)
def test_one_floor_behind_both(trial: Trial) -> None:
    def of_runs(
        factor: float = 1, log: Callable[[Array], Floats] = log2, more: float = 1
    ) -> Outcome:
        run = steps(3, 0)
        floor = factor * _variance_of_steps() / ((run.step + more) * log(run.size))
        return sharp(STEPS, floor, run.score, run.describe)

    def of_any_tree(factor: float = 1) -> Outcome:
        pairs = trees_and_functions(3)
        best = np.maximum.reduceat(leaves().changes.max(axis=1), leaves().start) / 8
        bits = pairs.n_leaves[:, None] * log2(all_functions(3).size)
        return sharp(PAIRS, factor * ratio(pairs.mixture, bits), best, _pair, example=_tree)

    variants = {"1.001 V": {"factor": 1.001}, "with ln for log2": {"log": np.log}}
    trial.holds(
        "along greedy runs",
        of_runs,
        r"\operatorname{score}(\ell^*)\ge\frac V{(j+1)\log s}",
        variants | {"j + 0.99 for j + 1": {"more": 0.99}},
    )
    trial.holds("in any tree", of_any_tree, "", {"1.001 V": {"factor": 1.001}})


@claim(
    "BLT-L5.2",
    BLT,
    r"After $j$ splits, while the error exceeds $\varepsilon$, the leaf that is split has "
    r"score above $\varepsilon / ((j+1) \log_2 s)$; indeed at least "
    r"$2\, \mathrm{error}_j / ((j+1) \log_2 s)$.",
    PAGE,
)
def test_score_floor_by_error(trial: Trial) -> None:
    run = steps(3, 0)

    @cache
    def package() -> Floats:
        rows = zip(run.error, run.step.tolist(), run.size.tolist(), strict=True)
        return np.array([chapter.score_floor_by_error(*row) for row in rows])

    def floor(
        factor: float = 1, log: Callable[[Array], Floats] = log2, power: float = 1, least: float = 1
    ) -> Outcome:
        scale = log2(run.size) / log(run.size) * (run.step + 1) ** (1 - power)
        return sharp(
            STEPS,
            factor * package() * scale,
            run.score,
            run.describe,
            example=lambda k: run.runs[int(run.run[k])].f,
            least=least - 1e-7,
        )

    def displayed(twice: float = 2, more: int = 1) -> Outcome:
        stated = twice * run.error / ((run.step + more) * np.log2(run.size))
        off = np.abs(package() - stated)
        return equality(STEPS, np.where(off > 1e-12 * package(), off, 0), run.describe)

    variants = {
        "without the number of leaves": {"power": 0},
        "with sqrt(j+1) for j+1": {"power": 0.5},
        "with ln for log2": {"log": np.log},
    }
    trial.holds(
        "score ≥ 2 error/((j+1) log2 s)",
        floor,
        r"\operatorname{score}(\ell^*)\ge\frac{2\,e_j}{(j+1)\log s}",
        {"2.001 error": {"factor": 1.0005}, **variants},
    )
    trial.holds(
        "the floor of the package is the one displayed",
        displayed,
        r"\frac{2\,e_j}{(j+1)\log s}",
        {"error for 2 error": {"twice": 1}, "j + 2 for j + 1": {"more": 2}},
        kind="definition",
    )
    trial.holds(
        "score > epsilon/((j+1) log2 s) while error > epsilon",
        lambda factor=1 / 2, **how: floor(factor, least=1 / 2, **how),
        r"\operatorname{score}(\ell^*)>\dfrac{\varepsilon}{(j+1)\log s}",
        {
            "2.001 epsilon for epsilon": {"factor": 1.0005},
            "without the number of leaves": {"power": 0},
        },
    )
