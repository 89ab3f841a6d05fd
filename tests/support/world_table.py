"""A table in the simulated living room: the real loop, over what a camera sees of the world. No clock, no thread."""

from typing import Literal, cast

import numpy as np

from tabletop.core.errors import DeviceError
from tabletop.core.ports import ButtonName, Camera, Frame
from tabletop.core.values import Profile
from tabletop.dialogs.commands import Inbox
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import Handlers, TableLoop
from tabletop.simulator.tray import Tray, profile_of
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read
from tools.room.world import RoomWorld
from tools.scenarios.mix import SETTLED

LOOK_S = 1.0  # people look at the screen for so long


class FailingCamera:
    """A camera of the world that gives what `fails` says instead of its frames: black ones, an error, or none."""

    live = True

    def __init__(self, camera: Camera) -> None:
        self.fails: Literal["", "black", "error", "ended"] = ""
        self._camera = camera

    def read(self) -> Frame | None:
        """Return the next frame, or fail; the world goes on meanwhile."""
        frame = self._camera.read()
        if self.fails == "error":
            raise DeviceError("camera usb:0 stopped answering: check its cable")
        if frame is None or self.fails == "ended":
            return None
        return Frame(np.zeros_like(frame.pixels), frame.time_s) if self.fails == "black" else frame

    def close(self) -> None:
        self._camera.close()


class WorldTable:
    """People at a table: they throw, sort and press, and look at the screen.

    shown: what it showed last; hints: all that it hinted, each once in a row. profile: None for the tray's own.
    """

    def __init__(
        self,
        world: RoomWorld | Tray,
        match: Match | MatchSession,
        *,
        profile: Profile | None = None,
        handlers: Handlers | None = None,
        inbox: Inbox | None = None,
    ) -> None:
        self.world = cast("RoomWorld", world)  # a tray alone has camera, time and `busy` as well
        self.tray = world if isinstance(world, Tray) else world.tray
        self.camera = FailingCamera(world.camera)
        pipeline = PerceptionPipeline(read, profile or profile_of(self.tray))
        self.camera_thread = CameraThread(self.camera, pipeline, lambda: world.now_s)
        self.table = TableLoop(
            self.camera_thread,
            [self.tray.buttons],
            handlers or {},
            lambda: None,  # type: ignore[arg-type, return-value]  # no menu is opened here
            inbox=inbox,
        )
        if isinstance(match, Match):
            match = MatchSession(match, registers=True)
        self.session = match
        self.table.begin(self.session)
        self.shown = Snapshot()
        self.hints: list[str] = []
        self.run(0.4)

    def run(self, seconds: float = SETTLED) -> Snapshot:
        """Let frames come for so long, or until all is over and people have looked."""
        end_s = self.world.now_s + seconds
        while self.world.busy if seconds == SETTLED else self.world.now_s < end_s:
            self.frame()
        return self.run(LOOK_S) if seconds == SETTLED else self.shown

    def frame(self) -> None:
        assert self.camera_thread.step()
        self.tick(self.world.now_s)

    def tick(self, now_s: float) -> Snapshot:
        self.shown = self.table.tick(now_s)
        if self.shown.hint != (self.hints or [""])[-1]:
            self.hints.append(self.shown.hint)
        return self.shown

    def press(self, button: ButtonName, *, long: bool = False) -> Snapshot:
        end_s = self.tray.press(button, long=long)
        return self.run(end_s - self.world.now_s + 0.4)

    @property
    def throws(self) -> list[tuple[int, ...]]:
        return [tuple(sorted(e.answer.faces)) for e in self.session.match.log if e.kind == "throw"]  # type: ignore[arg-type, union-attr]  # of one player
