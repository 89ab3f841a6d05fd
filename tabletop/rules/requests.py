"""Requests of the referee, answers to them, and the check of an answer against its request.

Everything here is frozen. Faces are 1 to 6; a part of a throw is a sorted tuple of faces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tabletop.core import FACES, RefusedError, say

Faces = tuple[int, ...]
Joint = Mapping[str, Faces]
RequestKind = Literal["roll", "hide", "claim", "keep", "choose", "over"]
AnswerKind = Literal["throw", "keep", "choose"]

ANSWERED_BY: Mapping[RequestKind, AnswerKind] = {
    "roll": "throw",
    "hide": "choose",
    "claim": "choose",
    "keep": "keep",
    "choose": "choose",
}
HIDDEN = say("hidden")  # the only option of a hidden throw: the dice lie under the cup, and the player has looked
MOST_PARTS_TOLD = 12  # legal parts or claims listed by a refusal, which counts the others, to stay on one line


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces thrown, in any order; in a joint throw, each player's name with their faces."""

    faces: Faces | Joint


@dataclass(frozen=True, slots=True)
class Keep:
    """The faces set aside; empty keeps nothing."""

    faces: Faces


@dataclass(frozen=True, slots=True)
class Choose:
    """The chosen option, spelled as in the request."""

    option: str


Answer = Throw | Keep | Choose


@dataclass(frozen=True, slots=True)
class Request:
    """The question the game is waiting for.

    kind: "hide" is a throw under a cup, "claim" a statement about such dice; neither is answered by dice in the tray.
    player: who must answer, None in a joint throw and at the end. dice: how many to throw, in a joint throw for each
    name; for a keep the size of the hand; else 0. legal: the parts that may be kept, best first, each sorted, () keeps
    nothing. options: for a choice; claims from the lowest; for a hidden throw HIDDEN alone. gives: the points that an
    option would score now. question: what to choose, as a short text for users; of a throw, that it is a reveal.
    groups: all claims, grouped by name so that people find them. may_stop: whether the game may ask right after this
    keep whether to roll on or to stop. Question, groups and may_stop are not stored, and are ignored by equality.
    """

    kind: RequestKind
    player: str | None = None
    dice: int | Mapping[str, int] = 0
    legal: tuple[Faces, ...] = ()
    options: tuple[str, ...] = ()
    gives: Mapping[str, int] = field(default_factory=dict)
    question: str = field(default="", compare=False)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    may_stop: bool = field(default=True, compare=False)

    @property
    def reveals(self) -> bool:
        """Whether this throw only lifts a cup: the dice were thrown under it earlier."""
        return self.kind == "roll" and bool(self.question)

    def same_question(self, other: "Request") -> bool:
        """Return whether both ask the same kind of answer from the same player with as many dice."""
        return self.kind == other.kind and self.player == other.player and self.dice == other.dice

    def same_answers(self, other: "Request") -> bool:
        """Return whether both ask the same and accept the same answers, in any order."""
        same = self.same_question(other) and self.gives == other.gives
        return same and set(self.legal) == set(other.legal) and set(self.options) == set(other.options)

    def __str__(self) -> str:
        if self.kind == "over":
            return "nothing more, the match is over"
        if self.kind == "roll":
            return _dice_due(self.player, self.dice)
        if self.kind == "hide":
            return f"{_dice_due(self.player, self.dice)} under the cup: hide"
        if self.kind == "keep":
            return f"{self.player} to keep one of: {_listed([faces_text(part) or 'nothing' for part in self.legal])}"
        if self.kind == "claim":
            return f"{self.player} to claim one of: {_listed(self.options)}"
        return f"{self.player} to choose one of: {' | '.join(self.options)}"


OVER = Request("over")


def _listed(answers: Sequence[str]) -> str:
    more = len(answers) - MOST_PARTS_TOLD
    return " | ".join((*answers[:MOST_PARTS_TOLD], *([f"{more} more"] if more > 0 else [])))


def _dice_due(player: str | None, dice: int | Mapping[str, int]) -> str:
    if isinstance(dice, Mapping):
        return "a joint throw, " + " ".join(f"{name}={','.join('?' * count)}" for name, count in dice.items())
    return f"{player} to throw {dice} {'die' if dice == 1 else 'dice'}"


def faces_text(faces: Faces) -> str:
    """Format faces as in the line protocol."""
    return " ".join(map(str, faces))


def answer_text(answer: Answer) -> str:
    """Format an answer as in the line protocol."""
    if isinstance(answer, Choose):
        return f"choose {answer.option}"
    if isinstance(answer, Keep):
        return f"keep {faces_text(answer.faces)}".rstrip()
    if isinstance(answer.faces, tuple):
        return f"throw {faces_text(answer.faces)}".rstrip()
    return "throw " + " ".join(f"{name}={','.join(map(str, faces))}" for name, faces in answer.faces.items())


def checked_answer(request: Request, answer: Answer) -> Answer:
    """Validate an answer; return it with a kept part sorted and a joint throw in seat order. Raises RefusedError."""
    if isinstance(answer, Keep) and request.kind == "keep":
        part = tuple(sorted(answer.faces)) if _are_faces(answer.faces) else None
        if part in request.legal:
            return Keep(part)
    elif isinstance(answer, Choose):
        if answer.option in request.options:
            return answer
    elif isinstance(answer, Throw) and request.kind == "roll":
        return _checked_throw(request, answer)
    raise RefusedError(f"expected {request}, got {answer_text(answer)}")


def _checked_throw(request: Request, throw: Throw) -> Throw:
    faces, dice = throw.faces, request.dice
    if isinstance(faces, tuple):
        if len(faces) == dice and _are_faces(faces):
            return throw
    elif not isinstance(dice, int) and faces.keys() == dice.keys():
        seated = {name: faces[name] for name in dice}
        if all(len(own) == dice[name] and _are_faces(own) for name, own in seated.items()):
            return Throw(seated)
    raise RefusedError(f"expected {request} (faces 1 to 6), got {answer_text(throw)}")


def _are_faces(faces: Faces) -> bool:
    """Whether all are whole numbers from 1 to 6; True and 3.0 are not, although they compare equal."""
    return all(type(face) is int and face in FACES for face in faces)
