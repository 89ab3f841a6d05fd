"""What a device answers, as values of JSON, read against what is asked. Pure: the referee has the last word.

A box or an option is named by its place, so that no text of a stranger gets into the match.
"""

import json
from typing import Any

from tabletop.core.values import FACES
from tabletop.rules import Answer, Choose, Keep, Throw
from tabletop.views.snapshot import Asking

MOST_FACES = 60  # ten players with six dice each: no throw has more


def wish_of(body: bytes) -> dict[str, Any]:
    """Return a wish, an object of JSON in UTF-8; a ValueError or RecursionError if it is none.

    JSON has one kind of number: 5.0 is 5.
    """
    wish = json.loads(body, parse_float=_number)
    json.dumps(wish, ensure_ascii=False).encode()  # half a letter (a lone surrogate) is no text
    if not isinstance(wish, dict):
        raise ValueError(f"expected an object, got {type(wish).__name__}")  # noqa: TRY004 - as all that is no wish
    return wish


def moment_of(wish: dict[str, Any]) -> tuple[int, int] | None:
    """Return which question a wish answers, None if it names none."""
    match wish.get("moment"):
        case [int(number), int(entries)]:
            return number, entries
    return None


def answers_of(asking: Asking, wish: dict[str, Any]) -> tuple[Answer, ...]:
    """Return the answers that a wish is to this question, one after the other; () if it is none.

    "keep" and "enter" name `faces`, those of a joint throw player by player in the order of `due`; "choose" names `at`.
    "write" names the place of one of the `boxes`, and in `faces` all dice, which are kept first.
    """
    does, at, faces = wish.get("do"), wish.get("at"), _faces(wish.get("faces"))
    if does == "choose" and type(at) is int and 0 <= at < len(asking.options):
        return (Choose(asking.options[at].option),)
    if does == "keep" and asking.kind == "keep" and faces is not None:
        return (Keep(tuple(sorted(faces))),)
    if does == "write" and type(at) is int and 0 <= at < len(asking.boxes) and faces is not None:
        return Keep(tuple(sorted(faces))), Choose(asking.boxes[at].option)
    if does == "enter" and asking.due and faces is not None:
        thrown = _throw(asking, faces)
        return () if thrown is None else (thrown,)
    return ()


def _faces(given: object) -> tuple[int, ...] | None:
    if not isinstance(given, list) or len(given) > MOST_FACES:
        return None
    return tuple(given) if all(type(face) is int and face in FACES for face in given) else None


def _throw(asking: Asking, faces: tuple[int, ...]) -> Throw | None:
    if len(faces) != sum(count for _, count in asking.due):
        return None
    if not asking.joint:
        return Throw(faces)
    left, own = list(faces), dict[str, tuple[int, ...]]()
    for who, count in asking.due:
        own[who], left = tuple(sorted(left[:count])), left[count:]
    return Throw(own)


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number
