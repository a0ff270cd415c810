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

import ast
import html
import inspect
import io
import json
import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self
from urllib.parse import quote

import anywidget
import traitlets as t
from IPython.display import HTML
from matplotlib.figure import Figure

from dtviz.core.boolean import BooleanFunction
from dtviz.core.checks import as_repr
from dtviz.core.hints import did_you_mean
from dtviz.explorers.fixed import FixedList, Offered
from dtviz.explorers.front_end import (
    BUNDLES,
    STATIC,
    frame,
    is_unattended,
    page,
    style_sheet,
    widget_module,
    writable,
)
from dtviz.explorers.traits import Rule, accepted, rule_of
from dtviz.plot.canvas import without_glyph_warnings
from dtviz.plot.html import svg

__all__ = [
    "BUNDLES",
    "STATIC",
    "Explorer",
    "Offered",
    "named_functions",
    "style_sheet",
    "widget_module",
]

PNG_DPI = 80
"""An explorer's picture is then 800 pixels wide."""


def named_functions(
    argument: str,
    value: object,
    default: Callable[[], dict[str, BooleanFunction]],
    low: int,
    high: int,
) -> dict[str, BooleanFunction]:
    """Return the functions to choose from by name, or say in a ValueError what is wrong with them.

    ``argument`` is what the explorer calls them. The value is a BooleanFunction, which goes by the
    name ``"f"``, a text that `BooleanFunction.from_text` reads, which is its own name, a mapping to
    such, or None for the default. Each has ``low`` to ``high`` variables.
    """
    if value is None:
        return default()
    named = {"f": value} if isinstance(value, BooleanFunction) else value
    rule = f"{argument} must be a BooleanFunction or a mapping of names to BooleanFunctions"
    if isinstance(value, str):
        named = {value: value}
    if not isinstance(named, Mapping) or not named:
        msg = f"{rule}, at least one, got {as_repr(value)}"
        raise ValueError(msg)
    found = {}
    for name, given in named.items():
        f = _read_text(given, rule) if isinstance(given, str) else given
        if not isinstance(name, str) or not name or not isinstance(f, BooleanFunction):
            msg = f"{rule}, got {name!r}: {as_repr(f)}"
            raise ValueError(msg)
        if not low <= f.n <= high:
            limits = f"from {low} to {high}" if low else f"at most {high}"
            msg = f"{argument} must have {limits} variables, got n = {f.n} for {name!r}"
            raise ValueError(msg)
        found[name] = f
    return found


def _read_text(text: str, rule: str) -> BooleanFunction:
    try:
        return BooleanFunction.from_text(text)
    except ValueError as error:
        why = str(error).removeprefix("text ")
        raise ValueError(f"{rule}, or the text of a function, which {why}") from None


def _as_written(name: str, value: object) -> str:
    """Return a plain value as Python writes it, if that is short; else the name for it."""
    text = "" if callable(getattr(value, "__array__", None)) else repr(value)
    try:
        plain = len(text) < 120 and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return name
    return text if plain else name


def _cut(text: str, most: int = 160) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


@contextmanager
def _short_errors() -> Iterator[None]:
    """Cut what traitlets says of a value of another type: it repeats the value as a whole."""
    try:
        yield
    except t.TraitError as error:
        text = str(error)
        if text.startswith("The '") and len(text) > len(_cut(text)):
            raise t.TraitError(_cut(text)) from None
        raise


