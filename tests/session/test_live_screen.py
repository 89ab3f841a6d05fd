"""What a finger does to the screen; MENU, and switching off by holding both. No clock, no thread."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from people import menu_of
from somebody import Somebody

from tabletop.core.ports import ButtonName, Edge
from tabletop.dialogs.mistakes import LEAVE_IT
from tabletop.rules import Match, Throw
from tabletop.session.table_events import SWITCH_OFF_S
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot

HOUR = 3600.0


@pytest.fixture
def sitting(watched: Somebody) -> Somebody:
    watched.table.tick(0.0)
    watched.play(Match("pig", ["Ann", "Ben"]))
    return watched


def down(at: Somebody, button: ButtonName, now_s: float) -> Snapshot:
    at.buttons.waiting.append(Edge(now_s, button, down=True))
    return at.table.tick(now_s + 0.001)


def up(at: Somebody, button: ButtonName, now_s: float) -> Snapshot:
    at.buttons.waiting.append(Edge(now_s, button, down=False))
    return at.table.tick(now_s + 0.02)


def paused(at: Somebody) -> bool:
    return at.table.session is not None and at.table.session.tray.memory.paused


def test_a_press_is_acknowledged_before_it_is_one(sitting: Somebody) -> None:
    """The contact has just closed: the snapshot names the button, and what it means is not done yet."""
    shown = down(sitting, "hold", 10.0)
    assert (shown.pressed, shown.held, paused(sitting)) == ("hold", 0.0, False)
    shown = up(sitting, "hold", 10.2)
    assert (shown.pressed, shown.paused) == (None, True)


def test_the_way_to_a_long_press_is_shown(sitting: Somebody) -> None:
    """It fills while the button is held, in steps that a display can follow, and is full when the menu is there."""
    down(sitting, "hold", 10.0)
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
    assert up(sitting, "hold", 11.0).pressed is None


def test_the_loop_knows_when_to_hurry(sitting: Somebody) -> None:
    busy = [sitting.table.busy]
    down(sitting, "bank", 10.0)
    busy.append(sitting.table.busy)
    up(sitting, "bank", 10.1)
    assert [*busy, sitting.table.busy] == [False, True, False]


@pytest.mark.parametrize("held_s", [0.05, 0.3, 3.0])
def test_a_press_on_a_dark_screen_only_wakes_it(sitting: Somebody, held_s: float) -> None:
    """Short or long, it was pressed to see something: nothing is paused, no menu opens; the next one counts."""
    assert sitting.table.care.light(2 * HOUR) == "off"
    shown = down(sitting, "hold", 2 * HOUR)
    assert sitting.table.care.light(2 * HOUR) == "full"
    assert shown.pressed is None
    for ms in range(0, int(held_s * 1000), 50):
        assert sitting.table.tick(2 * HOUR + ms / 1000).menu is None
    up(sitting, "hold", 2 * HOUR + held_s)
    assert not paused(sitting)
    down(sitting, "hold", 2 * HOUR + 5.0)
    up(sitting, "hold", 2 * HOUR + 5.1)
    assert paused(sitting)


def test_a_tap_that_wakes_may_come_in_one_piece(sitting: Somebody) -> None:
    """The loop was busy: both edges of the tap are there at once, and still it only wakes."""
    sitting.buttons.waiting = [Edge(2 * HOUR, "hold", down=True), Edge(2 * HOUR + 0.05, "hold", down=False)]
    sitting.table.tick(2 * HOUR + 0.5)
    assert not paused(sitting)
    assert sitting.table.care.light(2 * HOUR + 0.5) == "full"


def test_a_press_on_a_dim_screen_counts(sitting: Somebody) -> None:
    assert sitting.table.care.light(0.5 * HOUR) == "dim"
    down(sitting, "hold", 0.5 * HOUR)
    up(sitting, "hold", 0.5 * HOUR + 0.1)
    assert paused(sitting)


def test_a_stuck_button_is_said_and_the_other_works(sitting: Somebody) -> None:
    """In the match and in its menu, for as long as it is stuck; HOLD pauses and opens the menu all the same."""
    down(sitting, "bank", 10.0)
    assert "stuck" not in sitting.table.tick(19.0).hint
    assert sitting.table.tick(20.5).hint == "BANK is stuck: check the button"
    down(sitting, "hold", 21.0)
    up(sitting, "hold", 21.1)
    assert paused(sitting)
    down(sitting, "hold", 22.0)
    menu = sitting.table.tick(22.7).menu
    assert menu is not None
    assert menu.note == "BANK is stuck: check the button"
    up(sitting, "hold", 22.8)
    shown = up(sitting, "bank", 23.0)
    assert shown.menu is not None
    assert "stuck" not in shown.menu.note
    down(sitting, "hold", 24.0)
    sitting.table.tick(24.7)
    assert up(sitting, "hold", 24.8).hint != "BANK is stuck: check the button"


@pytest.fixture
def switchable(tmp_path: Path) -> Iterator[Somebody]:
    with Store(tmp_path / "a.db") as store:
        somebody = Somebody(store, no_camera=True, switches_off=True)
        somebody.play(Match("pig", ["Ann", "Ben"]))
        yield somebody


def tap_menu(somebody: Somebody) -> Snapshot:
    end_s = somebody.now_s + 0.1
    somebody.buttons.waiting += [Edge(somebody.now_s, "menu", True), Edge(end_s, "menu", False)]
    somebody.now_s = end_s + 0.3
    somebody.table.tick(end_s)
    return somebody.table.tick(somebody.now_s)


def test_menu_opens_the_menu_and_leads_out_of_it(sitting: Somebody) -> None:
    """From the match into the menu, from a page behind it back, and from its first page to the match."""
    shown = tap_menu(sitting)
    assert (menu_of(shown).title, menu_of(shown).at) == ("Menu", 0)
    while menu_of(shown).items[menu_of(shown).at] != "players":
        shown = sitting.press("hold")
    sitting.press("bank")
    assert menu_of(tap_menu(sitting)).title == "Menu"
    assert tap_menu(sitting).menu is None


def test_menu_takes_nothing_back(sitting: Somebody) -> None:
    """Where a long BANK takes back what is shown, MENU leaves the question, and everything as it was."""
    session = sitting.table.session
    assert session is not None
    session.answer(Throw((4,)))
    assert menu_of(sitting.press("bank", long=True)).items == ("Ann: threw 4", LEAVE_IT)
    assert tap_menu(sitting).menu is None
    assert [event.kind for event in session.match.log] == ["throw"]


def hold_both(somebody: Somebody, seconds: float) -> list[str]:
    """Hold both buttons and look four times a second; return the hints that are shown."""
    begun_s, hints = somebody.now_s, list[str]()
    somebody.buttons.waiting += [Edge(begun_s, "bank", True), Edge(begun_s, "hold", True)]
    while somebody.now_s < begun_s + seconds:
        hints.append(somebody.table.tick(somebody.now_s).hint)
        somebody.now_s += 0.25
    somebody.buttons.waiting += [Edge(somebody.now_s, "bank", False), Edge(somebody.now_s, "hold", False)]
    somebody.now_s += 0.5
    somebody.table.tick(somebody.now_s)
    return hints


def test_both_held_switch_off_and_count_down(switchable: Somebody) -> None:
    """After four seconds, not half a second sooner; the display counts the last three, the match stays as it was."""
    session = switchable.table.session
    assert session is not None
    before = session.match.state()
    hold_both(switchable, SWITCH_OFF_S - 0.5)
    shown = switchable.table.tick(switchable.now_s)
    assert (switchable.table.over, shown.menu, shown.hint) == (False, None, "")
    hints = hold_both(switchable, SWITCH_OFF_S + 0.3)
    counted = [hint for hint in dict.fromkeys(hints) if hint.startswith("hold to")]
    assert counted == [f"hold to switch off: {left}" for left in (3, 2, 1)]
    assert switchable.table.over
    assert session.match.state() == before


@pytest.mark.parametrize("seconds", [5.0, 12.0])
def test_an_arm_on_the_box_switches_nothing_off_unless_it_may(sitting: Somebody, seconds: float) -> None:
    """As long as nobody has asked for it, both buttons mean nothing however long they are held."""
    hints = hold_both(sitting, seconds)
    assert not sitting.table.over
    assert not any("switch off" in hint for hint in hints)
