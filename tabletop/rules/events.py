"""Events: the stored form of a match. Frozen; a round trip through JSON gives an equal event."""

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any, Literal, cast

from tabletop.core.errors import ReplayError
from tabletop.rules.requests import ANSWERED_BY, Answer, Choose, Faces, Joint, Keep, Request, RequestKind, Throw

EventKind = Literal["throw", "keep", "choose", "undo", "correct", "leave", "join", "abandon"]
EVENT_KINDS: tuple[EventKind, ...] = ("throw", "keep", "choose", "undo", "correct", "leave", "join", "abandon")
COUNTED: frozenset[EventKind] = frozenset({"throw", "keep", "choose"})  # the kinds numbered for `correct K`
MOST_DICE = 1000  # of one player's throw: larger numbers are damage


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction: event number K (from 1, among those in force), the new answer, and the dropped event numbers.

    carried: later keeps that contain the misread die: event number and corrected faces of each.
    """

    number: int
    answer: Answer
    dropped: tuple[int, ...] = ()
    carried: tuple[tuple[int, Faces], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a match's log.

    player: who answered, left or joined; None for a joint throw, an undo and an abandon. value: the faces, the joint
    faces, the chosen option, or the correction; None for undo, leave, join and abandon. request: the question answered,
    None if the entry answers none.
    """

    kind: EventKind
    player: str | None = None
    value: Faces | Joint | str | Correction | None = None
    request: Request | None = None

    @staticmethod
    def of(answer: Answer, request: Request) -> "Event":
        """Make the event for an answer that has been checked against this request."""
        value = answer.option if isinstance(answer, Choose) else answer.faces
        return Event(cast("EventKind", ANSWERED_BY[request.kind]), request.player, value, request)

    @property
    def answer(self) -> Answer:
        """The answer of a throw, keep or choose event; raises ReplayError for other kinds."""
        if self.kind == "choose" and isinstance(self.value, str):
            return Choose(self.value)
        if self.kind == "keep" and isinstance(self.value, tuple):
            return Keep(self.value)
        if self.kind == "throw" and isinstance(self.value, tuple | Mapping):
            return Throw(self.value)
        raise ReplayError(f"expected a throw, a keep or a choice, got an event {self.kind!r} with {self.value!r}")

    def to_json(self) -> dict[str, Any]:
        """Return plain lists, numbers and strings; `faces`, `kept` or `choice` as in `play --json`."""
        data: dict[str, Any] = {"kind": self.kind, "player": self.player}
        if isinstance(self.value, Correction):
            data |= {"event": self.value.number, **_answer_json(self.value.answer), "dropped": list(self.value.dropped)}
            if self.value.carried:
                data["carried"] = [[number, list(faces)] for number, faces in self.value.carried]
        elif self.kind in COUNTED:
            data |= _answer_json(self.answer)
        if self.request is not None:
            data["request"] = request_json(self.request)
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Event":
        """Parse the output of `to_json`; unknown keys are ignored. Raises ReplayError if it is invalid."""
        try:
            kind = data["kind"]
            if kind not in EVENT_KINDS:
                raise ReplayError(f"expected an event of kind {', '.join(EVENT_KINDS)}, got {kind!r}")
            request = _request_from(data["request"]) if data.get("request") is not None else None
            player = _player(data["player"])
            if kind == "correct":
                carried = tuple((number, _numbers(faces)) for number, faces in data.get("carried", ()))
                _numbers([number for number, _ in carried])
                (number,) = _numbers([data["event"]])
                correction = Correction(number, answer_from(data), _numbers(data["dropped"]), carried)
                return Event("correct", player, correction)
            if kind not in COUNTED:
                return Event(kind, player, None, request)
            answer = answer_from(data)
            value = answer.option if isinstance(answer, Choose) else answer.faces
            return Event(kind, player, value, request)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ReplayError(f"expected a stored event, got {shortened(data)} ({error!r:.100})") from error


def _answer_json(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Choose):
        return {"choice": answer.option}
    if isinstance(answer, Keep):
        return {"kept": list(answer.faces)}
    if isinstance(answer.faces, tuple):
        return {"faces": list(answer.faces)}
    return {"faces": {name: list(faces) for name, faces in answer.faces.items()}}


def answer_from(data: Mapping[str, Any]) -> Answer:
    """Parse the answer in a stored or exported event; raises KeyError, TypeError or AttributeError if it is invalid."""
    if "choice" in data:
        return Choose(_word(data["choice"]))
    if "kept" in data:
        return Keep(_numbers(data["kept"]))
    faces = data["faces"]
    if isinstance(faces, Mapping):
        return Throw({name: _numbers(own) for name, own in faces.items()})
    return Throw(_numbers(faces))


def _numbers(data: object) -> tuple[int, ...]:
    if not isinstance(data, list) or not all(type(number) is int for number in data):
        raise TypeError("expected whole numbers")
    return tuple(data)


def _word(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError("expected a text")
    return data


def _player(data: object) -> str | None:
    return None if data is None else _word(data)


def request_json(request: Request) -> dict[str, Any]:
    """Return the request as `tabletop referee` prints it: every key, lists instead of tuples."""
    return {
        "kind": request.kind,
        "player": request.player,
        "dice": request.dice if isinstance(request.dice, int) else dict(request.dice),
        "legal": [list(part) for part in request.legal],
        "options": list(request.options),
        "gives": dict(request.gives),
    }


def _request_from(data: Mapping[str, Any]) -> Request:
    dice, gives = data["dice"], dict(data["gives"])
    counts = _numbers(list(dice.values() if isinstance(dice, Mapping) else [dice]))
    if not all(0 <= count <= MOST_DICE for count in counts):
        raise ValueError("expected dice of a game")
    _numbers(list(gives.values()))
    return Request(
        cast("RequestKind", _word(data["kind"])),
        _player(data["player"]),
        dice if isinstance(dice, int) else dict(dice),
        tuple(map(_numbers, data["legal"])),
        tuple(map(_word, data["options"])),
        gives,
    )
