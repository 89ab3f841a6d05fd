"""Camera and lamp set up with a phone: live picture, signs, and the tray's corners tapped, to a saved profile."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import cv2
import numpy as np
import pytest
from browser import PHONE, Browser
from disturbed_mat import Disturbance, DisturbedMat
from page_visitor import Visitor, let_in

from calibration.guided.dialog import GuidedDialog
from calibration.guided.signs import ArmSigns
from tabletop.config.mat import mat_of
from tabletop.config.profile import load_profile
from tabletop.core.ports import Frame
from tabletop.core.values import SetUp
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import SetupContext, SetupState, Step
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules.catalog import load
from tabletop.session.camera_thread import CameraThread
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.mat_tray import BORDER_MM, PX_PER_MM
from tabletop.simulator.tray import Tray, profile_of
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.tray import installed

ALL_MARKERS = tuple(mat_of("A4", "left").markers)
TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann")


def picture(wrong: Disturbance) -> Frame:
    tray = DisturbedMat(mat_of("A4", "left"), chance=Random(3), fps=8.0)
    tray.wrong = wrong
    frame = tray.read()
    assert frame is not None
    return frame


def test_only_devices_that_may_act_look_and_seldom(page: Page) -> None:
    """Others are refused; two who look within half a second get the same picture, whole and as wide as a phone."""
    page.show(TABLE, picture(Disturbance()), time.monotonic())
    assert Visitor(page.address).get("/arm/look").status == 403
    shown = json.loads(let_in(page).get("/arm/look").body)
    pixels = cv2.imdecode(np.frombuffer(base64.b64decode(shown["picture"]), np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    assert max(pixels.shape) <= 640
    assert len(shown["markers"]) == 5
    assert [sign["name"] for sign in shown["signs"]] == ["markers", "tray", "sharpness", "light"]


def test_the_installed_package_offers_the_signs() -> None:
    """By its entry point; each sign of a good set-up is good, and of a bad one says what to do."""
    assert isinstance(installed(), ArmSigns)
    good, dark = (ArmSigns()(frame.pixels, 0.0) for frame in (picture(Disturbance()), picture(Disturbance(light=0.2))))
    assert [sign.advice for sign in good.signs] == ["", "", "", ""]
    assert dark.signs[3].advice == "too dark: more light"
    hidden = ArmSigns()(picture(Disturbance(hidden=(2, 3))).pixels, 0.0)
    assert (hidden.signs[0].figure, hidden.signs[0].advice) == ("2 of 4", "marker 2 is not seen")


def test_a_tray_without_markers_needs_none_once_it_is_known() -> None:
    """Unknown, it needs a marker; corners shown by somebody do without, and markers that are seen say more."""
    bare, mat = (picture(Disturbance(hidden=hidden)).pixels for hidden in (ALL_MARKERS, ()))
    half = ((0.1, 0.0), (0.9, 0.0), (0.9, 0.5), (0.1, 0.5))  # 0.8 of the width, 0.5 of the height
    unknown, known, seen = ArmSigns()(bare, 0.0), ArmSigns()(bare, 0.0, half), ArmSigns()(mat, 0.0, half)
    assert (unknown.signs[0].figure, unknown.signs[1].advice) == ("0 of 4", "show a marker")
    assert (known.signs[0].figure, known.signs[0].advice) == ("not needed", "")
    assert (known.signs[1].figure, known.signs[1].advice) == ("40 % of picture", "")
    high, wide = bare.shape[:2]
    assert known.markers == (tuple((x * wide, y * high) for x, y in half),)
    assert (seen.signs[0].figure, len(seen.markers)) == ("4 of 4", 5)


@pytest.mark.parametrize(("error_mm", "figure"), [(0.0, "not needed"), (0.4, "0 of 4")])
def test_the_profile_that_is_read_with_says_where_the_tray_is(page: Page, error_mm: float, figure: str) -> None:
    """One that was made without markers; of one made with them it is not known whether the camera was moved since."""
    profile = replace(profile_of(Tray(1, chance=Random(3))), setup=SetUp(120.0, marker_error_mm=error_mm))
    page.offer(lambda _: SetupContext(()), lambda: profile, tuple)
    page.show(TABLE, picture(Disturbance(hidden=ALL_MARKERS)), time.monotonic())
    assert json.loads(let_in(page).get("/arm/look").body)["signs"][0]["figure"] == figure


@pytest.mark.slow
def test_a_phone_shows_it_live(phone: Browser, page: Page) -> None:
    """Let in, a phone finds the way in its settings and sees picture and four signs, nothing beside the screen.

    The lamp goes off, and it is said. A phone that only watches is not shown the way.
    """
    page.show(TABLE, picture(Disturbance()), time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("document.body.dataset.count")
    phone.tap("#device-open")
    assert not phone.sees("#arm-link")
    phone.tap("#device-close")
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#arm-link').textContent && !document.querySelector('#arm-link').hidden")
    phone.tap("#device-open")
    phone.tap("#arm-link")
    phone.until("document.querySelectorAll('#signs .right').length === 4")
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    assert len(phone.all_of("#markers polygon", "id")) == 5
    page.show(TABLE, picture(Disturbance(light=0.2)), time.monotonic())
    phone.until("document.querySelector('#signs .wrong:last-child .advice')?.textContent === 'too dark: more light'")


# The corners of a tray without markers, tapped in the guided run


TURN_S = 0.05  # between two turns of the loop
# Where the corners of the whole picture are seen, in shares of it: from one side, the far end narrower by an eighth.
ASKEW = ((0.06, 0.05), (0.95, 0.04), (1.0, 0.97), (0.0, 0.98))


TRAY_MM = (247.0, 171.0)  # of the A4 mat with a rail at its left
SAME_PX = 2.5  # of the camera: about one pixel of the phone
LOOK_S = 60.0  # at the table until something is given up: its networks may have to be loaded first
FINE, FINE_OF_COARSE = 0.002, 10  # of the picture: an arrow key with Shift; how many of them one without is
SHIFT = 8  # of the Chrome DevTools Protocol
SQUARE = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]


class AskewCamera:
    """A camera over a mat of which all markers are covered, in real time. corners: the tray's, in shares of a frame."""

    live = False

    def __init__(self, dice: int) -> None:
        self.tray = DisturbedMat(mat_of("A4", "left"), dice, chance=Random(3), fps=8.0)
        self.tray.wrong = Disturbance(hidden=tuple(self.tray.mat.markers))
        self._pixels = self.tray.read().pixels
        self.height, self.width = self._pixels.shape[:2]
        whole = np.array([(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)], np.float32)
        self._onto = cv2.getPerspectiveTransform(
            whole, np.array(ASKEW, np.float32) * np.array((self.width, self.height), np.float32)
        )
        sharp = (np.array(self.tray.mat.tray.corners) + BORDER_MM) * PX_PER_MM
        seen = cv2.perspectiveTransform(sharp[None], self._onto)[0] / (self.width, self.height)
        self.corners = [(float(x), float(y)) for x, y in seen]

    def read(self) -> Frame:
        pixels = cv2.warpPerspective(self.tray.read().pixels, self._onto, (self.width, self.height))
        return Frame(np.asarray(pixels, np.uint8), time.monotonic())

    def close(self) -> None:
        """Do nothing: it has no device."""


