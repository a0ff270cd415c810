"""Count the lines of each part of the project: ``make size`` prints the table.

Lines of Python, JavaScript and CSS under version control. `MOST` holds two limits, for the whole
repository and for its tests: whoever makes these much smaller lowers them, and a feature worth
its lines raises them in its own commit. ``goal`` is what a part should come to.
"""

from __future__ import annotations

import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".py", ".js", ".css")
GENERATED = "dtviz/explorers/bundles/*"


MOST = {"all": 120_000, "tests": 58_400}
"""The most lines there may be of everything, and of what is in ``tests/``."""


class Part(NamedTuple):
    """A part of the project: the files whose paths match one of its patterns."""

    name: str
    patterns: tuple[str, ...]
    goal: int


PARTS = (
    Part("atlas", ("dtviz/atlas/*", "atlas/*"), 1_550),
    Part("explorers, Python", ("dtviz/explorers/*.py", "dtviz/*/explorer.py"), 3_200),
    Part("explorers, JavaScript", ("dtviz/*.js",), 13_000),
    Part("explorers, CSS", ("dtviz/*.css",), 1_700),
    Part("algorithms and pictures", ("dtviz/*",), 18_500),
    Part("claims", ("tests/claims/*",), 15_500),
    Part("the other tests", ("tests/*", "conftest.py"), 32_000),
    Part("PDF", ("tools/pdf.*",), 350),
    Part("the book's extensions and style", ("book/*",), 7_200),
    Part("homework", ("homework/*",), 7_200),
    Part("editions and deployment", ("editions/*", "deploy/*", "binder/*"), 100),
    Part("benchmarks and tools", ("benchmarks/*", "tools/*", "*.config.js"), 2_100),
)
"""A file is of the first part that it matches."""


def part_of(path: str) -> Part | None:
    """Return the part that has a file, by its path from the root; None if it is no code of ours."""
    if not path.endswith(SUFFIXES) or fnmatch(path, GENERATED):
        return None
    found = (part for part in PARTS if any(fnmatch(path, pattern) for pattern in part.patterns))
    return next(found, None)


def count_lines() -> dict[str, int]:
    """Count the lines of each part, by its name, those of ``all``, and those of the ``tests``."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
    lines = {part.name: 0 for part in PARTS}
    for path in listed.stdout.decode().splitlines():
        if (part := part_of(path)) and (ROOT / path).exists():
            lines[part.name] += len((ROOT / path).read_text("utf-8").splitlines())
    tests = lines["claims"] + lines["the other tests"]
    return lines | {"all": sum(lines.values()), "tests": tests}


def main() -> None:
    """Print the table."""
    lines = count_lines()
    print(f"{'part':<34}{'lines':>8}{'goal':>8}")
    for part in PARTS:
        print(f"{part.name:<34}{lines[part.name]:>8,}{part.goal:>8,}")
    for name, most in MOST.items():
        print(f"{name:<34}{lines[name]:>8,}{most:>8,} at most")


if __name__ == "__main__":
    main()
