"""Draft a script of worked examples from random matches, which the game's author compares with the rules.

The draft records what the game does now, right or wrong: each example's name begins with `UNCONFIRMED` until the author
removes that.
"""

import json
from collections.abc import Iterator, Mapping
from random import Random

from tabletop.rules.catalog import load
from tabletop.rules.conformance.trial import random_answer, word
from tabletop.rules.match import Match
from tabletop.rules.options import AnyOption, Choice, Flag, Value, Whole
from tabletop.rules.requests import Answer, Choose, Request, answer_text

UNCONFIRMED = "to confirm: "
NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
OPENING = 6  # answers of a match that is not played to its end
WITH_OPTION = 4  # answers of a match that shows an option
LONGEST_WHOLE = 30  # answers of a match shown in full: nobody checks more
TRIES = 40  # random matches from which the shortest is chosen
HEAD = """\
# Worked examples of {name}, drafted from random matches. `tabletop games --check` plays them.
# Nobody has confirmed them: this is what the game does, which need not be what its rules say. Compare every `see` with
# the rules, correct what is wrong (in the game, or here), and take "{mark}" off the example's name.
"""


def drafted(game_id: str, chance: Random) -> str:
    """Return the script: the beginning of a match, a whole match if a short one is found, and each option once."""
    game, _ = load(game_id)
    players = NAMES[: min(max(game.min_players, 2), game.max_players)]

    def played(most: int, **options: Value) -> list[Answer]:
        match, given = Match(game_id, players, **options), list[Answer]()
        while not match.over and len(given) < most:
            given.append(random_answer(match.request, chance))
            match.apply(*match.draft(given[-1]))
        return given

    def example(shows: str, answers: list[Answer], **options: Value) -> str:
        return "\n".join(_lines(Match(game_id, players, **options), shows, answers, options))

    parts = [HEAD.format(name=game.name, mark=UNCONFIRMED.strip()), example("how a match begins", played(OPENING))]
    whole = min((played(LONGEST_WHOLE + 1) for _ in range(TRIES)), key=len)
    if len(whole) <= LONGEST_WHOLE:
        parts.append(example("a match to its end", whole))
    for option in game.options:
        other = {option.name: _other_value(option)}
        shows = f"with {option.name}={word(other[option.name])}: {option.help}"
        parts.append(example(shows, played(WITH_OPTION, **other), **other))
    return "\n\n".join(parts) + "\n"


def _lines(match: Match, shows: str, answers: list[Answer], options: Mapping[str, Value]) -> Iterator[str]:
    """Yield the lines of one example: each answer, and what it changed."""
    settings = "".join(f" {name}={word(value)}" for name, value in options.items())
    yield f"example {UNCONFIRMED}{' '.join(shows.split())}"
    yield f"match {match.game.id} {','.join(match.players)}{settings}"
    before = match.state()
    yield f"see request.kind is {_json(match.request.kind)}"
    yield f"see request.player is {_json(match.request.player)}"
    if not options:
        yield f"refused {_refused(match.request)}"
    for answer in answers:
        yield _command(match.request, answer)
        match.apply(*match.draft(answer))
        now = match.state()
        if now["said"]:
            yield f"see said is {_json(now['said'])}"
        for key in ("scores", "at_stake", "winners"):
            if now[key] != before[key]:
                yield f"see {key} is {_json(now[key])}"
        if now["request"]["player"] != before["request"]["player"] and not match.winners:
            yield f"see request.player is {_json(match.request.player)}"
        before = now


def _refused(request: Request) -> str:
    """Return a command that is refused at this request: a die too many, or another answer than is asked for."""
    if request.kind == "roll" and isinstance(request.dice, int):
        return "throw" + " 3" * (request.dice + 1)
    return "choose nothing that is offered"


def _command(request: Request, answer: Answer) -> str:
    """Return the command of the line protocol that gives this answer."""
    if isinstance(answer, Choose) and request.kind in ("hide", "claim"):
        return "hide" if request.kind == "hide" else f"claim {answer.option}"
    return answer_text(answer)


def _other_value(option: AnyOption) -> Value:
    match option:
        case Whole(default=default, at_least=least, at_most=most):
            return default + 1 if default < most else least
        case Flag(default=default):
            return not default
        case Choice(default=default, choices=choices):
            return next((word for word in choices if word != default), default)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
