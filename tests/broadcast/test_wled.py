"""What a WLED lamp shows: the page's colours, one fade at a time, and always back to whose turn it is."""

import colorsys
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from played_events import played

from tabletop.broadcast.history import History, Place
from tabletop.broadcast.state import state_of
from tabletop.broadcast.wled import AMBER, CALM, GREEN, RAINBOW, RED, SEATS, Light
from tabletop.rules import Match
from tabletop.views.snapshot import Snapshot

BOARD = Path(__file__).parents[2] / "tabletop/web/static/board.css"
MOST_FLASHES_HZ = 3.0  # WCAG 2.3.1: three flashes a second; a flash is a pair of changes
EFFECTS = {"solid": 0, "rainbow": 9}  # of https://kno.wled.ge/features/effects/
NOBODY = state_of(Snapshot())
STARTED = {"kind": "match_started", "player": None, "players": ["Ann", "Ben"]}
TURN_OF_ANN, TURN_OF_BEN = ({"kind": "turn", "player": name, "ask": "roll"} for name in ("Ann", "Ben"))
HELP, HELPED = ({"kind": "needs_help", "player": "Ann", "needed": needed, "text": "?"} for needed in (True, False))
BUST = {"kind": "bust", "player": "Ann", "lost": 7}
SCORE = {"kind": "score", "player": "Ann", "scores": {"Ann": 5, "Ben": 0}, "changes": {"Ann": 5}}
LOSS = {**SCORE, "changes": {"Ann": -5}}
OVER = {"kind": "match_over", "player": "Ann", "winners": ["Ann"], "scores": {}, "why": ""}
GIVEN_UP = {**OVER, "player": None, "winners": []}
MENU = {"kind": "table", "player": None, "state": "menu"}
EVENTS = (TURN_OF_ANN, TURN_OF_BEN, HELP, HELPED, BUST, SCORE, LOSS, OVER, GIVEN_UP, MENU)

State = dict[str, Any]


def _hue(rgb: tuple[float, ...]) -> float:
    return colorsys.rgb_to_hsv(*(part / 255 for part in rgb))[0]


def _shown(light: Light) -> list[tuple[State, float]]:
    found = list[tuple[State, float]]()
    while (one := light.take()) is not None:
        found.append(one)
    return found


def _colours(light: Light) -> list[object]:
    """Return the colours shown one after the other, or the effect's number where there is one."""
    segments = [state["seg"] for state, _ in _shown(light)]
    return [segment["fx"] or tuple(segment["col"][0]) for segment in segments]


def _lit(*events: State) -> Light:
    light = Light()
    for event in (STARTED, *events):
        light.note(event, NOBODY)
    return light


def test_players_have_the_colours_of_the_page() -> None:
    css = re.findall(r"--player-(\d): #(\w{6})", BOARD.read_text(encoding="utf-8"))[: len(SEATS)]
    assert [int(seat) for seat, _ in css] == list(range(len(SEATS)))
    for (_, colour), own in zip(css, SEATS, strict=True):
        away = abs(_hue(tuple(bytes.fromhex(colour))) - _hue(own))
        assert min(away, 1 - away) < 0.02
        assert max(own) == 255


def test_each_event_shows_what_it_means_and_then_whose_turn_it_is() -> None:
    ann, ben = SEATS[:2]
    assert _colours(_lit()) == [CALM]
    assert _colours(_lit(TURN_OF_ANN)) == [ann]
    assert _colours(_lit(BUST, TURN_OF_BEN)) == [RED, ben]
    assert _colours(_lit(TURN_OF_ANN, SCORE)) == [GREEN, ann]
    assert _colours(_lit(TURN_OF_ANN, LOSS)) == [ann]
    assert _colours(_lit(TURN_OF_BEN, HELP)) == [AMBER]
    assert _colours(_lit(TURN_OF_BEN, HELP, HELPED)) == [ben]
    assert _colours(_lit(TURN_OF_ANN, OVER)) == [RAINBOW, CALM]
    assert _colours(_lit(TURN_OF_ANN, GIVEN_UP)) == [CALM]
    assert _colours(_lit(TURN_OF_ANN, MENU)) == [CALM]
    assert EFFECTS["rainbow"] == RAINBOW


def test_match_that_goes_on_has_its_colour_again() -> None:
    """A resumed match sends no turn: the table's state says whose it is."""
    now = state_of(Snapshot(players=("Ben", "Ann"), scores=(0, 0), asked="Ann"))
    light = Light()
    light.note({"kind": "table", "player": None, "state": "playing"}, now)
    assert _colours(light) == [SEATS[1]]


@given(st.lists(st.sampled_from(EVENTS) | st.none(), max_size=40))
def test_light_never_flashes(events: list[State | None]) -> None:
    """Whatever happens: each fade ends before the next begins, slower than what WCAG calls flashing. None: a look."""
    light, shown = _lit(), list[tuple[State, float]]()
    for event in events:
        if event is None:
            shown += _shown(light)
        else:
            light.note(event, NOBODY)
    for state, stays_s in shown:
        assert 0 < state["tt"] / 10 <= stays_s
        assert 2 * stays_s > 1 / MOST_FLASHES_HZ
        assert 0 < state["bri"] <= 255
        assert state["on"] is True
    for (one, _), (other, _) in pairwise(shown):
        assert one != other


def test_whole_match_ends_calm(tmp_path: Path) -> None:
    session, _ = played(tmp_path / "a.db", Match("pig", ["Ann", "Ben"], target=10), seed=3)
    assert session.match.over
    light, told = Light(), History(tmp_path / "a.db").after(Place(0))
    for one in told:
        light.note(one.data, NOBODY)
    assert _colours(light)[-1] == CALM
