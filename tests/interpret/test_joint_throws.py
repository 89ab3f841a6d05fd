"""Throws of several players at once: each lays one die before the match, and from then on its colour says whose it is.

Played through the real loop over the simulated living room, where each die's face and owner are known.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from world_table import WorldTable

from tabletop.cli.wiring.keyboard import throw_together
from tabletop.core.values import Moment
from tabletop.interpret.joint import NEIGHBOURS, near, owner
from tabletop.rules import Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import THROW_ONE
from tabletop.session.tray import SKIPPED, TOO_ALIKE
from tabletop.simulator.hands import TrayWithHands
from tabletop.simulator.players import bring_own_dice
from tabletop.store import Store
from tools.room.world import RoomWorld

COLOURS = sorted(NEIGHBOURS)
COLOUR = st.sampled_from(COLOURS)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.db") as store:
        yield store


@pytest.fixture
def matches(store: Store) -> MatchLibrary:
    return MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None, registers=True)


class Joint(WorldTable):
    """Ann and Ben with a die each, hers white and his red, unless they are alike."""

    def __init__(self, session: MatchSession, *, alike: bool = False) -> None:
        world = RoomWorld(2, chance=Random(4), fps=10.0, noise=0.0)
        if not alike:
            bring_own_dice(world.tray, session.match)
        super().__init__(world, session)

    def throw_own(self, **faces: int) -> None:
        which = [self.session.match.players.index(name) for name in faces]
        self.world.tray.throw(which=which, faces=list(faces.values()))
        self.run()

    def lay_both(self) -> None:
        self.throw_own(Ann=1)
        self.throw_own(Ben=6)


@given(colours=st.lists(COLOUR, min_size=2, max_size=6), seen=COLOUR)
def test_a_die_is_told_by_its_colour_or_not_at_all(colours: list[str], seen: str) -> None:
    """Where no two players' colours are near, each is his own's; a near one has one owner or none, never another."""
    laid: dict[str, str] = {}
    for at, colour in enumerate(colours):
        if not any(near(colour, own) for own in laid.values()):
            laid[f"P{at}"] = colour
    assert all(owner(colour, laid) == name for name, colour in laid.items())
    candidates = [name for name, colour in laid.items() if near(seen, colour)]
    told = owner(seen, laid)
    assert told == "" or told in candidates
    assert told or len(candidates) != 1
    assert all(near(one, two) == near(two, one) for one in COLOURS for two in COLOURS)


@pytest.mark.slow
def test_dice_are_laid_and_told_apart_and_remembered(matches: MatchLibrary) -> None:
    """Ann lays, Ben lays; both throw; taken back BANK reads it again; and after a power cut the colours are known."""
    table = Joint(matches.begin(Match("roll-your-luck", ["Ann", "Ben"])))
    assert (table.shown.asked, table.shown.ask, table.shown.bank) == ("Ann", "lay one die", "skip")
    table.throw_own(Ann=3)
    assert (table.shown.asked, table.shown.ask) == ("Ben", "lay one die")
    assert "white die is Ann's" in " ".join(table.hints)
    table.throw_own(Ben=3)
    assert table.shown.ask == "all throw"
    assert table.session.match.log == ()
    table.throw_own(Ben=2)
    assert table.shown.hint == "waiting for Ann to throw"
    table.throw_own(Ann=5)
    assert table.session.match.events[-1].answer == Throw({"Ann": (5,), "Ben": (2,)})
    assert table.shown.thrown == (5, 2)
    table.press("bank", long=True)
    table.press("bank", long=True)
    assert table.session.match.event == 0
    assert table.shown.bank == "take"
    table.press("bank")
    assert table.session.match.events[-1].answer == Throw({"Ann": (5,), "Ben": (2,)})
    again = matches.resume(None)
    assert again.owners.colours == {"Ann": "white", "Ben": "red"}
    assert again.match.options["together"] is True
    assert again.player_to_register == ""


@pytest.mark.slow
def test_who_throws_again_rolls_on_and_who_has_banked_is_not_counted(matches: MatchLibrary) -> None:
    """Both throw again though Ann is asked: both roll on. Ben banks; then his die is none of Ann's throw."""
    table = Joint(matches.begin(Match("roll-your-luck", ["Ann", "Ben"])))
    table.lay_both()
    table.throw_own(Ann=4, Ben=5)
    table.throw_own(Ben=3)
    assert table.shown.hint == "Ann decides first; the throw waits"
    table.throw_own(Ann=6)
    said = [(event.kind, event.player) for event in table.session.match.events]
    assert said == [("throw", None), ("choose", "Ann"), ("choose", "Ben"), ("throw", None)]
    assert table.session.match.events[-1].answer == Throw({"Ann": (6,), "Ben": (3,)})
    table.throw_own(Ann=2)
    table.press("bank")
    table.throw_own(Ben=1)
    before = table.session.match.events
    assert [event.player for event in before if event.kind == "throw"] == [None, None, None]
    assert before[-1].answer == Throw({"Ann": (2,)})
    table.press("hold")
    table.press("hold")
    assert table.run(1.0).hint == "that is Ben's die: Ann throws"


@pytest.mark.slow
def test_dice_too_alike_are_thrown_one_after_the_other(matches: MatchLibrary, store: Store) -> None:
    """Two ivory dice: together=false is recorded for the match and said; then Ann throws, and Ben."""
    table = Joint(matches.begin(Match("roll-your-luck", ["Ann", "Ben"])), alike=True)
    table.lay_both()
    assert TOO_ALIKE in table.hints
    assert (table.shown.asked, table.shown.ask) == ("Ann", THROW_ONE)
    assert store.matches()[0].options["together"] is False
    table.throw_own(Ann=4)
    assert table.session.match.events[-1].answer == Throw((4,))
    assert matches.resume(None).match.options["together"] is False


@pytest.mark.slow
def test_registration_is_skipped_or_restarted_with_a_press(matches: MatchLibrary, store: Store) -> None:
    """HOLD lets Ann lay another; BANK plays one after the other, which is recorded."""
    table = Joint(matches.begin(Match("catch-up", ["Ann", "Ben"])))
    table.throw_own(Ann=3)
    assert (table.shown.asked, table.shown.hold) == ("Ben", "restart")
    assert table.press("hold").asked == "Ann"
    table.press("bank")
    assert SKIPPED in table.hints
    assert table.shown.ask == THROW_ONE
    assert store.matches()[0].options["together"] is False


@pytest.mark.slow
def test_two_dice_at_once_are_laid_one_at_a_time(matches: MatchLibrary) -> None:
    table = Joint(matches.begin(Match("roll-your-luck", ["Ann", "Ben"])))
    table.throw_own(Ann=3, Ben=4)
    assert table.shown.hint == "one die at a time, please"
    assert table.session.owners.colours == {}


@pytest.mark.slow
def test_one_key_lays_and_throws_at_the_simulated_tray(matches: MatchLibrary) -> None:
    """`make play`: each press of the key lays the die of who is asked, and then all dice that are due are thrown."""
    session = matches.begin(Match("roll-your-luck", ["Ann", "Ben", "Cleo"]))
    tray = TrayWithHands(1, chance=Random(1), fps=10.0)
    table = WorldTable(tray, session)
    for asked in ("Ann", "Ben", "Cleo", ""):
        assert table.shown.asked == asked
        throw_together(tray, session)
        table.run()
    assert len(set(session.owners.colours.values())) == 3
    true = [piece.face for piece in tray.pieces]
    assert session.match.events[-1].answer == Throw(
        dict(zip(("Ann", "Ben", "Cleo"), [(face,) for face in true], strict=True))
    )
