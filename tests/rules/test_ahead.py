"""What answers would lead to, nobody having given them yet: as if the match had been played again from its start."""

from random import Random

import pytest

from tabletop.core.errors import RefusedError
from tabletop.interpret.offers import ROLL_ON, stop_option
from tabletop.rules import Choose, Match, Request, game_ids, load
from tabletop.rules.conformance.trial import random_answer

QUESTIONS = 60  # of a match: several turns of each player
GUESSED = 0.5  # how often what was tried is then done
BACK = 0.1  # how often something is taken back or corrected
NAMES = ("Ann", "Ben", "Cleo")
PARTS_ASKED = {"ten-thousand", "the-dice-game", "sevens"}  # games that ask after a keep whether to roll on


def _begun(game: str) -> Match:
    return Match(game, NAMES[: max(2, load(game)[0].min_players)])


def _replayed(match: Match) -> Match:
    return Match.replay(match.game.id, match.seated, match.options, match.log)


@pytest.mark.parametrize("game", ["ten-thousand", "yahtzee", "aces", "mexico"])
def test_what_is_foreseen_is_what_comes(game: str) -> None:
    """Whether what was tried is then done or not, after undos, corrections, and players who leave and come back."""
    chance, match = Random(f"{game} foreseen"), _begun(game)
    for _ in range(QUESTIONS):
        if match.over:
            break
        answer = random_answer(match.request, chance)
        again = _replayed(match)
        again.apply(*again.draft(answer))
        assert match.foresee() == match.request
        assert match.foresee(answer) == again.request
        if not again.over:
            further = random_answer(again.request, chance)
            drafted = again.draft(further)
            assert match.draft(answer, further) == (again.events[-1], *drafted)
        done = answer if chance.random() < GUESSED else random_answer(match.request, chance)
        match.apply(*match.draft(done))
        _look_back(match, chance)
    assert match.event > QUESTIONS // 4


def _look_back(match: Match, chance: Random) -> None:
    if chance.random() < BACK:
        match.undo()
    elif chance.random() < BACK and match.event:
        number = chance.randint(1, match.event)
        match.correct(number, [event for event in match.events if event.request][number - 1].answer)
    elif chance.random() < BACK and match.game.min_players < len(match.present):
        match.leave(match.present[-1])
        if not match.over:
            match.join(NAMES[len(match.seated) - 1])


def test_an_answer_that_is_refused_leaves_nothing_behind() -> None:
    """Afterwards a legal one is foreseen as before."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([3])
    for _ in range(2):
        with pytest.raises(RefusedError, match="to choose one of"):
            match.foresee(Choose("no such option"))
        assert match.foresee(Choose("bank")) == Request("roll", "Ben", 1)


@pytest.mark.parametrize("game", game_ids())
def test_a_keep_after_which_nobody_may_stop_is_followed_by_no_such_question(game: str) -> None:
    """A random match: what a game says of its keeps is so, and those that do ask say it of none."""
    chance, match, stops = Random(f"{game} stops"), _begun(game), set()
    for _ in range(QUESTIONS * 2):
        request = match.request
        if match.over:
            break
        match.apply(*match.draft(random_answer(request, chance)))
        if request.kind == "keep" and stop_option(match.request):
            assert ROLL_ON in match.request.options
            stops.add(request.may_stop)
    assert stops == ({True} if game in PARTS_ASKED else set())
