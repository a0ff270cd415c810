"""How each graded cell did: how hard it was, how it goes with the rest, and what failed."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from homework import feedback, marking
from homework.ledger import Line
from homework.table import GRADED, WAITING, Row

FEWEST = 10
"""So many must have a mark before a correlation is told: with fewer it says nothing."""

MESSAGES = 3
"""So many messages of a failed test are told."""

COLUMNS = (
    "assignment",
    "cell",
    "points",
    "took_part",
    "waiting",
    "mean_share",
    "all_points",
    "no_points",
    "correlation_with_rest",
    "messages",
)
"""Who waits for a person has not taken part: only ``waiting`` counts them."""

Item = tuple[str, str, float, int, int, float | None, int, int, float | None, str]


def items(rows: list[Row]) -> Iterator[Item]:
    """Yield what there is to say of each graded cell, in the order of `COLUMNS`.

    ``mean_share`` of the points, 0 to 1, is None if nobody took part. The correlation is that of
    this share with the share of all other points that have a mark, and None with fewer than
    `FEWEST` marks or if all have the same. ``messages`` are the commonest of a failed test, each
    after how often it came.
    """
    for assignment in {row.assignment.name: row.assignment for row in rows}.values():
        mine = [r for r in rows if r.assignment is assignment and r.status in (GRADED, WAITING)]
        lines = [row.entry.lines for row in mine if row.entry is not None]
        runs = [marking.cells(row.record) for row in mine if row.record is not None]
        for question in assignment.questions:
            for cell in question.graded:
                graded = [of for of in lines if cell in of and of[cell].largest > 0]
                said = Counter(feedback.failure(run[cell]) for run in runs if cell in run)
                del said[""]
                if graded:
                    yield _item(assignment.name, cell, graded, said)


def _item(name: str, cell: str, graded: list[dict[str, Line]], said: Counter[str]) -> Item:
    marks = [of for of in graded if not of[cell].waiting]
    shares = [of[cell].score / of[cell].largest for of in marks]
    return (
        name,
        cell,
        graded[0][cell].largest,
        len(marks),
        len(graded) - len(marks),
        statistics.fmean(shares) if shares else None,
        sum(share >= 1 for share in shares),
        sum(share <= 0 for share in shares),
        _correlation(shares, [_rest(cell, of) for of in marks]),
        " | ".join(f"{count} x {text}" for text, count in said.most_common(MESSAGES)),
    )


def _correlation(shares: list[float], rests: list[float | None]) -> float | None:
    pairs = [(share, rest) for share, rest in zip(shares, rests, strict=True) if rest is not None]
    if len(pairs) < FEWEST:
        return None
    try:
        return statistics.correlation(*zip(*pairs, strict=True))
    except statistics.StatisticsError:
        return None


def _rest(cell: str, lines: dict[str, Line]) -> float | None:
    """The share of the points of the other cells, without those that wait for a person."""
    others = [line for name, line in lines.items() if name != cell and not line.waiting]
    largest = sum(line.largest for line in others)
    return sum(line.score for line in others) / largest if largest else None


def told(found: list[Item]) -> Iterator[str]:
    """Yield lines to be read, a heading before each assignment."""
    for name, cells in groupby(found, key=lambda item: item[0]):
        yield f"{name:<24} points  marked  waiting   mean   all  none  with the rest"
        for _, cell, points, took_part, waiting, mean, full, none, rest, said in cells:
            share = "-" if mean is None else f"{mean:.0%}"
            with_rest = "-" if rest is None else f"{rest:.2f}"
            yield (
                f"  {cell:<22} {points:>6g}  {took_part:>6}  {waiting:>7}  {share:>5}  {full:>4}  "
                f"{none:>4}  {with_rest:>13}"
            )
            yield from (f"      {each}" for each in said.split(" | ") if each)
