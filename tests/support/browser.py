"""A real Chromium, driven over its own WebDriver protocol: what a person sees on the page, and what a finger does.

Debian's packages `chromium` and `chromium-driver` are needed. Nothing here sleeps: the browser itself tells when a
condition holds.
"""

import base64
import json
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Self

PHONE = (360, 740)  # width and height of a small one, in CSS pixels
DRIVER = "chromedriver"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # W3C WebDriver, 12: the key of an element
STARTED = "was started successfully on port "
WAIT_MS = 60_000  # a machine with other things to do
UNTIL = """
const done = arguments[0];
const look = () => (CONDITION) ? done(true) : setTimeout(look, 20);
look();
"""
SEEN = "document.querySelector({})?.checkVisibility()"
SCORES = (
    "Object.fromEntries([...document.querySelectorAll('[data-board] [data-player]')]"
    ".map(shown => [shown.dataset.player, Number(shown.dataset.score)]))"
)
HEAR = """
const toast = document.querySelector("#toast");
globalThis.heard = "";
new MutationObserver(() => { heard ||= toast.innerText; }).observe(toast, { childList: true });
"""
TRIES = 5
DRAWN_TWICE = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));"
ARGUMENTS = [
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu"),
    "--disable-features=BackForwardCache",  # pages left behind would keep their streams, of which a host has six
]


def is_there() -> bool:
    return shutil.which(DRIVER) is not None and shutil.which("chromium") is not None


def _started() -> tuple[subprocess.Popen[str], str]:
    """Start a driver; return it and its port. It ends at once if another program was quicker to take its port."""
    for _ in range(TRIES):
        driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True)
        assert driver.stdout is not None
        said = next((line for line in driver.stdout if STARTED in line), "")
        if said:
            return driver, said.rpartition(STARTED)[2].strip(" .\n")
        driver.communicate()
    message = f"{DRIVER} found no free port in {TRIES} tries"
    raise RuntimeError(message)


MOST_REPLACED = 3  # times that an element is replaced between being found and being tapped


class Browser:
    """One window. width, height: in CSS pixels; scale: pixels of the screen for one of them. dark: prefers dark."""

    def __init__(self, width: int, height: int, *, dark: bool = False, scale: float = 2.0) -> None:
        self._driver, port = _started()
        self._address = f"http://127.0.0.1:{port}/session"
        options: dict[str, Any] = {"goog:chromeOptions": {"args": ARGUMENTS, "binary": shutil.which("chromium")}}
        session = self._send("POST", "", {"capabilities": {"alwaysMatch": options}})["sessionId"]
        self._address += f"/{session}"
        self._send("POST", "/timeouts", {"script": WAIT_MS, "pageLoad": WAIT_MS})
        self.resize(width, height, dark=dark, scale=scale)

    def resize(self, width: int, height: int, *, dark: bool = False, scale: float = 2.0) -> None:
        """Make the window as large as the screen of this device."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < height}
        self.cdp("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.cdp("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.run(DRAWN_TWICE, waits=True)  # what a page rearranges stands by then

    def open(self, address: str) -> None:
        self._send("POST", "/url", {"url": address})

    def enter(self, address: str, digits: str, seen: str) -> None:
        """Open a table's page as a device that is let in, and wait until this is seen."""
        self.open(f"http://{address}/#{digits}")
        self.until_seen(seen)

    def until(self, condition: str) -> None:
        """Wait until this expression of JavaScript holds in the page."""
        self.run(UNTIL.replace("CONDITION", condition), waits=True)

    def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the page has
        return self._send("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def run(self, script: str, *, waits: bool = False) -> Any:  # noqa: ANN401 - whatever the script gives
        """Run a script in the page. waits: it calls its last argument with what it gives."""
        return self._send("POST", f"/execute/{'async' if waits else 'sync'}", {"script": script, "args": []})

    def text(self, selector: str) -> str:
        return str(self.value(f"document.querySelector({json.dumps(selector)}).innerText"))

    def sees(self, selector: str) -> bool:
        return bool(self.value(SEEN.format(json.dumps(selector))))

    def until_seen(self, selector: str, *, gone: bool = False) -> None:
        self.until(f"{'!' if gone else ''}{SEEN.format(json.dumps(selector))}")

    def all_of(self, selector: str, part: str) -> list[Any]:
        return list(self.value(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.{part})"))

    def tap(self, selector: str) -> None:
        """Click in the middle of the screen, where a finger would; an error if something lies above it."""
        for replaced in range(MOST_REPLACED + 1):  # a page that is drawn again just then has another such element
            try:
                self.value(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{ block: 'center' }})")
                self._send("POST", f"/element/{self._find(selector)}/click", {})
            except AssertionError as error:
                if "stale element reference" not in str(error) or replaced == MOST_REPLACED:
                    raise
            else:
                return

    def write(self, selector: str, text: str) -> None:
        self._send("POST", f"/element/{self._find(selector)}/value", {"text": text})

    def press(self, keys: str) -> None:
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def picture(self, path: Path) -> None:
        path.write_bytes(self.screenshot())

    def screenshot(self) -> bytes:
        return base64.b64decode(self._send("GET", "/screenshot"))

    def close(self) -> None:
        self._send("DELETE", "")
        self._driver.terminate()
        self._driver.wait()
        assert self._driver.stdout is not None
        self._driver.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _find(self, selector: str) -> str:
        return str(self._send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT])

    def cdp(self, command: str, values: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        """Have the browser do what it does for its own developers (Chrome DevTools Protocol)."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": values})

    def _send(self, method: str, path: str, values: dict[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        body = None if values is None else json.dumps(values).encode()
        address, headers = self._address + path, {"Content-Type": "application/json"}
        request = urllib.request.Request(address, body, headers, method=method)  # noqa: S310 - our own driver
        try:
            with urllib.request.urlopen(request, timeout=2 * WAIT_MS / 1000) as answer:  # noqa: S310 - the same
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(str(json.load(error)["value"])) from None
