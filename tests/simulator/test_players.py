"""Simulated players play whole matches through readings, rests and chattering buttons, as people would."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.config.profile import place
from tabletop.core.errors import TabletopError
from tabletop.core.ports import Press
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.input.presses import Presses
from tabletop.perception.settler import Settler
from tabletop.rules import Match
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.simulator.players import SimulatedPlayers, wished_option, wished_part
from tabletop.simulator.tray import BRISK, Tray, profile_of
from tabletop.views.snapshot import Snapshot

FRAME_S = 0.1


class Evening:
    """A simulated tray, players at it, a reader without fault (or with those asked for), and the table's own loop."""

    def __init__(
        self, game: str, seed: int, *, rail: bool = True, unsure_every: int = 0, blind: bool = False, **options: object
    ) -> None:
        self.match = Match(game, ("Ann", "Ben"), **options)
        self.told: list[Mapping[str, Any]] = []
        self.truths: list[tuple[int, ...]] = []
        self.tray = Tray(self.match.game.dice, chance=Random(seed), pace=BRISK)
        self.players = SimulatedPlayers(self.tray, Random(seed), rail=rail)
        self.session = MatchSession(self.match, listener=self.told.append)
        self.presses = list[Press]()
        self._profile = profile_of(self.tray) if rail else None
        self._unsure_every, self._blind = unsure_every, blind
        self._settle, self._contacts, self._frames = Settler(), Presses(), 0

    def frame(self) -> None:
        self._frames += 1
        now_s = self._frames * FRAME_S
        self.tray.advance(now_s)
        reading = self._read(now_s)
        for press in self._contacts.feed(self.tray.buttons.edges(), now_s):
            self.presses.append(press)
            self.session.press(press, now_s)
        before = len(throws(self.told))
        rest = self._settle.feed(place(reading, self._profile) if self._profile else reading)
        self.session.on_rest(rest)
        if len(throws(self.told)) > before:
            self.truths.append(tuple(sorted(die.face for die in self.tray.truth().dice if not die.aside)))
        self.players.act(self.match, snapshot(self.session, reading))

    def play(self, most_frames: int = 20_000) -> None:
        for _ in range(most_frames):
            if self.match.over:
                return
            self.frame()
        pytest.fail(f"not over after {most_frames} frames: {self.match.state()}")

    def _read(self, now_s: float) -> Reading:
        dice: list[Die] = []
        unsure: list[Unsure] = []
        for die in self.tray.truth().dice:
            if die.moving or self._blind:
                continue
            if self._unsure_every and int(die.x + die.y) % self._unsure_every == 0:
                unsure.append(Unsure(die.x, die.y, die.size, UnsureReason.UNREADABLE))
            else:
                dice.append(Die(die.face, die.x, die.y, die.size, die.angle, "white", 0.99))
        return Reading(now_s, 640, 480, tuple(dice), tuple(unsure))


def throws(told: Iterable[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    return [tuple(sorted(event["faces"])) for event in told if event["kind"] == "throw"]


@pytest.mark.parametrize(
    ("game", "rail"),
    [
        ("pig", True),
        pytest.param("ten-thousand", True, marks=pytest.mark.slow),
        ("ten-thousand", False),
        ("yahtzee", True),
    ],
)
def test_whole_matches_are_played_and_each_throw_is_the_true_one(game: str, *, rail: bool) -> None:
    """With kept dice on the rail or left lying, a match ends, and every throw taken is what the thrown dice show."""
    options: dict[str, Any] = {} if rail else {"target": 4000}
    evening = Evening(game, seed=2, rail=rail, **options)
    evening.play()
    assert evening.match.winners
    thrown = throws(evening.told)
    assert len(thrown) >= 10
    assert thrown == evening.truths


def test_the_same_seed_plays_the_same_match() -> None:
    """Every event and every press is the same again with the same seed, and another with another."""
    one, same, other = (Evening("pig", seed, target=40) for seed in (5, 5, 6))
    for evening in (one, same, other):
        evening.play()
    assert one.told == same.told
    assert one.presses == same.presses
    assert one.told != other.told


def test_dice_that_cannot_be_read_are_nudged_until_they_can() -> None:
    """Where one die in four is unsure the players nudge; the match comes to its end with true throws only."""
    evening = Evening("ten-thousand", seed=3, unsure_every=4, target=2000)
    evening.play()
    assert throws(evening.told) == evening.truths


def test_players_who_are_not_understood_say_so() -> None:
    """Over a tray in which nothing is ever read, they try for a while and then end with one clear line."""
    evening = Evening("pig", seed=1, blind=True)
    with pytest.raises(TabletopError, match="expected their throw to be taken") as caught:
        evening.play()
    assert "\n" not in str(caught.value)


def test_a_resumed_match_goes_on_with_an_empty_tray() -> None:
    """In a match resumed within a turn the dice are not in the tray: players tell the keep with the buttons."""
    evening = Evening("ten-thousand", seed=3, target=2000)
    evening.match.throw((1, 5, 2, 3, 4, 4))
    evening.play()
    assert evening.told[0]["kind"] == "keep"


def test_pig_is_held_at_twenty_and_when_it_wins() -> None:
    """The rule of thumb (hold at 20), and nobody rolls on with the match in hand."""
    match = Match("pig", ("Ann", "Ben"))
    for face in (6, 6, 6):
        match.throw((face,))
        assert wished_option(match, Random(1)) == "roll"
        match.choose("roll")
    match.throw((2,))
    assert match.at_stake == 20
    assert wished_option(match, Random(1)) == "bank"
    short = Match("pig", ("Ann", "Ben"), target=5)
    short.throw((6,))
    assert wished_option(short, Random(1)) == "bank"


def test_a_screen_that_never_offers_what_is_wanted_is_told() -> None:
    """Where HOLD leads nowhere, the players end with a line that names what they wanted and what was offered."""
    match = Match("yahtzee", ("Ann", "Ben"))
    match.throw((6, 6, 6, 6, 6))
    tray = Tray(5, chance=Random(1), pace=BRISK)
    players = SimulatedPlayers(tray, Random(1))

    def stare() -> None:
        for count in range(1000):
            tray.advance(count * FRAME_S)
            players.act(match, Snapshot(offer="keep 1"))

    with pytest.raises(TabletopError, match=r"expected BANK to offer \(6, 6, 6, 6, 6\) at some time, got 'keep 1'"):
        stare()


def test_games_without_a_way_of_their_own_are_played_by_what_they_tell() -> None:
    """In a game nobody told the players about they keep the best part, and stop now and then where they may."""
    match = Match("ten-thousand", ("Ann", "Ben"))
    match.game = replace(match.game, id="another")
    match.throw((1, 1, 5, 2, 3, 4))
    chance = Random(1)
    wishes = [wished_part(match, chance) for _ in range(50)]
    assert {wish.part for wish in wishes} == {match.request.legal[0]}
    assert {wish.roll_on for wish in wishes} == {True, False}


def test_a_paused_table_is_woken() -> None:
    """Who finds the table paused presses HOLD, and plays on."""
    evening = Evening("pig", seed=1, target=20)
    evening.session.press(Press("hold"), 0.0)
    evening.play()
    assert evening.presses[0] == Press("hold")
