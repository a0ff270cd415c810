"""requirements.txt and constraints.txt pin what pyproject.toml asks for."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.site import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def unmet(wanted, text):
    """List the requirements that no pin satisfies."""
    pins = re.findall(r"(?m)^([\w.-]+)==(\S+)$", text)
    known = {canonicalize_name(name): version for name, version in pins}
    asked = [(one, known.get(canonicalize_name(one.name))) for one in map(Requirement, wanted)]
    return [one.name for one, pin in asked if not pin or pin not in one.specifier]


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_is_pinned(extra):
    files = ["requirements.txt"] if extra == "book" else ["requirements.txt", "constraints.txt"]
    pins = "\n".join((ROOT / name).read_text("utf-8") for name in files)
    assert unmet(PROJECT["dependencies"] + EXTRAS[extra], pins) == []


def test_a_pin_that_is_missing_or_too_old_is_found():
    assert unmet(["numpy>=2", "nbval", "PyYAML<7"], "numpy==1.9\npyyaml==6") == ["numpy", "nbval"]
