"""Events: what is stored of a match. Frozen, and the same after a journey through JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from tabletop.core.errors import ReplayError
from tabletop.rules.requests import ANSWERED_BY, Answer, Choose, Faces, Joint, Keep, Request, RequestKind, Throw

EventKind = Literal["throw", "keep", "choose", "undo", "correct", "leave", "join", "abandon"]
EVENT_KINDS: tuple[EventKind, ...] = ("throw", "keep", "choose", "undo", "correct", "leave", "join", "abandon")
COUNTED: frozenset[EventKind] = frozenset({"throw", "keep", "choose"})  # the kinds that `correct K` counts


@dataclass(frozen=True, slots=True)
class Correction:
    """What a `correct` says: number K (from 1, among those that stood), the new answer, and the numbers it dropped.

    carried: later keeps that hold a die which was misread: the number of each, and the faces that it holds now.
    """

    number: int
    answer: Answer
    dropped: tuple[int, ...] = ()
    carried: tuple[tuple[int, Faces], ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of a match's log.

    player: who answered, left or joined; None for a joint throw, an undo and an abandon. value: faces, the joint faces,
    the option chosen, or the correction; None for undo, leave, join and abandon. request: the question that was
    answered, None if the entry answers none.
    """

    kind: EventKind
    player: str | None = None
    value: Faces | Joint | str | Correction | None = None
    request: Request | None = None

    @staticmethod
    def of(answer: Answer, request: Request) -> "Event":
        """Make the event of an answer that has been checked against this request."""
        value = answer.option if isinstance(answer, Choose) else answer.faces
        return Event(cast("EventKind", ANSWERED_BY[request.kind]), request.player, value, request)

    @property
    def answer(self) -> Answer:
        """The answer of a throw, keep or choose; ReplayError for the other kinds."""
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
        """Read back what `to_json` wrote; keys it does not know are left alone. ReplayError if it cannot be read."""
        try:
            kind = data["kind"]
            if kind not in EVENT_KINDS:
                raise ReplayError(f"expected an event of kind {', '.join(EVENT_KINDS)}, got {kind!r}")
            request = _request_from(data["request"]) if data.get("request") is not None else None
            if kind == "correct":
                dropped = tuple(map(int, data["dropped"]))
                carried = tuple((int(number), tuple(faces)) for number, faces in data.get("carried", ()))
                correction = Correction(int(data["event"]), _answer_from(data), dropped, carried)
                return Event("correct", data["player"], correction)
            if kind not in COUNTED:
                return Event(kind, data["player"], None, request)
            answer = _answer_from(data)
            value = answer.option if isinstance(answer, Choose) else answer.faces
            return Event(kind, data["player"], value, request)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ReplayError(f"expected a stored event, got {dict(data)!r} ({error!r})") from error


def _answer_json(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Choose):
        return {"choice": answer.option}
    if isinstance(answer, Keep):
        return {"kept": list(answer.faces)}
    if isinstance(answer.faces, tuple):
        return {"faces": list(answer.faces)}
    return {"faces": {name: list(faces) for name, faces in answer.faces.items()}}


def _answer_from(data: Mapping[str, Any]) -> Answer:
    if "choice" in data:
        return Choose(str(data["choice"]))
    if "kept" in data:
        return Keep(tuple(data["kept"]))
    faces = data["faces"]
    if isinstance(faces, Mapping):
        return Throw({name: tuple(own) for name, own in faces.items()})
    return Throw(tuple(faces))


def request_json(request: Request) -> dict[str, Any]:
    """Return the request as `tabletop referee` prints it: every key present, lists for tuples."""
    return {
        "kind": request.kind,
        "player": request.player,
        "dice": request.dice if isinstance(request.dice, int) else dict(request.dice),
        "legal": [list(part) for part in request.legal],
        "options": list(request.options),
        "gives": dict(request.gives),
    }


def _request_from(data: Mapping[str, Any]) -> Request:
    dice = data["dice"]
    return Request(
        cast("RequestKind", data["kind"]),
        data["player"],
        dice if isinstance(dice, int) else dict(dice),
        tuple(tuple(part) for part in data["legal"]),
        tuple(data["options"]),
        dict(data["gives"]),
    )
