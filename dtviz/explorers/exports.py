"""An explorer where there is no kernel: its picture, a page of its own, an exported notebook."""

from __future__ import annotations

import html
import io
import json
import os
from base64 import b64encode
from typing import Any
from urllib.parse import quote

from IPython.display import HTML

from dtviz.core.checks import as_repr
from dtviz.explorers.front_end import frame, is_unattended, page, writable
from dtviz.plot.canvas import without_glyph_warnings
from dtviz.plot.html import svg

__all__ = ["Exports"]

WITHOUT = (
    "<noscript><p>This figure moves where scripts run; here is one state of it.</p></noscript>"
)
PNG_DPI = 80
"""An explorer's picture is then 800 pixels wide."""


class Exports:
    """What makes files and pages of an explorer: a base beside the widget."""

    _explorer: Any
    caption: Any
    picture: Any
    _state: Any

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
            f'src="data:image/svg+xml,{quote(svg(figure), safe="")}">{WITHOUT}'
        )
        with without_glyph_warnings():
            figure.savefig(raster, format="png", dpi=PNG_DPI)
        return image, b64encode(raster.getvalue()).decode()

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
            super().open()  # type: ignore[misc] # of the widget

    @property
    def model_id(self) -> str:
        """The name of the model of the front end, to which a box or a link refers."""
        super().open()  # type: ignore[misc]
        return str(super().model_id)  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the widget, and the picture for whoever shows the notebook without a kernel.

        Where a program runs the cell, no widget: its HTML, which the book makes live.
        """
        about = {"image/png": {"alt": self.caption()}}
        image, raster = self._images()
        images = {"image/png": raster}
        if is_unattended():
            return {"text/plain": repr(self), "text/html": self._mount(image)} | images, about
        bundle = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        return bundle and (bundle[0] | images, bundle[1] | about)
