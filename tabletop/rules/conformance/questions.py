"""Whole questions and whole states; what is not legal is refused."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from tabletop.core.errors import RefusedError
from tabletop.rules.conformance.trial import Trial, UnmetError, difference, illegal_answers
from tabletop.rules.match import Match
from tabletop.rules.requests import Answer, Choose, Faces, Keep, Request, answer_text, faces_text

STATE_KEYS = ["event", "request", "thrown", "kept", "scores", "at_stake", "sheet", "said", "winners", "why"]
REQUEST_KEYS = ["kind", "player", "dice", "legal", "options", "gives"]
LEGAL_TRIED = 20  # legal answers of one question that are tried; the first ones, the best


def check_question(match: Match) -> None:
    """Raise where the question or the state is not whole."""
    for wrong in (_wrong_request(match.request), _wrong_state(match), _wrong_sheet(match), _wrong_end(match)):
        for expected, got in wrong:
            raise UnmetError(expected, got)
    if match.request.kind == "keep":
        _check_parts(match)


def _wrong_request(request: Request) -> Iterator[tuple[str, object]]:
    if len(set(request.legal)) != len(request.legal):
        yield "every legal part once", f"twice {_duplicate(request.legal)}"
    for part in request.legal:
        if list(part) != sorted(part):
            yield "every legal part sorted", faces_text(part)
    if len(set(request.options)) != len(request.options):
        yield "every option once", f"twice {_duplicate(request.options)}"
    for option in request.options:
        word: object = option
        if not isinstance(word, str) or not word or " ".join(word.split()) != word:
            yield "options of words with one space between", repr(option)
    if not set(request.gives) <= set(request.options):
        yield f"gives for options only ({' | '.join(request.options)})", dict(request.gives)
    if not all(type(points) is int for points in request.gives.values()):
        yield "whole numbers in gives", dict(request.gives)


def _duplicate(values: tuple[Faces, ...] | tuple[str, ...]) -> str:
    return repr(Counter[Faces | str](values).most_common(1)[0][0])


def _wrong_state(match: Match) -> Iterator[tuple[str, object]]:
    state = match.state()
    if list(state) != STATE_KEYS or list(state["request"]) != REQUEST_KEYS:
        yield f"the keys {', '.join(STATE_KEYS)}", ", ".join(state)
    if not all(type(score) is int for score in match.scores.values()):
        yield "whole numbers in table.scores", match.scores
    if type(match.at_stake) is not int:
        yield "a whole number in table.at_stake", repr(match.at_stake)
    if json.loads(json.dumps(state)) != state:
        yield "a state that is the same after a journey through JSON", match.said
    if "\n" in match.said + match.why:
        yield "one line of table.say and of why", repr(match.said + match.why)


def _wrong_sheet(match: Match) -> Iterator[tuple[str, object]]:
    for label, row in match.sheet.items():
        if label == "" or not isinstance(label, str):
            yield "a row of the sheet to be called by a word", repr(label)
        for cell in row.values():
            if not (cell is None or type(cell) is int or isinstance(cell, str)):
                yield f"a number or a word in the cells of row {label!r}", repr(cell)


def _wrong_end(match: Match) -> Iterator[tuple[str, object]]:
    if (match.request.kind == "over") != match.over:
        yield "an end that is told as one", match.request
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
    for part in match.request.legal:
        if Counter(part) - lying:
            raise UnmetError(
                f"parts of the dice that lie there ({faces_text(tuple(lying.elements()))})", faces_text(part)
            )


def check_legal(match: Match) -> None:
    """Raise where an answer that the question names is not taken."""
    request = match.request
    answers: list[Answer] = [Keep(part) for part in request.legal[:LEGAL_TRIED]]
    answers += [Choose(option) for option in request.options[:LEGAL_TRIED]]
    for answer in answers:
        match.draft(answer)


def check_refusals(trial: Trial, match: Match) -> None:
    """Raise if what is not legal is taken, refused in more than a line, or changes something."""
    before, log = match.state(), match.log
    for answer in illegal_answers(match.request, trial.chance):
        try:
            match.draft(answer)
        except RefusedError as error:
            if "\n" in str(error):
                raise UnmetError("a refusal of one line", repr(str(error))) from error
        else:
            raise UnmetError(f"{answer_text(answer)!r} to be refused", f"it taken as an answer to: {match.request}")
    if match.log != log or match.state() != before:
        raise UnmetError("refusals that change nothing", difference(before, match.state()))


def is_asked(match: Match, name: str) -> bool:
    """Whether this player is asked, alone or in a joint throw."""
    request = match.request
    return request.player == name or (isinstance(request.dice, Mapping) and name in request.dice)
