"""The page in a real WebKit, the engine of iPhones: let in, a Pig by taps, and games on all screens."""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from browser import DRAWN_TWICE, PHONE, SCORES, WAIT_MS, Browser
from oled_games import PLAYERS, moments
from page_program import page_of
from screens import FAULTS, SIZES

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

DRIVER = "WebKitWebDriver"
SCREEN = "1600x1000x24"  # pixels and bits of a screen that nobody sees
SLIM = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }"  # its own bar, for GTK
TRIES, AGAIN_S = 600, 0.1  # looks at a driver that starts, and the seconds between them
LISTENS, INODE = "0A", 5  # of a line of /proc/net/tcp (proc_net_tcp of the kernel): a state; the column after the state
KEYS = "document.querySelector('#face-6')?.checkVisibility()"
GAMES = ("yahtzee", "ten-thousand", "liars-dice", "shut-the-box", "bunco", "beetle")  # a board of each kind
KINDS = ("choice", "keep", "stake", "end")  # of moments: the first that a game has
STAKE = "document.querySelector('#stake').checkVisibility()"


class WebKit(Browser):
    """One window. folder: an empty one, for what makes its own bar no wider than a phone."""

    def __init__(self, width: int, height: int, folder: Path) -> None:
        style = folder / "gtk-3.0" / "gtk.css"
        style.parent.mkdir()
        style.write_text(SLIM, encoding="ascii")
        shown = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
        self._screen = subprocess.Popen(shown, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._screen.stdout is not None
        number = self._screen.stdout.readline().strip()
        drawn = {"DISPLAY": f":{number}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"}
        drawn |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "XDG_CONFIG_HOME": str(folder)}
        drawn |= {"XDG_DATA_DIRS": "/usr/local/share:/usr/share"}
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
        self.fit(width, height)

    def fit(self, width: int, height: int) -> None:
        self._send("POST", "/window/rect", {"width": width, "height": height})
        bar = self.value("outerHeight - innerHeight")
        self._send("POST", "/window/rect", {"width": width, "height": height + bar})
        self.until(f"innerWidth === {width} && innerHeight === {height}")
        self.run(DRAWN_TWICE, waits=True)

    def close(self) -> None:
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
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebKit]:
    if (
        not (shutil.which(DRIVER) and shutil.which("Xvfb")) and "CI" not in os.environ
    ):  # there it is installed, or the test fails
        pytest.skip("needs WebKit (Debian packages webkit2gtk-driver and xvfb)")
    with WebKit(*PHONE, tmp_path_factory.mktemp("gtk")) as browser:
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


def test_games_fit_one_screen(phone: WebKit, page: Page) -> None:
    """Six players whose names have twelve letters, in German: what is measured of every game in Chromium."""
    assert faults(phone, page, [(game_id, len(PLAYERS), "de") for game_id in GAMES]) == {}


@pytest.mark.soak
@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("seats", [2, len(PLAYERS)])
def test_every_game_fits_one_screen(phone: WebKit, page: Page, seats: int, code: str) -> None:
    """The first of the KINDS of moments that a game has."""
    cases = [(game_id, max(seats, load(game_id)[0].min_players), code) for game_id in game_ids()]
    assert faults(phone, page, cases) == {}


def faults(phone: WebKit, page: Page, cases: list[tuple[str, int, str]]) -> dict[object, object]:
    """Return what is wrong on any of the SIZES. cases: a game, how many play, and the language."""
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#undo')?.checkVisibility()")
    found = dict[object, object]()
    for size in SIZES:
        phone.fit(*size)
        for game_id, seats, code in cases:
            shown = moments(game_id, seats)
            now, *_ = next(shown[kind] for kind in KINDS if kind in shown)
            page.show(translated(now, load_language(code)), None, time.monotonic())
            phone.until(f"document.body.dataset.count === '{page.feed.count}' && !document.getAnimations().length")
            if wrong := phone.run(FAULTS):
                found[size, game_id] = wrong
    return found
