"""A picture of Matplotlib's in fewer bytes, to the eye the same.

It writes a millionth of a point, and a point of a line for each step of a grid, straight or not.
"""

from __future__ import annotations

import re
from math import hypot

__all__ = ["slim"]

DIGITS = 2
NEAR = 0.01
"""What nobody sees, in points."""

OUTLINE = re.compile(r'(?<= d=")[^"]+')
PLACE = re.compile(r'(?<= )(x|y)="(-?\d+\.\d{3,})"')
STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NOT_SEEN = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<\?xml.*?\?>|<!DOCTYPE.*?>", re.DOTALL)

Point = tuple[float, float]


def slim(svg: str) -> str:
    """Return the picture without what is not seen: far digits, points on the way, remarks."""
    svg = OUTLINE.sub(lambda found: _outline(found[0]), NOT_SEEN.sub("", svg))
    svg = PLACE.sub(lambda found: f'{found[1]}="{_short(float(found[2]))}"', svg)
    return re.sub(r">\s+<", "><", svg).strip() + "\n"


def _outline(text: str) -> str:
    """An outline of steps ``M x y``, ``L x y``, curves and ``z``, each with its letter."""
    steps: list[tuple[str, list[float]]] = []
    for letter, numbers in STEP.findall(text):
        at = [float(number) for number in numbers.split()]
        if letter == "L" and len(steps) > 1 and steps[-1][0] == "L" and _on_the_way(steps, at):
            steps.pop()
        steps.append((letter, at))
    return "".join(letter + " ".join(map(_short, at)) for letter, at in steps)


def _on_the_way(steps: list[tuple[str, list[float]]], end: list[float]) -> bool:
    """Whether the last point lies straight between the one before and the end."""
    (x0, y0), (x1, y1), (x2, y2) = steps[-2][1][-2:], steps[-1][1], end
    ahead = (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1) >= 0
    aside = abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0))
    return ahead and aside <= NEAR * hypot(x2 - x0, y2 - y0)


def _short(number: float) -> str:
    text = f"{number:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
