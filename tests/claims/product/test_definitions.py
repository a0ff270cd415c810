"""Chapter 3, the definitions: influence by redrawing a bit, score, cost, the algorithm."""

import itertools
import operator
from functools import cache, partial

import numpy as np
from support.definitions import Oracle

from claims.kit import holds, same
from claims.kit.populations import grown, name, node_paths, trees_and_functions
from claims.product import populations as world
from claims.product.populations import (
    MEASURES,
    MIXED,
    MORE,
    PAIRS,
    agree,
    edges,
    equal,
    pairs,
    stated,
    under,
)
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees import topdown


@cache
def by_hand(code, p):
    return Oracle(BooleanFunction.from_int(len(p), code), p)


@equal("functions of 3 variables, uniform")
def equal_to_flip():
    for code in range(256):
        f = BooleanFunction.from_int(3, code)
        yield measures.resample_influences(f), measures.influences(f), name(3, code)


@stated(
    "PS-DEF-INF",
    r"$\mathrm{Res}_i(f) = \Pr[f(x) \ne f(x^{(i)})]$, where $x^{(i)}$ is $x$ with bit $i$ drawn "
    "again: the flip influence, times the probability that the new bit differs from the old one.",
    note="Under the uniform distribution it is half of flip influence; the source does not say so.",
)
def test_resample_influence(trial):
    @trial.form(
        "dt.measures.resample_influences against redrawing",
        r"\Pr\bigl[f(x) \ne f(x^{(i)})\bigr]",
        kind="definition",
    )
    @equal(PAIRS)
    def resample_influence():
        for p, code in itertools.product(MEASURES, range(0, 256, 2)):
            f, mu = BooleanFunction.from_int(3, code), ProductDistribution(p)
            slow = [float(by_hand(code, p).resample_mass(i)) for i in range(3)]
            yield measures.resample_influences(f, mu), slow, f"{name(3, code)}, {under(p)}"

    @trial.form(
        "2 p (1-p) times flip influence",
        r"\operatorname{Res}_i(f) = 2 p_i q_i \operatorname{Inf}_i(f)",
        {
            "p (1-p) times": {"share": lambda p: p * (1 - p)},
            "half, as for fair coins": {"share": lambda _: 1 / 2},
        },
    )
    def times_flip(share=world.spread):
        """``Res_i`` by redrawing bit i, over all points and both values of the fresh bit."""
        every, x = pairs(), np.arange(8)
        redrawn = []
        for p in every.p[::256]:
            w = ProductDistribution(p).weights()
            fresh = [np.where(x >> i & 1, 1 - p[i], p[i]) for i in range(3)]  # that it differs
            redrawn.append(np.einsum("fxi,x,ix->fi", edges(), w, fresh))
        return agree(PAIRS, np.concatenate(redrawn), share(every.p) * every.flip, every.describe)

    trial.fails("equal to flip influence, for uniform bits", equal_to_flip)


@stated(
    "OURS-PRODUCT-DICTIONARY",
    r"$\mathrm{Res}_i(f) \le \mathrm{Vr}(f) \le \frac12$.",
    note="Part 1 is tried as PS-DEF-INF.",
)
@holds(
    "at most the variation, and 1/2",
    r"\operatorname{Res}_i(f) \le \operatorname{Vr}(f) \le \frac12",
    MORE | {"1% more variation": {"more": 1.01}, "by flipping": {"influence": "flip"}},
)
def test_dictionary(times=1, more=1, influence="resample"):
    largest, variation = getattr(pairs(), influence).max(axis=1), pairs().variation
    return world.of_pairs([times * largest, more * variation], [variation, 0 * variation + 0.5])


@equal("pairs of a tree and a function")
def leaves_of_trees(*, total):
    """`leaf_scores`, or (``total``) `tree_cost`, of every tree, against its leaves."""
    mu, shapes = ProductDistribution(MIXED), trees_and_functions(3)
    for code, (k, tree) in itertools.product((22, 106, 150, 232), enumerate(shapes.trees)):
        f = BooleanFunction.from_int(3, code)
        leaves = [leaf_of(code, MIXED, tuple(sorted(path))) for path in tree.paths()]
        fast, slow = [topdown.tree_cost(tree, f, mu)], [float(sum(map(sum, leaves)))]
        if not total:
            fast = np.resize([*topdown.leaf_scores(tree, f, mu).score, 0], 9)
            slow = np.resize([*(float(max(leaf)) for leaf in leaves), 0], 9)
        yield fast, slow, shapes.describe(k, code)


