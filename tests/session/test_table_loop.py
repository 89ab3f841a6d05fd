"""The table with people at it: menus with two buttons, matches begun, put aside and resumed. No clock, no thread."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from people import People, menu_of, pig_at

from tabletop.cli.main import main
from tabletop.core.ports import Edge, Frame
from tabletop.core.values import Moment
from tabletop.dialogs.event_text import result_text
from tabletop.dialogs.mistakes import TAKE_BACK
from tabletop.dialogs.setup import OTHER_GAME, WHICH_GAME
from tabletop.interpret import hints
from tabletop.interpret.press_table import WHOSE_GO
from tabletop.perception.pipeline import FrameResult
from tabletop.replay.player import ScriptedButtons
from tabletop.rules import Keep, Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.session.snapshotting import THROW_ONE, snapshot
from tabletop.session.table_events import TableButtons
from tabletop.store import Store


def test_an_open_match_is_offered_and_goes_on(people: People) -> None:
    people.choose("Pig", "Ann, Ben", "start")
    people.throw(6)
    people.press("bank", "long hold")
    shown = people.choose(OTHER_GAME)
    assert menu_of(shown).items[0] == "go on: Pig"
    shown = people.choose("go on: Pig")
    assert (shown.scores, shown.asked) == ((6, 0), "Ben")


def test_the_die_in_the_tray_is_no_throw_after_the_menu(people: People) -> None:
    """What lies there when the menu closes was not thrown, and BANK does not count what was counted."""
    people.choose("Pig", "Ann, Ben", "start")
    people.throw(6)
    people.press("bank", "long hold")
    shown = people.choose("play on")
    assert (shown.asked, shown.ask, shown.bank) == ("Ben", THROW_ONE, WHOSE_GO)
    assert people.press("bank").at_stake == 0


def test_dice_thrown_while_the_menu_is_open_are_no_throw(people: People) -> None:
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    people.press("long hold")
    assert people.throw(6).menu is not None
    shown = people.choose("play on")
    assert (shown.asked, shown.at_stake, shown.bank) == ("Ann", 0, "take")
    assert people.press("bank").at_stake == 6


def test_an_ended_match_is_not_offered_again(people: People) -> None:
    people.choose("Pig", "Ann, Ben", "start")
    people.menu("end match")
    assert people.choose("no, play on").menu is None
    shown = people.menu("end match", "yes, end it")
    assert "go on: Pig" not in menu_of(shown).items


def test_long_bank_goes_back_a_page_and_asks_to_undo_in_play(people: People) -> None:
    """In a menu long BANK leads back; in a match it shows the throw that it takes back when pressed again."""
    people.choose("Pig")
    shown = people.press("long bank")
    assert menu_of(shown).title == WHICH_GAME
    people.choose("Pig", "Ann, Ben", "start")
    assert people.throw(4).at_stake == 4
    shown = people.press("long bank")
    assert (menu_of(shown).title, menu_of(shown).items[0], shown.bank) == (TAKE_BACK, "Ann: threw 4", "undo")
    assert shown.game == "Pig"
    shown = people.press("long bank")
    assert (shown.menu, shown.at_stake, shown.ask) == (None, 0, THROW_ONE)


def test_the_hold_that_opens_the_menu_steps_nowhere_in_it(people: People) -> None:
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    hand = ScriptedButtons()
    hand.waiting = [Edge(people.now_s, "hold", down=True), Edge(people.now_s + 5.0, "hold", down=False)]
    people.table._buttons = TableButtons([hand], people.table.care, switches_off=False)  # noqa: SLF001 - other hands
    shown = people.table.tick(people.now_s + 6.0)
    assert menu_of(shown).at == 0


@pytest.mark.parametrize(
    ("lines", "game", "players"),
    [
        (("Pig", "Ann, Ben", "start"), "Pig", ("Ann", "Ben")),
        (("Yahtzee", "other players", "Dan", "Ann", "done: 2 players", "start"), "Yahtzee", ("Dan", "Ann")),
        (("Farkle", "3 players", "start"), "Farkle", ("Ann", "Ben", "Cleo")),
    ],
)
def test_a_match_is_begun_from_switching_on(
    people: People, lines: tuple[str, ...], game: str, players: tuple[str, ...]
) -> None:
    """Real edges of two buttons, from the start menu to the first throw that is waited for."""
    for line in lines:
        people.choose(line)
    shown = people.table.tick(people.now_s)
    assert (shown.menu, shown.game, shown.players, shown.asked) == (None, game, players, players[0])
    dice = people.session.match.game.dice if people.table.session else 0
    assert people.throw(*range(1, dice + 1)).thrown == tuple(range(1, dice + 1))


def test_the_last_match_begins_again_at_two_presses(people: People) -> None:
    """At its end BANK asks who begins, and BANK begins with the same; HOLD leads to other games, and back."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"], target=6)))
    people.throw(6)
    assert people.press("bank").winners == ("Ann",)
    shown = people.press("hold")
    assert menu_of(shown).items[0] == "again: Pig"
    assert people.press("long bank").winners == ("Ann",)
    shown = people.press("bank")
    assert (menu_of(shown).title, menu_of(shown).items[0]) == ("Again: Pig", "Ann begins")
    assert people.press("long bank").winners == ("Ann",)
    shown = people.press("bank", "hold", "bank")
    assert (shown.players, shown.asked, shown.winners) == (("Ben", "Ann"), "Ben", ())


