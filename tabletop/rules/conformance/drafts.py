"""A script of worked examples drafted from random matches, for the author of a game to compare with its rules.

What the game does now is written down, right or wrong: the name of each example begins with `UNCONFIRMED` until its
author has taken that away.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tabletop.rules.catalog import load
from tabletop.rules.conformance.trial import Chance, random_answer
from tabletop.rules.match import Match
from tabletop.rules.options import AnyOption, Choice, Flag, Value, Whole
from tabletop.rules.requests import Answer, Choose, Request, answer_text

UNCONFIRMED = "to confirm: "
NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
OPENING = 6  # answers of a match that is not played to its end
WITH_OPTION = 4  # answers of a match that shows an option
LONGEST_WHOLE = 30  # answers of a match that is shown whole: nobody confirms more
TRIES = 40  # random matches among which the shortest is looked for
HEAD = """\
# Worked examples of {name}, drafted from random matches. `tabletop games --check` plays them.
# Nobody has confirmed them: this is what the game does, which need not be what its rules say. Compare every `see` with
# the rules, mend what is wrong (in the game, or here), and take "{mark}" off the example's name.
"""


def drafted(game_id: str, chance: Chance) -> str:
    """Return the script: how a match begins, a whole match if a short one is found, and each option once."""
    game, _ = load(game_id)
    parts = [HEAD.format(name=game.name, mark=UNCONFIRMED.strip())]
    parts.append("\n".join(_example(game_id, "how a match begins", {}, _answers(game_id, {}, chance, OPENING))))
    if whole := _short_match(game_id, chance):
        parts.append("\n".join(_example(game_id, "a match to its end", {}, whole)))
    for option in game.options:
        value = _other_value(option)
        shows = f"with {option.name}={_word(value)}: {option.help}"
        played = _answers(game_id, {option.name: value}, chance, WITH_OPTION)
        parts.append("\n".join(_example(game_id, shows, {option.name: value}, played)))
    return "\n\n".join(parts) + "\n"


def _players(game_id: str) -> tuple[str, ...]:
    game, _ = load(game_id)
    return NAMES[: min(max(game.min_players, 2), game.max_players)]


def _answers(game_id: str, options: Mapping[str, Value], chance: Chance, most: int) -> list[Answer]:
    """Play at random; return the answers, at most this many."""
    match, given = Match(game_id, _players(game_id), **options), list[Answer]()
    while not match.over and len(given) < most:
        given.append(random_answer(match.request, chance))
        match.apply(*match.draft(given[-1]))
    return given


def _short_match(game_id: str, chance: Chance) -> list[Answer]:
    """Return the answers of the shortest of some random matches, none if all of them are long."""
    tried = [_answers(game_id, {}, chance, LONGEST_WHOLE + 1) for _ in range(TRIES)]
    short = min(tried, key=len)
    return short if len(short) <= LONGEST_WHOLE else []


def _example(game_id: str, shows: str, options: Mapping[str, Value], answers: list[Answer]) -> Iterator[str]:
    """Yield the lines of one example: each answer, and what it changed."""
    players = _players(game_id)
    match = Match(game_id, players, **options)
    settings = "".join(f" {name}={_word(value)}" for name, value in options.items())
    yield f"example {UNCONFIRMED}{' '.join(shows.split())}"
    yield f"match {game_id} {','.join(players)}{settings}"
    before = match.state()
    yield from _sees({"request": before["request"]["kind"], "player": before["request"]["player"]})
    if not options:
        yield f"refused {_refused(match.request)}"
    for answer in answers:
        yield command_text(match.request, answer)
        match.apply(*match.draft(answer))
        now = match.state()
        yield from _changes(before, now)
        before = now


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if now["said"]:
        yield f"see said is {_json(now['said'])}"
    for key in ("scores", "at_stake", "winners"):
        if now[key] != before[key]:
            yield f"see {key} is {_json(now[key])}"
    if now["request"]["player"] != before["request"]["player"] and not now["winners"]:
        yield f"see request.player is {_json(now['request']['player'])}"


def _sees(first: Mapping[str, object]) -> Iterator[str]:
    yield f"see request.kind is {_json(first['request'])}"
    yield f"see request.player is {_json(first['player'])}"


def _refused(request: Request) -> str:
    """Return a command that is refused at this request: a die too many, or another answer than is asked for."""
    if request.kind == "roll" and isinstance(request.dice, int):
        return "throw" + " 3" * (request.dice + 1)
    return "choose nothing that is offered"


def command_text(request: Request, answer: Answer) -> str:
    """Return the command of the line protocol that gives this answer."""
    if isinstance(answer, Choose) and request.kind in ("hide", "claim"):
        return "hide" if request.kind == "hide" else f"claim {answer.option}"
    return answer_text(answer)


def _other_value(option: AnyOption) -> Value:
    """Return a value that is not the default, if the option has one."""
    match option:
        case Whole(default=default, at_least=least, at_most=most):
            return default + 1 if default < most else least
        case Flag(default=default):
            return not default
        case Choice(default=default, choices=choices):
            return next((word for word in choices if word != default), default)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
