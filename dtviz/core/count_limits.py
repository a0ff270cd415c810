"""How large an exact count may get: it answers within seconds, or is refused with its limit."""

from __future__ import annotations

__all__ = ["MAX_BITS", "MAX_STEPS", "MAX_WORK", "check_count"]

MAX_STEPS = 10**6
"""The most sums of large integers that a count takes."""

MAX_BITS = 10**6
"""The most binary digits of a count."""

MAX_WORK = 10**10
"""The most of the product of both."""


def check_count(names: str, steps: float, bits: float) -> None:
    """Refuse a count of so many sums of integers of so many binary digits, if it takes minutes.

    Raises
    ------
    ValueError
        If it does; the message says that ``names`` must be smaller.
    """
    if steps > MAX_STEPS or bits > MAX_BITS or steps * bits > MAX_WORK:
        msg = (
            f"{names} must be smaller: about {_text(steps)} sums of integers of {_text(bits)} "
            f"binary digits, more than this function takes on (sums <= {MAX_STEPS:g}, "
            f"digits <= {MAX_BITS:g}, their product <= {MAX_WORK:g})"
        )
        raise ValueError(msg)


def _text(number: float) -> str:
    return f"{number:.2g}" if number < 1e300 else "more than 1e300"
