"""What is remembered of the throws in the log, by their index: what undo and correction need of them."""

from collections.abc import Mapping, Sequence

from tabletop.core.values import Rest
from tabletop.dialogs.correction.correct import DiceAtThrow
from tabletop.interpret.log_views import places_in_force, places_standing
from tabletop.rules import Event, Match
from tabletop.views.snapshot import MatchRecord


class ThrowHistory:
    """The throws taken since the session began; one that was resumed knows nothing of those before.

    rolled_on_by_throwing: whether the newest throw itself was taken as the decision to roll on. True if not known.
    """

    def __init__(self) -> None:
        self.rolled_on_by_throwing = True
        self._counted_before: dict[int, float | None] = {}
        self._dice: dict[int, DiceAtThrow] = {}
        self._record: MatchRecord | None = None

    def add(self, events: Sequence[Event], first: int, counted_s: float | None) -> None:
        """Remember the throws among new events.

        first: the index of the first event in the log. counted_s: up to when dice were counted before these events.
        """
        throws = [index for index, event in enumerate(events, start=first) if event.kind == "throw"]
        if throws:
            self.rolled_on_by_throwing = any(event.kind == "choose" for event in events)
            self._counted_before |= dict.fromkeys(throws, counted_s)

    def add_dice(self, events: Sequence[Event], first: int, dice: DiceAtThrow) -> None:
        """Remember what lay in the tray when the throws among these events were taken."""
        self._dice |= {index: dice for index, event in enumerate(events, start=first) if event.kind == "throw"}

    def counted_before_undo(self, log: Sequence[Event], entries: int, counted_s: float | None) -> float | None:
        """Return up to when dice stay counted after an undo of the newest entries in force.

        counted_s: up to when they are counted now, which stays so if no throw is taken back. None: none were counted.
        """
        undone = undone_throws(log, entries)
        return self._counted_before.get(undone[0]) if undone else counted_s

    def recount_from(self, first: int, counted_s: float | None) -> None:
        """Correct the memory of the throws from this index on: before them dice were counted up to `counted_s`."""
        self._counted_before |= {index: counted_s for index in self._counted_before if index >= first}

    @property
    def dice_by_index(self) -> Mapping[int, DiceAtThrow]:
        """What lay in the tray at the throws that the camera saw, by their index in the log."""
        return self._dice

    def dice_by_throw(self, log: Sequence[Event]) -> dict[int, DiceAtThrow]:
        """Return what lay in the tray at the throws that a correction can reach, by their numbers, from 1."""
        numbered = enumerate(places_standing(log), start=1)
        return {number: self._dice[index] for number, index in numbered if index in self._dice}

    def record(self, match: Match, number: int) -> MatchRecord:
        """Return the whole match for views: the same one until something happens. number: of the match."""
        log = match.log
        if self._record is None or (self._record.number, self._record.entries) != (number, len(log)):
            guesses = {index: _guesses(*dice) for index, dice in self._dice.items()}
            self._record = MatchRecord(number, len(log), match.game.id, match.seated, match.options, log, guesses)
        return self._record


def _guesses(rest: Rest, since_s: float) -> tuple[tuple[int, int], ...]:
    """Return (face, second guess) of the dice that were thrown, the least sure first."""
    pairs = zip(rest.reading.dice, rest.arrived_s, strict=True)
    thrown = [die for die, at_s in pairs if at_s > since_s and die.second]
    return tuple((die.face, die.second) for die in sorted(thrown, key=lambda die: die.confidence))


def undone_throws(log: Sequence[Event], entries: int) -> list[int]:
    """Return the indices of the throws among the newest entries in force, the oldest first."""
    return [index for index in places_in_force(log)[-entries:] if log[index].kind == "throw"]
