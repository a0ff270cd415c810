"""The sample of golden values: functions with exact quantities under four distributions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from dtviz import BooleanFunction

SAMPLE: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "gold-sample.json").read_text(encoding="utf-8")
)


def biases(distribution: str, n: int) -> list[Fraction]:
    """The exact ``p`` of a distribution of the sample, by its name there."""
    shared = {"uniform": Fraction(1, 2), "p=1/4": Fraction(1, 4), "p=9/10": Fraction(9, 10)}
    if distribution == "mixed":
        return [Fraction(i + 1, n + 2) for i in range(n)]
    return [shared[distribution]] * n


def cases() -> list[tuple[str, str, BooleanFunction, dict[str, Any], dict[str, Any]]]:
    """Every (function name, distribution, f, entry of f, entry of f under the distribution)."""
    return [
        (name, distribution, BooleanFunction.from_int(entry["n"], int(entry["tt"])), entry, values)
        for name, entry in SAMPLE["functions"].items()
        for distribution, values in entry["dists"].items()
    ]
