"""The explorer of chapter 4: what a split gains, and how costs grow a tree in the plane."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.core.cart.beta_costs import STOPS, BetaCost, cost_at
from dtviz.core.cart.criteria import COST_FUNCTIONS, Cost, Criterion
from dtviz.core.cart.growth import grow
from dtviz.core.cart.impurity_path import ImpurityPath
from dtviz.core.checks import as_repr
from dtviz.core.hints import did_you_mean
from dtviz.core.names import count_leaves, in_line
from dtviz.core.tree.tree import Tree
from dtviz.explorers.base import widget_module
from dtviz.explorers.beside import Beside, More
from dtviz.explorers.columns import with_labels
from dtviz.explorers.given import freeze_offer
from dtviz.explorers.own_splits import MAX_LEAVES, grow_on, own_tree, read_cuts
from dtviz.explorers.planes import (
    OWN,
    PLANES,
    Plane,
    Table,
    as_planes,
    categories_of,
    named_plane,
    own_plane,
    read_names,
    read_points,
)
from dtviz.explorers.traits import (
    OPEN_UNIT,
    POSITIONS,
    UNIT,
    Flag,
    Integer,
    Items,
    Number,
    Setting,
    Text,
    check_proposal,
    integers,
)
from dtviz.plot.canvas import text_options

__all__ = ["MAX_LEAVES", "VIEWS", "ImpurityExplorer", "plane_record"]

PICTURED = 8
"""Leaves of the picture of an explorer that shows one."""
VIEWS = ("chord", "plane")
SHARE_STEP = 0.01
"""Of the sliders of shares."""


@lru_cache(maxsize=128)
def _grow(plane: Plane, cost: Cost) -> ImpurityPath:
    X, y = plane.seen
    if not y.size:
        msg = "points must have one that is not held out for a tree to grow on, got none"
        raise ValueError(msg)
    return grow(X, y, cost, MAX_LEAVES, feature_names=plane.features)


REGRESSION = "squared"
"""The only cost, where labels are numbers."""


def plane_record(plane: Plane) -> dict[str, Any]:
    """Pack points, on which the front end grows the trees itself.

    For numbers there are ``values``, ascending, of which the labels are the places.
    """
    values, labels = (None, plane.y) if plane.classes else np.unique(plane.y, return_inverse=True)
    return {
        "features": list(plane.features),
        "classes": list(plane.classes),
        "labels": labels.tolist(),
        "points": plane.X.T.tolist(),
    } | ({} if values is None else {"values": values.tolist()})


class ImpurityExplorer(Beside):
    """Impurity at your fingertips: a split as a chord, and costs that cut up the plane.

    Parameters
    ----------
    X : (m, d) array, data frame or Dataset, d >= 2, optional
        Examples of your own, at most 1,500; the book's data sets if not given. Two columns are
        seen: the first two, or those of ``axes``; rows without a value in one of them are left out.
        Categories become codes, of two classes in the order of their share of the second one.
    y : (m,) array or str, optional
        Their labels, of two or three kinds, or the name of the column that holds them; those of a
        Dataset if not given. Numbers, where ``cost="squared"`` or they are not all whole: then the
        tree is a regression tree, and there is neither the chord nor a cost to choose.
    feature_names : sequence of d str, optional
        Names of the columns of X; those of the frame, else "x0", "x1", ..., if not given.
    class_names : sequence of str, optional
        Names of the kinds of labels in sorted order; the labels themselves if not given.
    **traits
        Start values of the traits below.

    Attributes
    ----------
    view : str
        "chord" for one split under the curve of a cost, "plane" for a tree on two features; at the
        start "chord", or "plane" with points of your own.
    cost_position : float
        Where on the line through the costs the cost G of a leaf is, in [0, 3]: 0 is the square
        root, 1 entropy, 2 Gini and 3 the error, and in between are the costs of
        `dtviz.impurity.cost_at`. With three classes the plane takes the nearest of the four.
    cost : str or BetaCost
        The same by name: "sqrt", "entropy", "gini" or "error" can be set, here and as an argument;
        between two of them it is a criterion. "squared" for numbers.
    p, r : float
        The shares of class 1 in the two children, in [0, 1].
    tau : float
        The weight of the child with share r, in (0, 1); the other has weight 1 - tau, and the
        parent has share ``q = (1 - tau) p + tau r``.
    data : str
        The name of the points in the plane, "breast cancer", "iris", "wine", "titanic", "corner",
        "xor", "diagonal", "rings", "tumor size", or "data" for your own; or "yours" for those of
        ``points``. On "tumor size" the first question moves with the cost.
        "titanic" has the 450 passengers on which the trees of the book grow. ``planes`` are those
        that can be chosen, by name.
    axes : list of str
        The names of the two columns seen, if X has more; the first two if empty.
    points : list of lists
        Points set by hand: rows ``[x, y, label]``, label 0, 1 or 2; ``[x, y, label, 1]`` for one
        that is held out, which the tree does not see.
    names : list of str
        What they are called: two coordinates, then the classes; numbered if empty.
    leaves : int
        The number of leaves of the tree, 1 to 32; a path that ends before is shown to its end.
    beside : str
        Another cost to compare with, or "nothing": where its tree of as many leaves has other
        labels, the plane is hatched.
    splits : list of lists, or None
        Splits of your own, with which the tree begins; greedy growth goes on from them. Rows
        ``[node, feature, threshold]``, at most 31. The root is node 0; split j, from 0 on, is of a
        leaf there is, and makes nodes 2j + 1 (at most the threshold) and 2j + 2; feature is 0 or 1.
        In the page they are dragged: a line of the plane, or a press in a box.
    playing : bool
        Whether the tree is growing leaf by leaf.

    Raises
    ------
    ValueError
        If the points are not as above, or there are none to grow a tree on.
    traitlets.TraitError
        If a trait is set outside its range.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.ImpurityExplorer(p=0.6, r=1.0, tau=0.5)
    >>> for explorer.cost in ("error", "gini", "entropy", "sqrt"):
    ...     print(f"{explorer.cost:8} {explorer.drop:.4f}")
    error    0.0000
    gini     0.0800
    entropy  0.1182
    sqrt     0.1551

    Points of your own, by hand or from a data frame, whose column "late" holds the labels:

    >>> points = [[1, 1, 0], [2, 1, 0], [1, 2, 1], [2, 3, 1, 1]]
    >>> print(dt.ImpurityExplorer(view="plane", data="yours", points=points).tree())
    x1 <= 1.5
    ├─ yes: 0
    └─ no: 1
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"km": [1, 5, 9, 7], "by": ["bus", "foot", "bus", "foot"]})
    >>> explorer = dt.ImpurityExplorer(frame.assign(late=["no", "no", "yes", "yes"]), "late")
    >>> print(explorer.tree(), explorer.data)
    km <= 6
    ├─ yes: no
    └─ no: yes data

    Numbers, and a regression tree:

    >>> print(dt.ImpurityExplorer(frame.assign(fare=[2, 2.5, 7, 7]), "fare", leaves=2).tree())
    km <= 6
    ├─ yes: 2.25
    └─ no: 7.0
    """

    _esm = widget_module("impurity")
    _views = ("chord", "plane", "tree", "curves")
    _controls = (
        "cost_position", "p", "r", "tau", "leaves", "view", "data", "points", "beside", "splits",
        "chord",
    )  # fmt: skip
    view = Text(VIEWS[0], choices=lambda self: self._for_classes(VIEWS, VIEWS[1]))
    view.tag(label="View")
    cost_position = Number(2.0, within=POSITIONS).tag(label="Cost, G", once={"cost": list(STOPS)})
    p = Number(0.6, within=UNIT).tag(label="First child, p", step=SHARE_STEP)
    r = Number(1.0, within=UNIT).tag(label="Second child, r", step=SHARE_STEP)
    tau = Number(0.5, within=OPEN_UNIT).tag(label="Weight of r, τ", step=SHARE_STEP)
    planes: dict[str, Plane | Table]
    data = Text(choices=lambda self: self._for_classes((*self.planes, OWN), "data"))
    axes = Items(Text()).tag(sync=False)
    points = Setting([], read=read_points, check="points")
    names = Setting([], read=read_names, check="names")
    leaves = Integer(4, within=integers(1, MAX_LEAVES))
    beside = Text(
        "nothing",
        choices=lambda self: self._for_classes(("nothing", *COST_FUNCTIONS), "nothing"),
    )
    splits = Setting(None, read=read_cuts, check="cuts")
    _pad = 24
    playing = Flag()
    _argument = "X"

    def __init__(
        self,
        X: Any = None,
        y: Any = None,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
        **traits: Any,
    ) -> None:
        is_own = X is not None or y is not None
        cost = traits.pop("cost", None)
        if cost is not None and "cost_position" in traits:
            msg = f"cost and cost_position say the same, so give one, got cost={as_repr(cost)}, too"
            raise t.TraitError(msg)
        if is_own:
            found = {"data": as_planes(X, y, feature_names, class_names, cost)}
        else:
            found = {name: named_plane(name) for name in PLANES}
        self.planes = freeze_offer(self, "planes", found)
        if cost is not None and (position := self._position_of(cost)) is not None:
            # Whoever repeats the call says it by the trait.
            traits["cost_position"] = self._made_with[1]["cost_position"] = position
        if is_own or {"plane", "tree", "curves"} & {*(traits.get("views") or ())}:
            traits.setdefault("view", "plane")  # the chord shows no points
        traits.setdefault("data", next(iter(self.planes)))
        super().__init__(**traits)
        self._pack()

    @property
    def _has_classes(self) -> bool:
        """Whether labels are classes, not numbers."""
        return bool(next(iter(self.planes.values())).classes)

    def _for_classes(self, choices: Iterable[str], other: str) -> tuple[str, ...]:
        """What there is to choose with classes for labels; with numbers, the other alone."""
        return tuple(choices) if self._has_classes else (other,)

    @t.observe("axes")
    def _pack(self, _: Any = None) -> None:
        self._paths = {name: plane_record(self._plane_of(name)) for name in self.planes}

    @property
    def cost(self) -> str | Criterion:
        """The cost in force, by its name, or between two of them a `BetaCost`."""
        if not self._has_classes:
            return REGRESSION
        position = self.cost_position
        if self.view == "plane" and len(self._plane().classes) > 2:
            position = math.floor(position + 0.5)
        found = cost_at(position)
        return found if isinstance(found, BetaCost) else found.name

    @cost.setter
    def cost(self, name: str) -> None:
        if (position := self._position_of(name)) is not None:
            self.cost_position = position

    def _position_of(self, name: object) -> float | None:
        """The position of a named cost; None where the labels are numbers and there is one cost."""
        known = [cost for cost in COST_FUNCTIONS if cost in STOPS]
        names = known if self._has_classes else [REGRESSION]
        if not isinstance(name, str) or name not in names:
            msg = f"cost must be one of {', '.join(names)}, got {as_repr(name)}"
            raise t.TraitError(msg + did_you_mean(name, names))
        return float(STOPS.index(name)) if self._has_classes else None

    @property
    def q(self) -> float:
        """The share of class 1 before the split of the chord."""
        q: float = (1 - self.tau) * self.p + self.tau * self.r
        return q

    @property
    def drop(self) -> float:
        """What the split of the chord gains: ``G(q) - (1 - tau) G(p) - tau G(r)``."""
        g = cost_at(self.cost_position).of_share
        # Concavity makes it at least 0.
        return max(0.0, float(g(self.q) - (1 - self.tau) * g(self.p) - self.tau * g(self.r)))

    def path(self) -> ImpurityPath:
        """The growth path in the plane, to ``MAX_LEAVES`` leaves; its labels number the classes.

        It is the greedy one, whatever ``splits`` say: those are where `tree` begins.
        """
        return _grow(self._plane(), self.cost)

    def _plane(self) -> Plane:
        """The points on display."""
        if self.data == OWN:
            return own_plane(self.points, self.names)
        return self._plane_of(self.data)

    def _plane_of(self, name: str) -> Plane:
        """The points of a name that is offered, of a table the columns seen."""
        offered = self.planes[name]
        return offered.plane(self.axes) if isinstance(offered, Table) else offered

    def tree(self) -> Tree:
        """The tree on display in the plane, with the reader's own labels."""
        return with_labels(self._tree(), self._plane().labels)

    def _tree(self) -> Tree:
        """The tree on display, whose labels number the classes."""
        path = self.path()
        if not self.splits:
            return path.tree(self._step(path) + 1)
        rows = grow_on(self._plane(), self.cost, self.splits, self.leaves)[: self.leaves - 1]
        return own_tree(self._plane(), rows).named(path.names)

    def _pictured_tree(self) -> Tree:
        path = self.path()
        is_start = self._opens and self.leaves == 1 and self.splits is None
        return path.tree(min(PICTURED, path.n_splits + 1)) if is_start else self._tree()

    def tree_beside(self) -> Tree | None:
        """Return the tree of the cost beside, of as many leaves at most; None if none is."""
        tree = super().tree_beside()
        return None if tree is None else with_labels(tree, self._plane().labels)

    def _make_beside(self) -> Tree:
        """Make it with labels that number the classes."""
        path = _grow(self._plane(), self.beside)
        return path.tree(self._step(path) + 1)

    def _pictured_beside(self) -> Tree | None:
        return super().tree_beside()

    def _step(self, path: ImpurityPath) -> int:
        """Return the number of splits on display."""
        return min(int(self.leaves) - 1, path.n_splits)

    def _draw(self, figure: Figure) -> None:
        """Draw the view on display."""
        if self.view == "chord":
            self._draw_chord(figure.subplots())
            return
        if self._plane().seen[1].size:
            super()._draw(figure)
        else:
            figure.subplots().set_axis_off()

    def _tree_title(self, tree: Tree) -> str:
        return f"{self.data}: {count_leaves(tree.n_leaves)}"

    def _more(self) -> More:
        return lambda ax: plot.tree(self._pictured_tree(), ax=ax, max_leaves=12), "the tree"

    def _draw_chord(self, ax: Any) -> None:
        cost = cost_at(self.cost_position)
        g = cost.of_share
        # Closer together at the ends, where the root is steep.
        grid = (1 - np.cos(np.linspace(0, np.pi, 401))) / 2
        ax.plot(grid, g(grid), color=plot.COLORS["cost"])
        ends = np.array([self.p, self.r])
        ax.plot(ends, g(ends), "o-", color=plot.COLORS["ink"], lw=1.2)
        before = float(g(self.q))
        ax.plot([self.q] * 2, [before - self.drop, before], color=plot.COLORS["score"], lw=4)
        for name, share in (("p", self.p), ("r", self.r)):
            # On the outer side of the curve, where nothing else is.
            side = "left" if share >= 0.5 else "right"
            ax.text(share, g(share) + 0.01, f"  {name} = {share:.2f}  ", ha=side)
        ax.set(xlabel="share of class 1", ylabel="impurity", title=cost.name)
        ax.set(xlim=(-0.16, 1.16), ylim=(-0.03, 0.55))

    def _draw_tree(self, ax: Any, tree: Tree) -> None:
        """Draw the regions of a tree, and the points."""
        plane = self._plane()
        if plane.classes:
            names = tuple(f"{k}: {name}" for k, name in enumerate(plane.classes))
            plot.regions(with_labels(tree, names), plane.X, np.array(names)[plane.y], ax=ax)
        else:
            plot.regions(tree, plane.X, plane.y, ax=ax)
        for i, (name, axis) in enumerate(zip(plane.features, (ax.xaxis, ax.yaxis), strict=True)):
            title, kinds = categories_of(name) or (name, ())
            axis.set_label_text(in_line(title), **text_options())
            if plane.logarithmic[i]:
                (ax.set_yscale if i else ax.set_xscale)("symlog", linthresh=1)
                (ax.set_ylim if i else ax.set_xlim)(-0.5)
            if kinds:
                axis.set_ticks(range(len(kinds)), [*map(in_line, kinds)], **text_options())

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        if self.view == "chord":
            cost = cost_at(self.cost_position)
            before = float(cost.of_share(self.q))
            return (
                f"A split of q = {self.q:.2f} into p = {self.p:.2f} and r = {self.r:.2f}, tau "
                f"{self.tau:.2f}, as a chord under the curve of {cost.name}: impurity "
                f"{before:.3f} to {before - self.drop:.3f}, drop {self.drop:.3f}."
            )
        plane = self._plane()
        if not plane.seen[1].size:
            return "The plane, without a point on which a tree could grow."
        beside = self._beside_text()
        if self.splits:
            made = min(len(self.splits), self.leaves - 1)
            return (
                f"The plane of {self.data} as cut by {made} of the reader's own splits and by "
                f"greedy growth into {count_leaves(self._tree().n_leaves)}{beside}."
            )
        path = self.path()
        step = self._pictured_tree().n_leaves - 1
        errors = f"impurity {path.costs[step]:.3f}, error {path.errors[step]:.3f}"
        if not plane.classes:
            errors = f"mean squared error {path.errors[step]:.4g}"
        return (
            f"The plane of {self.data} as the {path.cost_name} tree of {count_leaves(step + 1)} "
            f"cuts it up: {errors}{beside}."
            + (f" Rows without a value left out: {plane.left_out}." if plane.left_out else "")
        )

    @t.validate("axes")
    def _check_axes(self, proposal: dict[str, Any]) -> Any:
        tables = (plane for plane in self.planes.values() if isinstance(plane, Table))
        known = [name for table in tables for name in table.columns]
        axes = proposal["value"]
        rule = f"none or two of {', '.join(known)}" if known else "none, for there is no choice"
        holds = len(axes) in (0, 2) and len(set(axes)) == len(axes) and set(axes) <= set(known)
        return check_proposal(proposal, rule, holds=holds)

    def _summary(self) -> dict[str, Any]:
        shown = ("p", "r", "tau") if self.view == "chord" else ("data", "leaves")
        return {name: getattr(self, name) for name in ("view", "cost", *shown)}
