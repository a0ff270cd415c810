"""What the benchmarks share: a race of two calls, and the time that a call takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Call = Callable[[], Any]


class Race(NamedTuple):
    """One line of the table: two calls that compute the same, and the ratio asked for."""

    what: str
    ours: Call
    peer_name: str
    peer: Call
    target: float | None = None


def best(call: Call, rounds: int) -> float:
    """The least CPU time of so many calls, in seconds."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the line through the points, on log-log axes."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
