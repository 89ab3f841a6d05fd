"""Matches to their end, step by step and back again, replayed, written as lines, and corrected."""

import json

from tabletop.core.errors import RefusedError
from tabletop.rules.conformance.questions import check_legal, check_question, check_refusals
from tabletop.rules.conformance.trial import Trial, UnmetError, difference, illegal_answers, random_answer
from tabletop.rules.events import Correction, Event
from tabletop.rules.match import Match
from tabletop.rules.protocol import obey
from tabletop.rules.requests import Answer, Keep, answer_text

WATCHED = 120  # answers of a match whose every step is taken back, which costs their square
CORRECTIONS = 12
WRONGLY_CORRECTED = 10
OTHERWISE = "the game must follow from its answers alone: no chance, clock or memory of its own"


def ends(trial: Trial) -> None:
    """Play a match to its end: it takes nothing more, and its log, its events and its lines lead to the same end."""
    match = trial.begin()
    by_line = Match(match.game.id, match.seated, **match.options)
    trial.finish(match)
    check_question(match)
    check_refusals(trial, match)
    for line in ("leave P0", "join P0"):
        if "error" not in obey(match, line):
            raise UnmetError(f"{line!r} to be refused after the end", "it taken")
    same(match, replayed(match), "a replay of its stored log to lead to the same match")
    for event in match.events:
        obey(by_line, answer_text(event.answer))
    same(match, by_line, "its answers as lines of the protocol to lead to the same match")


def replayed(match: Match) -> Match:
    """Return the match that the stored log leads to, after a journey through JSON."""
    stored = [json.loads(json.dumps(event.to_json(), sort_keys=True)) for event in match.log]
    return Match.replay(match.game.id, match.seated, match.options, map(Event.from_json, stored))


def same(match: Match, again: Match, expected: str) -> None:
    """Raise where two matches differ."""
    if again.state() != match.state():
        raise UnmetError(f"{expected} ({OTHERWISE})", difference(match.state(), again.state()))
    if (again.events, again.present) != (match.events, match.present):
        raise UnmetError(f"{expected} ({OTHERWISE})", "other events or players")


def steps(trial: Trial) -> None:
    """At each step the question is whole, the legal is taken, the illegal refused; undo goes back through them all."""
    match = trial.begin()
    states = [match.state()]
    while True:
        check_question(match)
        check_legal(match)
        check_refusals(trial, match)
        if match.over or match.event >= WATCHED:
            break
        trial.answer(match)
        states.append(match.state())
    for state in reversed(states[:-1]):
        match.undo()
        if match.state() != state:
            raise UnmetError(f"undo to lead back ({OTHERWISE})", difference(state, match.state()))
    try:
        match.undo()
    except RefusedError:
        return
    raise UnmetError("nothing to undo at the start", "an undo")


def corrections(trial: Trial) -> None:
    """Correct events: each is as if it had been so, what follows is kept as far as it fits, and undo restores it."""
    match = trial.begin()
    while not match.over and match.event < WATCHED:
        trial.answer(match)
    for _ in range(CORRECTIONS):
        number = trial.chance.randint(1, match.event)
        asked = match.events[number - 1].request
        answer = random_answer(asked, trial.chance) if asked is not None else match.events[number - 1].answer
        expected = _corrected_by_hand(trial, match, number, answer)
        before, events, standing = match.state(), match.events, match.event
        dropped = match.correct(number, answer)
        same(match, expected, f"a correction of event {number} to {answer_text(answer)} to be as if it had been so")
        if dropped != tuple(range(expected.event + 1, standing + 1)):
            raise UnmetError(f"event {expected.event + 1} and all later ones to be dropped", dropped)
        same(match, replayed(match), "a replay of a corrected match to lead to it")
        if trial.chance.random() < 0.7:  # noqa: PLR2004 - most are taken back, some pile up
            match.undo()
            if (match.state(), match.events) != (before, events):
                raise UnmetError("the undo of a correction to restore all", difference(before, match.state()))


def _corrected_by_hand(trial: Trial, match: Match, number: int, answer: Answer) -> Match:
    """Play the match again with another answer at this place, as long as the later answers fit the same questions.

    A keep that the correction changes must not have been legal as it was.
    """
    (correction,) = (event.value for event in match.draft_correct(number, answer))
    carried = dict(correction.carried) if isinstance(correction, Correction) else {}
    replayed = Match(match.game.id, match.seated, **match.options)
    for place, event in enumerate(match.events, start=1):
        if place <= number:
            trial.give(replayed, answer if place == number else event.answer)
            continue
        asked = replayed.request
        if event.request is None or not asked.same_question(event.request) or asked.player != event.player:
            break
        if place in carried and event.value in asked.legal:
            raise UnmetError("a kept part that is still legal to stay as it is", carried[place])
        try:
            trial.give(replayed, Keep(carried[place]) if place in carried else event.answer)
        except RefusedError:
            break
    return replayed


def wrong_corrections(trial: Trial) -> None:
    """Correct to the illegal, and numbers that no event has: nothing changes."""
    match = trial.begin()
    while not match.over and match.event < WRONGLY_CORRECTED:
        trial.answer(match)
    before, log = match.state(), match.log
    for number, event in enumerate(match.events, start=1):
        if event.request is not None:
            for answer in illegal_answers(event.request, trial.chance):
                _refused(match, number, answer)
    for number in (-1, 0, match.event + 1):
        _refused(match, number, match.events[0].answer)
    if (match.state(), match.log) != (before, log):
        raise UnmetError("refused corrections to change nothing", difference(before, match.state()))


def _refused(match: Match, number: int, answer: Answer) -> None:
    try:
        match.correct(number, answer)
    except RefusedError:
        return
    raise UnmetError(f"a correction of event {number} to {answer_text(answer)!r} to be refused", "it taken")