class Explorer(anywidget.AnyWidget):
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
    _views: ClassVar[tuple[str, ...]] = ()
    """The names of its views; in the front end they are ``data-view`` of an element each."""
    _controls: ClassVar[tuple[str, ...]] = ()
    """The names of its controls, as ``data-control``."""
    views = FixedList(t.Unicode(), None, allow_none=True, help="views shown").tag(sync=True)
    controls = FixedList(t.Unicode(), None, allow_none=True, help="controls shown").tag(sync=True)
    _not_shared: ClassVar[frozenset[str]] = frozenset({"playing"})
    """Traits that pass: a link and a line of Python leave them out."""
    _rules = t.Dict(help="what a link may set each trait to").tag(sync=True)
    _call = t.Dict(help="how Python makes this explorer").tag(sync=True)

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Keep what it is made with: a line of Python that makes it again repeats that."""
        self: Self = super().__new__(cls, *given, **named)
        self._made_with = given, named
        return self

    def __init__(self, **traits: Any) -> None:
        unknown = sorted(set(traits) - set(self.trait_names()))
        if unknown:
            raise ValueError(self._no_trait(", ".join(unknown)))
        with _short_errors():
            super().__init__(**traits)
        self._rules = self._shared_rules()
        self._call = self._how_made()
        self._whole = True

    @t.validate("views", "controls")
    def _check_shown(self, proposal: dict[str, Any]) -> Any:
        offered, names = getattr(self, f"_{proposal['trait'].name}"), proposal["value"]
        holds = names is None or (len({*names} & {*offered}) == len(names))
        rule = f"None or different names among {', '.join(map(repr, offered))}"
        return accepted(proposal, rule, holds=holds)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse what is no trait: a slip of the pen would set nothing, and say nothing."""
        if "_whole" in vars(self) and not name.startswith("_") and not hasattr(self, name):
            raise AttributeError(self._no_trait(name))
        with _short_errors():
            super().__setattr__(name, value)

    def _no_trait(self, name: str) -> str:
        own = ", ".join(trait for trait in self._own_names() if not trait.startswith("_"))
        hint = did_you_mean(name, own.split(", "))
        return f"{type(self).__name__} has the traits {own}; got {_cut(name)}{hint}"

    def _shared_rules(self) -> dict[str, Rule]:
        """Return what a link may set, by trait, in the order in which the class declares them."""
        declared = [name for kind in reversed(type(self).__mro__) for name in vars(kind)]
        public = {name for name in self._state() if not name.startswith("_")}
        public -= {*self._not_shared, "views", "controls"}
        return {name: rule_of(self, name) for name in declared if name in public}

    def _how_made(self) -> dict[str, Any]:
        """Return the call that makes this explorer, less its traits, and what these are without.

        Where objects were given (functions, a table), the name of the argument stands for each,
        and plain values for themselves. What a class sets by itself may depend on objects; then
        traits that were set beside them have no default here, and are always written out.
        """
        given, named = self._made_with
        own = {name: value for name, value in named.items() if name not in self._rules}
        bound = inspect.signature(type(self).__init__).bind_partial(self, *given, **own)
        objects, in_order = [], True
        for name, parameter in list(bound.signature.parameters.items())[1:]:
            value = bound.arguments.get(name)
            if value is None:
                in_order = False
            elif parameter.kind is not parameter.VAR_KEYWORD:
                text = _as_written(name, value)
                objects.append(text if in_order else f"{name}={text}")
        shown = [name for name in ("views", "controls") if getattr(self, name) is not None]
        objects += [f"{name}={getattr(self, name)!r}" for name in shown]
        defaults = {name: getattr(self, name) for name in self._rules if name not in named}
        if len(objects) == len(shown):
            for name in set(self._rules) & set(named):
                plain = self.traits()[name].default(self)
                choices = self._rules[name].get("choices", [plain])
                defaults[name] = plain if plain in (None, *choices) else choices[0]
        return {"name": f"dt.{type(self).__name__}", "objects": objects, "defaults": defaults}

    # Not abstract methods: the metaclass of widgets is not that of abstract classes.
    def picture(self) -> Figure:
        """Draw the state with matplotlib, for readers without scripts."""
        raise NotImplementedError

    def caption(self) -> str:
        """Return a sentence that says what the picture shows."""
        raise NotImplementedError

    def _state(self) -> dict[str, Any]:
        """Return the synced traits that a subclass adds to a plain widget."""
        return {name: getattr(self, name) for name in self._own_names()}

    def _own_names(self) -> list[str]:
        plain = {*anywidget.AnyWidget.class_trait_names(), "_esm", "_css", "_anywidget_id"}
        return sorted(set(self.trait_names(sync=True)) - plain)

    def to_html(self) -> str:
        """Return the explorer for a static page: its state as JSON, and its picture."""
        return self._mount(self._images()[0])

    def _mount(self, image: str) -> str:
        # "<" must not end the script element early.
        state = json.dumps(self._state(), separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="dtviz-explorer" data-explorer="{self._explorer}">'
            f'<script type="application/json" class="dtviz-data">{state}</script>'
            f"{image}</div>"
        )

    def _images(self) -> tuple[str, str]:
        """Return the picture as HTML, an SVG with its caption, and as base64 of a PNG."""
        figure, raster = self.picture(), io.BytesIO()
        image = (
            f'<img class="dtviz-picture" alt="{html.escape(self.caption())}" '
            f'src="data:image/svg+xml,{quote(svg(figure), safe="")}">'
        )
        with without_glyph_warnings():
            figure.savefig(raster, format="png", dpi=PNG_DPI)
        return image, b64encode(raster.getvalue()).decode()

    # --- where there is no kernel --------------------------------------------------------------

    def save_html(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Save the explorer as one file that works without Python: for slides, a blog, a course.

        It opens from disk and loads nothing. It holds the state of now, is light or dark as the
        reader's system is, and shows the picture where scripts do not run.

        Parameters
        ----------
        path : str or path
            The file to write, ``.html``, in a folder that exists; what it held is lost.
        title : str, optional
            The heading and the title of the page. Without one, the page has no heading.

        Raises
        ------
        ValueError
            If the path is not as above, or the title is no text.

        Examples
        --------
        >>> import dtviz as dt
        >>> dt.GrowingExplorer(gamma=0.1).save_html("growing.txt")
        Traceback (most recent call last):
            ...
        ValueError: path must name an .html file in a folder that exists, got 'growing.txt'
        """
        file = writable(path)
        if not isinstance(title, str):
            raise ValueError(f"title must be a text, got {as_repr(title)}")
        file.write_text(page(self.to_html(), title or self._title(), title), encoding="utf-8")

    def static(self) -> HTML:
        """Return the same page in a frame: an exported notebook that ends a cell with it is live.

        Returns
        -------
        IPython.display.HTML
            An ``iframe`` with the whole page, 130 to 250 kB. It holds the state of now, and does
            not follow Python.

        """
        # Who shows frames shows scripts, too: no picture.
        document = page(self._mount(""), self._title())
        return HTML(frame(document, self._title()))  # type: ignore[no-untyped-call]

    def _title(self) -> str:
        return f"{self._explorer.capitalize()} explorer"

    def open(self) -> None:
        """Send the state to the front end, unless there is none: then a notebook would store it."""
        if not is_unattended():
            super().open()

    @property
    def model_id(self) -> str:
        """The name of the model of the front end, to which a box or a link refers."""
        super().open()
        return str(super().model_id)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget, and the picture for whoever shows the notebook without a kernel.

        Where a program runs the cell, no widget: its HTML, which the book makes live.
        """
        about = {"image/png": {"alt": self.caption()}}
        image, raster = self._images()
        images = {"image/png": raster}
        if is_unattended():
            return {"text/plain": repr(self), "text/html": self._mount(image)} | images, about
        bundle = super()._repr_mimebundle_(**kwargs)
        return bundle and (bundle[0] | images, bundle[1] | about)
