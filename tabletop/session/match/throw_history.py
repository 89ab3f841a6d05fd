"""What is remembered of the log: its throws, by their index, as undo and correction need them; its end in words."""

from collections.abc import Sequence
from itertools import islice

from tabletop.core.values import Rest
from tabletop.dialogs.correction.correct import DiceAtThrow
from tabletop.dialogs.event_text import entry_text
from tabletop.interpret.log_views import is_forced, places_in_force, places_standing
from tabletop.rules import Event, Match
from tabletop.views.snapshot import MatchRecord

MOST_HAPPENED = 24  # events that are shown: more than any terminal of forty rows has room for


class ThrowHistory:
    """The throws taken since the session began; one that was resumed knows nothing of those before.

    rolled_on_by_throwing: whether the newest throw itself was taken as the decision to roll on. True if not known.
    """

    def __init__(self) -> None:
        self.rolled_on_by_throwing = True
        self._counted_before: dict[int, float | None] = {}
        self._dice: dict[int, DiceAtThrow] = {}
        self._record: MatchRecord | None = None
        self._happened: tuple[int, tuple[str, ...]] = (-1, ())  # the length of the log, and its newest events in words

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

    def dice_by_throw(self, log: Sequence[Event]) -> dict[int, DiceAtThrow]:
        """Return what lay in the tray at the throws that a correction can reach, by their numbers, from 1."""
        numbered = enumerate(places_standing(log), start=1)
        return {number: self._dice[index] for number, index in numbered if index in self._dice}

    def record(self, match: Match, number: int) -> MatchRecord:
        """Return the whole match for views: the same one until something happens. number: of the match."""
        log = match.log
        if self._record is None or (self._record.number, self._record.entries) != (number, len(log)):
            guesses = {index: _guesses(*dice) for index, dice in self._dice.items()}
            self._record = MatchRecord(
                number, len(log), match.game.id, match.seated, match.options, log, match.events, guesses
            )
        return self._record

    def happened(self, match: Match) -> tuple[str, ...]:
        """Return the newest events that stand, in words, oldest first; answers that nobody had to give are left out.

        Views ask many times a second: the same texts until something happens.
        """
        entries = len(match.log)
        if self._happened[0] != entries:
            given = (event for event in reversed(match.events) if not is_forced(event))
            texts = [entry_text(event) for event in islice(given, MOST_HAPPENED)]
            self._happened = entries, tuple(reversed(texts))
        return self._happened[1]


def _guesses(rest: Rest, since_s: float) -> tuple[tuple[int, int], ...]:
    """Return (face, second guess) of the dice that were thrown, the least sure first."""
    pairs = zip(rest.reading.dice, rest.arrived_s, strict=True)
    thrown = [die for die, at_s in pairs if at_s > since_s and die.second]
    return tuple((die.face, die.second) for die in sorted(thrown, key=lambda die: die.confidence))


def undone_throws(log: Sequence[Event], entries: int) -> list[int]:
    """Return the indices of the throws among the newest entries in force, the oldest first."""
    return [index for index in places_in_force(log)[-entries:] if log[index].kind == "throw"]
