"""What the claims of pruning are tried on is what it is said to be."""

import numpy as np

from claims.pruning import populations as pop
from claims.pruning.runs import Run


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
