"""Faces told with two buttons, up to whole matches."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from somebody import Somebody

from tabletop.cli.main import main
from tabletop.core.ports import Press
from tabletop.dialogs.entries import FaceEntry
from tabletop.rules import Match, Request, Throw, game_ids, load
from tabletop.session.manual_entry import SET_DIE
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.views.oled.screen import draw, layout
from tabletop.views.snapshot import Entry, Snapshot

BANK, HOLD, LONG_BANK = Press("bank"), Press("hold"), Press("bank", long=True)
faces = st.integers(1, 6)


@given(told=st.lists(faces, min_size=1, max_size=6))
def test_hold_counts_up_from_one_and_bank_accepts(told: list[int]) -> None:
    """Each die begins at one: n - 1 times HOLD and BANK tell a face n, and nothing else is needed."""
    entering = FaceEntry.of(Request("roll", "Ann", len(told)))
    for face in told:
        assert not entering.complete
        for press in (*[HOLD] * (face - 1), BANK):
            entering = entering.press(press)
    assert entering.complete
    assert entering.throw == Throw(tuple(sorted(told)))


@given(presses=st.lists(st.sampled_from((HOLD, BANK, LONG_BANK, Press("hold", long=True))), max_size=60))
def test_any_presses_leave_a_face_and_no_more_dice_than_due(presses: list[Press]) -> None:
    """Whatever a child presses, what stands is a face for each die accepted, and long BANK takes the last one back."""
    entering, kept = FaceEntry.of(Request("roll", "Ann", 3)), list[int]()
    for press in presses:
        before = entering
        entering = entering.press(press)
        if press == BANK and not before.complete:
            kept.append(before.face)
        if press == LONG_BANK and kept and not before.complete:
            assert entering.face == kept.pop()
        assert list(entering.faces) == kept
        assert entering.entry.due == 3


def test_after_six_comes_one() -> None:
    entering = FaceEntry.of(Request("roll", "Ann", 1))
    for _ in range(6):
        entering = entering.press(HOLD)
    assert entering.entry == Entry("Ann", (), 1, 1)


def test_a_joint_throw_is_told_in_seat_order() -> None:
    entering = FaceEntry.of(Request("roll", None, {"Ann": 2, "Ben": 2}))
    shown = []
    for face in (5, 2, 6, 1):
        shown.append(entering.entry.who)
        for press in (*[HOLD] * (face - 1), BANK):
            entering = entering.press(press)
    assert shown == ["Ann", "Ann", "Ben", "Ben"]
    assert entering.throw == Throw({"Ann": (2, 5), "Ben": (1, 6)})


def test_a_turn_of_pig_without_a_camera(alone: Somebody) -> None:
    """Four is at stake; HOLD rolls on at once, since no throw can say so; six more, and BANK banks ten."""
    alone.play(Match("pig", ["Ann", "Ben"]))
    shown = alone.table.tick(alone.now_s)
    assert (shown.entry, shown.hold, shown.bank) == (Entry("Ann", (), 1, 1), "count", "accept")
    assert THROW_ONE.capitalize() in _read(shown, 64)
    shown = alone.tell(4)
    assert (shown.at_stake, shown.hold, shown.bank, shown.entry) == (4, "roll", "bank", None)
    assert alone.press("hold").entry == Entry("Ann", (), 1, 1)
    assert alone.tell(6).at_stake == 10
    shown = alone.press("bank")
    assert (shown.scores, shown.entry) == ((10, 0), Entry("Ben", (), 1, 1))


@pytest.mark.parametrize("height", [64, 32])
def test_the_ranking_stands_between_two_turns(alone: Somebody, height: int) -> None:
    """Ann has banked: pages with who leads follow the die that Ben is asked for, until he has told one."""
    alone.play(Match("ten-thousand", ["Ann", "Ben"], entry=0))
    assert "1 Ann" not in _read(alone.tell(1, 1, 3, 4, 6, 6), height)
    shown = alone.press("bank", 2)
    assert {"1 Ann", "200", "2 Ben"} <= _read(shown, height)
    assert "1 Ann" not in _read(alone.tell(3), height)


def _read(shown: Snapshot, height: int) -> set[str]:
    return {box.text for page in layout(shown, height=height) for box in page}


def test_a_keep_without_a_camera_does_not_stop_of_itself(alone: Somebody) -> None:
    """In Ten Thousand BANK keeps what is shown; then people are asked whether to roll on, which no throw can say."""
    alone.play(Match("ten-thousand", ["Ann", "Ben"], entry=0))
    shown = alone.tell(1, 1, 3, 4, 6, 6)
    assert shown.offer == "keep 1 1: 200 points"
    shown = alone.press("bank")
    assert (shown.ask, shown.at_stake) == (ROLL_OR_BANK, 200)
    assert alone.press("hold").entry == Entry("Ann", (), 4, 1)


def test_a_die_told_wrongly_is_taken_back(alone: Somebody) -> None:
    alone.play(Match("yahtzee", ["Ann"]))
    alone.tell(3, 5)
    shown = alone.press("bank", long=True)
    assert shown.entry == Entry("Ann", (3,), 5, 5)


def test_long_hold_is_the_menu_while_faces_are_told(alone: Somebody) -> None:
    alone.play(Match("yahtzee", ["Ann"]))
    alone.tell(3, 5)
    assert alone.press("hold", long=True).menu is not None
    shown = alone.press("bank", long=True)
    assert shown.menu is None
    assert shown.entry == Entry("Ann", (3, 5), 5, 1)


def test_dice_told_in_one_match_are_none_of_the_next(alone: Somebody) -> None:
    """Who goes to another game before all dice are told begins there with the first die, and that many are due."""
    alone.play(Match("yahtzee", ["Ann", "Ben"]))
    alone.tell(6, 5)
    alone.play(Match("pig", ["Ann", "Ben"]))
    assert alone.table.tick(alone.now_s).entry == Entry("Ann", (), 1, 1)
    match = alone.play(Match("ten-thousand", ["Ann", "Ben"]))
    alone.tell(1, 2)
    alone.play(Match("ten-thousand", ["Ann", "Ben"]))
    assert alone.tell(3).entry == Entry("Ann", (3,), 6, 1)
    assert not match.events


def finish(somebody: Somebody, match: Match, chance: Random, most: int) -> list[tuple[int, ...]]:
    """Play on with presses alone, at most so many questions; return the throws told."""
    throws = []
    for _ in range(most):
        request = match.request
        if request.kind == "over":
            break
        if request.kind == "roll":
            assert isinstance(request.dice, int)
            throws.append(tuple(sorted(chance.randint(1, 6) for _ in range(request.dice))))
            somebody.tell(*throws[-1])
        elif set(request.options) in ({"roll", "bank"}, {"roll", "stop"}):
            somebody.press(chance.choice(("bank", "hold")))
        else:
            somebody.press("hold", chance.randint(0, 2))
            somebody.press("bank")
    return throws


@pytest.mark.parametrize(
    ("game", "most"),
    [
        *((game, 30) for game in game_ids()),
        *(pytest.param(game, 1500, marks=pytest.mark.slow) for game in ("general", "liars-dice", "ten-thousand")),
    ],
)
def test_every_game_can_be_played_without_a_camera(game: str, most: int, alone: Somebody) -> None:
    """A match, or its first questions, is told with two buttons alone; its log replays to the same."""
    facts = load(game)[0]
    match = alone.play(Match(game, ["Ann", "Ben", "Cleo"][: max(2, facts.min_players)]))
    throws = finish(alone, match, Random(game), most)
    assert throws
    assert [event.value for event in match.events if event.kind == "throw"] == throws
    again = Match.replay(game, match.seated, match.options, match.log)
    assert again.state() == match.state()


def _doubtful(watched: Somebody, game: str, *faces: int, reason: str = "leans") -> tuple[Match, Snapshot]:
    """Let these faces be thrown, and something that cannot be read; return what is shown then."""
    match = watched.play(Match(game, ["Ann", "Ben"]))
    watched.sees()
    if faces:
        watched.tray.throw(*faces)
    watched.tray.lean(reason)
    watched.tray.now_s += 2
    return match, watched.sees()


def test_the_die_that_cannot_be_read_is_set(watched: Somebody) -> None:
    match, shown = _doubtful(watched, "going-to-boston", 6, 2)
    assert (shown.hint, shown.bank) == ("die at the bottom right leans: nudge it", SET_DIE)
    shown = watched.press("bank")
    assert shown.entry == Entry("die at the bottom right", (), 1, 1)
    watched.tell(5)
    assert [event.value for event in match.events if event.kind == "throw"] == [(2, 5, 6)]
    assert watched.sees().hint == ""


def test_what_is_no_die_is_said_to_be_none(watched: Somebody) -> None:
    """A coin in the tray: after six comes "no die", and the throw is taken without it."""
    match, shown = _doubtful(watched, "pig", 4, reason="may not be a die")
    assert shown.bank == SET_DIE
    assert watched.press("bank").entry is not None
    shown = watched.press("hold", 6)
    assert shown.entry is not None
    assert shown.entry.face == 0
    assert draw(shown).any()
    watched.press("bank")
    assert [event.value for event in match.events] == [(4,)]


def test_a_nudged_die_that_is_read_ends_the_question(watched: Somebody) -> None:
    match, _ = _doubtful(watched, "pig")
    assert watched.press("bank").entry is not None
    watched.tray.doubts.clear()
    watched.tray.throw(3)
    watched.tray.now_s += 2
    assert watched.sees().entry is None
    assert [event.value for event in match.events] == [(3,)]


def test_long_bank_leaves_the_question_open(watched: Somebody) -> None:
    match, _ = _doubtful(watched, "pig")
    watched.press("bank")
    shown = watched.press("bank", long=True)
    assert (shown.entry, shown.bank, match.events) == (None, SET_DIE, ())


def test_without_anybody_to_ask_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "pig", "--camera", "none"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
