"""The wheel of dtviz: in the students' zip, and beside the notebooks on the pages of the book."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build_wheel(folder: Path) -> Path:
    """Build into ``folder`` what `pip install .` installs, without a download, and return its path.

    Earlier wheels of dtviz are removed from there.

    Raises
    ------
    ValueError
        If it cannot be built; the message ends with what pip printed.
    """
    for old in folder.glob("dtviz_book-*.whl"):
        old.unlink()
    # What it is built with is among the book's requirements.
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    where = ("--disable-pip-version-check", "--wheel-dir", str(folder), str(ROOT))
    done = subprocess.run([*pip, *where], capture_output=True, text=True, check=False)
    for made in folder.glob("dtviz_book-*.whl"):
        return made
    raise ValueError(f"the wheel of dtviz cannot be built: {done.stderr.strip()[-500:]}")
