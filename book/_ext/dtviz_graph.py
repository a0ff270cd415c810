"""Draw boxes that rest on each other in rows, each below what it rests on. Numbers only.

Rows are filled by longest paths, at most so many boxes each. A line that passes a row has a lane
there. Barycenters order the rows, so that few lines cross, and straighten the lines.
"""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import NamedTuple

BOX = 132
LANE, GAP, ROW_GAP = 2, 8, 26
LETTERS = 17
"""Letters to a line of a box."""
OTHER = 18
"""The height of what hangs below a box."""

Edge = tuple[str, str]
Point = tuple[float, float]
Cell = str | tuple[str, str, int]
"""A box, or the lane of a line in a row."""


class Box(NamedTuple):
    """Where a box stands, how high it is without what hangs below it, and its title in lines."""

    x: float
    y: float
    width: int
    high: float
    lines: list[str]


class Drawing(NamedTuple):
    """Boxes by name, and the points of each line."""

    boxes: dict[str, Box]
    lines: dict[Edge, list[Point]]
    width: float
    height: float


def draw(
    words: dict[str, tuple[str, str]], others: dict[str, list[str]], edges: list[Edge], columns: int
) -> Drawing:
    """Place boxes, given their numbers and titles, what hangs below them, and what rests on what.

    A line that goes without saying, because a path of others leads the same way, is left out.
    """
    needs = {name: {a for a, b in edges if b == name} for name in words}
    lines = shortest(needs)
    rows = filled(needs, columns)
    cells = with_lanes(rows, lines)
    neighbors = neighboring(cells, lines, rows)
    order(cells, neighbors)
    x = straightened(cells, neighbors)
    wrapped = {name: textwrap.wrap(title, LETTERS) for name, (_, title) in words.items()}
    high = {name: 26.0 + 14 * len(wrapped[name]) for name in words}
    tops, y = [], 2.0
    for row in cells:
        tops.append(y)
        boxes = [name for name in row if isinstance(name, str)]
        y += max((high[name] + OTHER * len(others[name]) for name in boxes), default=0) + ROW_GAP
    bottoms = [*(top - ROW_GAP for top in tops[1:]), y - ROW_GAP]
    left = min(x[cell] - width(cell) / 2 for row in cells for cell in row) - 2
    placed = {
        name: Box(x[name] - BOX / 2 - left, tops[row], BOX, high[name], wrapped[name])
        for name, row in rows.items()
    }
    routed = {}
    for a, b in lines:
        start = placed[a].y + placed[a].high + OTHER * len(others[a])
        points = [(x[a] - left, start)]
        if start < bottoms[rows[a]]:
            points.append((x[a] - left, bottoms[rows[a]]))
        for k in range(rows[a] + 1, rows[b]):
            points += [(x[a, b, k] - left, end) for end in (tops[k], bottoms[k])]
        routed[a, b] = [*points, (x[b] - left, tops[rows[b]])]
    right = max(x[cell] + width(cell) / 2 for row in cells for cell in row)
    return Drawing(placed, routed, right - left + 2, y - ROW_GAP + 2)


def shortest(needs: dict[str, set[str]]) -> list[Edge]:
    """Return the pairs that no longer path connects."""
    below: dict[str, set[str]] = {}

    def all_below(name: str) -> set[str]:
        if name not in below:
            below[name] = needs[name].union(*(all_below(a) for a in needs[name]))
        return below[name]

    return [
        (a, b)
        for b, on in needs.items()
        for a in needs
        if a in on and not any(a in all_below(c) for c in on)
    ]


