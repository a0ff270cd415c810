"""Chapter 2, the procedure: FIND is the pseudo-code, it is correct, and which tree it returns."""

import numpy as np

from claims.kit import equality, outcome, same
from claims.rank import populations as pop
from dtviz import rank as chapter
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, cube_points
from dtviz.core.boolean_trees.optimal import optimal


@pop.stated(
    "EH-FIND",
    r"FIND$(S, r)$: a pure sample gives a leaf; with $r = 0$, none. Else each informative "
    r"variable in turn: both halves with bound $r - 1$. If both succeed, join them; if one "
    r"does, try the other with bound $r$ and return what comes of it. None if all fail.",
    note="The source leaves the order of the variables open. Here: the lowest first.",
)
def test_find(trial):
    found = [tree for r in pop.BOUNDS for tree in pop.answers(r)]

    # The answers must not depend on what the search remembers: nothing, or a little.
    trees = [
        [pop.nested(chapter.find(X, y, rank=r, memo_bytes=memo)) for memo in (0, 1000)]
        for _, X, y in pop.recorded_samples()
        for r in pop.BOUNDS
    ]

    @trial.form(
        "dt.rank.find, tree by tree",
        r"Q_b = \text{FIND}(S_b^v, r)",
        {
            "without the second try of step 3.3": {"how": pop.Procedure(second_try=False)},
            "the highest variable first": {"how": pop.Procedure(order=lambda v, *_: -v)},
        },
    )
    def pseudo_code(how=pop.AS_WRITTEN):
        expected = [tree for r in pop.BOUNDS for tree in pop.written(r, how)]
        wrong = [a != b for a, b in zip(found, expected, strict=True)]
        return equality(pop.SAMPLES_AND_BOUNDS, wrong, pop.sample_and_bound)

    @trial.form(
        "recorded runs give the same tree, whatever is remembered",
        variants={"as with the bound raised by one": {"raised": 1}},
    )
    @same("recorded runs")
    def the_same_tree(raised=0):
        for k, (name, *_, run) in enumerate(pop.recorded()):
            found = trees[k + raised * (k % 4 < 3)]
            yield found != [pop.nested(run.tree())] * 2, name


def of_rank_at_most(found, bound):
    return np.asarray(found.rank <= bound)


def fewest_leaves(found, _):
    """Whether no smaller tree agrees with the sample: which FIND does not promise."""
    return np.asarray(found.leaves == pop.all_samples().size)


def correct(trees, bound, demand=of_rank_at_most, short=0):
    """Whether each answer on the 3-cube is right: none beyond the bound, else a tree that will do.

    A tree is due if the rank of the sample is at most the bound, less what it is spoiled to be
    ``short`` of.
    """
    every, found = pop.all_samples(), pop.table(trees)
    agrees = (found.code & every.seen) == every.ones
    good = (found.code >= 0) & agrees & found.reduced & demand(found, bound)
    return np.where(every.rank <= bound - short, good, found.code < 0)


@pop.stated(
    "EH-L2",
    r"FIND$(S, r)$ returns a tree of rank at most $r$ consistent with $S$ if there is one, and "
    r"none otherwise.",
    note="The proof breaks off in the source; the chapter finishes it: the root of a smallest "
    "consistent tree is informative, so both its halves have rank r or more.",
)
def test_find_is_correct(trial):
    every = pop.all_samples()

    def spoiled(**how):
        return {"algorithm": lambda r: pop.written(r, pop.Procedure(**how))}

    @trial.form(
        "all samples on the 3-cube, r = 0 to 3",
        r"r(S) \le r",
        {
            "if r(S) ≤ r - 1": {"short": 1},
            "a tree with the fewest leaves": {"demand": fewest_leaves},
        },
    )
    def on_the_cube(algorithm=pop.answers, **spoiled):
        good = np.concatenate([correct(algorithm(r), r, **spoiled) for r in pop.BOUNDS])
        tight = np.concatenate([np.where(every.rank == r, r, -1) for r in pop.BOUNDS])

        def drawn(k):
            return BooleanFunction.from_int(3, int(every.ones[k % every.ones.size]))

        at = pop.sample_and_bound
        return outcome(pop.SAMPLES_AND_BOUNDS, good, 10 * ~good + tight, at, example=drawn)


