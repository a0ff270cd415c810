"""Sizes beyond all reason: a public function answers within seconds, or says what it keeps to."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from support import hostile
from support.site import ROOT

import dtviz as dt
from dtviz import growing, influence, product, pruning, rank

SECONDS = 60
"""For any one call, on a busy machine; the slowest takes four on an idle one."""

# All ask for what one run of the sweep found.
pytestmark = pytest.mark.xdist_group("hostile")

NUMBERS = ("int", "float", "Number")


@pytest.fixture(scope="module")
def ended() -> dict[str, tuple[str, float]]:
    """How each call ended, and its seconds."""
    command = [sys.executable, "-W", "error", hostile.__file__]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=500
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


def test_every_function_that_takes_a_number_is_called() -> None:
    """By its signature; classes are called through what makes them."""
    called = {function for function, _ in hostile.SIZES.values()}
    sources = "\n".join(inspect.getsource(f) for f in called if f.__name__ == "<lambda>")
    left = set()
    for room in (dt, influence, rank, product, growing, pruning, dt.functions):
        for name in room.__all__:
            function = getattr(room, name)
            if not inspect.isfunction(function) or function in called:
                continue
            kinds = [str(one.annotation) for one in inspect.signature(function).parameters.values()]
            sized = any(kind.split(" |")[0] in NUMBERS for kind in kinds)
            if sized and f".{name}(" not in sources:
                left.add(f"{room.__name__}.{name}")
    assert left == set()
