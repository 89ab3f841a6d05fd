"""A table with a page over a simulated tray without markers, seen askew, that a phone sets up: it runs by itself."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

import cv2
import numpy as np
from disturbed_mat import Disturbance, DisturbedMat

from calibration.guided.dialog import GuidedDialog
from tabletop.config.mat import mat_of
from tabletop.core.ports import Frame
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import SetupContext, SetupState, Step
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules.catalog import load
from tabletop.session.camera_thread import CameraThread
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.mat_tray import BORDER_MM, PX_PER_MM
from tabletop.vision.reader import read
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

TURN_S = 0.05  # between two turns of the loop
# Where the corners of the whole picture are seen, in shares of it: from one side, the far end narrower by an eighth.
ASKEW = ((0.06, 0.05), (0.95, 0.04), (1.0, 0.97), (0.0, 0.98))


class AskewCamera:
    """A camera over a mat of which all markers are covered, in real time. corners: the tray's, in shares of a frame."""

    live = False

    def __init__(self, dice: int) -> None:
        self.tray = DisturbedMat(mat_of("A4", "left"), dice, chance=Random(3), fps=8.0)
        self.tray.wrong = Disturbance(hidden=tuple(self.tray.mat.markers))
        self._pixels = self.tray.camera.read().pixels
        self.height, self.width = self._pixels.shape[:2]
        whole = np.array([(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)], np.float32)
        self._onto = cv2.getPerspectiveTransform(
            whole, np.array(ASKEW, np.float32) * np.array((self.width, self.height), np.float32)
        )
        sharp = (np.array(self.tray.mat.tray.corners) + BORDER_MM) * PX_PER_MM
        seen = cv2.perspectiveTransform(sharp[None], self._onto)[0] / (self.width, self.height)
        self.corners = [(float(x), float(y)) for x, y in seen]

    def read(self) -> Frame:
        pixels = cv2.warpPerspective(self.tray.camera.read().pixels, self._onto, (self.width, self.height))
        return Frame(np.asarray(pixels, np.uint8), time.monotonic())

    def close(self) -> None:
        """Do nothing: it has no device."""


@dataclass(frozen=True, slots=True)
class ArmTable:
    """What is set up. out: the profile's file."""

    page: Page
    camera: AskewCamera
    out: Path


@contextmanager
def arm_table(folder: Path, dice: int = 3) -> Iterator[ArmTable]:
    """Run the table in a thread of its own, at the start menu."""
    camera, out = AskewCamera(dice), folder / "home.toml"
    page = Page(listen("local", 0), time.monotonic, folder / DEVICES)
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
