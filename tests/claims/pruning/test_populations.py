"""What the claims of pruning are tried on is what it is said to be."""

import numpy as np

from claims.pruning import populations as pop
from claims.pruning.runs import Run
from dtviz.pruning.smallest import SmallestPrunings


def test_rows_sent_down_one_by_one_are_counted_as_the_package_counts_them():
    for s in (*pop.samples()[:40], *pop.samples(own=False), *pop.samples(large=True)):
        assert s.counts.errors.tolist() == s.errors
    for s in pop.samples():
        assert {(wrong, 1 + nodes.bit_count()) for wrong, nodes in s.prunings()} == s.pairs()


def test_the_large_trees_have_long_tables_to_join():
    products = []
    for s in pop.samples(large=True):
        size = [len(table) for table in SmallestPrunings(s.counts)._tables]
        products += [size[s.tree.low[v]] * size[s.tree.high[v]] for v in s.inner]
    assert sum(product > 64 for product in products) > 3


def test_the_best_pruning_of_a_world_has_the_least_true_error():
    """A leaf is as good as what is below it, or that is kept."""
    for world in pop.worlds():
        tree, least = world.tree, world.truth.errors.tolist()
        for v in reversed(range(tree.n_nodes)):
            if tree.variable[v] >= 0:
                least[v] = min(least[v], least[tree.low[v]] + least[tree.high[v]])
        assert world.best.errors == least[0]
        assert (world.truth.reach[tree.leaves] == 100).all()


def test_extreme_worlds_ask_no_more_than_the_proofs():
    """The rates that a proof compares are off by less than rho; likely nodes are seen half."""
    for world, c in pop.extremes():
        run = Run(world, c, world.prune(c))
        assert pop.within(run.found, world.best)
        weight = world.truth.reach[run.nodes]
        for part in ("leaf_errors", "subtree_errors"):
            seen, true = (getattr(of, part)[run.nodes] for of in (run.found, run.true))
            assert (np.abs(seen / run.reach - true / weight) < run.roots).all()
        assert (run.reach > run.m * run.p / 2)[run.likely].all()
    for world in pop.twigs(2.0):
        sample, truth, v = world.sample, world.truth, 2
        rho = np.sqrt(pop.bits(world.n, 1, 2, world.sample.m, world.delta) / sample.reach[v])
        for part in ("errors", "subtree_errors"):
            seen, true = (getattr(of, part)[v] / of.reach[v] for of in (sample, truth))
            assert abs(seen - true) < rho
