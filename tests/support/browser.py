"""A Chromium to test with: found on this machine, else installed, else a reason why not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# The first is Chromium without the windows that nobody would see: a page costs less by a third, a
# fresh profile by two thirds.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
PLAYWRIGHT_INSTALL = (sys.executable, "-m", "playwright", "install", "chromium")
ARGS = (
    "--no-sandbox",  # a container runs as root, where Chromium has no sandbox
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

WITHOUT = "DTVIZ_WITHOUT_ENGINES"
"""Set by `.ci/run` where apt could bring no other browsers: a test that needs these may skip."""


@dataclass(frozen=True)
class Chromium:
    """A browser to start (``path``), or the ``reason`` why there is none."""

    path: Path | None
    reason: str = ""


def required(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a missing browser is a failure: under ``CI=true`` and ``DTVIZ_REQUIRE_BROWSER=1``."""
    return (
        environ.get("CI", "").lower() == "true" or environ.get("DTVIZ_REQUIRE_BROWSER", "") == "1"
    )


def downloaded() -> Path | None:
    """Chromium as Playwright downloads it for the user, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def find() -> Path | None:
    """Return the first of: ``DTVIZ_BROWSER``, one on the path, a Mac application, Playwright's."""
    if named := os.environ.get("DTVIZ_BROWSER"):
        return Path(named)
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        found = next((path for path in MAC_APPS if Path(path).exists()), None)
    return Path(found) if found else downloaded()


def succeeds(command: Sequence[str]) -> bool:
    """Run ``command`` quietly for at most five minutes and say whether it returned 0."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def ensure() -> Chromium:
    """Find a browser, else install one: Playwright's download, then apt where we may use it."""
    if path := find():
        return Chromium(path)
    if succeeds(PLAYWRIGHT_INSTALL) and (path := find()):
        return Chromium(path)
    apt = "apt-get install -y chromium"
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if (
        is_root
        and shutil.which("apt-get")
        and succeeds(("apt-get", "update"))
        and succeeds(apt.split())
        and (path := find())
    ):
        return Chromium(path)
    by_hand = f"sudo {apt}" if shutil.which("apt-get") else ".venv/bin/playwright install chromium"
    return Chromium(
        None,
        "no Chromium or Chrome on this machine and none could be installed; "
        f"install one with `{by_hand}` (or name yours in DTVIZ_BROWSER)",
    )
