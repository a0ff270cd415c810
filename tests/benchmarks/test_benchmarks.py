"""The benchmarks start: each race and each measurement once, on the smallest inputs.

Peers have an environment of their own; a stand-in answers for boofun, and the others are missing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests" / "benchmarks" / "peers"
EVENTS = re.findall(
    r"^    Event\(\s*\"([^\"]+)\"", (ROOT / "benchmarks/events.py").read_text(), re.MULTILINE
)


def start(*command: str) -> str:
    """Run a benchmark as the Makefile does, and return what it printed."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "tests", PEERS)))
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
def test_every_race_and_every_measurement_runs() -> None:
    said = start("benchmarks/run.py", "--toy")
    for what in (
        "influences, uniform, n = 4",
        "greedy path to error 0, n = 4",
        "all three, n = 4",
        "greedy trees of all functions, n = 2",
        "greedy path to error 0, p = 0.3, n = 4",
        'FIND proves "none", n = 12',
        "fewest errors, depth 3, 40 passengers, not pystreed: ModuleNotFoundError",
        "every tree to purity, wine",
        "every tree to 32 leaves, 1e5 x 30 reals",
        "memory, 200 x 10 16 values",
        "every K_d, the whole call",
        "learner from samples, oracle, n = 2",
        "sub-samples remembered",
        "integers 0 .. 15",
        "bottom up, chains",
    ):
        assert what in said


def test_the_benchmark_of_grading_starts() -> None:
    assert "Grade a class, with feedback" in start("benchmarks/grading.py", "--help")


@pytest.mark.browser
@pytest.mark.thorough
def test_every_event_of_the_explorers_is_timed() -> None:
    """One that does nothing, for its control is gone, ends the measuring."""
    result = start("benchmarks/events.py", "--toy").splitlines()[-len(EVENTS) :]
    assert [line[:42].strip() for line in result] == EVENTS
