"""What cannot be read, or came meanwhile, at any question: said, never scored, and never in the way. Told in words."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_play import Lying

from tabletop.cameras.opening import Absent
from tabletop.core.ports import Frame, Press
from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.interpret.dice_state import GONE_S, TableMemory, as_counted
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match, Throw
from tabletop.session.camera_thread import CameraThread
from tabletop.session.manual_entry import SET_DIE, ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot

LEANS = "die at the bottom right leans: nudge it"


def sit_down(game: str, **colours: str) -> MatchSession:
    match = Match(game, ["Ann", "Ben"])
    return MatchSession(match, colours=colours, registers=True)


def offered(session: MatchSession) -> str:
    return ManualEntry(no_camera=False).shown(snapshot(session, None), session).bank


@pytest.mark.parametrize(
    ("game", "first", "up"), [("pig", (4,), ()), ("two-dice-pig", (4, 3), ()), ("yahtzee", (6, 6, 6, 6, 2), (2,))]
)
def test_who_rolls_on_and_cannot_be_read_is_told(game: str, first: tuple[int, ...], up: tuple[int, ...]) -> None:
    """All that was thrown again leans, once no hand can be at it: BANK sets it instead of banking what was before."""
    session, tray = sit_down(game), Lying()
    session.on_rest(tray.throw(*first), moving_hint=False)
    session.on_rest(tray.pick_up(*up), moving_hint=False)
    session.on_rest(tray.lean(), moving_hint=False)
    assert (session.notices.hint, session.doubt) == ("", None)
    tray.now_s += GONE_S
    session.on_rest(tray.rest(), moving_hint=False)
    assert session.notices.hint == LEANS
    assert offered(session) == SET_DIE
    (unsure,) = tray.rest().reading.unsure
    session.enter_face(unsure, tray.rest().unsure_arrived_s[0], 5)
    thrown = [event.value for event in session.match.log if event.kind == "throw"]
    assert len(thrown) == 2 - (game == "two-dice-pig")  # of two dice one alone is not what is due


def test_dice_that_lean_while_something_is_chosen_are_nobodys_business() -> None:
    """At the end of a turn of Yahtzee people put the dice away as they like."""
    session, tray = sit_down("yahtzee"), Lying()
    for faces in ((6, 6, 6, 6, 2), (6, 6, 6, 5, 2), (6, 6, 6, 4, 2)):
        session.on_rest(tray.throw(*faces), moving_hint=False)
        if session.match.request.kind == "keep":
            session.on_rest(tray.pick_up(), moving_hint=False)
    assert session.match.request.kind == "choose"
    tray.lean()
    tray.now_s += 2 * GONE_S
    session.on_rest(tray.rest(), moving_hint=False)
    assert (session.notices.hint, session.doubt) == ("", None)


def test_a_part_of_a_throw_is_picked_up_die_by_die() -> None:
    """Aces, Ann owns five dice and is to throw seven: five, taken up one after the other, then two more."""
    session, tray = sit_down("aces"), Lying()
    session.give(Throw((2, 2, 3, 3, 3)))
    session.give(Throw((3, 4, 6)))
    assert session.match.request.dice == 7
    session.on_rest(tray.throw(1, 4, 5, 6, 6), moving_hint=False)
    assert session.notices.hint == "5 of 7 dice: pick them up, throw 2 more"
    for face in (1, 4, 5, 6):
        session.on_rest(tray.pick_up(face), moving_hint=False)
        assert session.notices.hint == "5 of 7 dice: pick them up, throw 2 more"
    session.on_rest(tray.pick_up(), moving_hint=False)
    assert session.notices.hint == "5 of 7 dice counted: throw 2 more"
    session.on_rest(tray.throw(3, 3), moving_hint=False)
    assert (1, 3, 3, 4, 5, 6, 6) in [event.value for event in session.match.log if event.kind == "throw"]


@given(seed=st.integers(0, 10**6), count=st.integers(1, 6))
def test_dice_thrown_in_a_pause_show_what_they_show(seed: int, count: int) -> None:
    """They came after what was counted and before the game went on, wherever they lie: nobody has counted them."""
    chance = Random(seed)

    def lie() -> tuple[Die, ...]:
        at = chance.sample([(x, y) for x in range(50, 600, 60) for y in range(50, 400, 60)], count)
        off = [(x + chance.uniform(-4, 4), y + chance.uniform(-4, 4)) for x, y in at]
        return tuple(Die(chance.randint(1, 6), x, y, 50.0, 0.0, "white", 0.99) for x, y in off)

    memory = TableMemory(ignored_until_s=20.0, counted_s=10.0, counted=lie())
    rest = Rest(Reading(21.0, 640, 480, lie()), (15.0,) * count)
    assert as_counted(rest, memory, 12.0).rest == rest


@pytest.mark.parametrize("bare", [False, True])
def test_a_die_thrown_back_to_where_it_lay_was_not_turned_by_hand(bare: bool) -> None:
    """Gone for a second it may have been turned over there, but not where nothing was at its place meanwhile."""
    was = Die(1, 300.0, 200.0, 50.0, 0.0, "white", 0.99)
    now = Die(3, 310.0, 205.0, 50.0, 20.0, "white", 0.99)
    memory = TableMemory(ignored_until_s=10.0, counted_s=10.0, counted=(was,))
    taken_up = ((was.x, was.y, 12.3),) if bare else ((was.x, was.y, 11.9), (was.x + 60, was.y, 12.3))
    rest = Rest(Reading(13.5, 640, 480, (now,)), (13.1,), bare=taken_up)
    (told,) = as_counted(rest, memory, 12.0).rest.reading.dice
    assert told.face == (3 if bare else 1)


def test_what_lay_there_long_before_is_not_in_the_way_of_bank() -> None:
    """Something on the table cannot be read; Ben's throw is taken back and taken again with BANK."""
    session, tray = sit_down("pig"), Lying()
    tray.doubts.append(("may not be a die", -float("inf")))
    session.on_rest(tray.throw(4), moving_hint=False)
    session.press(Press("bank"), tray.now_s)
    tray.dice.clear()
    session.on_rest(tray.rest(), moving_hint=False)
    tray.now_s += 3
    session.on_rest(tray.throw(5), moving_hint=False)
    session.undo(1, tray.now_s)
    tray.now_s += 1
    session.on_rest(tray.rest(), moving_hint=False)
    assert session.match.request.player == "Ben"
    session.press(Press("bank"), tray.now_s)
    newest = session.match.log[-1]
    assert (newest.kind, newest.player, newest.value) == ("throw", "Ben", (5,))


