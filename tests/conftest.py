"""Fixtures of the tests that look at the built book: the site, a server for it, a browser."""

from __future__ import annotations

import gc
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

try:
    import hypothesis
except ModuleNotFoundError:
    # pytest would print this with fifty lines of its own.
    raise SystemExit(
        "The tests need more than the book does: make setup-test, or"
        " pip install -c constraints.txt -e '.[homework,test]' && npm ci"
    ) from None
import pytest
from _pytest.doctest import DoctestItem
from support import browser as chromium
from support import site as sites
from support import web

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from playwright.sync_api import Browser


CLAIMS = Path(__file__).parent / "claims"

# No tests and no examples: pytest would import them to look for the latter.
collect_ignore = ["wrong", "support"]

# Every run tries the same examples, and a busy machine is no failure.
hypothesis.settings.register_profile(
    "dtviz", derandomize=True, deadline=None, database=None, max_examples=60
)
hypothesis.settings.load_profile("dtviz")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer what `make claims` and `make states` ask for, before the folders are read."""
    parser.addoption("--renew-claims", action="store_true", help="write book/claims.json")
    parser.addoption("--renew-states", action="store_true", help="write tests/states")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Search for no garbage among what is collected, now or later: all of it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # A search costs more than it finds: tests make many small things, and few circles of them.
        gc.set_threshold(100_000)
        gc.enable()


def group(item: pytest.Item) -> str | None:  # noqa: PLR0911
    """Name what must be done by the process that does this test, if anything must."""
    if own := item.get_closest_marker("xdist_group"):
        return str(own.args[0])
    if CLAIMS in item.path.parents:
        # The claims of a chapter share their populations.
        return f"claims of {item.path.parent.name}"
    if item.get_closest_marker("pdf"):
        return "site"
    # What is opened once is looked at by all tests of it.
    for visit in {"on_disk", "served"} & set(getattr(item, "fixturenames", ())):
        call = getattr(item, "callspec", None)
        if call and visit in call.params:
            return f"{visit} {call.params[visit]}"
    if item.get_closest_marker("browser"):
        # A server that takes seconds to start is one for the file.
        served = {"jupyterlab", "formgrader"} & set(item.fixturenames)
        return f"{item.path.name}, served" if served else None
    if item.get_closest_marker("site"):
        # One process builds the book and reads it, while the others do something else.
        return "site"
    if item.get_closest_marker("homework"):
        return None
    # Few groups are handed out faster than many tests, and what one of its cases found is kept.
    return f"{item.path.stem}, {item.name.partition('[')[0]}"


def turn(item: pytest.Item) -> int:
    """Return a test's turn: the build of the book first, and last what waits for it."""
    site, browser = (item.get_closest_marker(need) is not None for need in ("site", "browser"))
    if item.get_closest_marker("pdf"):
        return 0
    return 3 if site and browser else 2 if browser else 0 if site else 1


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in a hook of its own
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it needs, so that the parts of `make test` can select by marker."""
    for item in items:
        if isinstance(item, DoctestItem) and item.dtest is not None:
            # An example must run as a reader copies it: with what it imports, and nothing else.
            item.dtest.globs.clear()
        for need in {"site", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(need)
        if item.get_closest_marker("browser") and os.environ.get("CI"):
            # One of 2,000 meets a machine that holds its breath; the summary names it.
            item.add_marker(pytest.mark.flaky(reruns=1, rerun_except="BuildError"))
        if name := group(item):
            item.add_marker(pytest.mark.xdist_group(name))
    items.sort(key=turn)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, object]:
    """Where a browser is required, a skipped browser test is a failed one."""
    report = yield
    strict = chromium.required() and chromium.WITHOUT not in str(report.longrepr)
    if report.skipped and item.get_closest_marker("browser") and strict:
        report.outcome = "failed"
        report.longrepr = f"skipped, but a browser is required here: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _shut_in(request: pytest.FixtureRequest) -> None:
    """Skip what starts the grader's sandbox where there is none, unless nothing may be skipped."""
    if request.node.get_closest_marker("homework"):
        from homework import sandbox

        try:
            sandbox.check()
        except sandbox.SandboxUnavailable as reason:
            if chromium.required():
                raise
            pytest.skip(str(reason))


@pytest.fixture(scope="session")
def site() -> Path:
    """Folder of the built book, built now with warnings as errors unless it is up to date."""
    return sites.build()


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """Address of a local server of the built book."""
    with web.serve(site) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for the whole run; skips with the reason where there is none."""
    found = chromium.ensure()
    if found.path is None:
        pytest.skip(found.reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=str(found.path), args=list(chromium.ARGS)
        )
        yield running
        running.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., web.Visit]]:
    """Open ``visit(url, theme="dark", width=360, touch=True, ...)`` in a fresh browser profile.

    The page is loaded; ``.page`` is Playwright's, ``.requests`` and
    ``.complaints`` list everything it asked for and every console error or warning.
    """
    with ExitStack() as visits:

        def open_page(url: str, **profile: Unpack[web.Profile]) -> web.Visit:
            return visits.enter_context(web.opened(browser, url, profile))

        yield open_page


@pytest.fixture(scope="session")
def shared_tab(browser: Browser) -> Iterator[web.Tab]:
    with web.reader(browser, {}) as context:
        yield web.Tab(context)


@pytest.fixture
def tab(shared_tab: web.Tab) -> Callable[..., web.Visit]:
    """Load ``tab(url, theme="dark", width=360, ...)`` in one page that all tests share.

    Cheaper than ``visit``, where nothing of what came before could matter: see ``web.Tab``.
    """
    return shared_tab.load
