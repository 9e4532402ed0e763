"""A headless Chromium, controlled through its own pipe: no driver, no package, no port."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NO_BROWSER = "no browser here: install Debian's chromium"
SECONDS = 60
"""Time limit for one answer, generous because the machine may be busy."""


class BrowserError(Exception):
    """A script in the page raised, or the browser refused a command."""


class Tab:
    """One page of the browser, with the errors and requests that occurred in it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.errors: list[str] = []
        """Errors of the console, of scripts and of the content security policy."""
        self.requests: list[str] = []
        """Requested URLs, other than files and data."""
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        return self._browser.send(method, parameters, self._session)

    def heard(self, event: Mapping[str, Any]) -> None:
        """Record an event of this page."""
        method, about = event["method"], event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(about["exceptionDetails"])[:500])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "assert"):
            self.errors.append(json.dumps(about["args"])[:500])
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = about["request"]["url"]
            if not url.startswith(("file:", "data:", "about:", "blob:")):
                self.requests.append(url)

    def open(self, url: str, *, until: str = "document.readyState === 'complete'") -> None:
        """Open a URL and wait until a script is true."""
        self.send("Page.navigate", url=url)
        self.wait(until)

    def run(self, script: str) -> Any:
        """Return the value of a script; wait for it if it is a promise."""
        answer = self.send(
            "Runtime.evaluate",
            expression=script,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in answer:
            raise BrowserError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = SECONDS) -> None:
        """Wait until a script is true."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                if self.run(f"Boolean({script})"):
                    return
            except BrowserError as error:
                if "navigated" not in str(error) and "context" not in str(error):
                    raise
            time.sleep(0.03)
        raise AssertionError(f"never true: {script}; errors: {self.errors}")

    def press(self, key: str) -> None:
        """Press and release a key."""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def resize(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the window size and the preferred color scheme."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """Take a screenshot."""
        more = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            more["clip"] = {
                "x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000),
                "scale": 1,
            }  # fmt: skip
        taken = self.send("Page.captureScreenshot", format="png", **more)
        file.write_bytes(base64.b64decode(taken["data"]))


class Browser:
    """The process and the two pipes to it: messages are JSON, terminated by a zero byte."""

    def __init__(self, program: str, profile: Path, *flags: str) -> None:
        their_input, ours = os.pipe()
        our_input, theirs = os.pipe()

        def connect() -> None:  # Chromium reads from 3 and writes to 4
            low = os.dup(their_input), os.dup(theirs)
            os.dup2(low[0], 3)
            os.dup2(low[1], 4)

        self._process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
                "--disable-extensions", "--remote-debugging-pipe", f"--user-data-dir={profile}",
                *flags, "about:blank",
            ],
            preexec_fn=connect,  # noqa: PLW1509 - the tests start no thread in parallel
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(their_input)
        os.close(theirs)
        self._in, self._out = our_input, ours
        self._buffer = b""
        self._number = 0
        self._tabs: dict[str, Tab] = {}

    def tab(self) -> Tab:
        """Open and return a new page."""
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        identifier = session["sessionId"]
        tab = Tab.__new__(Tab)
        self._tabs[identifier] = tab
        tab.errors, tab.requests = [], []
        Tab.__init__(tab, self, identifier)
        return tab

    def send(
        self, method: str, parameters: Mapping[str, Any], session: str | None = None
    ) -> dict[str, Any]:
        """Send a command and return its answer; pass events received meanwhile to their pages."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + SECONDS
        while True:
            answer = self._read(until)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result
            tab = self._tabs.get(answer.get("sessionId", ""))
            if tab is not None and "method" in answer:
                tab.heard(answer)

    def _read(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise BrowserError("the browser does not answer")
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise BrowserError("the browser has ended")
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def close(self) -> None:
        """Stop the browser."""
        os.close(self._out)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)


@contextmanager
def browser(directory: Path, *flags: str) -> Iterator[Browser]:
    """Start a browser that resolves no names; skip the test if none is installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip(NO_BROWSER)
    profile = directory / "profile"
    # No host name resolves, so a page cannot fetch anything.
    rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    one = Browser(program, profile, rules, *flags)
    try:
        yield one
    finally:
        one.close()
        shutil.rmtree(profile, ignore_errors=True)
