"""What a split search does, counted: arrays and numbers that count how often they are used."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dtviz.core.cart.best_first import read_examples
from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.number_target import NumberTarget
from dtviz.core.cart.scan import Features, Level
from dtviz.core.data.examples import Inputs
from dtviz.impurity import literal


class TooManyError(Exception):
    """More steps than there may be: nobody wants to wait for the others."""


class Meter:
    """A number of steps, up to a limit."""

    def __init__(self, limit):
        self.steps, self.limit = 0.0, limit

    def add(self, steps):
        """So many steps more."""
        self.steps += steps
        if self.steps > self.limit:
            raise TooManyError


class Counted(np.ndarray[Any, Any]):
    """An array that counts each entry read or made on a meter, and so does what is made of it.

    A step is an entry of the longest array in an operation; to sort n numbers takes n log n.
    """

    meter: Meter | None

    @classmethod
    def of(cls, array, meter):
        """An array with a meter."""
        counted = array.view(cls)
        counted.meter = meter
        return counted

    def __array_finalize__(self, other):
        self.meter = getattr(other, "meter", None)

    def metered(self, *arrays):
        """The last array, its meter metered; it is a counted one."""
        if self.meter is not None:
            self.meter.add(max(getattr(array, "size", 1) for array in arrays))
        found = arrays[-1]
        if isinstance(found, np.ndarray) and self.meter is not None:
            return Counted.of(found, self.meter)
        return found

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        owner = self if self.meter else next(x for x in inputs if getattr(x, "meter", None))
        if out is not None:
            options["out"] = tuple(_plain(x) for x in out)
        plain = [_plain(x) for x in inputs]
        return owner.metered(*plain, getattr(ufunc, method)(*plain, **options))

    def __array_function__(self, func, types, args, options):
        return self.metered(*args, super().__array_function__(func, types, args, options))

    def __getitem__(self, index):
        return self.metered(_plain(self)[_plain(index)])

    def take(self, *index, **options):
        """As of any array."""
        return self.metered(_plain(self).take(*map(_plain, index), **options))

    def repeat(self, *index, **options):
        """As of any array."""
        return self.metered(_plain(self).repeat(*map(_plain, index), **options))

    def argsort(self, *args, **options):
        """As of any array."""
        self._sorted()
        return self.metered(_plain(self).argsort(*args, **options))

    def sort(self, *args, **options):
        """As of any array."""
        self._sorted()
        _plain(self).sort(*args, **options)

    def _sorted(self):
        if self.meter is not None:
            self.meter.add(self.size * math.log2(max(self.shape[-1], 1)))


def _plain(x):
    """An array that tells nobody."""
    return x.view(np.ndarray) if isinstance(x, Counted) else x


# -- the package's search --------------------------------------------------------------------------


def package(columns, target):
    """What `dtviz.impurity.grow` does to find its first split."""
    level = Level.root(Features(columns))
    return target.cuts(level, target.summary(*level.members, 1))


def recounted(columns, target):
    """The same with both sides counted at each threshold, some thresholds at a time."""
    least = math.inf, 0, 0
    for i, column in enumerate(columns):
        m = column.size
        rank = np.empty(m, dtype=np.intp)
        rank[_plain(column.argsort())] = np.arange(m)
        for first in range(1, m, 32):
            cuts = np.arange(first, min(first + 32, m))
            node = (rank >= cuts[:, None]) + 2 * np.arange(cuts.size)[:, None]
            rows = np.tile(np.arange(m), cuts.size)
            sides = _plain(target.summary(rows, node.ravel(), 2 * cuts.size))
            cost = target.cost(sides).reshape(-1, 2).sum(axis=1)
            least = min(least, (float(cost.min()), i, int(cuts[cost.argmin()])))
    return least


def steps_of(search, X, y, cost, limit):
    """The steps of a search for the best split; infinite if there are more than the limit."""
    meter = Meter(limit)
    target, inputs = read_examples(Inputs, X, y, cost, None)
    if isinstance(target, ClassTarget):
        target.codes = Counted.of(target.codes, meter)
    elif isinstance(target, NumberTarget):
        target.y = Counted.of(target.y, meter)
    try:
        search(Counted.of(inputs.columns, meter), target)
    except TooManyError:
        return math.inf
    return meter.steps


# -- the box of the chapter ------------------------------------------------------------------------


class Value(float):
    """A value of a feature that tells a meter when it is compared."""

    __slots__ = ("meter",)
    meter: Meter

    def __lt__(self, other):
        self.meter.add(1)
        return float(self) < float(other)

    def __gt__(self, other):
        self.meter.add(1)
        return float(self) > float(other)

    def __le__(self, other):
        self.meter.add(1)
        return float(self) <= float(other)


class Label(int):
    """A label that tells a meter when its class is looked up."""

    meter: Meter

    def __hash__(self):
        self.meter.add(1)
        return int(self)


def recounted_by_the_box(sample, feature, impurity):
    """The impurity at each threshold, both sides counted each time."""
    found = []
    for question in literal.questions(sample):
        if question[0] == feature:
            low, high = literal.sides(sample, question)
            found.append(literal.after(literal.labels_of(low), literal.labels_of(high), impurity))
    return found


def _metered(X, y, meter):
    """Examples whose values and labels count how often they are used."""
    rows = [tuple(map(Value, x)) for x in X.tolist()]
    labels = [Label(k) for k in y.tolist()]
    for part in (*itertools.chain.from_iterable(rows), *labels):
        part.meter = meter
    return list(zip(rows, labels, strict=True))


def steps_of_the_box(scan, x, y, limit):
    """Comparisons of values, look-ups of labels and counts read by a scan of one feature."""
    meter = Meter(limit)

    def impurity(counts):
        # Each count is read twice: to add them up, and for the impurity.
        meter.add(2 * len(counts))
        return 0.0

    try:
        scan(_metered(x[:, None], y, meter), 0, impurity)
    except TooManyError:
        return math.inf
    return meter.steps


def steps_of_id3(X, y):
    """Comparisons of values and look-ups of labels by ID3 in Python, which recounts."""
    meter = Meter(math.inf)
    literal.id3(_metered(X, y, meter))
    return meter.steps
