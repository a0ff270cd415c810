"""A small picture of each chapter, computed from the explorer with which the chapter opens.

Each stands in the page as SVG of few bytes, 160 wide and 96 high. Its colours are classes, which
`front.css` paints for the light and for the dark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
import numpy.typing as npt
from dtviz_front_mark import short

import dtviz as dt
from dtviz.growing import BOUNDED
from dtviz.growing.explorer import GAMMAS

WIDE, HIGH = 160, 96
LEFT, RIGHT, TOP, FOOT = 8.0, 152.0, 10.0, 86.0

Floats = npt.NDArray[np.float64]
Picture = tuple[str, str]
"""What stands in an SVG of `WIDE` by `HIGH`, and a sentence that says what it shows."""


def scaled(values: npt.ArrayLike, low: float, high: float, to: tuple[float, float]) -> Floats:
    """Map the interval from low to high onto another."""
    share = (np.asarray(values, dtype=float) - low) / (high - low)
    return to[0] + share * (to[1] - to[0])


def line(x: Iterable[float], y: Iterable[float], kind: str) -> str:
    """A line through points."""
    steps = "L".join(f"{short(a)} {short(b)}" for a, b in zip(x, y, strict=True))
    return f'<path class="{kind}" d="M{steps}"/>'


def dots(x: Iterable[float], y: Iterable[float], kind: str) -> str:
    """Points, all in one path: each a stroke without length, round at its ends."""
    marks = "".join(f"M{short(a)} {short(b)}h0" for a, b in zip(x, y, strict=True))
    return f'<path class="dots {kind}" d="{marks}"/>' if marks else ""


def tree(shown: dt.Tree, kept: npt.NDArray[np.bool_] | None = None) -> tuple[str, Floats, Floats]:
    """The branches and leaves of a tree, and where its nodes stand; what is not kept is faint."""
    places = dt.plot.layout(shown)
    x = scaled(places.x, 0, max(places.width - 1, 1), (LEFT, RIGHT))
    y = scaled(-places.y, 0, max(places.height - 1, 1), (TOP, FOOT))
    kept = np.ones(shown.n_nodes, dtype=bool) if kept is None else kept
    branches = {True: "", False: ""}
    for node in np.flatnonzero(shown.variable >= 0):
        for child in (shown.low[node], shown.high[node]):
            ends = f"M{short(x[node])} {short(y[node])}L{short(x[child])} {short(y[child])}"
            branches[bool(kept[child])] += ends
    parts = [f'<path class="{"branch" if k else "gone"}" d="{d}"/>' for k, d in branches.items()]
    inner = (shown.variable >= 0) & kept
    if shown.value is not None:
        for label in (0, 1):
            here = (shown.variable < 0) & (shown.value == label)
            parts += [
                dots(x[here & kept], y[here & kept], f"label{label}"),
                dots(x[here & ~kept], y[here & ~kept], "lost"),
            ]
    return "".join(parts) + dots(x[inner], y[inner], "inner"), x, y


# --- a picture for each chapter ------------------------------------------------------------------


def influence() -> Picture:
    """The tree of the first function offered, at the error allowed."""
    explorer = dt.InfluenceExplorer({"tribes(3, 3)": dt.functions.tribes(3, 3)})
    shown = explorer.tree()
    said = f"A greedy tree of {shown.n_leaves} leaves for {explorer.function}."
    return tree(shown)[0], said


def rank() -> Picture:
    """The tree that FIND found, the rank of each node in it."""
    explorer = dt.RankExplorer()
    found = explorer.tree()
    if found is None:
        raise ValueError("the explorer of chapter 2 must open with a tree that FIND found")
    drawn, x, y = tree(found)
    numbers = "".join(
        f'<text x="{short(x[node])}" y="{short(y[node] + 3.4)}">{found.node_rank[node]}</text>'
        for node in np.flatnonzero(found.variable >= 0)
    )
    said = f"The tree that FIND found for {explorer.m} examples, each node with its rank."
    return f'<g class="ranked">{drawn}{numbers}</g>', said


def product() -> Picture:
    """The influences of all variables as the common bias moves, and the bias on display."""
    explorer = dt.ProductExplorer()
    f = explorer.chosen()
    biases = np.linspace(0.02, 0.98, 49)
    curves = np.array(
        [dt.measures.resample_influences(f, dt.ProductDistribution([p] * f.n)) for p in biases]
    )
    x = scaled(biases, 0, 1, (LEFT, RIGHT))
    top = float(curves.max())
    drawn = "".join(
        line(x, scaled(curve, 0, top, (FOOT, TOP)), "faint")
        for curve in np.unique(np.round(curves.T, 12), axis=0)
    )
    drawn += line(x, scaled(curves.max(axis=1), 0, top, (FOOT, TOP)), "score")
    at = float(scaled(explorer.bias, 0, 1, (LEFT, RIGHT)))
    said = f"Influences of {explorer.function} as all its bits are biased together."
    return drawn + line((at, at), (FOOT, TOP), "goal"), said


def impurity() -> Picture:
    """The split as a chord below the curve of a cost."""
    explorer = dt.ImpurityExplorer()
    g = dt.COST_FUNCTIONS[explorer.cost]
    shares = np.linspace(0, 1, 65)
    ends = np.array([explorer.p, explorer.r])

    def places(at: npt.ArrayLike, cost: npt.ArrayLike) -> tuple[Floats, Floats]:
        return scaled(at, 0, 1, (LEFT, RIGHT)), scaled(cost, 0, 0.5, (FOOT, TOP))

    before = float(g(explorer.q))
    drawn = line(*places(shares, g(shares)), "cost") + line(*places(ends, g(ends)), "ink")
    drawn += line(*places([explorer.q] * 2, [before - explorer.drop, before]), "drop")
    said = f"A split as a chord under the curve of {explorer.cost}: the gap is what it gains."
    return drawn + dots(*places(ends, g(ends)), "ink"), said


def growing() -> Picture:
    """How three costs drive the error down, against the logarithm of the splits."""
    explorer = dt.GrowingExplorer()
    record = explorer._growth  # noqa: SLF001 -- what its page draws
    curves = record["curves"][GAMMAS.index(explorer.gamma)]
    x = scaled(record["powers"], min(record["powers"]), max(record["powers"]), (LEFT, RIGHT))
    low = np.log10(min(curves[cost][-1] for cost in BOUNDED))

    def falling(name: str, kind: str) -> str:
        values = np.log10(curves[name])
        seen = values >= low
        return line(x[seen][::2], scaled(values[seen][::2], low, np.log10(0.5), (FOOT, TOP)), kind)

    drawn = "".join(falling(f"{cost}-bound", "faint") + falling(cost, "cost") for cost in BOUNDED)
    said = f"The cost falls as a tree grows on votes of edge {explorer.gamma:g}, by three measures."
    return drawn, said


def pruning() -> Picture:
    """The overgrown tree, and what the method on display leaves of it."""
    explorer = dt.PruningExplorer()
    found = explorer.pruning()
    given = found.counts.given
    drawn, x, y = tree(given, found.kept)
    ends = found.cut & found.kept & (given.variable >= 0)
    said = f"A tree of {given.n_leaves} leaves, cut back to {found.n_leaves} by {explorer.method}."
    return drawn + dots(x[ends], y[ends], "cut"), said


def practice() -> Picture:
    """Passengers of the Titanic by age and fare, and the boxes of the tree on display."""
    complete = dt.datasets.titanic(numeric=True)
    some = complete.split(450, 200, seed=0)[0]
    plane = np.column_stack([some.X[:, 2], np.log10(1 + some.X[:, 5])])
    names = ["age", "log of the fare"]
    explorer = dt.ImpurityExplorer(plane, some.y, names, complete.class_names, leaves=4)
    shown, (low, high) = explorer.tree(), (plane.min(axis=0), plane.max(axis=0))
    boxes = [(0, low, high)]
    drawn = ""
    for node, lower, upper in boxes:  # grows while it is read
        if (k := int(shown.variable[node])) >= 0:
            for child, end in ((shown.low[node], 1), (shown.high[node], 0)):
                part = [lower.copy(), upper.copy()]
                part[end][k] = shown.threshold[node]
                boxes.append((int(child), *part))
            continue
        (x0, x1) = scaled([lower[0], upper[0]], low[0], high[0], (4, WIDE - 4))
        (y1, y0) = scaled([lower[1], upper[1]], low[1], high[1], (HIGH - 4, 4))
        label = int(np.asarray(shown.value)[node])
        drawn += (
            f'<rect class="box{label}" x="{short(x0)}" y="{short(y0)}" '
            f'width="{short(x1 - x0)}" height="{short(y1 - y0)}"/>'
        )
    few = slice(None, None, 3)  # as many as can be told apart
    x = scaled(plane[few, 0], low[0], high[0], (4, WIDE - 4))
    y = scaled(plane[few, 1], low[1], high[1], (HIGH - 4, 4))
    for label in (0, 1):
        drawn += dots(x[some.y[few] == label], y[some.y[few] == label], f"point{label}")
    said = f"Passengers by age and fare, and the {shown.n_leaves} boxes of a tree."
    return drawn, said


def atlas() -> Picture:
    """All functions of three variables in the order of their codes, by the size of a best tree."""
    sizes = dt.optimal_all(3).n_leaves
    across = 20
    place = np.arange(sizes.size)
    x = scaled(place % across, 0, across - 1, (LEFT, RIGHT))
    y = scaled(place // across, 0, (sizes.size - 1) // across, (TOP, FOOT))
    drawn = "".join(
        dots(x[sizes == size], y[sizes == size], f"size{size}") for size in np.unique(sizes)
    )
    return drawn, "All 256 functions of three variables, deeper the larger their smallest tree."


CHAPTERS: dict[str, Callable[[], Picture]] = {
    "1-influence": influence,
    "2-rank": rank,
    "3-product": product,
    "4-impurity": impurity,
    "5-growing": growing,
    "6-pruning": pruning,
    "7-practice": practice,
}
PICTURES = {**CHAPTERS, "atlas": atlas}


@cache
def picture(folder: str) -> str:
    """Return the picture of a chapter, or the atlas, as SVG, by the name of its folder."""
    drawn, said = PICTURES[folder]()
    return (
        f'<svg class="dtviz-front-picture" viewBox="0 0 {WIDE} {HIGH}" role="img" '
        f'aria-label="{said}">{drawn}</svg>'
    )
