"""What a split search does, counted: arrays and numbers that count how often they are used."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.growth import read_examples
from dtviz.core.cart.number_target import NumberTarget
from dtviz.core.cart.scan import Features, Level
from dtviz.core.data.examples import Inputs
from dtviz.impurity import literal


class TooManyError(Exception):
    """More steps than there may be: nobody wants to wait for the others."""


class Meter:
    """A number of steps, up to a limit."""

    def __init__(self, limit=math.inf):
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


def _plain(x):
    """An array that tells nobody."""
    return x.view(np.ndarray) if isinstance(x, Counted) else x


def _counting(name):
    """A method of arrays that NumPy asks nobody about."""

    def method(self, *args, **options):
        if name.endswith("sort") and self.meter is not None:
            self.meter.add(self.size * math.log2(max(self.shape[-1], 1)))
        found = getattr(_plain(self), name)(*map(_plain, args), **options)
        return None if found is None else self.metered(found)

    return method


for _name in ("__getitem__", "take", "repeat", "argsort", "sort"):
    setattr(Counted, _name, _counting(_name))


def steps_of_search(X, y, cost, limit):
    """The steps of `dtviz.impurity.grow` up to its first split; infinite if beyond the limit."""
    meter = Meter(limit)
    target, inputs = read_examples(Inputs, X, y, cost, None)
    if isinstance(target, ClassTarget):
        target.codes = Counted.of(target.codes, meter)
    elif isinstance(target, NumberTarget):
        target.y = Counted.of(target.y, meter)
    try:
        level = Level.root(Features(Counted.of(inputs.columns, meter)))
        target.cuts(level, target.summary(*level.members, 1))
    except TooManyError:
        return math.inf
    return meter.steps


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
    meter = Meter()
    literal.id3(_metered(X, y, meter))
    return meter.steps
