"""Pages as a reader's browser sees them: what they load, what they complain about."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


@dataclass
class Visit:
    """One page in a fresh browser profile, with every request and complaint since it opened."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def foreign(self, host: str = "") -> list[str]:
        """Return the requests that left the page's own ``host`` (none, for a page on disk)."""
        own = {"file", "data", "blob", "about"}
        return [
            url
            for url in self.requests
            if urlsplit(url).scheme not in own and (not host or urlsplit(url).netloc != host)
        ]


def listen(page: Page) -> Visit:
    """Record what ``page`` asks for and complains about from now on."""
    visit = Visit(page)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("pageerror", lambda error: visit.complaints.append(f"uncaught: {error}"))
    page.on(
        "requestfailed",
        lambda request: visit.complaints.append(f"failed: {request.url} ({request.failure})"),
    )
    page.on(
        "console",
        lambda message: (
            visit.complaints.append(f"{message.type}: {message.text}")
            if message.type in {"error", "warning"}
            else None
        ),
    )
    return visit


class Profile(TypedDict, total=False):
    """The reader's circumstances."""

    theme: Theme
    width: int
    height: int
    touch: bool
    reduced_motion: bool
    javascript: bool


@contextmanager
def opened(browser: Browser, url: str, profile: Profile) -> Iterator[Visit]:
    """Open the address in a fresh browser profile: nothing stored, the given circumstances.

    The page is loaded and its mathematics set.
    """
    context = browser.new_context(
        viewport={"width": profile.get("width", 1200), "height": profile.get("height", 800)},
        color_scheme=profile.get("theme", "light"),
        has_touch=profile.get("touch", False),
        reduced_motion="reduce" if profile.get("reduced_motion", False) else "no-preference",
        java_script_enabled=profile.get("javascript", True),
    )
    try:
        seen = listen(context.new_page())
        seen.page.goto(url)
        if profile.get("javascript", True):
            seen.page.evaluate("() => globalThis.MathJax?.startup?.promise")
        yield seen
    finally:
        context.close()


class Quiet(SimpleHTTPRequestHandler):
    """Serve files without a line of log for each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the parent's name)
        """Say nothing."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve ``folder`` on a free local port while the context lasts; yields the address."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def axe_findings(page: Page, within: str | None = None) -> list[str]:
    """Return axe-core's serious and critical findings, a line each, on the page or one part."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    result: dict[str, Any] = page.evaluate(
        "(within) => axe.run(within ?? document, {resultTypes: ['violations']})", within
    )
    return [
        f"{rule['impact']} {rule['id']}: {rule['help']}: {node['html'][:160]}"
        f" {' '.join(check['message'] for check in node['any'][:1])}"
        for rule in result["violations"]
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
