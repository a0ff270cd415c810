"""The chapters of the book, in order: each is a folder of this package.

A chapter's folder holds its algorithms, listed in its ``__init__.py``; ``literal.py``, the same as
its page states them; and ``explorer.py`` with ``kernel.js`` (what the page computes) and
``explorer.js`` (what it draws). To add a chapter is to add its folder and its name here; its claims
are tests, ``tests/claims/``.
"""

from __future__ import annotations

__all__ = ["CHAPTERS", "WITH_EXPLORERS"]

CHAPTERS = ("influence", "rank", "product", "impurity", "growing", "pruning")

WITH_EXPLORERS = (*CHAPTERS, "atlas")
"""The rooms whose JavaScript and style sheets the explorers are made of."""
