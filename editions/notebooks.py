"""The notebooks as they are opened elsewhere: with a first cell that installs what they need.

Colab opens a notebook of a repository on GitHub. Those of the book's sources rely on `make setup`;
so an edition holds copies whose first cell installs the package of that same edition. The site's
own branch of the repository, ``gh-pages``, is where Colab finds them (``deploy/pages.yml``).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from dtviz.core.checks import shown
from editions.facts import Edition

FOLDER = "notebooks"
BRANCH = "gh-pages"
GITHUB = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
NEEDS = "scikit-learn"
"""What the chapters import beside the package and what it brings."""


def slug(repository: str) -> str:
    """Return owner and name of a repository on GitHub.

    Raises
    ------
    ValueError
        If the address is none of GitHub, which is where Colab looks.

    """
    found = GITHUB.fullmatch(repository)
    if found is None:
        raise ValueError(
            "the address of the repository must be like https://github.com/OWNER/NAME, "
            f"got {shown(repository)}"
        )
    return f"{found[1]}/{found[2]}"


def wheel_name(edition: Edition) -> str:
    """Return the name of the file that holds the package of an edition."""
    return f"dtviz-{edition.version}-py3-none-any.whl"


def wheel_address(repository: str, edition: Edition) -> str:
    """Return where the package of an edition is downloaded from."""
    where = f"https://raw.githubusercontent.com/{slug(repository)}/{BRANCH}"
    return f"{where}/{edition.name}/{wheel_name(edition)}"


def installing(wheel: str) -> dict[str, Any]:
    """Return the cell that installs a wheel, where the package is not there already."""
    source = f"""\
# This copy of the page runs anywhere: the package is installed unless it is there already.
import importlib.util
import sys

if importlib.util.find_spec("dtviz") is None:
    %pip install --quiet "dtviz @ {wheel}" {NEEDS}
if "google.colab" in sys.modules:
    from google.colab import output

    output.enable_custom_widget_manager()"""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": "install",
        "metadata": {"tags": ["install"]},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def prepared(text: str, wheel: str) -> str:
    """Return a notebook with the cell that installs before its own."""
    notebook = json.loads(text)
    notebook["cells"].insert(0, installing(wheel))
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def write(site: Path, repository: str, edition: Edition) -> None:
    """Write the copies of all notebooks of the book into the edition."""
    wheel = wheel_address(repository, edition)
    sources = site / "_sources"
    for path in sorted(sources.rglob("*.ipynb")):
        target = site / FOLDER / path.relative_to(sources)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(prepared(path.read_text("utf-8"), wheel), "utf-8")
