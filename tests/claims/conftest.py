"""A claim is tried by its test function; what it gives is compared with the record."""

from __future__ import annotations

from pathlib import Path

import pytest

from claims.kit import record
from claims.kit.trial import Trial, evaluate

HERE = Path(__file__).parent
SECONDS = 120
"""What has not ended by then is an error of the check."""


@pytest.fixture
def trial() -> Trial:
    """What a claim's test function takes; `pytest_pyfunc_call` hands it over."""
    return Trial()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the claims, and bound their time; to renew the record, nothing else need run."""
    if config.getoption("--renew-claims"):
        items[:] = [item for item in items if hasattr(getattr(item, "function", None), "claim")]
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.claims)
            item.add_marker(pytest.mark.timeout(SECONDS, method="signal"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Try a claim, keep its entry for the record, and fail where it has faults or differs."""
    if not hasattr(pyfuncitem.function, "claim"):
        return None
    entry = evaluate(pyfuncitem.function)
    pyfuncitem.user_properties.append(("claim", entry))
    wrong = list(entry["faults"])
    if not pyfuncitem.config.getoption("--renew-claims"):
        known = record.read().get(entry["id"])
        wrong += record.differences(entry, known) if known else ["is not in the record"]
    if wrong:
        pytest.fail(
            f"{entry['id']}: " + "\n".join(wrong) + "\n(`make claims` renews the record)",
            pytrace=False,
        )
    return True


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what the processes of a run found."""
    if report.when == "call":
        ENTRIES.extend(entry for name, entry in report.user_properties if name == "claim")


ENTRIES: list[dict[str, object]] = []


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Renew the record, where that was asked for."""
    if session.config.getoption("--renew-claims") and not hasattr(session.config, "workerinput"):
        whole = session.config.args == ["tests/claims"]
        record.write(ENTRIES, whole=whole)
