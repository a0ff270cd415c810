"""Run the parts of the tests one after the other, and tell in the end how long each took.

``make test`` calls it as ``python tools/parts.py MAKE TARGET ...``. It stops at the first part that
fails, unless make was asked to keep going; either way it fails if one did.

All parts share a folder of evidence, so that no claim is tried twice (see ``support/evidence.py``),
and one strict build of the book (see ``support/site.py``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[1]
RUN = uuid4().hex
SHARED = ROOT / "_build" / "tests"
KERNEL = """\
import sys
sys.path.append({tests!r})
c.IPKernelApp.log_level = "ERROR"
c.InteractiveShellApp.extensions = ["support.evidence"]
"""


class Part(NamedTuple):
    """A part that was run: seconds by the clock and of all processors, and whether it passed."""

    name: str
    clock: float
    work: float
    passed: bool


def share() -> tuple[Path, Path]:
    """Make anew what the parts share: the folder of evidence, and the settings of kernels."""
    shutil.rmtree(SHARED, ignore_errors=True)
    evidence, ipython = SHARED / "evidence", SHARED / "ipython"
    profile = ipython / "profile_default"
    for folder in (evidence, profile):
        folder.mkdir(parents=True)
    settings = KERNEL.format(tests=str(ROOT / "tests"))
    (profile / "ipython_kernel_config.py").write_text(settings, "utf-8")
    return evidence, ipython


def run(make: str, name: str, evidence: Path, ipython: Path) -> Part:
    """Run one target of the Makefile."""
    environment = os.environ | {"DTVIZ_EVIDENCE": str(evidence), "DTVIZ_RUN": RUN}
    clock, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [make, "--no-print-directory", name, f"IPYTHONDIR={ipython}"], env=environment, check=False
    )
    after = os.times()
    work = after.children_user + after.children_system
    work -= before.children_user + before.children_system
    return Part(name, time.perf_counter() - clock, work, done.returncode == 0)


def told(seconds: float) -> str:
    """Write seconds as minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def table(parts: list[Part], left_out: list[str]) -> str:
    """Tell what was run, how long it took, and what became of it."""
    rows = [("part", "clock", "processors", "")]
    rows += [
        (part.name, told(part.clock), told(part.work), "passed" if part.passed else "FAILED")
        for part in parts
    ]
    rows += [(name, "", "", "not run") for name in left_out]
    clock, work = (sum(getattr(part, what) for part in parts) for what in ("clock", "work"))
    all_passed = all(part.passed for part in parts) and not left_out
    rows += [("all", told(clock), told(work), "passed" if all_passed else "FAILED")]
    return "\n".join(f"{a:<20}{b:>7}{c:>12}  {d}".rstrip() for a, b, c, d in rows)


def main() -> None:
    """Run the targets named, and print the table."""
    make, *names = sys.argv[1:]
    # The first word of MAKEFLAGS holds the options of one letter, unless there are none.
    letters = os.environ.get("MAKEFLAGS", "").partition(" ")[0]
    keep_going = "k" in letters and not letters.startswith("-") and "=" not in letters
    evidence, ipython = share()
    parts: list[Part] = []
    for name in names:
        parts.append(run(make, name, evidence, ipython))
        if not parts[-1].passed and not keep_going:
            break
    print(table(parts, names[len(parts) :]), flush=True)
    sys.exit(not all(part.passed for part in parts))


if __name__ == "__main__":
    main()
