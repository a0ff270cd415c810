"""Pages as a reader's browser sees them: what they load, what they complain about."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


class Look(TypedDict, total=False):
    """How the reader's browser shows pages: what can change while it runs."""

    theme: Theme
    width: int
    height: int
    reduced_motion: bool


def show(page: Page, look: Look) -> None:
    """Show the page under other circumstances, without loading it again."""
    page.emulate_media(
        media="null", color_scheme=look.get("theme", "light"), reduced_motion=motion(look)
    )
    page.set_viewport_size(size(look))


# The theme looks which parts can be scrolled, for the keyboard, when a page is loaded and 300 ms
# after a change of size; on a busy machine it comes to it later.
REACHED = """
async () => {
  const left = () => [...document.querySelectorAll("pre")].some(
    (part) => part.tabIndex < 0 && part.scrollWidth > part.clientWidth);
  for (let wait = 0; wait < 100 && left(); wait += 1) {
    await new Promise((then) => setTimeout(then, 50));
  }
}
"""
SETTLED = """
async (width) => {
  while (innerWidth !== width) await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations()) animation.finish();
  // A window that is dragged tells its size many times; the last time comes when the columns stand.
  dispatchEvent(new Event("resize"));
  await new Promise((then) => setTimeout(then, 350));
}
"""


def change(page: Page, look: Look) -> None:
    """Show a page of the book under other circumstances, and wait until it follows."""
    show(page, look)
    page.wait_for_selector(f"html[data-theme={look.get('theme', 'light')}]")
    page.evaluate(SETTLED, size(look)["width"])
    wait_for_keys(page)


def wait_for_keys(page: Page) -> None:
    """Wait until what can be scrolled can be by the keyboard; where it never is, axe tells."""
    page.evaluate(REACHED)


@dataclass
class Visit:
    """One page in a fresh browser profile, with every request and complaint since it opened."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    waiting: set[Request] = field(default_factory=set)
    changed: float = 0.0
    """When the last request began or ended, in seconds of `time.monotonic`."""

    def asks(self, request: Request) -> None:
        """Record a request."""
        self.requests.append(request.url)
        self.waiting.add(request)
        self.changed = time.monotonic()

    def is_answered(self, request: Request) -> None:
        """Record the end of a request."""
        self.waiting.discard(request)
        self.changed = time.monotonic()

    def settle(self) -> None:
        """Wait until for half a second nothing was asked for and no answer was missing.

        Chromium without windows never tells Playwright of the same state, "networkidle", once a
        page has an explorer.
        """
        patience = time.monotonic() + 120
        self.page.wait_for_timeout(1)
        while self.waiting or time.monotonic() < self.changed + 0.5:
            assert time.monotonic() < patience, [request.url for request in self.waiting]
            self.page.wait_for_timeout(50)

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
    page.on("request", visit.asks)
    page.on("requestfinished", visit.is_answered)
    page.on("requestfailed", visit.is_answered)
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


class Profile(Look, total=False):
    """The reader's circumstances."""

    touch: bool
    javascript: bool


def size(look: Look) -> ViewportSize:
    return {"width": look.get("width", 1200), "height": look.get("height", 800)}


def motion(look: Look) -> Literal["reduce", "no-preference"]:
    return "reduce" if look.get("reduced_motion", False) else "no-preference"


@contextmanager
def reader(browser: Browser, profile: Profile) -> Iterator[BrowserContext]:
    """Lend a fresh browser profile: nothing stored, the given circumstances."""
    context = browser.new_context(
        viewport=size(profile),
        color_scheme=profile.get("theme", "light"),
        has_touch=profile.get("touch", False),
        reduced_motion=motion(profile),
        java_script_enabled=profile.get("javascript", True),
    )
    # A busy machine is slow, and no failure: half a minute is what Playwright would wait.
    context.set_default_timeout(120_000)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def opened(browser: Browser, url: str, profile: Profile) -> Iterator[Visit]:
    """Open the address in a fresh browser profile: the page is loaded."""
    with reader(browser, profile) as context:
        seen = listen(context.new_page())
        seen.page.goto(url, timeout=120_000)  # the whole book may be one page
        yield seen


