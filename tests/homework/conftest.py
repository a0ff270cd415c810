"""A course, a machine in the place of the sandbox, and nbgrader in less time."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft4Validator
from support.course import in_this_process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.grading import Course, Machine


@pytest.fixture
def course(tmp_path: Path) -> Course:
    from support.grading import Course

    return Course(tmp_path)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Answers run in this process."""
    from support.grading import Machine

    from homework import child_process, marking, sandbox

    machine = Machine()
    monkeypatch.setattr(marking, "run", machine.run)
    monkeypatch.setattr(sandbox, "check", lambda: None)
    monkeypatch.setattr(child_process, "call", in_this_process)
    return machine


@pytest.fixture(autouse=True)
def _our_own_tests_are_taken_to_be_right(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But in the tests of just that, and where a course is gone through as on the page."""
    from homework import rehearsal

    if not re.search("rehearsal|page", request.module.__name__):
        monkeypatch.setattr(rehearsal, "rehearse", lambda *_: [])


@pytest.fixture
def ran(machine: Machine) -> list[str]:
    """Answers run in this process; the list has the first answer of each submission that ran."""
    return machine.ran


@pytest.fixture(autouse=True)
def _nbgrader_takes_its_schema_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of itself it checks the schema, which never changes, again with every cell it reads."""
    monkeypatch.setattr(Draft4Validator, "check_schema", lambda *_, **__: None)


@cache
def _alembic_version() -> Any:
    from nbgrader.api import get_alembic_version

    return cache(get_alembic_version)


@pytest.fixture(autouse=True)
def _alembic_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """nbgrader starts a process to ask which version a new database has: seconds, each time."""
    monkeypatch.setattr("nbgrader.api.get_alembic_version", _alembic_version())


@pytest.fixture(autouse=True, scope="session")
def _gradebooks_wait_for_no_disc() -> Iterator[None]:
    """A gradebook of a test need not survive a loss of power."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def hasten(connection: Any, _: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")

    event.listen(Engine, "connect", hasten)
    yield
    event.remove(Engine, "connect", hasten)
