"""requirements.txt and constraints.txt pin what pyproject.toml asks for."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def read_pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    pins = [line.split("==") for line in lines if not line.startswith(("#", "-c "))]
    return {canonicalize_name(package): version for package, version in pins}


def unmet(wanted: list[str], pins: dict[str, str]) -> list[str]:
    """List the requirements that no pin satisfies."""

    def is_met(one: Requirement) -> bool:
        name = canonicalize_name(one.name)
        return name in pins and one.specifier.contains(pins[name])

    return [text for text in wanted if not is_met(Requirement(text))]


def test_the_book_needs_the_first_file_alone() -> None:
    wanted = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["book"]
    assert unmet(wanted, read_pins("requirements.txt")) == []


@pytest.mark.parametrize("extra", PROJECT["optional-dependencies"])
def test_every_extra_is_pinned(extra: str) -> None:
    pins = read_pins("requirements.txt") | read_pins("constraints.txt")
    assert unmet(PROJECT["optional-dependencies"][extra], pins) == []


def test_a_pin_that_is_missing_or_too_old_is_found() -> None:
    pins = {"numpy": "1.9", "pyyaml": "6"}
    assert unmet(["numpy>=2", "nbval", "PyYAML<7"], pins) == ["numpy>=2", "nbval"]
