"""Chapter 6, pruning: overfitting, a second sample to prune with, and why the first will not do."""

import itertools

import numpy as np

from claims.kit import holds
from claims.pruning import populations as pop
from dtviz import pruning
from dtviz.core.tree.tree import Tree


def reduced(tree, second, first):
    """The package's reduced-error pruning; all calls are here."""
    return pruning.reduced_error_prune(tree, *second, grown_on=first, classes=[0, 1])


def on_second(of=lambda s: (s.second, s.first), *, large=False):
    """Trees, and the errors and leaves of what the package leaves of them."""
    trees = (*pop.samples(own=False), *pop.samples(own=False, large=True)[: 6 * large])
    found = [reduced(s.tree.bare(), *of(s)) for s in trees]
    return [(s, (one.errors, one.n_leaves)) for s, one in zip(trees, found, strict=True)]


@pop.stated(
    "MN-OVERFIT",
    r"A tree grown until it fits its sample overfits: some smaller pruning errs no less on the "
    r"sample and no more in truth.",
    note="The source's overview of pruning. With noise but many examples the whole tree may "
    "have the right majorities everywhere; then it is only too large.",
)
@holds(
    "the pruning of least true error",
    variants={
        "the root alone": {"cut": lambda world: np.ones_like(world.best.cut)},
        "an error more on the sample": {"seen": 1},
    },
    fails={"the whole tree is worse in truth every time": {"true": 1}},
)
@pop.every(pop.WORLDS)
def test_overfitting(cut=lambda world: world.best.cut, seen=0, true=0):
    for world in pop.worlds():
        sample, truth = (pop.followed(part, cut(world)) for part in (world.sample, world.truth))
        more = sample.errors - world.sample.subtree_errors[0]
        less = world.truth.subtree_errors[0] - truth.errors
        good = more >= seen and less >= true and truth.n_leaves < world.tree.n_leaves
        words = f"true error {less / truth.counts.m:.3f} above that of {truth}, {world.name}"
        yield good, less / truth.counts.m, words


@pop.stated(
    "MN-REP",
    r"Reduced-error pruning, from the leaves up, makes $v$ a leaf if that errs no more on a "
    r"second sample than the current subtree at $v$. Its result errs the least of all "
    r"prunings, and is the smallest of those.",
    note="That the result is the best pruning is this book's addition; the source states the "
    "procedure.",
)
def test_reduced_error_pruning(trial):
    def by_hand(s, v=0, ties=0, *, current=True):
        """(errors, leaves) of what is left at a node, cutting for so many errors more."""
        wrong = s.errors[v]
        if s.tree.variable[v] < 0:
            return wrong, 1
        below = [by_hand(s, int(u[v]), ties, current=current) for u in (s.tree.low, s.tree.high)]
        errors, leaves = map(sum, zip(*below, strict=True))
        now = errors if current else s.counts.subtree_errors[v]
        return (wrong, 1) if wrong <= now + ties else (errors, leaves)

    @trial.form(
        "dt.pruning.reduced_error_prune, node by node",
        variants={
            "cut for one error more": {"ties": 1},
            "the subtree given for the current one": {"current": False},
        },
    )
    @pop.matches(pop.TREES)
    def procedure(**spoiled):
        yield from ((found, by_hand(s, **spoiled), s) for s, found in on_second())


@pop.stated(
    "OURS-PRUNE-REP",
    r"Among all prunings of a tree, the output of reduced-error pruning has the fewest errors on "
    r"$S_2$, and among those with the fewest errors the fewest leaves.",
    note="Well known. Trees of 40 leaves are tried by the pairs of errors and leaves that their "
    "prunings have.",
)
@holds(
    "against all prunings",
    variants={
        "the most leaves": {"rank": lambda pair: (pair[0], -pair[1])},
        "labels of the second sample": {"of": lambda s: (s.second, s.second)},
    },
)
@pop.matches(pop.TREES)
def test_reduced_error_pruning_is_optimal(rank=None, **of):
    for s, size in on_second(large=True, **of):
        yield size, min(s.pairs(), key=rank), s


@pop.stated(
    "MN-REPEX",
    "In the source's example the subtree at $x_4$ has 2 errors on the second sample, a leaf 1, "
    "so it is cut to the label 1 of the first sample. This forces the labels 1 and 0 of its "
    "leaves.",
    note="The figure is missing; the numbers in the text determine this much of it.",
)
@holds(
    "all labelings", variants={"labels 0 and 1": {"forced": (0, 1)}, "3 errors": {"errors": (3, 1)}}
)
@pop.matches("labelings of the leaves")
def test_example(forced=(1, 0), errors=(2, 1)):
    """Of the two leaves of X_4: one has 2 errors and is cut for 1."""
    second = np.repeat([[0], [1]], (2, 3), axis=0), [1, 1, 1, 1, 0]
    for low, high in itertools.product((0, 1), repeat=2):
        tree = Tree.split(0, Tree.leaf(low), Tree.leaf(high))
        found = reduced(tree, second, ([[0], [0], [0], [1]], [1, 1, 1, 0]))
        (one,) = found.decisions
        got = (one.subtree_errors, one.leaf_errors) == errors
        got = got and found.tree() == Tree.leaf(1)
        words = f"{one.subtree_errors} errors, {one.leaf_errors} as a leaf, with labels {low}"
        yield got, (low, high) == forced, f"{words} and {high}"


@pop.stated(
    "MN-F12.5",
    r"A figure of a tree before reduced-error pruning, with the counts of the second sample.",
    note="The figure is missing from the source. Figures computed in the chapter take its place.",
)
def test_figure_before(trial): ...


@pop.stated(
    "MN-F12.6",
    r"A figure of the same tree after pruning.",
    note="The figure is missing from the source.",
)
def test_figure_after(trial): ...


@pop.stated(
    "MN-INTUIT",
    r"On the sample $S_v$ the current subtree never errs more than the best leaf, if the "
    r"leaves carry the majority labels of $S$.",
)
@holds(
    "majority labels",
    variants={"less than the best leaf": {"fewer": 1}},
    fails={"with labels of another sample, as in reduced-error pruning": {"own": False}},
)
def test_a_subtree_fits_its_own_sample(fewer=0, *, own=True):
    """Of two leaves or more, by hand and by the package, against the best leaf in place."""
    nodes, worst, best = [(s, v) for s in pop.samples(own=own) for v in s.inner], [], []
    for s, v in nodes:
        errors = [wrong for wrong, _ in s.prunings(v)[1:]]
        worst.append(fewer + max(*errors, s.counts.subtree_errors[v]))
        best.append(s.counts.reach[v] - s.counts.counts[v].max())

    def where(k):
        return f"node {nodes[k][1]} of {nodes[k][0]}"

    return pop.bound("subtrees", worst, best, where, example=lambda k: nodes[k][0].tree)
