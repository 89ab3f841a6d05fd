"""The checks: declarations, complete questions, whole matches, corrections, and players who leave and join."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from inspect import iscode, isfunction

from tabletop.core.errors import RefusedError
from tabletop.rules import coroutine, declaration, protocol, requests
from tabletop.rules.conformance.trial import (
    LONGEST_MATCH,
    Trial,
    UnmetError,
    difference,
    illegal_answers,
    random_answer,
    random_options,
    unanswerable,
)
from tabletop.rules.events import Correction, Event
from tabletop.rules.game import MOST_PLAYERS
from tabletop.rules.match import Match
from tabletop.rules.options import COACH, Value

MATCHES_TO_READ = 20  # random matches in which most options are read


def facts(trial: Trial) -> None:
    """Check the declaration: its id matches the file, it has a source and a help text, and its presets are valid."""
    for wrong in (*declaration.wrong_facts(trial.game, trial.play, trial.game.id), *declaration.poor_facts(trial.game)):
        expected, _, got = wrong.removeprefix("expected ").partition(", got ")
        raise UnmetError(expected, got, about="GAME")


class _Watched(dict[str, Value]):
    """Options that note which of them are read."""

    def __init__(self, options: dict[str, Value], read: set[str]) -> None:
        super().__init__(options)
        self._read = read

    def __getitem__(self, name: str) -> Value:
        self._read.add(name)
        return super().__getitem__(name)


def options_are_read(trial: Trial) -> None:
    """Check that every option is read in a random match, or at least named in the code for a rare case."""
    game, read = trial.game, {"rules", COACH.name, *trial.game.fewest_with}  # the coach is for those around the game
    names = {option.name for option in game.all_options}
    for _ in range(MATCHES_TO_READ):
        if read >= names:
            return
        count = trial.chance.randint(game.min_players, max(game.min_players, min(4, game.max_players)))
        options = _Watched(random_options(game.all_options, trial.chance), read)
        run = coroutine.Run(game, trial.play, [f"P{seat}" for seat in range(count)], options)
        for _ in range(LONGEST_MATCH):
            if run.result is not None or read >= names or unanswerable(run.request):
                break
            run.take(random_answer(run.request, trial.chance))
    if unread := sorted(names - read - _named(trial)):
        text = f"{', '.join(unread)}, which the game never reads"
        raise UnmetError("every option to be read by table.option(...)", text, about="GAME")


def _named(trial: Trial) -> set[str]:
    """Return the names of the options whose constants stand in a function of the game's module."""
    module = trial.play.__globals__
    functions = [value.__code__ for value in module.values() if isfunction(value) and value.__globals__ is module]
    words: set[str] = set()
    while functions:
        code = functions.pop()
        words.update(code.co_names)
        functions += [inner for inner in code.co_consts if iscode(inner)]
    return {option.name for option in trial.game.options if any(module.get(word) is option for word in words)}


def check_question(match: Match) -> None:
    """Raise if the question or the state is incomplete."""
    for wrong in (_wrong_request(match.request), _wrong_state(match), _wrong_end(match)):
        for expected, got in wrong:
            raise UnmetError(expected, got)
    if match.request.kind == "keep":
        _check_parts(match)


def _wrong_request(request: requests.Request) -> Iterator[tuple[str, object]]:
    for what, answers in (("legal part", request.legal), ("option", request.options)):
        if len(set(answers)) != len(answers):
            yield f"every {what} once", f"twice {Counter(answers).most_common(1)[0][0]!r}"
    for part in request.legal:
        if list(part) != sorted(part):
            yield "every legal part sorted", requests.faces_text(part)
    for option in request.options:
        word: object = option
        if not isinstance(word, str) or not word or " ".join(word.split()) != word:
            yield "options of words with one space between", repr(option)
    if not set(request.gives) <= set(request.options):
        yield f"gives for options only ({' | '.join(request.options)})", dict(request.gives)
    if not all(type(points) is int for points in request.gives.values()):
        yield "whole numbers in gives", dict(request.gives)


