"""Parse JSON from devices into commands, given the current snapshot. Pure: the table decides.

Boxes and options are named by their index, so that no foreign text gets into the match.
"""

import json
from collections.abc import Callable
from typing import Any

from tabletop.core import ports, values
from tabletop.dialogs.commands import REFUSED, STALE, Asked, GiveAnswers, Result, SetFace, TakeLine, ThrowDice, Wanted
from tabletop.dialogs.entries import NO_DIE
from tabletop.rules import Answer, Choose, Keep, Throw
from tabletop.views.snapshot import Asking, Snapshot
from tabletop.web.payload import Lookback, die_of

ANSWERS = ("keep", "choose", "enter", "write")
MOST_FACES = 60  # ten players with six dice each: no throw has more

TAPS: dict[str, Wanted] = {
    "bank": ports.Press("bank"),
    "undo": ports.Press("bank", long=True),
    "hold": ports.Press("hold"),
    "menu": ports.Press("hold", long=True),
    "throw": ThrowDice(),
}

Read = tuple[Wanted, Asked] | Result
"""What is wanted and which question it answers, or what becomes of it at once."""


def object_of(body: bytes) -> dict[str, Any]:
    """Return the JSON object in a UTF-8 body; raises ValueError or RecursionError for anything else.

    JSON has one kind of number: 5.0 is 5.
    """
    sent = json.loads(body, parse_float=_number)
    json.dumps(sent, ensure_ascii=False).encode()  # rejects lone surrogates
    if not isinstance(sent, dict):
        raise ValueError(f"expected an object, got {type(sent).__name__}")  # noqa: TRY004 - as all that is no object
    return sent


def command_of(sent: dict[str, Any], shown: Snapshot) -> Read:
    """Return the command in an object from a device, with the question that it names.

    shown: the current snapshot. Raises ValueError if the number of the question or the line is invalid.
    """
    does = str(sent.get("do"))
    if does in READERS:
        return READERS[does](sent, shown)
    asked, at = sent.get("asks"), sent.get("at", 0)
    if not (type(asked) is int and type(at) is int):
        raise ValueError("expected the number of a question in asks, and of a line in at")
    wanted = TakeLine(at) if does == "take" else TAPS.get(does)
    return REFUSED if wanted is None else (wanted, asked)


def _answers(sent: dict[str, Any], shown: Snapshot) -> Read:
    asking = shown.asking
    if asking is None or sent.get("moment") != list(asking.moment):
        return STALE
    answers = answers_of(asking, sent)
    return (GiveAnswers(answers), asking.moment) if answers else REFUSED


def _correction(sent: dict[str, Any], shown: Snapshot) -> Read:
    """Set a die right: the face that it shows instead of the one that was read.

    It names the face that it replaces, so of two devices that correct the same throw the second comes too late.
    """
    die, face = die_of(sent), sent.get("face")
    if die is None or type(face) is not int or face not in values.FACES or face == die.face:
        return REFUSED
    correction = Lookback(shown).correction(die, face)
    return STALE if correction is None else (correction, None)


def _face(sent: dict[str, Any], shown: Snapshot) -> Read:
    """Enter the face of an unreadable die at a place in the frame; 0 means that it is not a die."""
    match sent.get("at"), sent.get("face"):
        case [int(x), int(y)], int(face) if type(face) is int and face in (NO_DIE, *values.FACES):
            return (SetFace(x, y, face), None) if shown.menu is None else STALE
    return REFUSED


READERS: dict[str, Callable[[dict[str, Any], Snapshot], Read]] = {
    **dict.fromkeys(ANSWERS, _answers),
    "correct": _correction,
    "face": _face,
}


def answers_of(asking: Asking, sent: dict[str, Any]) -> tuple[Answer, ...]:
    """Return the answers to this question in order; () if the object contains none.

    "keep" and "enter" name `faces`, those of a joint throw player by player in the order of `due`; "choose" names `at`.
    "write" names the index of one of the `boxes`, and in `faces` all dice, which are kept first.
    """
    does, at, faces = sent.get("do"), sent.get("at"), _faces(sent.get("faces"))
    if does == "choose" and type(at) is int and 0 <= at < len(asking.options):
        return (Choose(asking.options[at].option),)
    if does == "keep" and asking.kind == "keep" and faces is not None:
        keep = Keep(tuple(sorted(faces)))
        return (keep, Choose(asking.bank.option)) if asking.bank and sent.get("bank") is True else (keep,)
    if does == "write" and type(at) is int and 0 <= at < len(asking.boxes) and faces is not None:
        return Keep(tuple(sorted(faces))), Choose(asking.boxes[at].option)
    if does == "enter" and asking.due and faces is not None:
        thrown = _throw(asking, faces)
        return () if thrown is None else (thrown,)
    return ()


def _faces(given: object) -> tuple[int, ...] | None:
    if not isinstance(given, list) or len(given) > MOST_FACES:
        return None
    return tuple(given) if all(type(face) is int and face in values.FACES for face in given) else None


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