def joint(now_s: float, *dice: tuple[int, str], leans: bool) -> Rest:
    """Return what lies there in a throw of several: faces with their colours, and one that leans."""
    seen = tuple(Die(face, 100.0 + 80 * n, 100.0, 50.0, 0.0, colour, 0.99) for n, (face, colour) in enumerate(dice))
    unsure = (Unsure(600.0, 400.0, 50.0, UnsureReason.LEANS),) * leans
    return Rest(Reading(now_s, 640, 480, seen, unsure), (1.5,) * len(seen), (1.6,) * len(unsure))


def test_a_die_that_was_told_is_whose_is_missing() -> None:
    """Roll Your Luck, Ann's white die lies there and Ben's leans: told as a 2, it is his."""
    session = sit_down("roll-your-luck", Ann="white", Ben="red")
    rest = joint(2.0, (3, "white"), leans=True)
    session.on_rest(rest, moving_hint=False)
    assert session.notices.hint == LEANS
    session.enter_face(rest.reading.unsure[0], 1.6, 2)
    assert session.match.log[-1].value == {"Ann": (3,), "Ben": (2,)}


def test_no_face_is_told_of_a_die_that_is_laid_for_its_colour() -> None:
    """It leans: it is to be nudged, and BANK lets them throw one after the other as it always does then."""
    session = sit_down("roll-your-luck")
    assert session.player_to_register == "Ann"
    session.on_rest(joint(1.0, leans=False), moving_hint=False)
    session.on_rest(joint(3.0, leans=True), moving_hint=False)
    assert session.notices.hint == LEANS
    assert session.doubt is None


class Faulty(Absent):
    """A camera whose driver fails in a way of its own, then ends."""

    faults = iter((OSError("VIDIOC_DQBUF: no such device"),))

    def read(self) -> Frame | None:
        for fault in self.faults:
            raise fault
        return None


def test_a_fault_that_nobody_thought_of_is_told_and_watching_goes_on() -> None:
    camera_thread = CameraThread(Faulty(), PerceptionPipeline(lambda *_, **__: Reading(0.0, 640, 480)))
    assert camera_thread.step()
    assert camera_thread.trouble_now(0.0) == "reading pictures failed: OSError: VIDIOC_DQBUF: no such device"
    assert not camera_thread.step()
    assert camera_thread.trouble_now(0.0) == ""