def filled(needs: dict[str, set[str]], columns: int) -> dict[str, int]:
    """Return the row of each box: below what it needs, those with the longest way to go first.

    What neither needs anything nor is needed comes last.
    """
    alone = [
        name for name in needs if not needs[name] and not any(name in on for on in needs.values())
    ]
    height: dict[str, int] = {}

    def way(name: str) -> int:
        if name not in height:
            height[name] = 1 + max((way(b) for b, on in needs.items() if name in on), default=0)
        return height[name]

    rows: dict[str, int] = {}
    left = [name for name in needs if name not in alone]
    row = 0
    while left:
        ready = [name for name in left if all(rows.get(a, row) < row for a in needs[name])]
        for name in sorted(ready, key=lambda name: -way(name))[:columns]:
            rows[name] = row
            left.remove(name)
        row += 1
    return rows | {name: row + k // columns for k, name in enumerate(alone)}


def with_lanes(rows: dict[str, int], lines: list[Edge]) -> list[list[Cell]]:
    """Return what stands in each row: boxes, and the lanes of lines that pass."""
    cells: list[list[Cell]] = [[] for _ in range(1 + max(rows.values(), default=-1))]
    for name, row in rows.items():
        cells[row].append(name)
    for a, b in lines:
        for row in range(rows[a] + 1, rows[b]):
            cells[row].append((a, b, row))
    return cells


def neighboring(
    cells: list[list[Cell]], lines: list[Edge], rows: dict[str, int]
) -> dict[Cell, tuple[list[Cell], list[Cell]]]:
    """Return what each cell is joined to in the row above and in the row below."""
    joined: dict[Cell, tuple[list[Cell], list[Cell]]] = {c: ([], []) for row in cells for c in row}
    for a, b in lines:
        chain: list[Cell] = [a, *((a, b, row) for row in range(rows[a] + 1, rows[b])), b]
        for upper, lower in pairwise(chain):
            joined[upper][1].append(lower)
            joined[lower][0].append(upper)
    return joined


def crossings(cells: list[list[Cell]], joined: dict[Cell, tuple[list[Cell], list[Cell]]]) -> int:
    """Count the pairs of lines that cross between two rows."""
    count = 0
    for row, below in pairwise(cells):
        at = {cell: k for k, cell in enumerate(below)}
        ends = [at[to] for cell in row for to in sorted(joined[cell][1], key=at.__getitem__)]
        count += sum(b < a for k, a in enumerate(ends) for b in ends[k + 1 :])
    return count


def order(cells: list[list[Cell]], joined: dict[Cell, tuple[list[Cell], list[Cell]]]) -> None:
    """Sort each row by the middle of its neighbors, down and up, and keep the best that is met."""
    best, least = [list(row) for row in cells], crossings(cells, joined)
    for turn in range(12):
        side = turn % 2
        steps = range(1, len(cells)) if side == 0 else range(len(cells) - 2, -1, -1)
        for k in steps:
            beside = cells[k - 1] if side == 0 else cells[k + 1]
            at = {cell: (place + 0.5) / len(beside) for place, cell in enumerate(beside)}
            here = {cell: (place + 0.5) / len(cells[k]) for place, cell in enumerate(cells[k])}
            wished = {
                cell: middle([at[to] for to in joined[cell][side]], here[cell]) for cell in cells[k]
            }
            cells[k].sort(key=wished.__getitem__)
        if (count := crossings(cells, joined)) < least:
            best, least = [list(row) for row in cells], count
    cells[:] = best


def middle(places: list[float], otherwise: float) -> float:
    """Return the mean of the places."""
    return sum(places) / len(places) if places else otherwise


def width(cell: Cell) -> float:
    """Return the room a cell takes across."""
    return BOX if isinstance(cell, str) else LANE


def straightened(
    cells: list[list[Cell]], joined: dict[Cell, tuple[list[Cell], list[Cell]]]
) -> dict[Cell, float]:
    """Return the center of each cell: near its neighbors, no two of a row too near."""
    x: dict[Cell, float] = {}
    widest = max((room(row) for row in cells), default=0.0)
    for row in cells:
        x |= apart(row, [0.0] * len(row), widest)
    for turn in range(16):
        for row in cells if turn % 2 == 0 else reversed(cells):
            wished = [
                middle([x[to] for side in joined[cell] for to in side], x[cell]) for cell in row
            ]
            x |= apart(row, wished, widest)
    return x


def room(row: list[Cell]) -> float:
    """Return the room a row takes across."""
    return sum(map(width, row)) + GAP * (len(row) - 1)


def apart(row: list[Cell], wished: list[float], widest: float) -> dict[Cell, float]:
    """Move the cells of a row as little as possible so that they keep their distances.

    With the distances taken off, positions must not fall: neighbors that would are pooled.
    """
    offsets, at = [], 0.0
    for cell in row:
        offsets.append(at + width(cell) / 2)
        at += width(cell) + GAP
    pools: list[list[float]] = []
    for wish, offset in zip(wished, offsets, strict=True):
        pools.append([wish - offset, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, size = pools.pop()
            before = pools[-1]
            before[0] = (before[0] * before[1] + mean * size) / (before[1] + size)
            before[1] += size
    starts = [mean for mean, size in pools for _ in range(int(size))]
    # The row stays within the room of the widest, which is centered at 0.
    least, most = -widest / 2, widest / 2 - room(row)
    return {
        cell: min(max(start, least), most) + offset
        for cell, start, offset in zip(row, starts, offsets, strict=True)
    }
