"""A camera that stalls, is black, ends or recovers: the match waits, the screen says why, buttons are obeyed."""

import threading
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from v4l2_camera import Plugged
from world_table import WorldTable

from tabletop.cameras.live_camera import CameraWorker, Opening
from tabletop.cameras.usb import UsbNodes, UsbOpening
from tabletop.cameras.words import CameraWords
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Camera, Frame
from tabletop.core.reconnecting import Reconnecting
from tabletop.core.values import Die, Reading, Rest
from tabletop.perception.pipeline import BLACK, PerceptionPipeline
from tabletop.perception.settler import Settler
from tabletop.rules import Match
from tabletop.session.camera_thread import NO_PICTURES, SILENT_S, STALL_S, CameraThread
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tools.room.world import RoomWorld

LONG_S = 60.0  # longer than any hand covers a die


class SteppedCamera:
    """A camera that recovers, in simulated time: `read` does what `LiveCamera` does in a thread."""

    live = True

    def __init__(
        self,
        opening: Opening,
        name: str,
        size: tuple[int, int],
        clock: Callable[[], float],
        wait: Callable[[float], object],
    ) -> None:
        self.worker = CameraWorker(opening, name, size, clock, wait)

    def read(self) -> Frame:
        while True:
            frame = self.worker.step()
            if frame is not None:
                return frame
            if self.worker.trouble:
                raise DeviceError(self.worker.trouble)

    def close(self) -> None:
        self.worker.close()


@pytest.mark.parametrize(
    ("fails", "said"), [("black", BLACK), ("error", "camera usb:0 stopped answering"), ("ended", NO_PICTURES)]
)
def test_a_throw_is_taken_when_pictures_return(fails: Literal["black", "error", "ended"], said: str) -> None:
    """In the middle of a throw there are no pictures for two seconds: said, nothing taken, and then the throw is."""
    world = RoomWorld(1, chance=Random(3), fps=10.0, noise=0.0)
    ann = WorldTable(world, Match("pig", ["Ann", "Ben"]))
    end_s = world.throw(faces=[4])
    ann.run(end_s - world.now_s - 0.4)
    ann.camera.fails = fails
    assert ann.run(1.5).hint.startswith(said)
    assert ann.throws == []
    ann.camera.fails = ""
    ann.run(1.0)
    assert ann.throws == [(4,)]
    assert ann.shown.hint == ""


@pytest.mark.parametrize("fails", ["error", "ended"])
def test_bank_takes_no_dice_that_nobody_sees_any_more(fails: Literal["error", "ended"]) -> None:
    """A throw is taken back, and the die lies there for BANK to take: not while the camera has been silent for long."""
    world = RoomWorld(1, chance=Random(3), fps=10.0, noise=0.0)
    ann = WorldTable(world, Match("pig", ["Ann", "Ben"]))
    world.throw(faces=[4])
    ann.run()
    ann.press("bank", long=True)
    ann.press("bank")
    assert ann.shown.bank == "take"
    ann.camera.fails = fails
    ann.run(SILENT_S + 0.5)
    assert ann.shown.bank != "take"
    ann.press("bank")
    assert ann.throws == [(4,)]
    ann.camera.fails = ""
    ann.run(1.0)
    ann.press("bank")
    assert ann.throws == [(4,), (4,)]


@pytest.mark.parametrize("fails", ["black", "error", "ended"])
def test_a_die_thrown_unseen_before_an_undo_is_no_throw(fails: Literal["black", "error", "ended"]) -> None:
    """Ann banks, and Ben's die falls while there are no pictures. Her bank is taken back: the die is not hers."""
    world = RoomWorld(1, chance=Random(3), fps=10.0, noise=0.0)
    ann = WorldTable(world, Match("pig", ["Ann", "Ben"]))
    world.throw(faces=[4])
    ann.run()
    ann.press("bank")
    ann.camera.fails = fails
    world.throw(faces=[3])
    ann.run()
    ann.press("bank", long=True)
    ann.press("bank")
    ann.camera.fails = ""
    ann.run(3.0)
    assert (ann.throws, ann.session.match.request.player, ann.session.match.at_stake) == ([(4,)], "Ann", 4)
    world.throw(faces=[5])
    ann.run()
    assert ann.throws == [(4,), (5,)]


