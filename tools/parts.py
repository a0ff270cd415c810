"""Run the parts of the tests one after the other, and list in the end how long each took.

``make test`` calls it as ``python tools/parts.py MAKE TARGET ...``. It stops at the first part that
fails, unless make was asked to keep going; either way it fails if one did.

All parts share one strict build of the book (see ``support/site.py``).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import NamedTuple
from uuid import uuid4

RUN = uuid4().hex


class Part(NamedTuple):
    """A part that was run: seconds by the clock and of all processors, and whether it passed."""

    name: str
    clock: float
    work: float
    passed: bool


def run(make: str, name: str) -> Part:
    """Run one target of the Makefile."""
    clock, before = time.perf_counter(), os.times()
    command = [make, "--no-print-directory", name]
    done = subprocess.run(command, env=os.environ | {"DTVIZ_RUN": RUN}, check=False)
    after = os.times()
    work = after.children_user + after.children_system
    work -= before.children_user + before.children_system
    return Part(name, time.perf_counter() - clock, work, done.returncode == 0)


def clock_time(seconds: float) -> str:
    """Write seconds as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def table(parts: list[Part], left_out: list[str]) -> str:
    """List what was run, how long it took, and what became of it."""
    rows = [("part", "clock", "processors", "")]
    for part in parts:
        passed = "passed" if part.passed else "FAILED"
        rows.append((part.name, clock_time(part.clock), clock_time(part.work), passed))
    rows += [(name, "", "", "not run") for name in left_out]
    clock, work = (sum(getattr(part, what) for part in parts) for what in ("clock", "work"))
    all_passed = all(part.passed for part in parts) and not left_out
    rows += [("all", clock_time(clock), clock_time(work), "passed" if all_passed else "FAILED")]
    return "\n".join(f"{a:<20}{b:>7}{c:>12}  {d}".rstrip() for a, b, c, d in rows)


def main() -> None:
    """Run the targets named, and print the table."""
    make, *names = sys.argv[1:]
    # The first word of MAKEFLAGS holds the options of one letter, unless there are none.
    letters = os.environ.get("MAKEFLAGS", "").partition(" ")[0]
    keep_going = "k" in letters and not letters.startswith("-") and "=" not in letters
    parts: list[Part] = []
    for name in names:
        parts.append(run(make, name))
        if not parts[-1].passed and not keep_going:
            break
    print(table(parts, names[len(parts) :]), flush=True)
    sys.exit(not all(part.passed for part in parts))


if __name__ == "__main__":
    main()
