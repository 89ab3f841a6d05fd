"""What is shown of every game: at each question of a random match a whole snapshot, which the display can draw."""

from random import Random

import pytest

from tabletop.rules import Match, game_ids
from tabletop.rules.conformance.trial import Trial, random_answer
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.oled.screen import draw, layout
from tabletop.views.snapshot import Snapshot

QUESTIONS = 40
LONGEST_LABEL = 9  # letters of what a button does


def shown(match: Match) -> Snapshot:
    return snapshot(MatchSession(match), None)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_question_is_shown(game_id: str) -> None:
    """Names, scores and cells match; each button is told in a word; the same match from its log shows the same."""
    chance = Random(f"{game_id} shown")
    match = Trial(game_id, chance).begin()
    for _ in range(QUESTIONS):
        seen = shown(match)
        assert seen.players == match.players
        assert seen.scores == tuple(match.scores.values())
        assert all(len(row) == 1 + len(seen.players) for row in seen.sheet)
        assert len(seen.kept) == len(seen.thrown)
        assert max(len(seen.hold), len(seen.bank)) <= LONGEST_LABEL
        assert (seen.ask == "") == match.over
        assert seen.winners == match.winners
        assert all(page for page in layout(seen))
        assert draw(seen).any()
        if match.over:
            break
        match.apply(*match.draft(random_answer(match.request, chance)))
    again = Match.replay(game_id, match.seated, match.options, match.log)
    assert shown(again) == shown(match)


def test_who_has_left_stands_on_one_page() -> None:
    """Six players with long names: the row of the sheet that tells it, with a mark for each who has left."""
    match = Match("pig", ["Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo"])
    match.leave("Jo")
    match.leave("Élodie")
    seen = shown(match)
    assert ("has left", "", "", "x", "", "", "x") in seen.sheet
    assert sum("has left" in [box.text for box in page] for page in layout(seen)) == 1
    assert sum("x" in [box.text for box in page] for page in layout(seen)) == 1