@dataclass(frozen=True, slots=True)
class ArmTable:
    """What is set up. out: the profile's file."""

    page: Page
    camera: AskewCamera
    out: Path


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ArmTable]:
    camera, out = AskewCamera(3), tmp_path / "home.toml"
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    known = SetupContext((load("pig")[0],), calibrates=True)
    page.offer(lambda _: known, lambda: None, tuple)
    thread = CameraThread(camera, PerceptionPipeline(read), time.monotonic)
    loop = TableLoop(
        thread,
        [],
        {
            MenuAction.CALIBRATE: lambda *_: GuidedDialog(lambda: thread.newest, out),
            MenuAction.START_MENU: lambda *_: None,
        },
        lambda: setup_dialog(SetupState(known, (Step("first"),)), home=False),
        inbox=page.inbox,
    )
    loop.begin(None)
    over = Event()

    def run() -> None:
        while not over.wait(TURN_S):
            thread.step()
            now_s = time.monotonic()
            page.show(loop.tick(now_s), None if thread.newest is None else thread.newest.frame, now_s)

    running = Thread(target=run)
    running.start()
    try:
        yield ArmTable(page, camera, out)
    finally:
        over.set()
        running.join()
        page.close()


def menu_until(visitor: Visitor, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Read what the table asks until something is so; return its menu."""
    menu: dict[str, Any] | None = None
    end_s = time.monotonic() + LOOK_S
    while time.monotonic() < end_s:
        menu = json.loads(visitor.get("/state").body)["menu"]
        if menu and holds(menu):
            return dict(menu)
        visitor.get("/arm/look")
    raise AssertionError(menu)


def asks_for_corners(menu: dict[str, Any]) -> bool:
    return bool(menu["guided"] and menu["corners"])


def why(visitor: Visitor, at: object) -> tuple[int, str]:
    body = f'{{"do": "corners", "match": 0, "at": {json.dumps(at)}}}'.encode()
    answer = visitor.post("/api/v1/command", body)
    return answer.status, json.loads(answer.body).get("why", "") if answer.body else ""


@pytest.mark.slow
def test_corners_that_can_be_none_are_refused(table: ArmTable) -> None:
    """Strangers, other origins, long bodies: as with every wish. Other values: a line that says what is wrong.

    Four in a heap, and four between which no die lies: the guided run says so, and goes on asking.
    """
    stranger, visitor = Visitor(table.page.address), let_in(table.page)
    wish = {"do": "corners", "match": 0, "at": SQUARE}
    assert stranger.post("/api/v1/command", wish).status == 403
    assert visitor.post("/api/v1/command", wish, Origin="http://evil.example").status == 403
    assert visitor.post("/api/v1/command", {**wish, "at": SQUARE * 200}).status == 413
    assert visitor.post("/api/v1/command", wish).status == 409  # nobody is guided yet
    assert visitor.post("/api/v1/command", {"do": "calibrate", "match": 0}).status == 204
    menu_until(visitor, asks_for_corners)
    for corners, note in (
        ([[0.5, 0.5]] * 4, "tap each corner of the tray"),
        ([[0.1, 0.1], [0.5, 0.5], [0.9, 0.9], [0.3, 0.3]], "tap each corner of the tray"),
        (table.camera.corners, "lay a die into the tray"),
    ):
        assert why(visitor, corners)[0] == 422
        seen = menu_until(visitor, lambda menu, note=note: menu["note"] == note)  # type: ignore[misc]
        assert asks_for_corners(seen)
    assert not table.out.exists()


def by_keys(phone: Browser, x: float, y: float) -> None:
    phone.value("document.querySelector('#view').focus()")
    for share, (back, on) in ((x, ("ArrowLeft", "ArrowRight")), (y, ("ArrowUp", "ArrowDown"))):
        far = round(abs(share - 0.5) / FINE)
        for times, modifiers in ((far // FINE_OF_COARSE, 0), (far % FINE_OF_COARSE, SHIFT)):
            for _ in range(times):
                key = on if share > 0.5 else back
                phone.cdp("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "modifiers": modifiers})
    phone.cdp("Input.dispatchKeyEvent", {"type": "keyDown", "key": "Enter"})


@pytest.mark.slow
def test_four_corners_tapped_on_a_phone_are_saved(phone: Browser, table: ArmTable) -> None:
    """Begun, tapped in any order, one wrongly and then moved, used, the other steps skipped, saved: all on a phone."""
    camera = table.camera
    camera.tray.throw()
    phone.open(f"http://{table.page.address}/#{table.page.pairing.digits}")
    phone.until("document.querySelector('#arm-link').textContent && !document.querySelector('#arm-link').hidden")
    phone.open(f"http://{table.page.address}/arm")
    phone.until("document.body.dataset.pictures > 3 && document.querySelector('#begin').checkVisibility()")
    phone.tap("#begin")
    phone.until("document.querySelector('#tap').checkVisibility()")

    def tap(x: float, y: float) -> None:
        spot = "const view = document.querySelector('#view'); view.scrollIntoView({ block: 'nearest' });"
        spot += "const box = view.getBoundingClientRect();"
        place = phone.run(f"{spot} return [box.left + {x} * box.width, box.top + {y} * box.height];")
        point = {"x": round(place[0]), "y": round(place[1]), "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            phone.cdp("Input.dispatchMouseEvent", {"type": kind, **point})

    wrong_x, wrong_y = camera.corners[1]
    for corner in (camera.corners[2], camera.corners[0], (wrong_x - 0.12, wrong_y + 0.1)):
        tap(*corner)
    assert not phone.value("document.querySelector('#use').checkVisibility()")
    by_keys(phone, *camera.corners[3])
    tap(wrong_x, wrong_y)  # moves the nearest
    assert phone.value("document.querySelectorAll('#marks span:not(.ring)').length") == 4
    assert phone.text("#use") == "Use these corners"
    phone.tap("#use")
    phone.until("document.querySelector('#who').textContent === 'Light'")
    phone.until("document.querySelector('#signs .figure').textContent === 'not needed'")
    assert phone.value("document.querySelectorAll('#signs .wrong .advice').length") <= 2  # light and lens at most
    for title in ("Turn the lens", "The camera holds", "Roll your dice", "Report"):
        phone.tap("#hold")
        phone.until(f"document.querySelector('#who').textContent === '{title}'")
    assert phone.text("#signs .figure") == "not needed"
    phone.tap("#bank")
    phone.until("document.querySelector('#begin').checkVisibility()")
    profile = load_profile(table.out)
    seen = np.array(camera.corners) * (camera.width, camera.height)
    assert np.abs(np.array(profile.tray_px) - seen).max() <= SAME_PX
    assert profile.tray_mm == pytest.approx(TRAY_MM, rel=0.05)
