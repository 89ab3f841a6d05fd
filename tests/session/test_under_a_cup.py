"""Dice under a cup at the simulated table: the camera sees a cup, people press, the cup is lifted for all to see."""

from random import Random

import pytest
from world_table import WorldTable

from tabletop.interpret.hints import CHOOSE_FIRST
from tabletop.rules import Match
from tools.room.world import RoomWorld

pytestmark = pytest.mark.slow

FPS = 10.0
LOOKS_S = 2.5  # while a player looks under the cup, and then thinks


def table(game: str, in_tray: int, seed: int = 1, **options: object) -> WorldTable:
    return WorldTable(
        RoomWorld(in_tray, chance=Random(seed), fps=FPS, noise=0.0), Match(game, ["Ann", "Ben"], **options)
    )


def hide(at: WorldTable, faces: tuple[int, int]) -> None:
    at.world.throw_hidden(faces)
    at.run()
    at.press("bank")


def doubt(at: WorldTable) -> None:
    """Claim 31, which is doubted, and lift the cup."""
    claim(at, "31")
    at.press("hold")
    at.press("bank")
    at.world.lift_cup()
    at.run()


def claim(at: WorldTable, what: str) -> None:
    for _ in range(40):
        if at.shown.offer == what:
            at.press("bank")
            return
        inside = at.shown.bank == "open" and (what in at.shown.offer or what.startswith(at.shown.offer))
        at.press("bank" if inside else "hold")
    pytest.fail(f"{what} was never offered")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_match_of_mia_from_the_first_throw_under_the_cup_to_the_last_reveal(seed: int) -> None:
    """Ann looks, claims too early, takes it back, lies; Ben doubts and lifts the cup; then Ben tells the truth."""
    at = table("mia", 2, seed, lives=2)
    match = at.session.match
    assert (at.shown.asked, at.shown.ask, at.shown.bank) == ("Ann", "2 dice under the cup", "done")
    hide(at, (4, 1))
    assert (at.shown.ask, at.shown.offer, at.shown.bank) == ("claim", "31", "claim")

    at.press("bank")  # too early: she wanted to walk on
    assert (match.event, at.shown.asked) == (2, "Ben")
    at.press("bank", long=True)
    at.press("bank")
    assert (match.event, match.request.kind, at.shown.asked) == (1, "claim", "Ann")

    at.world.lift_cup()  # she looks again, and the camera with her
    at.run(LOOKS_S)
    at.world.cover()
    at.run(LOOKS_S)
    assert (match.event, at.throws) == (1, [])
    at.press("hold")
    at.press("bank")
    assert (at.shown.asked, at.shown.question, match.said) == ("Ben", "32: true?", "Ann claims 32")

    at.press("hold")
    assert at.shown.offer == "doubt"
    at.press("bank")
    assert (at.shown.asked, at.shown.ask) == ("Ben", "lift the cup")
    at.run(LOOKS_S)  # the cup stands there still: nothing is asked for again, nothing taken
    assert (at.shown.hint, at.throws) == ("", [])
    at.world.lift_cup()
    at.run()
    assert at.throws == [(1, 4)]
    assert match.scores == {"Ann": 2, "Ben": 1}  # 41 is more than 32

    assert at.shown.asked == "Ann"
    hide(at, (6, 6))
    at.press("bank")
    at.press("bank")  # Ben believes 31
    assert (at.shown.asked, match.request.kind) == ("Ben", "hide")
    hide(at, (2, 2))
    claim(at, "65")
    at.press("hold")
    at.press("bank")
    at.world.lift_cup()
    at.run()
    assert match.scores == {"Ann": 1, "Ben": 1}
    assert at.throws == [(1, 4), (2, 2)]  # Ann's double six was never seen

    again = Match.replay("mia", match.seated, match.options, match.log)
    assert again.state() == match.state()


def test_a_cup_that_is_lifted_before_anybody_doubted_waits_for_the_word() -> None:
    """The dice are seen, and nothing is taken until Ben says that he doubts; then they are, where they lie."""
    at = table("mia", 2)
    hide(at, (5, 3))
    claim(at, "31")
    at.world.lift_cup()
    at.run()
    assert (at.shown.hint, at.throws) == (CHOOSE_FIRST, [])
    at.press("hold")
    at.press("bank")
    assert at.throws == [(3, 5)]


def test_dice_thrown_without_a_cup_are_read_only_when_they_are_doubted() -> None:
    """Ann throws in the open: not a throw while nothing is to be revealed, and the reveal once it is."""
    at = table("mia", 2)
    at.world.throw(faces=(6, 2))
    at.run(LOOKS_S)
    assert (at.shown.hint, at.throws) == ("", [])
    at.press("bank")
    claim(at, "31")
    at.press("hold")
    at.press("bank")
    at.run(LOOKS_S)
    assert at.throws == [(2, 6)]


def test_a_reveal_that_is_taken_back_is_read_again() -> None:
    at = table("mia", 2)
    hide(at, (5, 3))
    doubt(at)
    assert at.session.match.scores == {"Ann": 6, "Ben": 5}
    at.press("bank", long=True)
    at.press("bank")
    assert at.session.match.scores == {"Ann": 6, "Ben": 6}
    assert at.shown.ask == "lift the cup"
    at.run(LOOKS_S)
    at.press("bank")
    assert at.session.match.scores == {"Ann": 6, "Ben": 5}


def test_in_liars_dice_each_shows_his_dice_in_turn() -> None:
    """Ben's dice first, then Ann's in the same tray, once Ben's are out of it."""
    at = table("liars-dice", 2, dice=2)
    assert at.shown.ask == "all throw under the cup"
    at.press("bank")
    claim(at, "1 x 6")
    at.press("hold")
    at.press("bank")
    assert (at.shown.asked, at.shown.ask) == ("Ben", "show your dice")
    at.world.throw(faces=(1, 2))
    at.run()
    assert at.shown.asked == "Ann"
    at.run(LOOKS_S)
    assert at.throws == [(1, 2)]  # they lie there still, and are not Ann's
    at.world.throw(faces=(6, 4))
    at.run()
    assert at.throws == [(1, 2), (4, 6)]
    assert at.session.match.scores == {"Ann": 2, "Ben": 1}


def test_dice_that_were_shown_are_gone_once_others_lie_under_the_cup() -> None:
    """They stay until everybody can compare, and until the next throw; then nobody takes them for those of a claim."""
    at = table("mia", 2)
    hide(at, (5, 3))
    assert at.shown.covered
    doubt(at)
    assert (at.shown.thrown, at.session.match.request.kind) == ((3, 5), "hide")
    hide(at, (6, 4))
    assert (at.shown.thrown, at.shown.covered, at.session.match.request.kind) == ((), True, "claim")
