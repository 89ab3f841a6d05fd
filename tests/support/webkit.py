"""A real WebKit, driven as Chromium is in `browser.py`: Debian's packages webkit2gtk-driver and xvfb are needed."""

import os
import shutil
import subprocess
import threading
from contextlib import suppress
from pathlib import Path

from browser import WAIT_MS, Browser

DRIVER = "WebKitWebDriver"
SCREEN = "800x900x24"  # pixels and bits of a screen that nobody sees
TRIES, AGAIN_S = 600, 0.1  # looks at a driver that starts, and the seconds between them
LISTENS, INODE = "0A", 5  # of a line of /proc/net/tcp (proc_net_tcp of the kernel): a state; the column after the state


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
        self._driver = subprocess.Popen(
            [DRIVER, "--host=127.0.0.1", "--port=0"],  # the kernel chooses, so nobody else has it
            env={**os.environ, **drawn},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._address = f"http://127.0.0.1:{_port(self._driver)}/session"
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


def _port(driver: subprocess.Popen[str]) -> int:
    """Return the port at which a driver listens, as soon as it does: it does not say which it was given."""
    held = set[str]()
    for _ in range(TRIES):
        with suppress(FileNotFoundError):  # what is open may be closed meanwhile
            held = {str(one.readlink()) for one in Path(f"/proc/{driver.pid}/fd").iterdir()}
        for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
            _, place, _, state, *rest = line.split()
            if state == LISTENS and f"socket:[{rest[INODE]}]" in held:
                return int(place.partition(":")[2], 16)
        threading.Event().wait(AGAIN_S)
    message = f"expected {DRIVER} to listen, got nothing within {TRIES * AGAIN_S:.0f} s"
    raise RuntimeError(message)
