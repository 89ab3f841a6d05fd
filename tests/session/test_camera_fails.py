"""A camera that stalls, is black or ends: the match waits, the screen says why, and buttons are obeyed all the time."""

import threading
from random import Random
from typing import Literal

import pytest
from world_table import WorldTable

from tabletop.core.moment import Moment
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Rest
from tabletop.perception.pipeline import BLACK, PerceptionPipeline
from tabletop.perception.settler import Settler
from tabletop.rules import Match
from tabletop.session.camera_thread import NO_PICTURES, SILENT_S, CameraThread
from tabletop.session.journal import NullEventSink
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tools.room.world import RoomWorld

LONG_S = 60.0  # longer than any hand covers a die


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
        """Wait."""
        self.readers.add(threading.get_ident())
        self.asked.set()
        self._closed.wait()
        return None

    def close(self) -> None:
        """Come back."""
        self._closed.set()


def test_a_press_is_acknowledged_while_the_camera_does_not_come_back() -> None:
    """The thread that owns presses never asks the camera; the screen says that there are no pictures."""
    now_s = [10.0]
    camera, buttons = BlockedCamera(), TrayButtons(lambda: now_s[0], Random(1))
    camera_thread = CameraThread(
        camera, PerceptionPipeline(lambda *_, **__: pytest.fail("nothing is seen")), lambda: now_s[0]
    )
    table = TableLoop(camera_thread, [buttons], {}, lambda: pytest.fail("no menu"))
    table.begin(MatchSession(Match("pig", ["Ann", "Ben"]), NullEventSink(), 1, lambda: Moment(""), lambda _: None))
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
