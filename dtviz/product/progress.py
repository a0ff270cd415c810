"""How far a long run has come: a record for whoever asks, and a bar for the terminal."""

from __future__ import annotations

import math
import sys
import time
from typing import NamedTuple, TextIO

from dtviz.core.checks import as_real

__all__ = ["Progress", "ProgressBar"]


class Progress(NamedTuple):
    """Where a run is: its tree, the error seen last, the error it stops at, the samples drawn.

    Errors are shares of the examples, in [0, 1/2]; ``first_error`` is that of the single leaf, nan
    before the first sample. ``finished`` is True in the last report of a run (claim PS-STOP).

    Examples
    --------
    >>> import dtviz as dt
    >>> seen = []
    >>> f = dt.functions.dictator(2, 1)
    >>> run = dt.product.build_top_down_sampled(f, None, 0.1, 0.1, rng=0, progress=seen.append)
    >>> print(seen[-1])
    2 leaves, error 0 (stops at 0.0833), 11,474 samples
    """

    leaves: int
    error: float
    first_error: float
    stop_at: float
    samples: int
    finished: bool

    def __str__(self) -> str:
        return (
            f"{self.leaves} leaves, error {self.error:.3g} (stops at {self.stop_at:.3g}), "
            f"{self.samples:,} samples"
        )


class ProgressBar:
    """Tells a run that takes long: one line, written over and over.

    The bar fills as the error seen falls from its first value to the one that stops the run.

    Parameters
    ----------
    after : float
        Seconds of silence before the first line; a short run leaves no trace.
    stream : text stream, optional
        Standard error if not given.

    Raises
    ------
    ValueError
        If ``after`` is not in [0, inf).

    Examples
    --------
    >>> import dtviz as dt
    >>> bar = dt.product.ProgressBar(after=60)
    >>> f = dt.functions.dictator(2, 1)
    >>> run = dt.product.build_top_down_sampled(f, None, 0.1, 0.1, rng=0, progress=bar)
    >>> run.n_leaves
    2
    """

    WIDTH = 24
    EVERY = 0.1

    def __init__(self, after: float = 2.0, stream: TextIO | None = None) -> None:
        self.stream = stream
        self._start = time.monotonic()
        self._next = self._start + as_real("after", after, "[0, inf)", lambda s: 0 <= s < math.inf)
        self._shown = False

    def __call__(self, progress: Progress) -> None:
        """Write the line anew, unless it is too early for it."""
        now = time.monotonic()
        if now < self._next and not (progress.finished and self._shown):
            return
        self._next, self._shown = now + self.EVERY, True
        way = max(progress.first_error - progress.stop_at, 1e-12)
        done = min(max((progress.first_error - progress.error) / way, 0.0), 1.0)
        bar = ("#" * round(self.WIDTH * done)).ljust(self.WIDTH, ".")
        stream = sys.stderr if self.stream is None else self.stream
        end = "\n" if progress.finished else ""
        stream.write(f"\r[{bar}] {progress}, {now - self._start:.0f} s   {end}")
        stream.flush()
