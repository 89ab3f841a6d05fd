"""What the session has observed in the tray: the newest rest, and what is remembered of the dice before it."""

from dataclasses import dataclass, replace

from tabletop.core.values import Rest, Unsure
from tabletop.interpret import TableMemory
from tabletop.interpret.dice_state import (
    NOTHING_WAITS,
    gone_unread,
    intended_keep,
    lain_unsure,
    new_dice,
    unread_throw,
)
from tabletop.interpret.hints import LAY_THERE
from tabletop.interpret.joint import owned
from tabletop.interpret.keeps import CARRIED_S
from tabletop.interpret.moved_dice import as_counted, as_kept_before, counted_before
from tabletop.interpret.unreadable import EnteredFace, with_entered_faces
from tabletop.rules import Match
from tabletop.session.match.dice_ownership import DiceOwnership

PATIENCE_S = 2.0  # dice that lie there unread for longer are told
CALM_S = 0.4  # a player who picks up dice one by one sees no hint about the rest of them at each
HINT_AFTER_S = 0.7  # while dice still arrive one by one, none is missing yet
MOST_ENTERED_FACES = 20  # entered faces that are remembered, the newest: no tray holds more dice

_Lying = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """A rest as the session judges it.

    rest: with entered faces, the faces that were counted, and owners. hint: about dice that were only moved, or that
    lay there before. hints_now: whether the dice have lain still for long enough to show a hint about them. key: equal
    for rests that lead to the same result.
    """

    rest: Rest
    hint: str
    hints_now: bool
    key: tuple[object, ...]


class ObservedTray:
    """The newest rest and the table's memory of the dice.

    rest: what is in the tray now; None while something moves. held_back: what would be, were it not held back for
    long. memory: which dice count; see `TableMemory`. judged_key: the key of the observation that was judged last,
    None if the next must be judged in any case.
    """

    def __init__(self, memory: TableMemory) -> None:
        self.memory = memory
        self.rest: Rest | None = None
        self.held_back: Rest | None = None
        self.judged_key: tuple[object, ...] | None = None
        self._entered_faces: tuple[EnteredFace, ...] = ()
        self._rest_at_question: Rest | None = None  # stays while a hand covers the tray
        self._whole_s = float("-inf")  # when all counted dice were last seen in the tray
        self._still_since: tuple[_Lying, float] = ((), float("-inf"))

    def move(self) -> None:
        """Note that something moves in the tray, or covers it."""
        self.rest = self.judged_key = None

    def observe(self, rest: Rest, match: Match, owners: DiceOwnership, *, waits: bool) -> Observation:
        """Take in a rest. waits: whether hints wait until the dice have lain still for a while."""
        rest = as_kept_before(rest, self.memory, None if match.request.kind == "keep" else match.kept)
        rest = owned(with_entered_faces(rest, self._entered_faces), owners.colours, match.request)
        throw = last_throw(match) if match.request.kind in ("keep", "choose") else ()
        self.memory = counted_before(rest, self.memory, throw, match.kept)
        counted = as_counted(rest, self.memory, self._whole_s)
        self.rest = self._rest_at_question = rest = counted.rest
        time_s = rest.reading.time_s
        self._whole_s = time_s if counted.whole else self._whole_s
        age_s = time_s - max(rest.arrived_s, default=float("-inf"))
        young = waits and age_s < HINT_AFTER_S
        sorting = match.request.kind == "keep" and not new_dice(rest, self.memory)
        still_s = self._still_s(rest)
        calm = not (waits and sorting) or still_s >= CALM_S
        hint = counted.hint
        if still_s >= PATIENCE_S and not self.memory.paused and unread_throw(match.request, rest, self.memory):
            hint = hint or LAY_THERE
        key = (
            tuple((die.face, die.where) for die in rest.reading.dice),
            rest.arrived_s,
            rest.unsure_arrived_s,
            self.memory,
            len(match.log),
            (young, age_s < CARRIED_S, calm),
            hint,
            (gone_unread(rest, self.memory), len(lain_unsure(rest, self.memory))),
        )
        return Observation(rest, hint, calm and not young, key)

    def _still_s(self, rest: Rest) -> float:
        """Return for how long the same faces have been in the same places, tray or rail, in seconds."""
        lying = tuple(sorted((die.face, die.where) for die in rest.reading.dice))
        if lying != self._still_since[0]:
            self._still_since = (lying, rest.reading.time_s)
        return rest.reading.time_s - self._still_since[1]

    def enter_face(self, unsure: Unsure, arrived_s: float, face: int) -> None:
        """Remember the face of a die that cannot be read, while it lies where it is. face: 0 if it is no die."""
        self._entered_faces = (*self._entered_faces[1 - MOST_ENTERED_FACES :], EnteredFace(unsure, arrived_s, face))

    def ignore_current_dice(self, now_s: float) -> None:
        """Take nothing that is in the tray now for a throw, unless BANK says so."""
        self.memory = replace(
            self.memory, ignored_until_s=now_s, walk=None, unconfirmed="", aside=None, held=None, waiting=NOTHING_WAITS
        )

    def cancel_confirmation(self) -> None:
        """Forget a risky press that waits to be repeated."""
        self.memory = replace(self.memory, unconfirmed="")

    def end_question(self) -> None:
        """Forget what was about the question that has been answered."""
        self._rest_at_question = None
        self.memory = replace(self.memory, walk=None, aside=None, held=None)

    def rest_for(self, match: Match) -> Rest | None:
        """Return what a press is about: at a keep, while something moves, the rest before it, so that BANK keeps it."""
        return (
            self._rest_at_question
            if self.rest is None and match.request.kind == "keep"
            else self.rest or self.held_back
        )

    def aside_for(self, match: Match) -> tuple[int, ...] | None:
        """Return the faces set aside at a keep, None if nobody has begun to sort, or nothing is kept now."""
        rest = self.rest_for(match)
        if rest is None or match.request.kind != "keep":
            return None
        return intended_keep(rest, self.memory, match.request, last_throw(match))


def last_throw(match: Match) -> tuple[int, ...]:
    """Return the faces of the throw last taken; empty before the first, and for a joint throw."""
    return match.thrown if isinstance(match.thrown, tuple) else ()
