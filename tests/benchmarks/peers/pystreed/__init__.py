"""A stand-in for pystreed: trees of a given depth with the fewest errors, by dtviz."""

import dtviz as dt


class STreeDClassifier:
    """What the benchmark calls."""

    def __init__(self, max_depth, time_limit):
        assert time_limit > 0
        self.max_depth = max_depth

    def fit(self, X, y):
        return dt.impurity.optimal_tree(X, y, depth=self.max_depth)
