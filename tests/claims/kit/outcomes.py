"""What one form of a claim gave on its cases: how many refute it, and which comes nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import beta  # type: ignore[import-untyped]

from claims.kit.populations import at_least, ratio

__all__ = [
    "Outcome",
    "at_most",
    "bounds",
    "chances",
    "equality",
    "every",
    "outcome",
    "rowwise",
    "same",
]


@dataclass(frozen=True)
class Outcome:
    """What one form gave.

    ``cases`` of kind ``unit`` were tried and ``violations`` of them refute the form. ``tightest``
    describes the case nearest to refuting it (or the worst, if some do), ``counterexample`` the
    first case that refutes it ("" if none does); ``tightest_example`` and ``refuting_example`` are
    these cases themselves, a tree or a function, where they can be drawn.

    In ``trivial`` of the cases a bound that needs no proof says as much as the form. ``undecided``
    cases are drawn at random and neither bear the form out nor refute it at the ``confidence``
    given. ``used`` is the largest share of a bound that any case uses; None if the form is none.
    """

    cases: int
    violations: int
    unit: str
    tightest: str
    counterexample: str = ""
    trivial: int = 0
    undecided: int = 0
    confidence: str = ""
    used: float | None = None
    tightest_example: object = None
    refuting_example: object = None

    @property
    def says_nothing(self) -> bool:
        """Whether a trivial bound says as much in every case."""
        return 0 < self.cases == self.trivial


def outcome(  # noqa: PLR0913
    unit: str,
    ok: npt.ArrayLike,
    tightness: npt.ArrayLike,
    describe: Callable[[int], str],
    times: npt.ArrayLike | None = None,
    *,
    trivial: npt.ArrayLike | None = None,
    example: Callable[[int], object] | None = None,
    used: npt.ArrayLike | None = None,
) -> Outcome:
    """Sum up the cases of a form.

    Parameters
    ----------
    unit : str
        What a case is, in the plural.
    ok : (cases,) bool array
        Which cases agree with the form.
    tightness : (cases,) array of numbers
        The larger, the nearer a case is to refuting the form; the first of the largest is shown.
    describe : function
        Puts a case, named by its place in the arrays, into words.
    times : (cases,) int array, optional
        How many cases of the population each entry stands for; one each if not given.
    trivial : (cases,) bool array, optional
        In which cases a bound that needs no proof says as much; in none if not given.
    example : function, optional
        Gives a case, named by its place in the arrays, as a thing that can be drawn.
    used : (cases,) array of numbers, optional
        For a bound: the share of it that each case uses, 1 where it is met with equality.
    """
    good = np.asarray(ok, dtype=bool).ravel()
    number = np.ones(good.size, np.int64) if times is None else np.asarray(times).ravel()
    if good.size == 0:
        return Outcome(0, 0, unit, "")
    bad = np.flatnonzero(~good)
    closeness = np.asarray(tightness, dtype=float).ravel()
    if closeness.shape != good.shape or np.isnan(closeness).any():
        msg = f"tightness must be a number for each of the {good.size} cases of ok"
        raise ValueError(msg)
    # Rounding must not choose between equally tight cases: it differs from machine to machine.
    nearest = int(np.isclose(closeness, closeness.max(), rtol=1e-9, atol=0).argmax())
    return Outcome(
        int(number.sum()),
        int(number[bad].sum()),
        unit,
        describe(nearest),
        describe(int(bad[0])) if bad.size else "",
        trivial=0 if trivial is None else int(number[np.asarray(trivial, bool).ravel()].sum()),
        used=None if used is None else float(np.max(used)),
        tightest_example=example(nearest) if example else None,
        refuting_example=example(int(bad[0])) if example and bad.size else None,
    )


def at_most(  # noqa: PLR0913
    unit: str,
    left: npt.ArrayLike,
    right: npt.ArrayLike,
    where: Callable[[int], str],
    times: npt.ArrayLike | None = None,
    *,
    rounded: bool = False,
    tight: float = 0,
    trivial: npt.ArrayLike | None = None,
    example: Callable[[int], object] | None = None,
) -> Outcome:
    """Sum up the cases of a bound, ``left <= right`` with ``right >= 0``, named by ``where``.

    The tightest case is the one that uses the largest share ``left / right`` of its bound. Sides
    that are ``rounded`` are equal within a billionth. A bound of which no case uses the share
    ``tight`` is as wrong as a false one: a form that drifts is seen on either side.
    """
    sides = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
    x, y = (side.ravel() for side in sides)
    if rounded:
        x = np.where(np.isclose(x, y, rtol=1e-9, atol=0), y, x)
    share = ratio(x, y)

    def describe(k: int) -> str:
        return f"{x[k]:.6g} of {y[k]:.6g} allowed, {where(k)}"

    found = outcome(
        unit, at_least(y, x), share, describe, times, trivial=trivial, example=example, used=share
    )
    if found.used is None or found.used >= tight:
        return found
    words = f"no case uses more than {found.used:.6g} of the bound"
    return replace(found, violations=found.cases, counterexample=words)


def rowwise(
    sum_up: Callable[..., Outcome], unit: str, **more: Any
) -> Callable[[Callable[..., Iterable[tuple[Any, ...]]]], Callable[..., Outcome]]:
    """Make a check of a generator that yields a row for each case, and last what to call it.

    ``sum_up`` takes the unit, the columns, and the function that names a case by its place.
    """

    def decorate(rows: Callable[..., Iterable[tuple[Any, ...]]]) -> Callable[..., Outcome]:
        @wraps(rows)
        def check(*args: Any, **spoiled: Any) -> Outcome:
            *columns, names = map(list, zip(*rows(*args, **spoiled), strict=True))
            return sum_up(unit, *columns, names.__getitem__, **more)

        return check

    return decorate


def equality(
    unit: str, gap: npt.ArrayLike, where: Callable[[int], str], *, digits: int | None = None
) -> Outcome:
    """Sum up cases in which two computations of one number must agree, to so many digits.

    ``gap`` is a ``(cases,)`` array of differences, ``where`` names a case.
    """
    off = np.abs(np.asarray(gap, dtype=float)).ravel()
    if digits is not None:
        off = off.round(digits)

    def describe(k: int) -> str:
        return f"off by {off[k]:g} at {where(k)}" if off[k] else "equal in every case"

    return outcome(unit, off == 0, off, describe)


def chances(  # noqa: PLR0913
    unit: str,
    failures: npt.ArrayLike,
    trials: npt.ArrayLike,
    allowed: npt.ArrayLike,
    describe: Callable[[int], str],
    *,
    confidence: float = 0.99,
) -> Outcome:
    """Sum up settings of an experiment, each of which may fail with some probability at most.

    A setting bears the form out if its exact binomial upper limit (Clopper and Pearson) on the
    probability is at most ``allowed``, and refutes it if the lower limit exceeds it. In between it
    is undecided. The limits of all settings hold together with ``confidence``: each is taken at
    the level ``(1 - confidence) / settings`` (Bonferroni).
    """
    failed, tried, most = (np.atleast_1d(a) for a in np.broadcast_arrays(failures, trials, allowed))
    if not all(np.issubdtype(a.dtype, np.integer) for a in (failed, tried) if a.size):
        msg = f"failures and trials must be whole numbers, got {failed.dtype} and {tried.dtype}"
        raise ValueError(msg)
    if not ((failed >= 0) & (failed <= tried) & (tried > 0)).all():
        msg = "failures must be from 0 to trials, and trials above 0"
        raise ValueError(msg)
    level = (1 - confidence) / max(failed.size, 1)
    upper = np.where(failed < tried, beta.ppf(1 - level, failed + 1, tried - failed), 1.0)
    lower = np.where(failed > 0, beta.ppf(level, failed, tried - failed + 1), 0.0)

    def in_words(k: int) -> str:
        return (
            f"{failed[k]:,} of {tried[k]:,} fail, so a chance of {lower[k]:.3g} to {upper[k]:.3g}, "
            f"{most[k]:.3g} allowed, {describe(k)}"
        )

    found = outcome(unit, lower <= most, upper / np.maximum(most, 1e-300), in_words)
    return replace(
        found,
        undecided=int(np.count_nonzero((lower <= most) & (upper > most))),
        confidence=(
            f"all {failed.size} limits together with confidence {confidence:.0%} "
            f"(exact binomial, {1 - level:.3%} each)"
        ),
    )


every = partial(rowwise, outcome)
"""A check of rows (good, how near to refuting, where)."""
bounds = partial(rowwise, at_most)
"""A check of rows (left, right, where): ``left <= right`` in each."""
same = partial(rowwise, equality)
"""A check of rows (gap, where): none in any."""
