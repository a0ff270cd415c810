"""The engines of browsers beside Chromium: what a smoke test asks of them.

Firefox by WebDriver BiDi, which it speaks itself; WebKit, the engine of iPads, by its WebDriver,
on a screen that nobody sees. A window can ``open`` an address, with all its scripts, and ``run`` an
asynchronous JavaScript function, to return its value.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import websocket

NEEDS = {"firefox": ("firefox-esr",), "webkit": ("WebKitWebDriver", "Xvfb")}
"""The programs that an engine takes: packages firefox-esr; webkit2gtk-driver and xvfb."""

WIDTH, HEIGHT = 1000, 1200


class Window(NamedTuple):
    """A window of a browser."""

    open: Callable[[str], object]
    run: Callable[[str], Any]


@contextmanager
def started(command: list[str], says: str = "", **options: Any) -> Iterator[str]:
    """Run a program while the context lasts; yield the part of what it says that fits a pattern."""
    with TemporaryDirectory() as folder, Path(folder, "log").open("w+") as log:
        program = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **options)
        try:
            patience = time.monotonic() + 120
            while not (found := re.search(says, Path(log.name).read_text("utf-8"))):
                assert time.monotonic() < patience, Path(log.name).read_text("utf-8")
                time.sleep(0.1)
            yield found[0]
        finally:
            program.terminate()
            program.wait(timeout=120)


@contextmanager
def firefox() -> Iterator[Window]:
    """Start Firefox without windows: JSON over a web socket."""
    options = ("--headless", "--no-remote", "--profile", ".", "--remote-debugging-port=0")
    with started(["firefox-esr", *options], r"ws://[\w.:]+") as address:
        line = websocket.create_connection(f"{address}/session", timeout=240, suppress_origin=True)

        def ask(method: str, **params: Any) -> Any:
            line.send(json.dumps({"id": 1, "method": method, "params": params}))
            while "id" not in (answer := json.loads(line.recv())):
                pass  # an event
            assert answer["type"] == "success", answer
            return answer["result"]

        def run(function: str) -> Any:
            text = f"({function})().then(JSON.stringify)"
            found = ask("script.evaluate", expression=text, awaitPromise=True, target=own)
            assert found["type"] == "success", found
            return json.loads(found["result"]["value"])

        ask("session.new", capabilities={})
        own = {"context": ask("browsingContext.getTree")["contexts"][0]["context"]}
        size = {"width": WIDTH, "height": HEIGHT}
        ask("browsingContext.setViewport", **own, viewport=size)
        go = {"method": "browsingContext.navigate", "wait": "complete", **own}
        yield Window(lambda url: ask(url=url, **go), run)
        line.close()


def wait_for(port: int) -> None:
    """Wait until a program answers there."""
    patience = time.monotonic() + 120
    while True:
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        assert time.monotonic() < patience, f"nobody answers at port {port}"
        time.sleep(0.1)


@contextmanager
def webkit() -> Iterator[Window]:
    """Start WebKit on a screen of its own: JSON over HTTP."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    session = f"http://127.0.0.1:{port}/session"

    def ask(path: str, body: object, method: str = "POST") -> Any:
        request = Request(session + path, json.dumps(body).encode(), method=method)  # noqa: S310
        with urlopen(request, timeout=240) as answer:  # noqa: S310
            return json.load(answer)["value"]

    def run(function: str) -> Any:
        done = "arguments[0], (error) => arguments[0](JSON.stringify(`${error}`))"
        text = f"({function})().then(JSON.stringify).then({done})"
        return json.loads(ask("/execute/async", {"script": text, "args": []}))

    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
    with started(screen, r"(?m)^\d+$") as number, TemporaryDirectory() as home:
        env = {"DISPLAY": f":{number}", "HOME": home, "PATH": "/usr/bin:/bin"}
        with started(["WebKitWebDriver", f"--port={port}"], env=env):
            wait_for(port)
            wanted = {"capabilities": {"alwaysMatch": {"timeouts": {"script": 180_000}}}}
            session += f"/{ask('', wanted)['sessionId']}"
            ask("/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})
            yield Window(lambda url: ask("/url", {"url": url}), run)
            ask("", None, "DELETE")
