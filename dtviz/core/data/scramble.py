"""Numbers that look random, the same in Python and in a page."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["scramble"]


def scramble(places: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """A number from 0 to 2^32 - 1 for each place of a sequence (Wellons' lowbias32)."""
    x = (places ^ (places >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    return x ^ (x >> np.uint32(16))
