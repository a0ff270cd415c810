"""Buttons for repository, issues, Binder and Colab: ``repository_url`` brings them all.

The theme wants a setting for each button, and draws the mark of GitHub with a font that the book
does not ship. Without a repository there is no such button; those to download a page are always
there. (Jupyter Book's own key ``repository`` is lost where ``html_theme_options`` are set.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

BINDER = {"binderhub_url": "https://mybinder.org", "notebook_interface": "jupyterlab"}
COLAB = {"colab_url": "https://colab.research.google.com"}


def set_buttons(app: Sphinx, config: Config) -> None:
    """Set what the theme asks for, unless it is set by hand."""
    options = config.html_theme_options
    if address := options.get("repository_url"):
        options.setdefault("repository_branch", "main")
        options.setdefault("use_repository_button", True)
        options.setdefault("use_issues_button", "bitbucket" not in address)
        # Colab opens what is on GitHub only.
        options.setdefault("launch_buttons", BINDER | (COLAB if "github.com" in address else {}))


def use_own_icon(app: Sphinx, page: str, _: str, context: dict[str, Any], *__: object) -> None:
    """Draw the repository with an icon that is shipped."""
    groups = context.get("header_buttons", [])
    for button in [*groups, *(each for group in groups for each in group.get("buttons", []))]:
        if str(button.get("icon")).startswith("fab "):
            button["icon"] = "fas fa-code-branch"


def setup(app: Sphinx) -> dict[str, bool]:
    """Set the options before the theme reads them, and the icons after it made the buttons."""
    app.connect("config-inited", set_buttons)
    app.connect("html-page-context", use_own_icon, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
