"""Values that Jupyter shows as a picture; the facade says who draws them.

Drawing stands on a higher floor than trees and paths, so they cannot ask for it: the facade hands
them the one who draws, and without it their text is shown.
"""

from __future__ import annotations

from collections.abc import Callable

_artists: list[Callable[[object], str | None]] = []


def draw_with(artist: Callable[[object], str | None]) -> None:
    """Have pictures drawn by a function that makes HTML of a tree or a path, None of others."""
    _artists[:] = [artist]


class Pictured:
    """Base of what Jupyter shows as a picture and a terminal as text."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return _artists[0](self) if _artists else None
