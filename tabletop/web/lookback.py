"""The match looked back on: its events with their faces, and what another face of a die would change. Pure.

Numbers of events are those of a correction: throws, keeps and choices that stand, from 1. All texts are in the language
of the table. What another face would change takes some replays, so nobody asks for it in the thread that plays.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.core.values import FACES
from tabletop.dialogs.correct import consequence, faces_of, with_face
from tabletop.dialogs.decisions import Correct
from tabletop.dialogs.event_text import entry_text
from tabletop.interpret.log_views import is_forced, places_standing
from tabletop.rules import Event, Match
from tabletop.rules.events import COUNTED
from tabletop.views.i18n.translate import LOG, NOTE
from tabletop.views.snapshot import MatchRecord, Snapshot

LOST_LISTED = 1  # of the answers that a face would lose, beside five other faces on a phone
SHORT = 12  # events that are sent before somebody asks for all of them: as many as stand on a laptop beside a sheet


@dataclass(frozen=True, slots=True)
class DieOfThrow:
    """A die that may have been misread: of throw `number`, `who` of a joint one else empty, `face` as it was read."""

    number: int
    who: str
    face: int


def die_of(sent: Mapping[str, Any]) -> DieOfThrow | None:
    """Return the die that was named: the number of its `throw`, `who` threw it, the face that it `was`; or None."""
    number, who, face = sent.get("throw"), sent.get("who", ""), sent.get("was")
    if type(number) is not int or not isinstance(who, str) or type(face) is not int or face not in FACES:
        return None
    return DieOfThrow(number, who, face)


class Lookback:
    """What has happened in the match of a snapshot. events: those that stand, oldest first, each with its number.

    A number is 0 for what no correction counts: who left and joined.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.events: list[tuple[int, Event]] = []
        self._snapshot, self._record = snapshot, snapshot.record
        self._guesses: dict[int, tuple[tuple[int, int], ...]] = {}
        if self._record is None:
            return
        number = 0
        for event in self._record.standing:
            counts = event.kind in COUNTED
            number += counts
            self.events.append((number if counts else 0, event))
        places = enumerate(places_standing(self._record.log), start=1)
        self._guesses = {number: self._record.guesses.get(place, ()) for number, place in places}

    @property
    def corrections(self) -> int:
        """How often something was corrected or taken back."""
        return 0 if self._record is None else sum(event.kind in ("correct", "undo") for event in self._record.log)

    def history(self, *, whole: bool) -> dict[str, Any]:
        """Return the events, newest first, in values of JSON; the first few unless the whole is asked for.

        Answers that nobody had to give are left out. Each: its number, its kind, a line in words, who answered, and the
        dice of a throw: whose each is in a joint one, its face, and the reader's second guess, 0 if nobody knows.
        """
        given = [entry for entry in self.events if entry[1].kind == "throw" or not is_forced(entry[1])]
        shown = given if whole else given[-SHORT:]
        said = self._snapshot.language.translate
        events = [
            {
                "number": number,
                "kind": event.kind,
                "who": event.player or "",
                "text": said(entry_text(event), LOG),
                "dice": [self.facts(DieOfThrow(number, who, face)) for who, face in _dice(event)],
            }
            for number, event in reversed(shown)
        ]
        return {"entries": _entries(self._record), "events": events, "more": len(given) - len(shown)}

    def facts(self, die: DieOfThrow) -> dict[str, Any]:
        """Return what the page has to know of a die to offer its other faces, in values of JSON."""
        return {"number": die.number, "who": die.who, "face": die.face, "guess": self.second_guess(die)}

    def second_guess(self, die: DieOfThrow) -> int:
        """Return the face that the reader held likeliest after the one it read; 0 if nobody knows."""
        guesses = self._guesses.get(die.number, ())
        return next((second for face, second in guesses if face == die.face != second), 0)

    def row(self) -> list[DieOfThrow | None]:
        """Return for each die of `Snapshot.thrown` which die of which throw it is; None where nobody knows.

        Those of the newest throw first; the others were kept from earlier throws of the turn. Of equal ones those that
        are set aside are taken for the earlier ones.
        """
        thrown, kept = self._snapshot.thrown, self._snapshot.kept
        throws = [entry for entry in self.events if entry[1].kind == "throw"]
        if not throws:
            return [None] * len(thrown)
        number, newest = throws[-1]
        own = _dice(newest)
        if [face for _, face in own] == list(thrown):
            return [DieOfThrow(number, who, face) for who, face in own]
        earlier = Counter(thrown) - Counter(face for _, face in own)
        before = [entry for entry in reversed(throws[:-1]) if entry[1].player == newest.player]
        found: list[DieOfThrow | None] = [None] * len(thrown)
        for at in sorted(range(len(thrown)), key=lambda at: not kept[at]):
            face = thrown[at]
            if earlier[face]:
                earlier[face] -= 1
                past = next((past for past, event in before if face in faces_of(event, "")), None)
                found[at] = None if past is None else DieOfThrow(past, "", face)
            else:
                found[at] = DieOfThrow(number, "", face)
        return found

    def would_change(self, die: DieOfThrow) -> dict[str, Any] | None:
        """Return what each other face of a die would change, in words and in values of JSON; None if it is gone."""
        record, event = self._record, self._throw(die)
        if record is None or event is None:
            return None
        match = Match.replay(record.game, record.seated, record.options, record.log)
        said = self._snapshot.language.translate
        answers = {face: with_face(event, _position(event, die), face) for face in FACES if face != die.face}
        notes = {face: consequence(match, die.number, answer, LOST_LISTED) for face, answer in answers.items()}
        faces = [{"face": face, "text": said(note, NOTE)} for face, note in notes.items()]
        return {"entries": record.entries, "faces": faces}

    def correction(self, die: DieOfThrow, face: int) -> Correct | None:
        """Return the correction of a die to this face; None if its throw does not show the old face any more."""
        event = self._throw(die)
        if event is None:
            return None
        return Correct(die.number, with_face(event, _position(event, die), face), was=event.answer)

    def _throw(self, die: DieOfThrow) -> Event | None:
        event = next((event for number, event in self.events if number == die.number and event.kind == "throw"), None)
        return event if event is not None and die.face in faces_of(event, die.who) else None


def _entries(record: MatchRecord | None) -> int:
    return 0 if record is None else record.entries


def _position(event: Event, die: DieOfThrow) -> tuple[str, int]:
    return die.who, faces_of(event, die.who).index(die.face)


def _dice(event: Event) -> list[tuple[str, int]]:
    """Return the dice of a throw, each with whose it is in a joint one; none for other events."""
    if event.kind != "throw":
        return []
    if isinstance(event.value, Mapping):
        return [(who, face) for who, faces in event.value.items() for face in faces]
    return [("", face) for face in faces_of(event, "")]
