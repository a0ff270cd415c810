"""Count the lines of each part of the project: ``make size`` prints the table.

Lines of Python, JavaScript and CSS under version control.
``most`` is a ratchet: no part may grow above it, and whoever makes a part smaller lowers it.
``goal`` is what the part should come to.
"""

from __future__ import annotations

import subprocess
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SUFFIXES = (".py", ".js", ".css")
GENERATED = "dtviz/explorers/bundles/*"


class Part(NamedTuple):
    """A part of the project: the files whose paths match one of its patterns."""

    name: str
    patterns: tuple[str, ...]
    most: int
    goal: int


PARTS = (
    Part("atlas", ("dtviz/atlas/*", "atlas/*"), 1_567, 1_500),
    Part("explorers, Python", ("dtviz/explorers/*.py", "dtviz/*/explorer.py"), 3_805, 2_800),
    Part("explorers, JavaScript", ("dtviz/*.js",), 13_282, 12_000),
    Part("explorers, CSS", ("dtviz/*.css",), 1_619, 1_500),
    Part("algorithms and pictures", ("dtviz/*",), 20_960, 16_000),
    Part("claims", ("tests/claims/*",), 18_181, 12_000),
    Part("the other tests", ("tests/*", "conftest.py"), 47_650, 34_000),
    Part("PDF", ("tools/pdf.*",), 352, 350),
    Part("the book's extensions and style", ("book/*",), 7_710, 7_000),
    Part("homework", ("homework/*",), 7_507, 6_500),
    Part("editions and deployment", ("editions/*", "deploy/*", "binder/*"), 0, 100),
    Part("benchmarks and tools", ("benchmarks/*", "tools/*", "*.config.js"), 2_766, 2_200),
)
"""A file is of the first part that it matches."""


def part_of(path: str) -> Part | None:
    """Return the part that has a file, by its path from the root; None if it is no code of ours."""
    if not path.endswith(SUFFIXES) or fnmatch(path, GENERATED):
        return None
    found = (part for part in PARTS if any(fnmatch(path, pattern) for pattern in part.patterns))
    return next(found, None)


def count_lines() -> dict[str, int]:
    """Count the lines of each part, by its name."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)  # noqa: S607
    lines = {part.name: 0 for part in PARTS}
    for path in listed.stdout.decode().splitlines():
        if (part := part_of(path)) and (ROOT / path).exists():
            lines[part.name] += len((ROOT / path).read_text("utf-8").splitlines())
    return lines


def main() -> None:
    """Print the table."""
    lines = count_lines()
    print(f"{'part':<34}{'lines':>8}{'most':>8}{'goal':>8}")
    for part in PARTS:
        print(f"{part.name:<34}{lines[part.name]:>8,}{part.most:>8,}{part.goal:>8,}")
    print(f"{'all':<34}{sum(lines.values()):>8,}")


if __name__ == "__main__":
    main()
