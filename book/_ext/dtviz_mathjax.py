"""Serve MathJax with the book: no page asks another host for it, and pages work from disk.

The files are those of the package sphinx-mathjax-offline. It ships every build of MathJax (24 MB);
a page needs one of them, its fonts, its extensions and the English speech rules for the blind.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NEEDED = (
    "tex-chtml.js",
    "output/chtml/fonts/woff-v2",
    "input/tex/extensions",
    "a11y",
    "sre/mathmaps/base.json",
    "sre/mathmaps/en.json",
    "sre/mathmaps/nemeth.json",
)


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    """Copy what is needed into the built site."""
    spec = find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise ExtensionError("the package sphinx-mathjax-offline is not installed: make setup")
    if error is not None or app.builder.format != "html":
        return
    source = Path(spec.origin).parent / "static" / "mathjax"
    target = Path(app.outdir) / "_static" / "mathjax"
    for name in NEEDED:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name, dirs_exist_ok=True)
        else:
            shutil.copy2(source / name, target / name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Copy at the end of a build."""
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
