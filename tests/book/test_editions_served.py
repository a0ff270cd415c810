"""The site with its strict headers in a browser, from nginx where there is one; and from a zip."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

import pytest
from support import site as checks
from support import web

from editions import facts, policy
from editions.layout import Plan, lay_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from support.web import Visit

# All of them in the browser's turn: whoever drives one can grade no homework afterwards.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("editions")]

CONFIGURATION = checks.ROOT / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
# Below a new one, and whatever it is called next year.
OLD, NEW = "2001", "2999"


@pytest.fixture(scope="session")
def laid(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lay the book out twice: an old edition, of a few pages, and one of today."""
    output = tmp_path_factory.mktemp("site")
    few = tmp_path_factory.mktemp("old") / "html"
    shutil.copytree(site / "_static", few / "_static", ignore=shutil.ignore_patterns("previews"))
    for name in ("search", "book/glossary", "book/index"):
        (few / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(site / f"{name}.html", few / f"{name}.html")
    for book, name in ((few, OLD), (site, NEW)):
        edition = facts.edition()._replace(name=name)
        lay_out(Plan(book, output, edition, pictures=False), say=str)
    return output


@contextmanager
def nginx(site: Path, folder: Path) -> Iterator[str]:
    """Serve with the configuration of the container, as far as a machine without it can."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = CONFIGURATION.read_text("utf-8")
    for here, there in {
        # First, for the site may lie there.
        "/tmp/": f"{folder}/",  # noqa: S108  (the container's)
        "listen 8080;": f"listen 127.0.0.1:{port};",
        "/usr/share/nginx/html": str(site),
    }.items():
        assert here in text
        text = text.replace(here, there)
    own = folder / "nginx.conf"
    own.write_text(text, "utf-8")
    command = [str(NGINX), "-p", str(folder), "-c", str(own), "-e", str(folder / "log")]
    # Its workers must read folders that are this user's own.
    user = " user root;" if os.geteuid() == 0 else ""
    with subprocess.Popen([*command, "-g", f"daemon off;{user}"]) as running:
        try:
            for _ in range(100):
                with socket.socket() as caller:
                    if caller.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


@pytest.fixture(scope="session")
def served(laid: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if NGINX:
        with nginx(laid, tmp_path_factory.mktemp("nginx")) as url:
            yield url
    else:
        with web.serve(laid, policy.HEADERS) as url:
            yield url


def test_the_configuration_says_the_headers_of_the_policy() -> None:
    told = dict(re.findall(r'add_header (\S+) "(.*)" always;', CONFIGURATION.read_text("utf-8")))
    assert told == policy.HEADERS


def test_the_policy_names_no_other_host_and_allows_nothing_inline() -> None:
    told = policy.HEADERS["Content-Security-Policy"]
    assert "unsafe-inline" not in told
    assert not re.search(r"https?:|\*|\w\.\w", told)
    assert told.count("unsafe-eval") == 1


def test_no_page_has_anything_inline(laid: Path) -> None:
    pages = [path for path in (laid / NEW).rglob("*.html") if "_static" not in path.parts]
    assert len(pages) > 100
    found = [(path.name, policy.inline(path.read_text("utf-8"))) for path in pages]
    assert [(name, left[:2]) for name, left in found if left] == []


def test_no_page_tells_of_this_machine(laid: Path) -> None:
    texts = (path for path in (laid / NEW).rglob("*") if path.suffix in {".html", ".js", ".json"})
    own = str(checks.ROOT)
    assert [path.name for path in texts if own in path.read_text("utf-8")] == []


@pytest.mark.skipif(not NGINX, reason="no nginx on this machine: sudo apt-get install nginx-light")
class TestNginx:
    @staticmethod
    def ask(url: str) -> dict[str, str]:
        with urlopen(Request(url, headers={"Accept-Encoding": "gzip"})) as answer:  # noqa: S310
            return {name.lower(): value for name, value in answer.headers.items()}

    def test_pages_are_compressed_guarded_and_looked_up_again(self, served: str) -> None:
        told = self.ask(f"{served}/{NEW}/book/index.html")
        assert {name: told[name.lower()] for name in policy.HEADERS} == policy.HEADERS
        assert told["content-encoding"] == "gzip"
        assert told["cache-control"] == "public, max-age=300"
        assert told["content-type"] == "text/html; charset=utf-8"
        assert "nginx/" not in told["server"]

    def test_what_is_named_by_its_content_is_kept(self, served: str, laid: Path) -> None:
        inline = next((laid / NEW / policy.FOLDER).glob("*.js")).name
        for path in ("_static/search.js?v=0123abcd", f"{policy.FOLDER}/{inline}"):
            told = self.ask(f"{served}/{NEW}/{path}")
            assert told["cache-control"].endswith("immutable"), path
        assert self.ask(f"{served}/versions.js")["cache-control"] == "no-cache"


@pytest.mark.browser
class TestBrowser:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            "latest/book/index.html",
            f"{NEW}/book/1-influence/2-cost.html",
            f"{NEW}/book/claims.html",
            f"{NEW}/book/homework/1-influence.html",
            f"{NEW}/book/reference/core.html",
            f"{NEW}/book/1-influence.html#blt-alg",
        ],
    )
    def test_each_kind_of_page_keeps_the_policy(
        self, served: str, tab: Callable[..., Visit], path: str
    ) -> None:
        seen = tab(f"{served}/{path}")
        seen.settle()
        assert seen.complaints == []
        assert seen.foreign(served.removeprefix("http://")) == []
        assert seen.page.locator("article h1").first.is_visible()

    def test_an_explorer_moves(self, served: str, tab: Callable[..., Visit]) -> None:
        seen = tab(f"{served}/{NEW}/book/1-influence/index.html")
        status = seen.page.locator(".dtviz-status").first
        before = status.inner_text()
        seen.page.locator(".dtviz-explorer input[type=range]").first.press("ArrowRight")
        seen.page.wait_for_function(
            "(before) => document.querySelector('.dtviz-status').innerText !== before", arg=before
        )
        seen.page.locator(".dtviz-share-row button", has_text="PNG").first.click()
        seen.settle()
        assert seen.complaints == []

    def test_python_runs_in_the_page(self, served: str, tab: Callable[..., Visit]) -> None:
        seen = tab(f"{served}/{NEW}/book/2-rank/1-rank.html")
        box = seen.page.locator(".dtviz-run").first
        box.locator("button").first.click()
        box.locator("button", has_text=re.compile("^Run")).first.click()
        seen.page.wait_for_function(
            "() => { const part = document.querySelector('.dtviz-run');"
            " return !part.hasAttribute('data-busy')"
            " && part.querySelector('.dtviz-run-status')?.textContent }"
        )
        printed = box.locator(".dtviz-run-out").first.inner_text()
        told = box.locator("xpath=..").locator("pre").nth(1)
        assert printed.strip() == (told.text_content() or "").strip() != ""
        assert seen.complaints == []

    def test_search_finds(self, served: str, tab: Callable[..., Visit]) -> None:
        seen = tab(f"{served}/{NEW}/search.html?q=influence")
        seen.page.wait_for_selector(".dtviz-hit")
        assert seen.complaints == []

    @pytest.mark.parametrize("path", ["influnce", f"{NEW}/book/nowhere/else/greedy-tree.html"])
    def test_a_missing_address_is_searched_for(
        self, served: str, tab: Callable[..., Visit], path: str
    ) -> None:
        seen = tab(f"{served}/{path}")
        hit = seen.page.wait_for_selector(".dtviz-hit")
        assert seen.page.locator("h1").inner_text() == "There is no such page"
        # The browser tells that the page itself was not found.
        assert [line for line in seen.complaints if "404" not in line] == []
        hit.click()
        seen.page.wait_for_url("**/latest/book/**")

    def test_an_old_edition_leads_to_the_newer(
        self, served: str, tab: Callable[..., Visit]
    ) -> None:
        seen = tab(f"{served}/{OLD}/book/glossary.html")
        banner = seen.page.locator(".dtviz-old-edition")
        assert f"the edition of {OLD}" in banner.inner_text()
        seen.page.locator(".dtviz-editions button").click()
        entries = seen.page.locator(".dtviz-editions .dropdown-menu a")
        assert [text.split(" (")[0] for text in entries.all_inner_texts()] == [
            f"Edition {NEW}, the latest",
            f"Edition {OLD}",
            f"Take edition {OLD} with you",
        ]
        banner.locator("a").click()
        seen.page.wait_for_url(f"**/{NEW}/book/glossary.html")
        assert not seen.page.locator(".dtviz-old-edition").count()

    def test_the_zip_opens_from_disk(
        self, laid: Path, tmp_path: Path, tab: Callable[..., Visit]
    ) -> None:
        folder = tmp_path / "Bücher für mich"
        with zipfile.ZipFile(laid / f"dtviz-{NEW}.zip") as packed:
            packed.extractall(folder)
        seen = tab((folder / f"dtviz-{NEW}" / "open-this.html").as_uri())
        seen.page.wait_for_url("**/book/index.html")
        seen.settle()
        assert seen.complaints == []
        assert seen.page.locator(".dtviz-front-tree").count() == 1
        # Of what is on the net nothing is known here; the edition names itself.
        assert seen.page.locator(".dtviz-editions .dropdown-menu a").count() == 1
        seen.page.goto((folder / f"dtviz-{NEW}" / NEW / "search.html").as_uri() + "?q=rank")
        seen.page.wait_for_selector(".dtviz-hit")
        assert seen.foreign() == []
        assert seen.complaints == []
