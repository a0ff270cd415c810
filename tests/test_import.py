"""What `import dtviz` brings in, and what it leaves until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dtviz as dt
from dtviz.chapters import CHAPTERS

HEAVY = ("matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "sklearn")


def test_import_loads_numpy_alone():
    code = f"import sys, dtviz; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    chapters = [getattr(dt, name) for name in (*CHAPTERS, "atlas")]
    for room in (dt, *chapters, dt.datasets, dt.functions, dt.measures, dt.plot):
        assert dir(room) == sorted(room.__all__)
        assert None not in [getattr(room, name) for name in room.__all__]
    assert len(dt.__all__) <= 40


def test_no_generic_word_stands_alone_at_the_top():
    assert not {"error", "find", "mean", "points", "uniform", "variance"} & set(dir(dt))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'grow_fast'"):
        _ = dt.grow_fast
