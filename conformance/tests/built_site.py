"""The site in all languages, built once for all test modules, with a server and a browser."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import gzip
import http.server
import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, BrowserError, Page, browser_for_tests

from bauernschnapsen_conformance.corpus.translations import load_languages
from bauernschnapsen_conformance.rulebook.site import build

LANGUAGES = load_languages().published


def run_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the temporary folder that all workers of a test run have in common."""
    own = factory.getbasetemp()
    return own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in all languages; whichever module asks first builds it, the others wait for it."""
    pytest.importorskip("mkdocs", reason="the site needs the extra `docs`: make docs")
    folder = run_folder(tmp_path_factory) / "whole-site"
    told = folder.with_suffix(".json")
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            told.write_text(json.dumps(build(folder, LANGUAGES, 2)))
    assert json.loads(told.read_bytes()) == []
    return folder


@functools.lru_cache(maxsize=512)
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


def edition_in(site: Path) -> str:
    """Return the only edition of a site."""
    (edition,) = [path.name for path in (site / "en").iterdir() if path.is_dir()]
    return edition


class PagesHost(http.server.SimpleHTTPRequestHandler):
    """Serves a folder as a pages host does, texts compressed."""

    protocol_version = "HTTP/1.1"
    _TEXTS = (".html", ".js", ".css", ".json")

    def do_GET(self) -> None:
        """Answer with a file, or with the index.html of a folder."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.split("?")[0][-1] == "/" else path
        if path.suffix not in self._TEXTS or not path.is_file():
            super().do_GET()
            return
        body = _compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a page that is left does not wait for the rest of its files."""


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; the address is given, without a slash at its end."""
    server = _Server(("127.0.0.1", 0), functools.partial(PagesHost, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """A server of the site, on this machine."""
    with serving(site) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a module."""
    with browser_for_tests() as found:
        yield found


def wait_until(page: Page, script: str) -> None:
    """Wait until an expression is true in the page; a minute at most, on a busy machine."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        # A page that is just being left answers nothing; the next one will.
        with contextlib.suppress(BrowserError):
            if page.run(script):
                return
        time.sleep(0.05)
    pytest.fail(f"not within a minute: {script}")


def outside(page: Page, address: str) -> list[str]:
    """Return what a page has asked of other hosts."""
    return [url for url in page.listen().outside if not url.startswith(address)]
