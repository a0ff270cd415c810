"""Chapter 1, the lemmas about trees: cost as a potential, and the score of the leaf to be split."""

import numpy as np
from numpy.testing import assert_allclose

from claims.influence import populations as world
from claims.influence.populations import PAIRS, STEPS, leaves, of_pairs, pair, sharp, stated
from claims.kit import equality, holds, outcome
from claims.kit.populations import all_functions, log2, ratio, steps, trees_and_functions
from dtviz import influence as chapter


def of_steps(left, right, **more):
    return sharp(STEPS, left, right, steps(3, 0).describe, **more)


@stated(
    "BLT-L5.1a",
    r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}_f(T^\circ)$; indeed $\mathrm{error} \le "
    r"\mathrm{cost}/2$, with equality just where each $f_\ell$ is a constant or a literal.",
)
def test_error_is_at_most_half_the_cost(trial):
    pairs, found, three = trees_and_functions(3), leaves(), all_functions(3)

    @trial.form(
        "error ≤ cost/2",
        r"\operatorname{error}(T^\circ,f)\le\frac12\,\operatorname{cost}_f(T^\circ)",
        {"0.499 of the cost": {"factor": 0.499}},
    )
    def below(factor=1 / 2):
        return of_pairs(pairs.error, factor * pairs.cost)

    variants = {"not for constants": {"constants": False}, "not for negations": {"negated": False}}

    @trial.form("equality for constants and literals", "", variants)
    def equal_where(constants=True, negated=True):
        plain = ((found.ones == 0) | (found.ones == found.mass)) & constants
        for i in range(3):
            agree = found.inside.astype(int) @ (three.table == (np.arange(8) >> i & 1)).T
            literal = (agree == found.mass) | (agree == 0) & negated
            plain = plain | literal & (found.after[:, i, None] >= 0)
        tight = 2 * pairs.error == pairs.cost
        good = tight == np.logical_and.reduceat(plain, found.start)
        return outcome(PAIRS, good, tight, pair, example=world.tree_of)


@stated(
    "BLT-L5.1b",
    r"Replacing a leaf $\ell$ by a query to $x_i$ lowers the cost by exactly "
    r"$2^{-|\ell|}\, \mathrm{Inf}_i(f_\ell)$; for a greedy split that is the score.",
)
@holds(
    "any split",
    r"2^{-|\ell|}\operatorname{Inf}_i(f_\ell)",
    {
        "without the weight 2^-|l|": {"taken": lambda own, _, mass: own * 8 / mass},
        "the influence on f, not on f_l": {"taken": lambda _, every, mass: every * mass / 8},
    },
)
def test_a_split_takes_the_influence_off_the_cost(taken=lambda own, _, __: own):
    """What is ``taken`` off, by points that change inside, all that do, and the leaf's."""
    found, cost = leaves(), trees_and_functions(3).cost
    p, i = np.nonzero(found.after >= 0)
    everywhere = np.array([world.sensitive(3, j).sum(axis=1) for j in range(3)])
    off = taken(found.changes[p, i], everywhere[i], found.mass[p])
    return equality(
        "splits of a leaf for a function",
        cost[found.tree[p]] - cost[found.after[p, i]] - off,
        lambda k: f"x{i[k // 256]} at {found.where(p[k // 256], k % 256)}",
    )


@stated(
    "BLT-L5.1c",
    r"A split of a leaf on which $f$ is not constant, on its most influential variable, "
    r"lowers the cost; the error never rises, but may stay.",
    note="Implicit in the source.",
)
def test_a_split_lowers_the_cost(trial):
    pairs, found, run = trees_and_functions(3), leaves(), steps(3, 0)
    p, code = np.nonzero(found.changes.any(axis=1))
    # The changes for each variable, -1 for those asked.
    shares = np.where(found.after[p] < 0, -1, found.changes[p, :, code])

    least = np.where(shares < 0, 99, shares).argmin(axis=1)

    @trial.form(
        "for any leaf of any tree",
        r"\operatorname{cost}_f(T')<\operatorname{cost}_f(T^\circ)",
        {
            "split on the least influential variable": {"choose": lambda: least},
            "the error falls, too": {"falls": 1},
        },
    )
    def any_leaf(choose=lambda: shares.argmax(axis=1), falls=0):
        """The cost falls; the error does not rise, or ``falls`` as well."""
        before, after = (found.tree[p], code), (found.after[p, choose()], code)
        drop = pairs.cost[before] - pairs.cost[after]
        return outcome(
            "leaves of a tree on which a function is not constant",
            (drop > 0) & (pairs.error[before] - pairs.error[after] >= falls),
            -drop,
            lambda k: f"the cost drops by {drop[k] / 8:g} at {found.where(p[k], code[k])}",
            example=lambda k: pairs.trees[before[0][k]],
        )

    @trial.form(
        "the error along greedy runs",
        r"\operatorname{error}(T',f)\le\operatorname{error}(T^\circ,f)",
        {"it always falls by 0.1 %": {"factor": 0.999}},
    )
    def along_runs(factor=1):
        return of_steps(run.next_error, factor * run.error)

    trial.fails("for the error in place of the cost", lambda: along_runs(0.999))