@pop.stated(
    "OURS-RANK-FIRST",
    r"Let $1 \le r(S) \le r$. At the root, FIND$(S, r)$ chooses the lowest informative variable "
    r"$v$ such that $r(S_0^v) \le r - 1$ or $r(S_1^v) \le r - 1$. Its step 3.3 never fails.",
)
def test_the_tree_that_find_returns(trial):
    every = pop.all_samples()
    cases = [
        (f"bound {r}, {every.describe(k)}", r, (*pair, pop.HIGH), pop.answers(r)[k])
        for r in pop.BOUNDS
        for k, pair in enumerate(every.pairs())
        if 1 <= every.rank[k] <= r
    ]
    cases += [
        (f"bound {r}, {name}", r, sets, pop.nested(tree))
        for name, _, _, sets, trees in pop.larger_samples()
        for r, tree in enumerate(trees)
        if 1 <= pop.least_rank(*sets) <= r
    ]

    @trial.form(
        "the root, by the ranks of the halves",
        r"r(S_0^v) \le r - 1",
        {"the highest": {"last": True}, "both halves": {"light": max}},
    )
    @same(pop.SAMPLES_AND_BOUNDS)
    def root(light=min, last=False):
        for name, r, (seen, ones, columns), tree in cases:
            ranks = [
                (v, light(pop.least_rank(*half, columns) for half in both))
                for v, *both in pop.halves(seen, ones, columns)
            ]
            good = [v for v, rank in ranks if rank <= r - 1] or [-1]
            yield not isinstance(tree, tuple) or tree[0] != good[-1 if last else 0], name

    @trial.form("step 3.3", r"1 \le r(S) \le r", {"if r(S) ≤ r + 1": {"raised": 1}})
    @same("calls within their bound")
    def never_fails(raised=0):
        made = pop.calls()
        for k, S in enumerate(made.inside.tolist()):
            _, X, _, run = pop.recorded()[made.run[k]]
            if X.shape[1] <= 3:
                call, sample = made.call[k], run.sample
                rank = pop.least_rank(S, S & sample.positives, sample.columns)
                if rank <= run.rank[call] + raised:
                    yield run.step[call] == 3 and not run.found[call], made.name(k)


@pop.stated(
    "OURS-RANK-CATERPILLAR",
    r"For every $k \ge 1$, the caterpillar with $k$ links has rank 2. From its whole truth table, "
    r"FINDMIN returns a tree with exactly $4k + 4$ leaves, two more than a smallest tree.",
    note="For k up to 4; the smallest tree is computed for k up to 3.",
)
def test_find_on_the_caterpillar(trial):
    links = (1, 2, 3, 4)
    samples = [(cube_points(3 * k + 1), zoo.caterpillar(k).table) for k in links]
    trees = [chapter.find_min(*sample) for sample in samples]

    @trial.form(
        "leaves and rank",
        "4k + 4",
        {"4k + 2: a smallest tree": {"last": 2}, "one more than a smallest tree": {"more": 1}},
    )
    @same("caterpillars")
    def leaves(last=4, more=2):
        for k, tree, sample in zip(links, trees, samples, strict=True):
            off = [tree.n_leaves - (4 * k + last), tree.rank - 2]
            off += [chapter.sample_rank(*sample) - 2, (tree.predict(sample[0]) != sample[1]).sum()]
            if k <= 3:
                off.append(tree.n_leaves - more - optimal(zoo.caterpillar(k)).n_leaves)
            yield np.abs(off).max(), f"{k} links"
