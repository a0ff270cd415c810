"""Formulas that Python and the page must read alike: their values, and what is refused and why.

``formulas.json`` has for each text the values at the points in order, or by the rule that it breaks
the character where it does, counted from 0. The values were found without either parser.
"""

from __future__ import annotations

import json
from pathlib import Path

__all__ = ["REFUSALS", "VALUES"]

_FILE = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

VALUES: dict[str, str] = _FILE["values"]

REFUSALS: dict[str, tuple[str, int]] = {
    text: (rule, at) for rule, texts in _FILE["refusals"].items() for text, at in texts.items()
}
"""The rule that each text breaks, and where."""
