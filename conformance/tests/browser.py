"""Drive a headless Chromium over its DevTools protocol, for tests that look at pages as readers do.

The browser is spoken to through a pipe (`--remote-debugging-pipe`: JSON messages ended by a zero
byte), so that nothing but the standard library and the browser itself is needed, no port is opened
and nothing else can reach it. Everything a page logs or asks of a network is recorded: a page that
is meant to stand alone can be held to it.

As a script it takes a picture: `python browser.py PAGE.html PICTURE.png --width 400 --dark`.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Self

Json = dict[str, Any]
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
MISSING = "no chromium on the PATH: 'make browser' installs it, or CHROMIUM names one"
AXE = Path(__file__).parent / "browser_tools/node_modules/axe-core/axe.min.js"
AXE_MISSING = "axe-core is not installed: 'make browser' does it, with npm"
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--disable-dev-shm-usage",
    "--no-default-browser-check", "--mute-audio", "--hide-scrollbars",
    "--force-color-profile=srgb", "--font-render-hinting=none", "--lang=en",
    "--remote-debugging-pipe",
)  # fmt: skip
_OWN_SCHEMES = ("file:", "data:", "blob:", "about:")


class BrowserError(Exception):
    """The browser did not do what was asked, or a script in a page threw something."""


def find_browser() -> str | None:
    """Return the path of a Chromium, or None."""
    for name in (os.environ.get("CHROMIUM", ""), *NAMES):
        path = shutil.which(name) if name else None
        if path is not None:
            return path
    return None


@contextlib.contextmanager
def browser_for_tests() -> Iterator[Browser]:
    """A browser for a fixture. Without one tests are skipped; on a CI server they fail."""
    if find_browser() is None:
        _do_without(MISSING)
    with Browser() as browser:
        yield browser


def _do_without(what: str) -> NoReturn:
    import pytest

    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(what)
    pytest.skip(what)


@dataclass(slots=True)
class Log:
    """What a page did that its reader does not see."""

    errors: list[str] = field(default_factory=list)
    """Exceptions, errors on the console, and what the browser itself complains about."""
    requests: list[str] = field(default_factory=list)
    """Everything that was asked for, the page itself included."""

    @property
    def outside(self) -> list[str]:
        """What was asked of a network."""
        return [url for url in self.requests if not url.startswith(_OWN_SCHEMES)]


class Browser:
    """A browser process; use it in `with`. Its profile is new and is removed at the end."""

    def __init__(self, path: str | None = None, *, seconds: float = 30.0) -> None:
        """Start the browser; `seconds` bounds each command. BrowserError if there is none."""
        found = path or find_browser()
        if found is None:
            raise BrowserError(MISSING)
        self._seconds = seconds
        self._numbers = itertools.count(1)
        self._held: list[Json] = []
        self._rest = b""
        self._profile = tempfile.mkdtemp(prefix="browser-")
        self._pid, self._write, self._read = _start(found, self._profile)

    def __enter__(self) -> Self:
        """Return the running browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def close(self) -> None:
        """End the browser and all its processes; may be called twice."""
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            self._pid = 0
            os.close(self._write)
            os.close(self._read)
        shutil.rmtree(self._profile, ignore_errors=True)

    @contextlib.contextmanager
    def page(
        self,
        url: str | Path = "about:blank",
        *,
        width: int = 1100,
        height: int = 900,
        dark: bool = False,
        scripts: bool = True,
        scale: float = 1.0,
    ) -> Iterator[Page]:
        """Open a page (a URL or a file) in a tab of its own and wait until it is loaded.

        `width` and `height` in CSS pixels; below 600 the page is told it is on a phone.
        `scripts`: whether the page may run any. `scale`: pixels of a picture per CSS pixel.
        """
        context = self.call("Target.createBrowserContext")["browserContextId"]
        try:
            target = self.call(
                "Target.createTarget", {"url": "about:blank", "browserContextId": context}
            )["targetId"]
            session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
            page = Page(self, session["sessionId"])
            page.prepare(width, height, dark=dark, scripts=scripts, scale=scale)
            page.go(url)
            yield page
        finally:
            self.call("Target.disposeBrowserContext", {"browserContextId": context})

    # ---- the wire

    def call(self, method: str, params: Json | None = None, session: str | None = None) -> Json:
        """Send a command and return its result; BrowserError if it fails or takes too long."""
        number = next(self._numbers)
        message: Json = {"id": number, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        reply = self._receive(lambda one: one.get("id") == number, method)
        if "error" in reply:
            raise BrowserError(f"{method}: {reply['error'].get('message')}")
        result: Json = reply["result"]
        return result

    def wait_for(self, method: str, session: str) -> Json:
        """Return the first event of this name that has not been looked at."""

        def wanted(one: Json) -> bool:
            return one.get("method") == method and one.get("sessionId") == session

        return self._receive(wanted, method)

    def events(self, session: str) -> list[Json]:
        """Return the events of a session that have arrived and not been looked at."""
        while select.select([self._read], [], [], 0)[0]:
            self._fill()
        mine = [one for one in self._held if one.get("sessionId") == session]
        self._held = [one for one in self._held if one.get("sessionId") != session]
        return mine

    def _receive(self, wanted: Callable[[Json], bool], what: str) -> Json:
        until = time.monotonic() + self._seconds
        looked = 0
        while True:
            for place in range(looked, len(self._held)):
                if wanted(self._held[place]):
                    return self._held.pop(place)
            looked = len(self._held)
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                raise BrowserError(f"{what}: no answer within {self._seconds:g} s")
            self._fill()

    def _fill(self) -> None:
        chunk = os.read(self._read, 1 << 20)
        if not chunk:
            raise BrowserError("the browser has ended")
        *whole, self._rest = (self._rest + chunk).split(b"\0")
        self._held += [json.loads(one) for one in whole]


class Page:
    """A tab. Selectors are those of CSS."""

    def __init__(self, browser: Browser, session: str) -> None:
        """See `Browser.page`."""
        self._browser = browser
        self._session = session
        self.log = Log()

    def call(self, method: str, params: Json | None = None) -> Json:
        """Send a command of the DevTools protocol to this tab."""
        return self._browser.call(method, params, self._session)

    def prepare(self, width: int, height: int, *, dark: bool, scripts: bool, scale: float) -> None:
        """Set up the tab as its reader's device."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        self.resize(width, height, scale=scale)
        self.media(dark=dark)

    def resize(self, width: int, height: int, *, scale: float = 1.0) -> None:
        """Change the size of the window, in CSS pixels."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale}
        self.call("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": width < 600})

    def media(self, *, dark: bool = False, medium: str = "screen") -> None:
        """Choose light or dark, and `screen` or `print`."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.call("Emulation.setEmulatedMedia", {"media": medium, "features": [scheme, calm]})

    def go(self, url: str | Path) -> None:
        """Load a page and wait until it is there."""
        address = url.resolve().as_uri() if isinstance(url, Path) else url
        told = self.call("Page.navigate", {"url": address})
        if told.get("errorText"):
            raise BrowserError(f"{address}: {told['errorText']}")
        if "loaderId" in told:
            self._browser.wait_for("Page.loadEventFired", self._session)
        self.listen()

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page, which may be a promise."""
        told = self.call(
            "Runtime.evaluate",
            {"expression": script, "returnByValue": True, "awaitPromise": True},
        )
        if "exceptionDetails" in told:
            raise BrowserError(_exception(told["exceptionDetails"]))
        return told["result"].get("value")

    def text(self, selector: str) -> str:
        """Return the text of the first element as a reader sees it."""
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def count(self, selector: str) -> int:
        """Return how many elements there are."""
        return int(self.run(f"document.querySelectorAll({json.dumps(selector)}).length"))

    def click(self, selector: str) -> None:
        """Click in the middle of the first element, as a mouse does."""
        where = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        button = {"x": where[0], "y": where[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", {"type": kind, **button})

    def key(self, key: str, code: int = 0) -> None:
        """Press a key such as `Tab` (9), `Enter` (13), `ArrowRight` (39), ` ` (32)."""
        what: Json = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        if key in ("Enter", " "):
            what["text"] = "\r" if key == "Enter" else " "
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", {"type": kind, **what})

    def obstacles(self, *, least: str = "serious") -> list[str]:
        """Return what axe-core finds against WCAG 2.2 A and AA and good practice, as one line each.

        `least`: minor, moderate, serious or critical. Skips the test where axe-core is missing.
        """
        if not AXE.is_file():
            _do_without(AXE_MISSING)
        self.run(f"{AXE.read_text('utf-8')}; 0")
        found = self.run("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
        order = ("minor", "moderate", "serious", "critical")
        return [
            f"{one['id']} ({one['impact']}): {one['help']}: {node['html'][:200]} "
            f"{node['failureSummary'][:300]}"
            for one in found
            if order.index(one["impact"] or "minor") >= order.index(least)
            for node in one["nodes"][:5]
        ]

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write a PNG of the window, or of the whole page."""
        shot = self.call(
            "Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole}
        )
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        """Return the page as it is printed."""
        printed = self.call("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
        return base64.b64decode(printed["data"])

    def listen(self) -> Log:
        """Return everything logged and asked for so far."""
        for event in self._browser.events(self._session):
            self._note(event["method"], event["params"])
        return self.log

    def _note(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.log.errors.append(_exception(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            said = [str(one.get("value", one.get("description"))) for one in params["args"]]
            self.log.errors.append(" ".join(said))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.log.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.log.requests.append(params["request"]["url"])


def _exception(details: Mapping[str, Any]) -> str:
    thrown = details.get("exception", {})
    return str(thrown.get("description") or thrown.get("value") or details.get("text"))


def _start(path: str, profile: str) -> tuple[int, int, int]:
    """Start the browser with its pipe at 3 (it reads) and 4 (it writes); pid and our two ends."""
    ends = [*os.pipe(), *os.pipe()]
    # Away from 3 and 4, which the child needs for itself.
    their_read, our_write, our_read, their_write = (
        fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends
    )
    for end in ends:
        os.close(end)
    home = {"HOME": profile, "XDG_CONFIG_HOME": profile, "XDG_CACHE_HOME": profile}
    pid = os.posix_spawn(
        path,
        [path, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
        {**os.environ, **home},
        file_actions=[
            (os.POSIX_SPAWN_DUP2, their_read, 3),
            (os.POSIX_SPAWN_DUP2, their_write, 4),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
        setsid=True,
    )
    os.close(their_read)
    os.close(their_write)
    return pid, our_write, our_read


def main() -> None:
    """Take a picture of a page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("page", help="a file or a URL")
    parser.add_argument("picture", type=Path, help="the PNG to write")
    parser.add_argument("--width", type=int, default=1100)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--print", dest="printed", action="store_true")
    parser.add_argument("--no-scripts", action="store_true")
    parser.add_argument("--whole", action="store_true", help="the whole page, not the window")
    parser.add_argument("--run", help="an expression to run in the page first")
    given = parser.parse_args()
    url = given.page if ":" in given.page else Path(given.page)
    size = {"width": given.width, "height": given.height, "scale": given.scale}
    with (
        Browser() as browser,
        browser.page(url, dark=given.dark, scripts=not given.no_scripts, **size) as page,
    ):
        if given.printed:
            page.media(medium="print")
        if given.run:
            page.run(given.run)
        page.picture(given.picture, whole=given.whole)
        for error in page.listen().errors:
            print(error)  # noqa: T201 - a command line


if __name__ == "__main__":
    main()
