"""Sizes beyond all reason: a public function answers within seconds, or says what it keeps to."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.site import ROOT

SECONDS = 60
"""For any one call, on a busy machine; the slowest takes four on an idle one."""


@pytest.mark.slow
def test_each_call_answers_or_is_refused_in_a_sentence() -> None:
    command = [sys.executable, "-W", "error", "-m", "support.hostile"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT / "tests", timeout=500
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"{lines[-1][0]} ended the process: {done.stderr[-500:]}"
    assert len(lines) > 1_000
    refusals = [f"{name}: {how}" for name, how, _ in lines if how != "answer"]
    assert [one for one in refusals if ": ValueError: " not in one or " must " not in one] == []
    assert [name for name, _, seconds in lines if float(seconds) > SECONDS] == []