def _wrong_state(match: Match) -> Iterator[tuple[str, object]]:
    state = match.state()
    if not all(type(score) is int for score in match.scores.values()):
        yield "whole numbers in table.scores", match.scores
    if type(match.at_stake) is not int:
        yield "a whole number in table.at_stake", repr(match.at_stake)
    if json.loads(json.dumps(state)) != state:
        yield "a state that is the same after a journey through JSON", match.said
    if "\n" in match.said + match.why:
        yield "one line of table.say and of why", repr(match.said + match.why)
    for label, row in match.sheet.items():
        if label == "" or not isinstance(label, str):
            yield "a row of the sheet to be called by a word", repr(label)
        for cell in row.values():
            if not (cell is None or type(cell) is int or isinstance(cell, str)):
                yield f"a number or a word in the cells of row {label!r}", repr(cell)


def _wrong_end(match: Match) -> Iterator[tuple[str, object]]:
    if (match.over and not match.abandoned) != bool(match.winners) or match.over != bool(match.why):
        yield "winners and a reason at the end, and only there", f"winners {match.winners}, why {match.why!r}"
    for name in match.winners:
        if name not in match.present:
            yield f"winners at the table ({', '.join(match.present)})", name
    if match.over and match.at_stake:
        yield "nothing at stake at the end", match.at_stake


def _check_parts(match: Match) -> None:
    """Raise where a part could not be picked out of the dice that lie on the table."""
    thrown, player = match.thrown, match.request.player
    own = thrown if isinstance(thrown, tuple) else thrown.get(player or "", ())
    lying = Counter(own + match.kept)
    there = requests.faces_text(tuple(lying.elements()))
    for part in match.request.legal:
        if Counter(part) - lying:
            raise UnmetError(f"parts of the dice that lie there ({there})", requests.faces_text(part))


def check_refusals(trial: Trial, match: Match) -> None:
    """Raise if an illegal answer is accepted, refused with more than one line, or changes anything."""
    before, log = match.state(), match.log
    for answer in illegal_answers(match.request, trial.chance):
        try:
            match.draft(answer)
        except RefusedError as error:
            if "\n" in str(error):
                raise UnmetError("a refusal of one line", repr(str(error))) from error
        else:
            text = requests.answer_text(answer)
            raise UnmetError(f"{text!r} to be refused", f"it taken as an answer to: {match.request}")
    if match.log != log or match.state() != before:
        raise UnmetError("refusals that change nothing", difference(before, match.state()))


WATCHED = 120  # answers of a match with every step undone: the cost is quadratic
CORRECTIONS = 12
OTHERWISE = "the game must follow from its answers alone: no chance, clock or memory of its own"


def ends(trial: Trial) -> None:
    """Play a match to its end: its log, its events and its protocol lines must lead to the same end."""
    match = trial.begin()
    by_line = Match(match.game.id, match.seated, **match.options)
    trial.finish(match)
    check_question(match)
    check_refusals(trial, match)
    same(match, replayed(match), "a replay of its stored log to lead to the same match")
    for event in match.events:
        protocol.obey(by_line, requests.answer_text(event.answer))
    same(match, by_line, "its answers as lines of the protocol to lead to the same match")


def replayed(match: Match) -> Match:
    """Return the match replayed from its log, which is converted to JSON and back."""
    stored = [json.loads(json.dumps(event.to_json(), sort_keys=True)) for event in match.log]
    return Match.replay(match.game.id, match.seated, match.options, map(Event.from_json, stored))


def same(match: Match, again: Match, expected: str) -> None:
    """Raise if two matches differ."""
    if again.state() != match.state():
        raise UnmetError(f"{expected} ({OTHERWISE})", difference(match.state(), again.state()))
    if (again.events, again.present) != (match.events, match.present):
        raise UnmetError(f"{expected} ({OTHERWISE})", "other events or players")


def steps(trial: Trial) -> None:
    """Check the question and the refusals at each step; then undo all steps."""
    match = trial.begin()
    states = [match.state()]
    while True:
        check_question(match)
        check_refusals(trial, match)
        if match.over or match.event >= WATCHED:
            break
        trial.answer(match)
        states.append(match.state())
    for state in reversed(states[:-1]):
        match.undo()
        _expect_back(match, state, f"undo to lead back ({OTHERWISE})")


def corrections(trial: Trial) -> None:
    """Correct events: each acts as if given first, later ones are kept as far as they fit, and undo restores all."""
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
        what = f"a correction of event {number} to {requests.answer_text(answer)}"
        same(match, expected, f"{what} to be as if it had been so")
        if dropped != tuple(range(expected.event + 1, standing + 1)):
            raise UnmetError(f"event {expected.event + 1} and all later ones to be dropped", dropped)
        same(match, replayed(match), "a replay of a corrected match to lead to it")
        if trial.chance.random() < 0.7:  # noqa: PLR2004 - most are taken back, some pile up
            match.undo()
            if (match.state(), match.events) != (before, events):
                raise UnmetError("the undo of a correction to restore all", difference(before, match.state()))


