"""The third button at the table, and switching off by holding both."""

from pathlib import Path

import pytest
from somebody import Somebody

from tabletop.core.ports import Edge
from tabletop.rules import Match, Throw
from tabletop.session.table_events import SWITCH_OFF_S
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot


def sit_down(store: Store, *, switches_off: bool = False) -> Somebody:
    """Begin Pig at a table without a camera."""
    somebody = Somebody(store, no_camera=True, switches_off=switches_off)
    somebody.play(Match("pig", ["Ann", "Ben"]))
    return somebody


def tap_menu(somebody: Somebody) -> Snapshot:
    """Press MENU."""
    end_s = somebody.now_s + 0.1
    somebody.buttons.waiting += [Edge(somebody.now_s, "menu", True), Edge(end_s, "menu", False)]
    somebody.now_s = end_s + 0.3
    somebody.table.tick(end_s)
    return somebody.table.tick(somebody.now_s)


def test_menu_opens_the_menu_and_leads_out_of_it(tmp_path: Path) -> None:
    """From the match into the menu, from a page behind it back, and from its first page to the match."""
    with Store(tmp_path / "a.db") as store:
        somebody = sit_down(store)
        shown = tap_menu(somebody)
        assert shown.menu is not None
        assert (shown.menu.title, shown.menu.at) == ("Menu", 0)
        shown = somebody.press("hold")
        while shown.menu is not None and shown.menu.items[shown.menu.at] != "players":
            shown = somebody.press("hold")
        somebody.press("bank")
        shown = tap_menu(somebody)
        assert shown.menu is not None
        assert shown.menu.title == "Menu"
        assert tap_menu(somebody).menu is None


def test_menu_takes_nothing_back(tmp_path: Path) -> None:
    """Where a long BANK takes back what is shown, MENU leaves the question, and everything as it was."""
    with Store(tmp_path / "a.db") as store:
        somebody = sit_down(store)
        session = somebody.table.session
        assert session is not None
        session.answer(Throw((4,)))
        asked = somebody.press("bank", long=True)
        assert asked.menu is not None
        assert asked.menu.items == ("Ann: throw 4", "leave it")
        assert tap_menu(somebody).menu is None
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


def test_both_held_switch_off_and_count_down(tmp_path: Path) -> None:
    """After four seconds; the display counts the last three, and the match stays as it was."""
    with Store(tmp_path / "a.db") as store:
        somebody = sit_down(store, switches_off=True)
        session = somebody.table.session
        assert session is not None
        before = session.match.state()
        hints = hold_both(somebody, SWITCH_OFF_S + 0.3)
        counted = [hint for hint in dict.fromkeys(hints) if hint.startswith("hold on")]
        assert counted == [f"hold on to switch off: {left}" for left in (3, 2, 1)]
        assert somebody.table.over
        assert session.match.state() == before


def test_let_go_in_time_nothing_happens(tmp_path: Path) -> None:
    """Half a second short of it: no press, no menu, and the hint is gone."""
    with Store(tmp_path / "a.db") as store:
        somebody = sit_down(store, switches_off=True)
        hold_both(somebody, SWITCH_OFF_S - 0.5)
        shown = somebody.table.tick(somebody.now_s)
        assert not somebody.table.over
        assert shown.menu is None
        assert not shown.hint.startswith("hold on")


@pytest.mark.parametrize("seconds", [5.0, 12.0])
def test_an_arm_on_the_box_switches_nothing_off_unless_it_may(tmp_path: Path, seconds: float) -> None:
    """As long as nobody has asked for it, both buttons mean nothing however long they are held."""
    with Store(tmp_path / "a.db") as store:
        somebody = sit_down(store)
        hints = hold_both(somebody, seconds)
        assert not somebody.table.over
        assert not any("switch off" in hint for hint in hints)
