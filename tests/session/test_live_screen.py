"""What a finger does to the screen: acknowledged at once, and a dark screen is only woken. No clock, no thread."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.cameras.absent import Absent
from tabletop.core.moment import Moment
from tabletop.core.ports import ButtonName, Edge
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.replay.player import ScriptedButtons
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.table_loop import TableLoop
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot

HOUR = 3600.0


class Sitting:
    """A table at which Ann and Ben play Pig."""

    def __init__(self, store: Store) -> None:
        self.fingers = ScriptedButtons()
        matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        camera_thread = CameraThread(Absent(), PerceptionPipeline(lambda *_, **__: pytest.fail("nobody looks")))
        self.table = TableLoop(camera_thread, [self.fingers], matches.handlers, matches.menu)
        self.table.tick(0.0)
        self.table.begin(matches.begin(Match("pig", ["Ann", "Ben"])))

    def down(self, button: ButtonName, now_s: float) -> Snapshot:
        """Close a contact; the loop turns a millisecond later."""
        self.fingers.waiting.append(Edge(now_s, button, down=True))
        return self.table.tick(now_s + 0.001)

    def up(self, button: ButtonName, now_s: float) -> Snapshot:
        """Open it; the loop turns when chatter is over."""
        self.fingers.waiting.append(Edge(now_s, button, down=False))
        return self.table.tick(now_s + 0.02)

    @property
    def paused(self) -> bool:
        """Whether HOLD has paused the match, as it does at the beginning of a turn of Pig."""
        return self.table.session is not None and self.table.session.tray.memory.paused


@pytest.fixture
def sitting(tmp_path: Path) -> Iterator[Sitting]:
    """Sit down."""
    with Store(tmp_path / "a.db") as store:
        yield Sitting(store)


def test_a_press_is_acknowledged_before_it_is_one(sitting: Sitting) -> None:
    """The contact has just closed: the snapshot names the button, and what it means is not done yet."""
    shown = sitting.down("hold", 10.0)
    assert (shown.pressed, shown.held, sitting.paused) == ("hold", 0.0, False)
    shown = sitting.up("hold", 10.2)
    assert (shown.pressed, shown.paused) == (None, True)


def test_the_way_to_a_long_press_is_shown(sitting: Sitting) -> None:
    """It fills while the button is held, in steps that a display can follow, and is full when the menu is there."""
    sitting.down("hold", 10.0)
    shown = [sitting.table.tick(10.0 + ms / 1000) for ms in range(10, 600, 10)]
    parts = [snapshot.held for snapshot in shown]
    assert parts == sorted(parts)
    assert parts[0] < 0.1
    assert 0.9 < parts[-1] <= 1.0
    assert len(set(parts)) <= 13
    assert {snapshot.pressed for snapshot in shown} == {"hold"}
    full = sitting.table.tick(10.61)
    assert full.menu is not None
    assert (full.pressed, full.held) == ("hold", 1.0)
    assert sitting.up("hold", 11.0).pressed is None


def test_the_loop_knows_when_to_hurry(sitting: Sitting) -> None:
    """While a finger is at a button."""
    busy = [sitting.table.busy]
    sitting.down("bank", 10.0)
    busy.append(sitting.table.busy)
    sitting.up("bank", 10.1)
    assert [*busy, sitting.table.busy] == [False, True, False]


@pytest.mark.parametrize("held_s", [0.05, 0.3, 3.0])
def test_a_press_on_a_dark_screen_only_wakes_it(sitting: Sitting, held_s: float) -> None:
    """Short or long, it was pressed to see something: nothing is paused, no menu opens; the next one counts."""
    assert sitting.table.care.light(2 * HOUR) == "off"
    shown = sitting.down("hold", 2 * HOUR)
    assert sitting.table.care.light(2 * HOUR) == "full"
    assert shown.pressed is None
    for ms in range(0, int(held_s * 1000), 50):
        assert sitting.table.tick(2 * HOUR + ms / 1000).menu is None
    sitting.up("hold", 2 * HOUR + held_s)
    assert not sitting.paused
    sitting.down("hold", 2 * HOUR + 5.0)
    sitting.up("hold", 2 * HOUR + 5.1)
    assert sitting.paused


def test_a_tap_that_wakes_may_come_in_one_piece(sitting: Sitting) -> None:
    """The loop was busy: both edges of the tap are there at once, and still it only wakes."""
    sitting.fingers.waiting = [Edge(2 * HOUR, "hold", down=True), Edge(2 * HOUR + 0.05, "hold", down=False)]
    sitting.table.tick(2 * HOUR + 0.5)
    assert not sitting.paused
    assert sitting.table.care.light(2 * HOUR + 0.5) == "full"


def test_a_press_on_a_dim_screen_counts(sitting: Sitting) -> None:
    """What a button does can be read there."""
    assert sitting.table.care.light(0.5 * HOUR) == "dim"
    sitting.down("hold", 0.5 * HOUR)
    sitting.up("hold", 0.5 * HOUR + 0.1)
    assert sitting.paused


def test_a_stuck_button_is_said_and_the_other_works(sitting: Sitting) -> None:
    """In the match and in its menu, for as long as it is stuck; HOLD pauses and opens the menu all the same."""
    sitting.down("bank", 10.0)
    assert "stuck" not in sitting.table.tick(19.0).hint
    assert sitting.table.tick(20.5).hint == "BANK is stuck: check the button"
    sitting.down("hold", 21.0)
    sitting.up("hold", 21.1)
    assert sitting.paused
    sitting.down("hold", 22.0)
    menu = sitting.table.tick(22.7).menu
    assert menu is not None
    assert menu.note == "BANK is stuck: check the button"
    sitting.up("hold", 22.8)
    shown = sitting.up("bank", 23.0)
    assert shown.menu is not None
    assert "stuck" not in shown.menu.note
    sitting.down("hold", 24.0)
    sitting.table.tick(24.7)
    assert sitting.up("hold", 24.8).hint != "BANK is stuck: check the button"
