"""The page in a real WebKit, the engine of iPhones: looked at, let in, and a Pig by taps."""

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from browser import SCORES, WAIT_MS, Browser
from page_program import page_of

pytestmark = pytest.mark.slow

DRIVER = "WebKitWebDriver"
SCREEN = "800x900x24"  # pixels and bits of a screen that nobody sees
TRIES, AGAIN_S = 600, 0.1  # looks at a driver that starts, and the seconds between them
LISTENS, INODE = "0A", 5  # of a line of /proc/net/tcp (proc_net_tcp of the kernel): a state; the column after the state
KEYS = "document.querySelector('#face-6')?.checkVisibility()"
STAKE = "document.querySelector('#stake').checkVisibility()"


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


@pytest.fixture(scope="module")
def phone() -> Iterator[WebKit]:
    if (
        not (shutil.which(DRIVER) and shutil.which("Xvfb")) and "CI" not in os.environ
    ):  # there it is installed, or the test fails
        pytest.skip("needs WebKit (Debian packages webkit2gtk-driver and xvfb)")
    with WebKit(800) as browser:
        yield browser


def test_a_pig_by_taps(phone: WebKit, tmp_path: Path) -> None:
    """Watch, enter the digits, and win: Ann 4, Ben 6, Ann 7, Ben 11."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--set", "target=8", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#who').innerText === 'Ann'")
        phone.tap("#join")
        phone.write("#digits", digits)
        phone.tap("#enter")
        for face in (4, 6, 3, 5):
            phone.until(KEYS)
            phone.tap(f"#face-{face}")
            phone.until(STAKE)
            phone.tap("#bank")
            phone.until(f"!{STAKE}")
        phone.until("document.querySelector('#board .won')")
        assert phone.value(SCORES) == {"Ann": 7, "Ben": 11}
        assert phone.value("document.documentElement.scrollWidth <= innerWidth")
