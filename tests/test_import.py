"""What `import dtviz` brings in, and what it leaves until it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dtviz as dt

HEAVY = ("matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "sklearn")


def test_import_loads_numpy_alone():
    code = f"import sys, dtviz; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in dt.__all__:
        assert getattr(dt, name) is not None
    assert set(dt.__all__) <= set(dir(dt))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'grow_fast'"):
        _ = dt.grow_fast