def _corrected_by_hand(trial: Trial, match: Match, number: int, answer: requests.Answer) -> Match:
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
            trial.give(replayed, requests.Keep(carried[place]) if place in carried else event.answer)
        except RefusedError:
            break
    return replayed


BEFORE_LEAVING = 30  # answers at most before a player leaves
ENTRIES = 100
UNDONE = 0.25  # share of entries that are undone


def _under_way(trial: Trial) -> Match:
    """Begin a match and play some answers, but not to its end."""
    match = trial.begin(least=3)
    for _ in range(trial.chance.randint(0, BEFORE_LEAVING)):
        if not match.over:
            trial.answer(match)
    if match.over:
        match.undo()
    return match


def leaves(trial: Trial) -> None:
    """Check that a match can be finished after a player leaves, who is not asked and cannot win."""
    match = _under_way(trial)
    before, leaver = match.state(), match.request.player
    if leaver is None or trial.chance.random() < 0.5:  # noqa: PLR2004 - half of them leave in the midst of their turn
        leaver = trial.chance.choice(match.players)
    match.leave(leaver)
    match.undo()
    _expect_back(match, before, "the undo of a leave to bring everything back")
    match.leave(leaver)
    while not match.over:
        request = match.request
        if request.player == leaver or (isinstance(request.dice, Mapping) and leaver in request.dice):
            raise UnmetError(f"nobody to ask {leaver}, who has left", request)
        if match.event >= LONGEST_MATCH:
            raise UnmetError(f"an end within {LONGEST_MATCH} answers after {leaver} has left", match.request)
        trial.answer(match)
    check_question(match)
    same(match, replayed(match), "a replay of a match that somebody left to lead to it")


def returns(trial: Trial) -> None:
    """Let a player who left return, and a new one join if the game allows it; the match must still end."""
    match = _under_way(trial)
    newcomers = ["New"] if trial.game.joining and len(match.players) < trial.game.max_players else []
    leaver = trial.chance.choice(match.players)
    if len(match.present) > max(1, trial.game.min_players):
        match.leave(leaver)
        for _ in range(trial.chance.randint(0, 3)):
            if not match.over:
                trial.answer(match)
        newcomers.append(leaver)
    for name in newcomers:
        if not match.over:
            match.join(name)
            check_question(match)
    trial.finish(match)
    check_question(match)
    same(match, replayed(match), "a replay of a match that somebody joined to lead to it")


def mixed(trial: Trial) -> None:
    """Mix answers, corrections, leaves and joins: undo restores each entry, and a replay gives the same state."""
    match = trial.begin(most=MOST_PLAYERS)
    in_force = [match.state()]
    for _ in range(ENTRIES):
        if trial.chance.random() < UNDONE and len(in_force) > 1:
            match.undo()
            in_force.pop()
            _expect_back(match, in_force[-1])
        elif entry := _random_entry(trial, match):
            match.apply(*entry)
            in_force.append(match.state())
        check_question(match)
    again = replayed(match)
    same(match, again, "a replay of a log with corrections, leaves and joins to lead to it")
    while len(in_force) > 1:
        again.undo()
        in_force.pop()
        _expect_back(again, in_force[-1])


def _expect_back(
    match: Match, state: dict[str, object], expected: str = "undo to lead back to the state before"
) -> None:
    if match.state() != state:
        raise UnmetError(expected, difference(state, match.state()))


def _random_entry(trial: Trial, match: Match) -> tuple[Event, ...]:
    """Draft an answer, a correction, a leave or a join; empty if the one drawn is not possible now."""
    chance = trial.chance
    drawn = chance.choice(["answer"] * 6 + ["correct", "correct", "leave", "join"])
    try:
        if drawn == "answer":
            trial.last = None if match.over else random_answer(match.request, chance)
            return () if trial.last is None else match.draft(trial.last)
        if drawn == "leave":
            return match.draft_leave(chance.choice(match.players))
        if drawn == "join":
            return match.draft_join(chance.choice([*match.players, "New"]))
        number = chance.randint(1, max(1, match.event))
        asked = [event.request for event in match.events if event.request is not None]
        return match.draft_correct(number, random_answer(asked[number - 1], chance)) if asked else ()
    except RefusedError:
        return ()
