"""How much a WLED light brightens the tray: against a light whose share of each colour was rendered."""

import json
import sys
import threading
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.cli.main import main
from tabletop.config.hooks import Hook
from tabletop.core.checks import Check
from tabletop.core.ports import Frame
from tabletop.doctor.lights import LIGHTS, brightening, light_checks
from tabletop.doctor.receivers import THERE

FPS = 10.0
ROOM = 0.2  # of the brightest that the camera can store
FOUND = {"on": True, "bri": 77, "transition": 7, "seg": [{"id": 0, "fx": 65, "col": [[1, 2, 3], [0, 0, 0], [0, 0, 0]]}]}


class LitTray:
    """A camera over an even tray whose light is the room's and, while the lamp is on, these shares of it more (BGR)."""

    live = False

    def __init__(self, shares: tuple[float, float, float], drift: float = 0.0, hand: tuple[float, ...] = ()) -> None:
        self.on, self.now_s = False, 0.0
        self._shares, self._drift, self._hand = np.array(shares), drift, hand
        self._noise = np.random.default_rng(1)

    def switch(self, on: bool) -> None:
        self.on = on

    def read(self) -> Frame:
        self.now_s += 1 / FPS
        light = ROOM * (1 + self._drift * self.now_s) * (1 + self.on * self._shares)
        picture = np.tile(np.sqrt(light) * 255, (48, 64, 1)) + self._noise.normal(0, 2.0, (48, 64, 3))
        if self._hand and self._hand[0] <= self.now_s < self._hand[1]:
            picture[:, 20:45] *= 0.5
        return Frame(np.clip(picture + 0.5, 0, 255).astype(np.uint8), self.now_s)

    def close(self) -> None:
        """Nothing is open."""


class Lamp(BaseHTTPRequestHandler):
    """The JSON interface of WLED, as its documentation says: GET tells the state, POST changes what it names."""

    def do_GET(self) -> None:
        self._tell(self.server.state)  # type: ignore[attr-defined]

    def do_POST(self) -> None:
        wanted = json.loads(self.rfile.read(int(self.headers["content-length"])))
        wanted.pop("tt", None)  # the transition of this call only
        segments = wanted.pop("seg", [])
        for change in segments if isinstance(segments, list) else [segments]:
            self.server.state["seg"][0].update(change)  # type: ignore[attr-defined]
        self.server.state.update(wanted)  # type: ignore[attr-defined]
        self.server.changed(self.server.state)  # type: ignore[attr-defined]
        self._tell({"success": True})

    def _tell(self, what: dict[str, Any]) -> None:
        text = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def lamp(camera: LitTray) -> Iterator[tuple[Hook, dict[str, Any]]]:
    """Yield the hook of a lamp that shines on the camera's tray, and the lamp's state."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Lamp)
    server.state = json.loads(json.dumps(FOUND))
    server.changed = lambda state: camera.switch(state["on"])
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    try:
        yield Hook("hook 1", "127.0.0.1", server.server_port, False, "/json/state", preset="wled"), server.state
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


@pytest.mark.parametrize("shares", [(0.02, 0.02, 0.31), (0.12, 0.12, 0.12), (1.0, 0.5, 0.0), (0.0, 0.05, 0.0)])
@pytest.mark.parametrize("drift", [0.0, 0.01, -0.01])
def test_the_share_is_the_one_that_was_rendered(shares: tuple[float, float, float], drift: float) -> None:
    """Though the room gets brighter or darker by 1 % a second meanwhile."""
    tray = LitTray(shares, drift)
    assert brightening(tray.switch, tray) == pytest.approx(shares, abs=0.01, rel=0.05)


@pytest.mark.parametrize("drift", [0.0, 0.01, -0.01])
def test_a_light_elsewhere_is_not_seen(drift: float) -> None:
    """Noise and slow changes of the room's light are not mistaken for the lamp."""
    tray = LitTray((0.0, 0.0, 0.0), drift)
    assert not any(brightening(tray.switch, tray))


@pytest.mark.parametrize("begin_s", [0.3, 1.5, 3.0, 4.5])
def test_a_hand_that_reaches_in_meanwhile_is_no_light(begin_s: float) -> None:
    """A dark one, for half a second, with a light and without."""
    for share in (0.2, 0.0):
        tray = LitTray((share, share, share), hand=(begin_s, begin_s + 0.5))
        found = brightening(tray.switch, tray)
        assert found == pytest.approx((share,) * 3, abs=0.05 * bool(share))


@pytest.mark.parametrize(
    ("shares", "right", "numbers"), [((0.02, 0.03, 0.31), True, ("12", "31")), ((1.4, 0.3, 0.3), False, ("67", "140"))]
)
def test_a_lamp_is_blinked_and_left_as_it_was(
    shares: tuple[float, float, float], *, right: bool, numbers: tuple[str, str]
) -> None:
    """Report the mean and the strongest colour, with a remedy if the light is too bright."""
    tray = LitTray(shares)
    with lamp(tray) as (hook, state):
        (check,) = light_checks([hook], tray)
    assert state == FOUND
    assert (check.part, check.name, check.right, bool(check.remedy)) == (LIGHTS, hook.name, right, not right)
    assert all(number in check.figure for number in numbers)


def test_what_is_no_lamp_is_a_line() -> None:
    """A missing lamp, or another program, fails with a remedy; other webhooks are not contacted."""
    tray = LitTray((0.1, 0.1, 0.1))
    with lamp(tray) as (hook, state):
        del state["bri"]
        found = list(light_checks([hook], tray))
    found += light_checks([hook], tray)
    assert found == 2 * [Check(LIGHTS, hook.name, found=False, right=False, figure=found[0].figure, remedy=THERE)]
    other = Hook("other", hook.host, hook.port, False, "/")
    assert not list(light_checks([other], tray))


OFFERED = "[tabletop.cameras]\ntheirs = theirs:opened\n"


@pytest.mark.slow
def test_doctor_blinks_the_configured_lamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a live camera from another package; a lamp of this brightness is not an error."""
    facts, module, tray = tmp_path / "theirs-1.dist-info", types.ModuleType("theirs"), LitTray((0.02, 0.03, 0.31))
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(OFFERED, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "theirs", module)
    monkeypatch.setattr(module, "opened", lambda _: tray, raising=False)
    monkeypatch.setattr(tray, "live", True, raising=False)
    tray.now_s = time.monotonic()
    with lamp(tray) as (hook, state):
        (tmp_path / "tabletop.toml").write_text(
            f'[[hooks]]\npreset = "wled"\nurl = "http://127.0.0.1:{hook.port}"\n', encoding="utf-8"
        )
        words = ["--config", str(tmp_path / "tabletop.toml"), "--store", str(tmp_path / "matches.db"), "--json"]
        main(["doctor", "--camera", "theirs", "--buttons", "none", "--screen", "none", *words])
    (found,) = [check for check in json.loads(capsys.readouterr().out) if check["part"] == LIGHTS]
    assert found["right"] is True
    assert all(number in found["figure"] for number in ("12", "31"))
    assert state == FOUND