@stated(
    "BLT-L5.2i",
    r"If a tree with $j+1$ leaves errs by more than $\varepsilon$, some leaf has $2^{-|\ell|}\, "
    r"\mathrm{err}(f_\ell) > \varepsilon/(j+1)$: the largest term of a sum is at least the mean.",
)
def test_some_leaf_has_its_share_of_the_error(trial):
    def selected():
        """A misreading: the leaf that is split need not be one that errs much."""
        run = steps(3, 0)
        share = np.concatenate([made.path.node_error[made.path.split_node] for made in run.runs])
        return of_steps(run.error / (run.step + 1), share)

    formula = r"2^{-|\ell|}\operatorname{err}(f_\ell)\ge\frac{e_j}{j+1}"
    more = {"1.001 times the average": {"factor": 1.001}}

    @trial.form("the largest share is at least the average", formula, more, kind="identity")
    def largest(factor=1):
        pairs = trees_and_functions(3)
        return of_pairs(factor * pairs.error / pairs.n_leaves[:, None], pairs.worst_error)

    trial.fails("for the leaf that is selected", selected)


@stated(
    "OURS-FLOOR",
    r"With $V = \sum_\ell 2^{-|\ell|} \mathrm{Var}(f_\ell)$, the leaf split at step $j$ has score "
    r"at least $V/((j+1) \log_2 s)$; in any tree with $j + 1$ leaves some leaf has.",
)
def test_one_floor_behind_both(trial):
    averages = []
    for path in (made.path for made in steps(3, 0).runs):
        err = path.node_error / path.node_probability
        averages.append(path.totals(path.node_probability * 4 * err * (1 - err))[:-1])
    variance = np.concatenate(averages)

    more = {"1.001 V": {"factor": 1.001}}

    @trial.form(
        "along greedy runs",
        r"\operatorname{score}(\ell^*)\ge\frac V{(j+1)\log s}",
        more | {"with ln for log2": {"log": np.log}, "j + 0.99 for j + 1": {"more": 0.99}},
    )
    def of_runs(factor=1, log=log2, more=1):
        run = steps(3, 0)
        return of_steps(factor * variance / ((run.step + more) * log(run.size)), run.score)

    @trial.form("in any tree", "", more)
    def of_any_tree(factor=1):
        pairs = trees_and_functions(3)
        best = np.maximum.reduceat(leaves().changes.max(axis=1), leaves().start) / 8
        bits = pairs.n_leaves[:, None] * log2(all_functions(3).size)
        return of_pairs(factor * ratio(pairs.mixture, bits), best)


@stated(
    "BLT-L5.2",
    r"After $j$ splits, while the error $e_j$ exceeds $\varepsilon$, the leaf that is split has "
    r"score above $\varepsilon / ((j+1) \log_2 s)$; indeed at least $2 e_j / ((j+1) \log_2 s)$.",
)
def test_score_floor_by_error(trial):
    run = steps(3, 0)
    rows = zip(run.error, run.step.tolist(), run.size.tolist(), strict=True)
    package = np.array([chapter.score_floor_by_error(*row) for row in rows])
    assert_allclose(package, 2 * run.error / ((run.step + 1) * np.log2(run.size)), rtol=1e-12)

    @trial.form(
        "score ≥ 2 error/((j+1) log2 s)",
        r"\operatorname{score}(\ell^*)\ge\frac{2\,e_j}{(j+1)\log s}",
        {"2.001 error": {"factor": 1.0005}, "without the number of leaves": {"power": 0}},
    )
    def floor(factor=1, log=log2, power=1):
        scale = log2(run.size) / log(run.size) * (run.step + 1) ** (1 - power)
        return of_steps(
            factor * package * scale, run.score, example=lambda k: run.runs[int(run.run[k])].f
        )