class Tab:
    """One page for many tests, loaded again for each: a fifth of the work of a fresh profile.

    Fit for pages that store nothing but the theme they found, and for tests that leave no trace in
    the browser, as a clock of their own would.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.seen = listen(context.new_page())

    def load(self, url: str, **look: Unpack[Look]) -> Visit:
        """Load the address; the pointer is where it is in a new page."""
        page = self.seen.page
        page.goto("about:blank")
        page.mouse.up()
        page.mouse.move(0, 0)
        show(page, look)
        self.seen.requests.clear()
        self.seen.waiting.clear()
        self.seen.complaints.clear()
        page.goto(url)
        return self.seen


class Quiet(SimpleHTTPRequestHandler):
    """Serve files without a line of log for each, with ``headers`` and a page for what is not."""

    def __init__(self, *args: Any, headers_too: Mapping[str, str], **options: Any) -> None:
        self.headers_too = headers_too
        super().__init__(*args, **options)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the parent's name)
        """Say nothing."""

    def end_headers(self) -> None:
        """Add the headers to every answer."""
        for name, value in self.headers_too.items():
            self.send_header(name, value)
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the folder's own page where nothing is found, as servers of sites do."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serve(
    folder: Path, headers: Mapping[str, str] | None = None, kind: type[Quiet] = Quiet
) -> Iterator[str]:
    """Serve ``folder`` on a free local port while the context lasts; yields the address."""
    handler = functools.partial(kind, directory=str(folder), headers_too=headers or {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


AXE = """
async ({ within, only }) => {
  const memo = (own) => {
    const known = new WeakMap();
    const all = (part) => {
      if (!part) return "";
      if (!known.has(part)) known.set(part, own(part) + all(part.parentElement));
      return known.get(part);
    };
    return all;
  };
  const ground = memo((part) => {
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(part);
    const own = [backgroundColor, backgroundImage, opacity].join();
    return own === "rgba(0, 0, 0, 0),none,1" ? "" : own;
  });
  const kind = memo((part) => {
    const values = ["class", "style", "role", "tabindex"].map((name) => part.getAttribute(name));
    return `${part.localName} ${values.join()};`;
  });
  const writes = (part) =>
    part.matches("math") || [...part.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const seen = (part) => {
    const { width, height } = part.getBoundingClientRect();
    const shown = part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return shown && width > 1 && height > 1;
  };
  const looks = new Map();
  for (const part of document.body.querySelectorAll("*")) {
    delete part.dataset.look;
    if (!writes(part) || part.closest("svg, math *")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(part);
    const look = [color, fontSize, fontWeight, ground(part), seen(part)].join();
    if (looks.has(look)) looks.get(look).push(part);
    else looks.set(look, [part]);
  }
  const word = ":is(.highlight pre, .sig, code) span[class]:not([id], [style], [title], :has(*))";
  const own = "[style*=color], [role], [tabindex], [id], [href], [lang], [aria-label]";
  // A displayed formula can be scrolled, for the keyboard reaches its container: that stays.
  const plain = `math:not([display], :has(${own}))`;
  for (const parts of looks.values()) {
    const chosen = new Set([parts[0], parts[Math.floor(parts.length / 2)], parts.at(-1)]);
    const kept = new Set();
    for (const part of parts) {
      const spare = part.matches(`${word}, ${plain}`);
      if (chosen.has(part)) part.dataset.look = "";
      else if (spare && kept.has(kind(part))) part.replaceWith(part.textContent || "x");
      else if (spare) kept.add(kind(part));
    }
  }
  const judged = "[data-look], math[data-look] *, svg *, input, select, textarea, button";
  axe.configure({ rules: [{ id: "color-contrast", selector: judged }] });
  // What these find is never serious: a finding has the impact of its rule.
  const slight = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact));
  const rules = Object.fromEntries(slight.map((rule) => [rule.id, { enabled: false }]));
  const options = { rules, resultTypes: ["violations"], preload: { assets: ["media"] } };
  if (only) Object.assign(options, { runOnly: only, rules: {} });
  return await axe.run(within ?? document, options);
}
"""


BY_LOOK = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
"""The rules of axe-core whose findings depend on colors and on what there is room for."""


def axe_findings(
    page: Page, within: str | None = None, only: Sequence[str] | None = None
) -> list[str]:
    """Return axe-core's serious and critical findings, a line each, on the page or parts of it.

    All rules are asked, or those named by ``only``.

    Of the parts of a page that are drawn alike (color, size, weight, all that lies behind, shown
    or not), the contrast of the first, the middle and the last is judged, for it is the same; in a
    drawing, that of every word. Words of code and formulas that need not be looked at again are
    plain text from then on: a chapter has tens of thousands of their parts. One of each kind (its
    own and its ancestors' names, classes and styles) stays as it is, so that the page can be judged
    once more in another theme, where kinds may differ that are alike in this one. Style sheets are
    not fetched once more: only a rule that axe-core holds for an experiment asks.
    """
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    given = {"within": within, "only": only}
    result: dict[str, Any] = page.evaluate(AXE, given)
    return [
        f"{rule['impact']} {rule['id']}: {rule['help']}: {node['html'][:160]}"
        f" {' '.join(check['message'] for check in node['any'][:1])}"
        for rule in result["violations"]
        if rule["impact"] in {"serious", "critical"}
        for node in rule["nodes"]
    ]
