"""Buttons for repository, issues, Binder and Colab: ``repository_url`` brings them all.

The theme wants a setting for each button, and draws the mark of GitHub with a font that the book
does not ship. Without a repository there is no such button; those to download a page are always
there, beside one for the wheel of dtviz, which a notebook needs. (Jupyter Book's own key
``repository`` is lost where ``html_theme_options`` are set.)
"""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

BINDER = {"binderhub_url": "https://mybinder.org", "notebook_interface": "jupyterlab"}
COLAB = {"colab_url": "https://colab.research.google.com"}
ROOT = Path(__file__).resolve().parents[2]


def set_buttons(app: Sphinx, config: Config) -> None:
    """Set what the theme asks for, unless it is set by hand."""
    options = config.html_theme_options
    if address := options.get("repository_url"):
        options.setdefault("repository_branch", "main")
        options.setdefault("use_repository_button", True)
        options.setdefault("use_issues_button", "bitbucket" not in address)
        # Colab opens what is on GitHub only.
        options.setdefault("launch_buttons", BINDER | (COLAB if "github.com" in address else {}))


def add_wheel(app: Sphinx) -> None:
    """Put the wheel where pages can link to it."""
    if app.builder.format == "html":
        folder = Path(app.outdir, "_downloads")
        folder.mkdir(parents=True, exist_ok=True)
        # Where the package is not installed in place, the folder tools is not on the path.
        build_wheel = run_path(str(ROOT / "tools" / "wheel.py"))["build_wheel"]
        app.config.html_context["dtviz_wheel"] = build_wheel(folder).name


def link_wheel(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Offer the wheel beside the notebook of the page."""
    for group in context.get("header_buttons", []):
        if group.get("label") == "download-buttons":
            wheel = {
                "type": "link",
                "url": f"{context['pathto']('_downloads', 1)}/{context['dtviz_wheel']}",
                "text": "dtviz (.whl)",
                "icon": "fas fa-cube",
                "tooltip": "Download dtviz, which the notebook needs, into the same folder",
                "label": "download-wheel-button",
            }
            group["buttons"].insert(-1, wheel)


def use_own_icon(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Draw the repository with an icon that is shipped."""
    groups = context.get("header_buttons", [])
    for button in [*groups, *(each for group in groups for each in group.get("buttons", []))]:
        if str(button.get("icon")).startswith("fab "):
            button["icon"] = "fas fa-code-branch"


def setup(app: Sphinx) -> dict[str, bool]:
    """Set the options before the theme reads them, and the icons after it made the buttons."""
    app.connect("config-inited", set_buttons)
    app.connect("builder-inited", add_wheel)
    app.connect("html-page-context", link_wheel, priority=900)
    app.connect("html-page-context", use_own_icon, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
