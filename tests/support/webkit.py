"""A real WebKit, driven as Chromium is in `browser.py`: Debian's packages webkit2gtk-driver and xvfb are needed."""

import os
import shutil
import socket
import subprocess
import threading
import urllib.request

from browser import WAIT_MS, Browser

DRIVER = "WebKitWebDriver"
SCREEN = "800x900x24"  # pixels and bits of a screen that nobody sees
TRIES, AGAIN_S = 600, 0.1  # questions to a driver that starts, and the seconds between them


def is_there() -> bool:
    """Return whether this machine has WebKit's driver and a screen for it."""
    return shutil.which(DRIVER) is not None and shutil.which("Xvfb") is not None


class WebKit(Browser):
    """One window, as narrow as WebKit's own small browser can be."""

    def __init__(self, height: int) -> None:
        shown = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
        self._screen = subprocess.Popen(shown, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._screen.stdout is not None
        number = self._screen.stdout.readline().strip()
        drawn = {"DISPLAY": f":{number}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"}
        drawn |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "XDG_DATA_DIRS": "/usr/local/share:/usr/share"}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._driver = subprocess.Popen(
            [DRIVER, "--host=127.0.0.1", f"--port={port}"],
            env={**os.environ, **drawn},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        _reach(port)
        self._address = f"http://127.0.0.1:{port}/session"
        session = self._send("POST", "", {"capabilities": {"alwaysMatch": {}}})["sessionId"]
        self._address += f"/{session}"
        self._send("POST", "/timeouts", {"script": WAIT_MS, "pageLoad": WAIT_MS})
        self._send("POST", "/window/rect", {"width": 360, "height": height})

    def close(self) -> None:
        """Close the window, the browser and the screen."""
        super().close()
        self._screen.terminate()
        self._screen.wait()
        assert self._screen.stdout is not None
        self._screen.stdout.close()


def _reach(port: int) -> None:
    """Return as soon as the driver at this port answers."""
    for _ in range(TRIES):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=WAIT_MS / 1000):
                return
        except OSError:
            threading.Event().wait(AGAIN_S)
    raise AssertionError(f"expected {DRIVER} at port {port}")
