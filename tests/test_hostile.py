"""Sizes beyond all reason: a public function answers within seconds, or says what it keeps to."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.site import ROOT

SECONDS = 60
"""For any one call, on a busy machine; the slowest takes four on an idle one."""

# All ask for what one run of the sweep found.
pytestmark = pytest.mark.xdist_group("hostile")


@pytest.fixture(scope="module")
def ended() -> dict[str, tuple[str, float]]:
    """How each call ended, and its seconds."""
    command = [sys.executable, "-W", "error", "-m", "support.hostile"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT / "tests", timeout=500
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{lines[-1][0]} ended the process: {done.stderr[-500:]}"
    return {name: (how, float(seconds)) for name, how, seconds in lines}


@pytest.mark.slow
def test_each_call_answers_or_is_refused_in_a_sentence(ended: dict[str, tuple[str, float]]) -> None:
    assert len(ended) > 1_000
    raw = {
        name: how
        for name, (how, _) in ended.items()
        if how != "answer" and not (how.startswith("ValueError: ") and " must " in how)
    }
    assert raw == {}


@pytest.mark.slow
def test_no_call_takes_long(ended: dict[str, tuple[str, float]]) -> None:
    assert {name: seconds for name, (_, seconds) in ended.items() if seconds > SECONDS} == {}
