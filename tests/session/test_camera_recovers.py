"""From the camera's plug to the line on the screen, and back to none: within two seconds each, in simulated time."""

from collections.abc import Callable
from math import inf
from pathlib import Path

import pytest
from stepped_camera import SteppedCamera
from v4l2_camera import Plugged

from tabletop.cameras.nodes import UsbNodes
from tabletop.cameras.usb import UsbOpening
from tabletop.cameras.words import CameraWords
from tabletop.core.moment import Moment
from tabletop.core.ports import Camera
from tabletop.core.reconnecting import Reconnecting
from tabletop.core.values import Reading
from tabletop.perception.pipeline import BLACK, PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.camera_thread import STALL_S, CameraThread
from tabletop.session.journal import NullEventSink
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import TableLoop

SAID_S = 2.0
LOST = "camera usb:0 stopped answering: check its cable"
ABSENT = "expected a camera at usb:0, got none: plug it in, or try another number"


class Evening:
    """A table over a camera that fails; the screen is looked at after every frame."""

    def __init__(self, world: Plugged) -> None:
        self.world = world
        nodes = UsbNodes(world.root / "dev", world.root / "sys", world.root / "proc")

        def opening() -> Camera:
            camera = SteppedCamera(
                UsbOpening(CameraWords(), world.make, nodes), "usb:0", (1280, 720), world.clock, world.wait
            )
            camera.worker.open()
            return camera

        self.camera = Reconnecting(opening, wait=world.wait)
        nothing = PerceptionPipeline(lambda *_, **__: Reading(0.0, 1280, 720))
        self.thread = CameraThread(self.camera, nothing, world.clock)
        self.table = TableLoop(self.thread, [], {}, lambda: pytest.fail("no menu"))
        people = ["Ann", "Ben"]
        self.table.begin(MatchSession(Match("pig", people), NullEventSink(), 1, lambda: Moment(""), lambda _: None))

    @property
    def age_s(self) -> float:
        """How old the newest frame is."""
        newest = self.thread.newest
        return inf if newest is None else self.world.now_s - newest.frame.time_s

    def until(self, shown: Callable[[str], bool], within_s: float = SAID_S) -> str:
        """Return the screen's line, which must become so in this time."""
        end_s, lines = self.world.now_s + within_s, [""]
        while self.world.now_s < end_s:
            newest = self.thread.newest
            assert self.thread.step()
            if self.thread.newest is newest:
                self.world.wait(STALL_S)
            lines.append(self.table.tick(self.world.now_s).hint)
            if shown(lines[-1]):
                return lines[-1]
        pytest.fail(f"shown within {within_s} s: {set(lines)}")


FAULTS: dict[str, tuple[Callable[[Plugged], object], Callable[[Plugged], object], str]] = {
    "stalled": (lambda it: setattr(it, "stalled", True), lambda it: setattr(it, "stalled", False), LOST),
    "unplugged": (Plugged.unplug, Plugged.plug_in, LOST),
    "slow": (lambda it: setattr(it, "fps", 4.0), lambda it: setattr(it, "fps", 30.0), "camera usb:0 is slow"),
    "black": (lambda it: setattr(it, "lux", 0.0), lambda it: setattr(it, "lux", 1.0), BLACK),
    "damaged": (lambda it: setattr(it, "breaks", True), lambda it: setattr(it, "breaks", False), LOST),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_on_the_screen_within_two_seconds_and_gone_soon_after(fault: str, tmp_path: Path) -> None:
    """Said while it lasts, or for some seconds if the game can go on; nothing is said once it is mended."""
    breaks, mend, line = FAULTS[fault]
    evening = Evening(Plugged(tmp_path))
    evening.until(lambda hint: not hint and evening.thread.newest is not None)
    evening.until(lambda _: evening.world.now_s > 103.0, 5.0)
    breaks(evening.world)
    evening.until(lambda hint: hint.startswith(line))
    evening.world.wait(1.0)
    mend(evening.world)
    evening.until(lambda hint: not hint, 9.0 if fault == "slow" else 4.0)
    evening.until(lambda _: evening.age_s < 0.1)


def test_the_table_starts_without_its_camera_and_says_so_at_once(tmp_path: Path) -> None:
    """Not plugged in when the table starts; plugged in an hour later."""
    world = Plugged(tmp_path)
    world.unplug()
    evening = Evening(world)
    assert evening.until(bool, 0.1) == ABSENT
    world.wait(3600.0)
    world.plug_in()
    evening.until(lambda hint: hint != ABSENT and evening.age_s < 0.1)
