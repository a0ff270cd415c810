"""The three engines of browsers, with the little that a smoke test asks of each.

Chromium by Playwright, as everywhere else; Firefox by WebDriver BiDi, which it speaks itself;
WebKit, the engine of iPads, by its WebDriver under a screen that nobody sees. Each can ``open`` an
address, with all its scripts, and ``run`` an asynchronous JavaScript function, to return its value.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.request import Request, urlopen

import websocket

NEEDS = {"firefox": ("firefox-esr",), "webkit": ("WebKitWebDriver", "Xvfb")}
"""The programs that an engine takes: packages firefox-esr; webkit2gtk-driver and xvfb."""

WIDTH, HEIGHT = 1000, 1200


def missing(name: str) -> list[str]:
    """Return the programs that are not on this machine."""
    return [program for program in NEEDS[name] if shutil.which(program) is None]


@contextmanager
def started(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Run a program while the context lasts."""
    program = subprocess.Popen(command, text=True, **options)
    try:
        yield program
    finally:
        program.terminate()
        program.wait(timeout=30)


def wait_for_line(program: subprocess.Popen[str], pattern: str) -> str:
    """Return what a program says that fits a pattern; it goes on saying things to nobody."""
    said = []
    for line in cast("Any", program.stdout):
        if found := re.search(pattern, line):
            return found[1]
        said.append(line)
    raise RuntimeError("".join(said))


class Firefox:
    """Firefox, by WebDriver BiDi: JSON over a web socket."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(
            f"{address}/session", timeout=60, suppress_origin=True
        )
        self.last = 0
        self.ask("session.new", capabilities={})
        (window,) = self.ask("browsingContext.getTree")["contexts"]
        self.window = window["context"]
        viewport = {"width": WIDTH, "height": HEIGHT}
        self.ask("browsingContext.setViewport", context=self.window, viewport=viewport)

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command and return its result."""
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.last:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def run(self, function: str) -> Any:
        text = f"({function})().then(JSON.stringify)"
        target = {"context": self.window}
        found = self.ask("script.evaluate", expression=text, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])


class WebKit:
    """WebKit, by WebDriver: JSON over HTTP."""

    def __init__(self, address: str) -> None:
        self.session = f"{address}/session"
        wanted = {"capabilities": {"alwaysMatch": {"timeouts": {"script": 60_000}}}}
        self.session += f"/{self.ask('', wanted)['sessionId']}"
        self.ask("/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})

    def ask(self, path: str, body: object) -> Any:
        """Send a command and return its result."""
        given = json.dumps(body).encode()
        with urlopen(Request(self.session + path, given), timeout=120) as answer:  # noqa: S310
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self.ask("/url", {"url": url})

    def run(self, function: str) -> Any:
        done = "arguments[0], (error) => arguments[0](JSON.stringify(`${error}`))"
        text = f"({function})().then(JSON.stringify).then({done})"
        return json.loads(self.ask("/execute/async", {"script": text, "args": []}))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Start Firefox without windows, in a fresh profile."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with TemporaryDirectory() as profile:
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"]
        with started(["firefox-esr", *options], **pipes) as program:
            yield Firefox(wait_for_line(program, r"BiDi listening on (ws://\S+)"))


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Start WebKit on a screen of its own."""
    with ExitStack() as stack:
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        number = wait_for_line(stack.enter_context(started(screen, **pipes)), r"(\d+)")
        home = stack.enter_context(TemporaryDirectory())
        port = free_port()
        env = {"DISPLAY": f":{number}", "HOME": home, "PATH": "/usr/bin:/bin"}
        stack.enter_context(started(["WebKitWebDriver", f"--port={port}"], env=env))
        patience = time.monotonic() + 30
        while socket.socket().connect_ex(("127.0.0.1", port)):
            assert time.monotonic() < patience, "WebKitWebDriver does not answer"
            time.sleep(0.1)
        window = WebKit(f"http://127.0.0.1:{port}")
        yield window
        urlopen(Request(window.session, method="DELETE"), timeout=60).close()  # noqa: S310
