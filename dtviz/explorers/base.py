"""What all explorers share: one front end for two hosts.

The front end is plain JavaScript, modules that import each other: the kit in ``static/`` (what
computes, draws, is worked with, and hosts it: a folder each), and in each chapter's folder
``kernel*.js``, which compute, and ``explorer.js`` with its pictures, which draw. ``make bundles``
has esbuild make one script of each explorer, in ``bundles/``. In Jupyter it is an ES module that
anywidget runs. The built book runs it as a classic script, because a browser refuses modules on a
page opened from disk; there ``host.js`` finds the explorers of the page and gives each a small
model.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import anywidget
import traitlets as t
from matplotlib.figure import Figure

from dtviz import plot
from dtviz.explorers.exports import Exports
from dtviz.explorers.front_end import BUNDLES, STATIC, style_sheet, widget_module
from dtviz.explorers.given import check_given, how_made, name_traits
from dtviz.explorers.traits import Items, Text, check_proposal, rule_of

__all__ = ["BUNDLES", "STATIC", "Explorer", "style_sheet", "widget_module"]


class Explorer(Exports, anywidget.AnyWidget):
    """A widget whose whole state is its synced traits; subclasses add traits, bounds and data.

    In Jupyter it is an ipywidget. Its ``text/html`` form, for the built book, holds the same state
    as JSON and a picture of it for readers without scripts.

    Attributes
    ----------
    views, controls : list of str or None
        What is shown, by name and in order: of the views and controls that a class offers in
        ``_views`` and ``_controls``. None, at the start, for the first screen of the book: one
        picture and one slider, and all others behind the button "More".

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.InfluenceExplorer(views=["tree"], controls=["epsilon"]).views
    ['tree']
    >>> dt.InfluenceExplorer(views=["trees"])
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: views must be None or different names among 'tree', 'beside', \
'error', 'score', got ['trees']
    """

    _css = style_sheet()
    _explorer = t.Unicode(help="the name under which the front end knows it").tag(sync=True)
    _paths = t.Dict(help="what the front end draws, by name of the function").tag(sync=True)
    _rules = t.Dict(help="what a link may set each trait to").tag(sync=True)
    _call = t.Dict(help="how Python makes this explorer").tag(sync=True)
    views = Items(Text(), default=None)
    controls = Items(Text(), default=None)
    _views: ClassVar[tuple[str, ...]] = ()
    """The names of its views; in the front end they are ``data-view`` of an element each."""
    _controls: ClassVar[tuple[str, ...]] = ()
    """The names of its controls, as ``data-control``."""
    _not_shared: ClassVar[frozenset[str]] = frozenset({"playing", "views", "controls"})
    """Traits that a link cannot set."""
    _named: ClassVar[tuple[str, ...]] = ()
    """The traits that its repr shows."""
    _shows: ClassVar[str] = ""
    """What it shows, if it takes no examples."""
    _opens = True
    """Whether its picture opens a page: then of a tree that has not grown it shows a grown one."""
    _argument: ClassVar[str] = ""
    """What gives it what it offers, if anything does."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        # The page makes a control of each trait with a label.
        labeled = [k for k, one in vars(cls).items() if "label" in getattr(one, "metadata", ())]
        cls._controls += tuple(name for name in labeled if name not in cls._controls)

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Keep what it is made with: a line of Python that makes it again repeats that."""
        check_given(cls, given)
        self: Self = super().__new__(cls, *given, **named)
        self._made_with = given, named
        return self

    def __init__(self, **traits: Any) -> None:
        if unknown := sorted(set(traits) - set(self.trait_names())):
            raise ValueError(name_traits(self, ", ".join(unknown)))
        traits.setdefault("_explorer", type(self).__name__.removesuffix("Explorer").lower())
        super().__init__(**traits)
        # In the order in which the class declares them.
        declared = [name for kind in reversed(type(self).__mro__) for name in vars(kind)]
        shared = {name for name in self._own_names() if name[0] != "_"} - self._not_shared
        self._rules = {name: rule_of(self, name) for name in declared if name in shared}
        self._call = how_made(self)
        self._whole = True

    @t.validate("views", "controls")
    def _check_shown(self, proposal: dict[str, Any]) -> Any:
        offered, names = getattr(self, f"_{proposal['trait'].name}"), proposal["value"]
        holds = names is None or (len({*names} & {*offered}) == len(names))
        rule = f"None or different names among {', '.join(map(repr, offered))}"
        return check_proposal(proposal, rule, holds=holds)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse what is no trait: a slip of the pen would set nothing, and say nothing."""
        if "_whole" in vars(self) and name[0] != "_":
            if stays := getattr(vars(self).get(name), "rule", ""):
                raise AttributeError(stays)
            if not hasattr(self, name):
                raise AttributeError(name_traits(self, name))
        super().__setattr__(name, value)

    def _state(self) -> dict[str, Any]:
        """Return the synced traits that a subclass adds to a plain widget, by name."""
        return {name: getattr(self, name) for name in self._own_names()}

    def _own_names(self) -> list[str]:
        plain = {*anywidget.AnyWidget.class_trait_names(), "_esm", "_css", "_anywidget_id"}
        return sorted(set(self.trait_names(sync=True)) - plain)

    def picture(self) -> Figure:
        """Draw the state with matplotlib, for readers without scripts."""
        with plot.style():
            figure = Figure(figsize=(10, 4), layout="constrained")
            self._draw(figure)
        return figure

    def _pictures(self, view: str) -> bool:
        """Whether the author chose a view; no picture holds all those of the first screen."""
        return view in (self.views or ())

    # Not abstract methods: the metaclass of widgets is not that of abstract classes.
    def _draw(self, figure: Figure) -> None:
        raise NotImplementedError

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = [
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value!r}"
            for name, value in self._summary().items()
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _summary(self) -> dict[str, Any]:
        """Return what its repr shows."""
        return {name: getattr(self, name) for name in self._named}