def test_somebody_leaves_and_comes_back(people: People) -> None:
    """Asked which and once more; the turn goes to the next one. Who is gone may come back."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben", "Cleo"])))
    shown = people.menu("players", "leave", "Ann", "yes, leave")
    assert (shown.menu, shown.asked) == (None, "Ben")
    people.menu("players", "join", "Ann")
    assert people.choose("yes").menu is None
    assert people.session.match.present == ("Ann", "Ben", "Cleo")
    people.menu("players", "leave")
    assert people.press("bank", "bank").menu is None
    assert people.session.match.present == ("Ann", "Ben", "Cleo")


def test_dice_kept_by_somebody_who_leaves_are_nobodys(people: People) -> None:
    session = people.matches.begin(Match("ten-thousand", ["Ann", "Ben", "Cleo"]))
    people.table.begin(session)
    session.give(Throw((1, 1, 2, 3, 4, 6)))
    session.give(Keep((1, 1)))
    session.tray.memory = replace(session.tray.memory, kept_faces=(1, 1))
    shown = people.menu("players", "leave", "Ann", "yes, leave")
    assert (shown.asked, shown.ask) == ("Ben", "throw 6 dice")
    assert session.tray.memory.kept_faces == ()
    assert people.throw(1, 2, 3, 4, 5, 6).thrown == (1, 2, 3, 4, 5, 6)


def test_scores_and_the_sheet_are_looked_at_in_the_menu(people: People) -> None:
    people.table.begin(people.matches.begin(Match("yahtzee", ["Ann", "Ben"])))
    shown = people.menu("scores")
    assert (menu_of(shown).items, shown.bank) == (("Ann: 0", "Ben: 0"), "sheet")
    shown = people.press("hold", "bank", "hold")
    assert (menu_of(shown).title, menu_of(shown).items[menu_of(shown).at]) == ("Ben: 0", "twos: -")
    people.press("bank", "long bank")
    assert people.choose("play on").menu is None


def test_what_fails_leads_back_to_what_was_asked(people: People, tmp_path: Path) -> None:
    """A store that cannot be written is one line; after it the start that was set up is still there."""
    people.choose("Pig", "3 players")
    with closing(sqlite3.connect(tmp_path / "a.db")) as disk:
        disk.execute("CREATE TRIGGER full BEFORE INSERT ON match BEGIN SELECT RAISE(FAIL, 'no room'); END")
        shown = people.choose("start")
        assert menu_of(shown).title == "That failed"
        assert "a.db" in menu_of(shown).note
        disk.execute("DROP TRIGGER full")
    people.choose("back")
    assert people.choose("start").players == ("Ann", "Ben", "Cleo")


@pytest.mark.parametrize(
    ("unit", "elsewhere", "told"),
    [("px", 1, hints.CAMERA_ELSEWHERE), ("mm", 1, hints.CAMERA_LOST), ("px", 0, hints.CAMERA_MOVED)],
)
def test_a_camera_that_was_moved_is_said_once(
    people: People, unit: Literal["px", "mm"], elsewhere: int, told: str
) -> None:
    """The hint fits a calibrated camera and an uncalibrated one; the game goes on without a press."""
    pig_at(people, 5)
    newest = people.camera_thread.newest
    assert newest is not None
    reading = replace(newest.reading, unit=unit)
    people.camera_thread.newest = replace(newest, nudged=1, elsewhere=elsewhere, reading=reading)
    assert people.table.tick(people.now_s + 0.1).hint == told
    assert people.table.tick(people.now_s + 6.0).hint == ""
    assert people.press("bank").scores == (5, 0)


def test_a_throw_taken_up_while_the_card_is_slow_counts(people: People) -> None:
    """One turn of the loop takes a second: by its end the die has rested, and is in a hand again."""
    pig_at(people, 5)
    people.now_s += 1.0
    people.tray.now_s = people.now_s
    people.tray.pick_up()
    rest = people.tray.throw(4)
    for at_s, newest in ((rest.reading.time_s, rest), (rest.reading.time_s + 0.3, None)):
        people.camera_thread.publish(
            FrameResult(Frame(np.zeros((4, 4, 3), np.uint8), at_s), rest.reading, rest.reading, newest)
        )
    people.table.tick(people.now_s + 1.0)
    assert [event.value for event in people.session.match.log if event.kind == "throw"] == [(5,), (4,)]
    assert people.session.tray.rest is None


def test_the_last_one_leaves_and_the_store_says_that_it_was_abandoned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match is kept, named so in the list, shown so at the table, not offered again, and opened by an undo."""
    with Store(tmp_path / "a.db") as store:
        matches = MatchLibrary(store, lambda: Moment("2026-12-01T00:00:00Z"), lambda _: None, registers=False)
        session = matches.begin(Match("pig", ["Ann", "Ben"]))
        session.leave("Ann")
        assert store.match(1).ending is None
        session.leave("Ben")
        assert store.match(1).ending == "abandoned"
        assert matches.open_matches() == ()
        shown = snapshot(session, None)
        assert (shown.winners, shown.hint) == ((), "everybody has left: the match is abandoned")
        assert result_text(session.match) == "Ann 0, Ben 0; everybody has left: the match is abandoned"
    assert main(["replay", "--store", str(tmp_path / "a.db")]) == 0
    assert capsys.readouterr().out.endswith("pig: Ann, Ben; 2 events, abandoned\n")
    assert main(["replay", "1", "--store", str(tmp_path / "a.db")]) == 0
    assert capsys.readouterr().out.endswith("Ann 0, Ben 0; everybody has left: the match is abandoned\n")
    with Store(tmp_path / "a.db") as store:
        store.end(1, None)  # as if the plug was pulled just before it was noted
        matches = MatchLibrary(store, lambda: Moment("2026-12-01T00:00:00Z"), lambda _: None, registers=False)
        session = matches.resume(1)
        assert store.match(1).ending == "abandoned"
        session.undo(1, 0.0)
        assert store.match(1).ending is None
