"""The page of the arm: live picture, markers and large signs for a device that may act, in a real Chromium."""

import base64
import json
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from browser import PHONE, Browser
from disturbed_mat import Disturbance, DisturbedMat
from page_visitor import Visitor

from calibration.guided.signs import ArmSigns
from tabletop.config.mat import mat_of
from tabletop.core.ports import Frame
from tabletop.core.values import SetUp
from tabletop.simulator.tray import Tray, profile_of
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page
from tabletop.web.tray import installed

ALL_MARKERS = tuple(mat_of("A4", "left").markers)
TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann")


def picture(wrong: Disturbance) -> Frame:
    """Return what a camera over the mat sees."""
    tray = DisturbedMat(mat_of("A4", "left"), chance=Random(3), fps=8.0)
    tray.wrong = wrong
    frame = tray.camera.read()
    assert frame is not None
    return frame


def test_only_devices_that_may_act_look_and_seldom(page: Page) -> None:
    """Others are refused; two who look within half a second get the same picture, whole and as wide as a phone."""
    page.show(TABLE, picture(Disturbance()), time.monotonic())
    visitor = Visitor(page.address)
    assert visitor.get("/arm/look").status == 403
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    first = visitor.get("/arm/look")
    assert first.status == 200
    shown = json.loads(first.body)
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
    """Nothing is known of it: a marker is asked for. Corners shown by somebody: the share of the picture they enclose.

    Where markers are seen, they say more than what was shown before.
    """
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
    page.offer_profile(lambda: profile)
    page.show(TABLE, picture(Disturbance(hidden=ALL_MARKERS)), time.monotonic())
    visitor = Visitor(page.address)
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    assert json.loads(visitor.get("/arm/look").body)["signs"][0]["figure"] == figure


@pytest.mark.slow
def test_a_phone_shows_it_live(phone: Browser, page: Page, tmp_path: Path) -> None:
    """Let in, a phone finds the way in its settings and sees picture and four signs, nothing beside the screen.

    The lamp goes off, and it is said. A phone that only watches is not shown the way.
    """
    page.show(TABLE, picture(Disturbance()), time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("document.body.dataset.count")
    phone.tap("#device-open")
    assert not phone.value("document.querySelector('#arm-link').checkVisibility()")
    phone.tap("#device-close")
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#arm-link').textContent && !document.querySelector('#arm-link').hidden")
    phone.tap("#device-open")
    assert phone.text("#arm-link") == "Set up the camera"
    phone.picture(tmp_path / "settings.png")
    phone.tap("#arm-link")
    phone.until("document.querySelectorAll('#signs .right').length === 4")
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    assert phone.value("document.querySelectorAll('#markers polygon').length") == 5
    page.show(TABLE, picture(Disturbance(light=0.2)), time.monotonic())
    phone.until("document.querySelector('#signs .wrong:last-child .advice')?.textContent === 'too dark: more light'")
    phone.picture(tmp_path / "arm.png")