@cache
def leaf_of(code, p, way):
    """``Pr[leaf] Res_i(f at the leaf)`` of every variable, in fractions."""
    return [by_hand(code, p).resample_mass(i, way) for i in range(len(p))]


@stated(
    "PS-DEF-SCORE",
    r"$\mathrm{score}(\ell) = \mu(\ell) \max_i \mathrm{Res}_i(f_\ell)$, where $\mu(\ell)$ is the "
    r"probability of reaching the leaf $\ell$ and $f_\ell$ is $f$ there.",
)
def test_score(trial):
    trial.holds(
        "dt.influence.leaf_scores against restrictions",
        partial(leaves_of_trees, total=False),
        r"\operatorname{score}(\ell) = \mu(\ell) \cdot \max_i \operatorname{Res}_i(f_\ell)",
        kind="definition",
    )


@stated(
    "PS-DEF-COST",
    r"$\mathrm{cost}(T^\circ) = \sum_\ell \mu(\ell) \mathrm{Res}(f_\ell)$ over the leaves, where "
    r"$\mathrm{Res}$ adds up the resample influences.",
)
def test_cost(trial):
    trial.holds(
        "dt.cost against restrictions",
        partial(leaves_of_trees, total=True),
        r"\operatorname{cost}(T^\circ) = \sum_\ell \mu(\ell) \operatorname{Res}(f_\ell)",
        kind="definition",
    )


@cache
def sampled_runs():
    """A sample of the runs, the package's made again."""
    some = (*world.runs()[: 254 * len(MEASURES) : 16], *world.larger()[:1])
    return tuple((run, topdown.build_top_down(run.f, run.mu)) for run in some)


def ties(depth, bit):
    """An order of the leaves with other signs for what settles ties."""
    return lambda score, way: (-score, depth * len(way), [bit * b for _, b in way])


@stated(
    "PS-ALG",
    r"BuildTopDownDT under a product distribution $\mu$: split the leaf of the highest score on "
    r"its most influential variable, label by majority, until the error is at most $\varepsilon$.",
)
def test_build_top_down(trial):
    @trial.form(
        "dt.build_top_down against a rescan in fractions",
        variants={
            "ties to the deepest leaf": {"order": ties(-1, 1)},
            "ties to the rightmost leaf": {"order": ties(1, -1)},
        },
    )
    @same("runs, compared step by step")
    def runs_follow_the_definition(**spoiled):
        """In fractions, of the leaf and the variable of each step."""
        for run, path in sampled_runs():
            ways = node_paths(path)
            made = [(ways[split.node], split.variable) for split in path.splits]
            by_hand = partial(leaf_of, run.f.code, tuple(run.mu.p.tolist()))
            slow = grown(lambda way, of=by_hand: (0, of(way)), **spoiled)
            yield made != [step[:2] for step in slow], run.name

    @trial.form(
        "where it ends, and the labels",
        variants={
            "going on at an error of epsilon": {"below": operator.lt},
            "with the rarer label": {"label": np.maximum},
        },
    )
    @same("pairs of a run and an epsilon")
    def ends(below=operator.le, label=np.minimum):
        """Where growth to an error ends, and what the tree that is returned errs.

        Against the errors of all its trees, leaf by leaf; epsilon is 1/10 or one of these errors.
        """
        for run, path in sampled_runs()[:-1]:
            trees = [path.tree(j + 1) for j in range(path.n_splits + 1)]
            said = [float(label(*tree.leaf_masses(run.f, run.mu)).sum()) for tree in trees]
            errs = [measures.mean(tree.function(run.f.n) ^ run.f, run.mu) for tree in trees]
            for epsilon in sorted({0.1, *(error for error in errs if error < 1 / 2)}):
                leaves = path.n_leaves_for(epsilon)
                first = next((j for j, e in enumerate(said) if below(e, epsilon)), len(said) - 1)
                wrong = leaves != first + 1 or errs[leaves - 1] != said[first]
                yield wrong, f"{run.name}, epsilon = {epsilon:g}"
