"""Write requirements.txt and constraints.txt: the newest versions that pyproject.toml allows.

Run with ``make pins``, then ``make test`` before committing the result. All extras are resolved
together, so that the book, grading, the tests and the benchmarks agree on every version.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = """\
# {purpose}: the versions tested.
# Written by `make pins` from pyproject.toml; change that, not this.
"""


def resolve_pins(extras: str, constraints: set[str]) -> set[str]:
    """Return the versions that pip would install, within ``constraints``, into an empty folder."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(constraints))
        file.flush()
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        # The first two let pip install the package in place without a download.
        wanted = ["hatchling", "editables", f"{ROOT}[{extras}]"]
        done = subprocess.run(
            [*pip, "--report", "-", "--constraint", file.name, *wanted],
            check=True,
            stdout=subprocess.PIPE,
        )
    found = [package["metadata"] for package in json.loads(done.stdout)["install"]]
    return {f"{one['name']}=={one['version']}" for one in found if one["name"] != "dtviz-book"}


def write_pins(name: str, head: str, pins: set[str]) -> None:
    """Store the pins in ``name``, sorted."""
    body = "\n".join(sorted(pins, key=str.lower))
    (ROOT / name).write_text(f"{head}{body}\n", "utf-8")
    print(f"{name}: {len(pins)} pins")


def main() -> None:
    """Resolve every extra, and within these versions what the book needs."""
    pins = resolve_pins("book,homework,test,bench", set())
    book = resolve_pins("book", pins)
    write_pins("requirements.txt", HEADER.format(purpose="What the book needs"), book)
    head = HEADER.format(purpose="What the other extras need besides requirements.txt")
    write_pins("constraints.txt", f"{head}-c requirements.txt\n", pins - book)


if __name__ == "__main__":
    main()