@pytest.mark.slow
def test_a_die_that_lay_there_all_the_time_is_no_throw_after_a_long_stall() -> None:
    """Black for so long that a covered die would count as taken away: the die that was banked is nobody's throw."""
    world = RoomWorld(1, chance=Random(3), fps=10.0, noise=0.0)
    ann = WorldTable(world, Match("pig", ["Ann", "Ben"]))
    world.throw(faces=[4])
    ann.run()
    ann.press("bank")
    world.tray.wait(LONG_S)
    ann.camera.fails = "black"
    while world.busy:
        ann.camera_thread.step()
    ann.camera.fails = ""
    ann.run(1.0)
    assert ann.throws == [(4,)]


def test_after_a_stall_only_what_moved_has_arrived() -> None:
    """One die lies as it did, one shows another face, one is new."""

    def rest(settle: Settler, time_s: float, *faces: int) -> Rest | None:
        dice = tuple(Die(face, 100.0 * n + 50, 100.0, 50.0, 10.0, "white", 0.99) for n, face in enumerate(faces))
        return settle.feed(Reading(time_s, 640, 480, dice))

    settle = Settler()
    rest(settle, 0.0)
    before = [rest(settle, 1.0 + n / 10, 3, 4) for n in range(10)][-1]
    after = [rest(settle, LONG_S + n / 10, 3, 5, 6) for n in range(10)][-1]
    assert before is not None
    assert after is not None
    assert after.arrived_s[0] == before.arrived_s[0]
    assert min(after.arrived_s[1:]) >= LONG_S


class BlockedCamera:
    """A camera that does not come back from a read, until it is closed. readers: the threads that asked it."""

    live = True

    def __init__(self) -> None:
        self.readers = set[int]()
        self.asked, self._closed = threading.Event(), threading.Event()

    def read(self) -> Frame | None:
        self.readers.add(threading.get_ident())
        self.asked.set()
        self._closed.wait()
        return None

    def close(self) -> None:
        self._closed.set()


def test_a_press_is_acknowledged_while_the_camera_does_not_come_back() -> None:
    """The thread that owns presses never asks the camera; the screen says that there are no pictures."""
    now_s = [10.0]
    camera, buttons = BlockedCamera(), TrayButtons(lambda: now_s[0], Random(1))
    camera_thread = CameraThread(
        camera, PerceptionPipeline(lambda *_, **__: pytest.fail("nothing is seen")), lambda: now_s[0]
    )
    table = TableLoop(camera_thread, [buttons], {}, lambda: pytest.fail("no menu"))
    table.begin(MatchSession(Match("pig", ["Ann", "Ben"])))
    camera_thread.start()
    assert camera.asked.wait(10)
    now_s[0] += SILENT_S + 1
    assert table.tick(now_s[0]).hint == NO_PICTURES
    end_s = buttons.press("hold")
    now_s[0] += 0.05
    assert table.tick(now_s[0]).pressed == "hold"
    now_s[0] = end_s + 0.2
    assert table.tick(now_s[0]).paused
    camera.close()
    camera_thread.stop()
    assert threading.get_ident() not in camera.readers


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
        self.table.begin(MatchSession(Match("pig", people)))

    @property
    def age_s(self) -> float:
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
    world = Plugged(tmp_path)
    world.unplug()
    evening = Evening(world)
    assert evening.until(bool, 0.1) == ABSENT
    world.wait(3600.0)
    world.plug_in()
    evening.until(lambda hint: hint != ABSENT and evening.age_s < 0.1)
