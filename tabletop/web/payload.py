"""Build the page's data from a snapshot, the history and the checks: plain values, translated texts. Pure.

The page draws what it is given and composes no sentences. Sentences that the display composes itself (the winner, the
points at stake) are built here from the same texts. Events are numbered as for corrections: throws, keeps and choices
in force, from 1. Computing the effect of another face of a die takes some replays, so it must not run in the thread
that plays.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tabletop.coach import COVERED
from tabletop.core import FACES, say
from tabletop.core.checks import Check
from tabletop.dialogs import commands, event_text
from tabletop.dialogs.mistakes import consequence, faces_of, with_face
from tabletop.interpret.log_views import is_forced, places_standing
from tabletop.rules import COACH, COUNTED, Event, Match
from tabletop.views.i18n.catalogue import Language, Strings
from tabletop.views.i18n.translate import ITEM, LOG, NOTE, TITLE, phrases
from tabletop.views.snapshot import Snapshot

LOST_LISTED = 1  # of the answers that a face would lose, beside five other faces on a phone
TOLD = 3  # highlights at the end: fit side by side on a phone
SHORT = 12  # events sent before a viewer asks for all: fit on a laptop beside a sheet


@dataclass(frozen=True, slots=True)
class DieOfThrow:
    """A die that may have been misread: `number` of the throw, `who` threw it if joint, else empty, `face` as read."""

    number: int
    who: str
    face: int


def die_of(sent: Mapping[str, Any]) -> DieOfThrow | None:
    """Return the die named by a device: its `throw`, `who` threw it, the face that it `was`; None if invalid."""
    number, who, face = sent.get("throw"), sent.get("who", ""), sent.get("was")
    if type(number) is not int or not isinstance(who, str) or type(face) is not int or face not in FACES:
        return None
    return DieOfThrow(number, who, face)


class Lookback:
    """The history of a snapshot's match. events: those in force, oldest first, each with its number.

    The number is 0 for events that cannot be corrected: leaves and joins.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.events: list[tuple[int, Event]] = []
        self._snapshot, self._record = snapshot, snapshot.record
        self._guesses: dict[int, tuple[tuple[int, int], ...]] = {}
        self._places: dict[int, int] = {}  # number of a standing throw, keep or choice -> index in the log
        if self._record is None:
            return
        number = 0
        for event in self._record.standing:
            number += event.kind in COUNTED
            self.events.append((number if event.kind in COUNTED else 0, event))
        self._places = dict(enumerate(places_standing(self._record.log), start=1))
        self._guesses = {number: self._record.guesses.get(at, ()) for number, at in self._places.items()}

    @property
    def corrections(self) -> int:
        """The number of corrections and undos."""
        return 0 if self._record is None else sum(event.kind in ("correct", "undo") for event in self._record.log)

    def history(self, *, whole: bool) -> dict[str, Any]:
        """Return the newest events as JSON values, newest first; all of them if `whole`.

        Forced answers are left out. Each has its number, its kind, a text, the player, and the dice of a throw: the
        owner in a joint one, the face, and the reader's second guess, 0 if unknown.
        """
        given = [entry for entry in self.events if entry[1].kind == "throw" or not is_forced(entry[1])]
        shown = given if whole else given[-SHORT:]
        said = self._snapshot.language.translate
        events = [
            {
                "number": number,
                "kind": event.kind,
                "who": event.player or "",
                "text": said(event_text.entry_text(event), LOG),
                "dice": [self.facts(DieOfThrow(number, who, face)) for who, face in _dice(event)],
            }
            for number, event in reversed(shown)
        ]
        entries = 0 if self._record is None else self._record.entries
        return {"entries": entries, "events": events, "more": len(given) - len(shown)}

    def throws(self) -> dict[int, tuple[int, Event, Event]]:
        """Return for each throw its number in the log, from 1, and the event as it was read and as it stands."""
        log = () if self._record is None else self._record.log
        throws = {number: event for number, event in self.events if event.kind == "throw"}
        return {number: (at + 1, log[at], throws[number]) for number, at in self._places.items() if number in throws}

    def facts(self, die: DieOfThrow) -> dict[str, Any]:
        """Return the facts about a die that the page needs to offer its other faces, as JSON values."""
        return {"number": die.number, "who": die.who, "face": die.face, "guess": self.second_guess(die)}

    def second_guess(self, die: DieOfThrow) -> int:
        """Return the reader's second likeliest face; 0 if unknown."""
        guesses = self._guesses.get(die.number, ())
        return next((second for face, second in guesses if face == die.face != second), 0)

    def row(self) -> list[DieOfThrow | None]:
        """Return for each die of `Snapshot.thrown` its throw; None if unknown.

        The dice of the newest throw are matched first; the others were kept from earlier throws of the turn. Of equal
        dice, those set aside are assigned to the earlier throws.
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
        """Return the effect of each other face of a die, as texts in JSON values; None if the die is gone."""
        record, event = self._record, self._throw(die)
        if record is None or event is None:
            return None
        match = Match.replay(record.game, record.seated, record.options, record.log)
        said = self._snapshot.language.translate
        answers = {face: with_face(event, _position(event, die), face) for face in FACES if face != die.face}
        notes = {face: consequence(match, die.number, answer, LOST_LISTED) for face, answer in answers.items()}
        faces = [{"face": face, "text": said(note, NOTE)} for face, note in notes.items()]
        return {"entries": record.entries, "faces": faces}

    def correction(self, die: DieOfThrow, face: int) -> commands.Correct | None:
        """Return the correction of a die to this face; None if its throw does not contain the old face any more."""
        event = self._throw(die)
        if event is None:
            return None
        return commands.Correct(die.number, with_face(event, _position(event, die), face), was=event.answer)

    def _throw(self, die: DieOfThrow) -> Event | None:
        event = next((event for number, event in self.events if number == die.number and event.kind == "throw"), None)
        return event if event is not None and die.face in faces_of(event, die.who) else None


def _position(event: Event, die: DieOfThrow) -> tuple[str, int]:
    return die.who, faces_of(event, die.who).index(die.face)


def _dice(event: Event) -> list[tuple[str, int]]:
    """Return the dice of a throw, each with whose it is in a joint one; none for other events."""
    if event.kind != "throw":
        return []
    if isinstance(event.value, Mapping):
        return [(who, face) for who, faces in event.value.items() for face in faces]
    return [("", face) for face in faces_of(event, "")]


AS_THEY_ARE = (  # what the page gets under the same name
    *("asked", "ask", "question", "hint", "thrower", "between", "hold", "bank", "paused", "covered", "awaited"),
    *("unread", "sheet", "layout", "kinds", "counts", "course", "goal", "happened", "at_stake", "cheer", "told"),
)
PLAIN = ("totals", "boxes")  # layouts that are drawn of the sheet and the scores alone
SPELLING, ENTRY = ("title", "text", "letters", "at"), ("who", "faces", "due", "face")
MENU = ("title", "items", "at", "note", "main", "leave", "guided", "corners", "faces", "throws")
SHARED_WORDS = ("happened", "paused", "score", "thrown", "threw", "no_dice", "moment")


def still(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without values that change with every frame and are not on the page."""
    return replace(snapshot, reading=None, held=0.0, tray=None)


def packed(value: Any) -> bytes:  # noqa: ANN401 - values of JSON
    """Return a value as one line of JSON, UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def page_of(count: int, snapshot: Snapshot) -> dict[str, Any]:
    """Return the page's data for a snapshot, as JSON values. count: the number of the snapshot."""
    past = Lookback(snapshot)
    return {name: getattr(snapshot, name) for name in AS_THEY_ARE} | {
        "game": game_of(snapshot),
        "count": count,
        "asks": snapshot.question_number,
        "offer": f"{snapshot.offer}?" if snapshot.question and snapshot.offer else snapshot.offer,
        "pressed": snapshot.pressed or "",
        "stake": snapshot.stake,
        "players": _players(snapshot),
        "dice": _shown_dice(snapshot, past),
        "match": snapshot.number,
        "history": past.history(whole=False),
        "corrections": past.corrections,
        "costs": _costs(snapshot),
        "over": snapshot.over,
        "why": snapshot.why if snapshot.winners else "",
        "menu": _parts(snapshot.menu, MENU),
        "spelling": _parts(snapshot.spelling, SPELLING),
        "entry": _parts(snapshot.entry, ENTRY),
        "asking": _asking(snapshot),
        "drawn": () if snapshot.layout in PLAIN else snapshot.drawn,
        "highlights": [_parts(one, ("kind", "n", "who", "face")) for one in snapshot.highlights[:TOLD]],
        "words": words_of(snapshot.phrases),
    }


def _costs(snapshot: Snapshot) -> str:
    """Return the name of what decisions cost, empty if that is not known; during a match only if it is coached."""
    covered = snapshot.record is not None and snapshot.record.game in COVERED
    name = "costs" if snapshot.winners else "coach" if is_coached(snapshot) else ""
    return snapshot.phrases.form[name] if covered and name else ""


def is_coached(snapshot: Snapshot) -> bool:
    """Return whether the players chose to see the best play during this match."""
    return snapshot.record is not None and bool(snapshot.record.options.get(COACH.name))


def game_of(snapshot: Snapshot) -> str:
    """Return the name of the game, with a mark if the match is coached."""
    return f"{snapshot.game} ({snapshot.phrases.past['coached']})" if is_coached(snapshot) else snapshot.game


def words_of(phrases: Strings) -> dict[str, str]:
    """Return the page's fixed texts, and the code of their language."""
    shared = {name: getattr(phrases, name) for name in SHARED_WORDS}
    return {"language": phrases.language_code, **shared, **phrases.page}


def _players(snapshot: Snapshot) -> list[dict[str, Any]]:
    best = (min if snapshot.fewest_win else max)(snapshot.scores, default=0)
    ahead = len(set(snapshot.scores)) > 1  # a tie has no leader
    return [
        {
            "name": name,
            "score": score,
            "asked": name == snapshot.asked,
            "leads": ahead and score == best,
            "won": name in snapshot.winners,
            "place": place,
        }
        for name, score, place in zip(snapshot.players, snapshot.scores, places(snapshot), strict=True)
    ]


def places(snapshot: Snapshot) -> list[int]:
    """Return the place of each player, from 1; players who are level share one. Those who have left come last.

    Where lives are lost, all but the winner end with none: those who kept theirs longer come first.
    """
    rows = zip(snapshot.kinds, snapshot.sheet, strict=False)
    away = next((cells for kind, (_, *cells) in rows if kind == "left"), [""] * len(snapshot.players))
    past, sign = snapshot.course[::-1] if snapshot.layout == "lives" else (), -1 if snapshot.fewest_win else 1
    standing = [
        (name in snapshot.winners, not away[seat], [sign * score, *(scores[seat] for scores in past)])
        for seat, (name, score) in enumerate(zip(snapshot.players, snapshot.scores, strict=True))
    ]
    return [1 + sum(other > own for other in standing) for own in standing]


def _shown_dice(snapshot: Snapshot, past: Lookback) -> list[dict[str, Any]]:
    shown = zip(snapshot.thrown, snapshot.kept, past.row(), strict=False)
    return [
        {"face": face, "kept": kept, "asked": at == snapshot.cursor, "from": die and past.facts(die)}
        for at, (face, kept, die) in enumerate(shown)
    ]


def _parts(whole: object, names: tuple[str, ...]) -> dict[str, Any] | None:
    return None if whole is None else {name: getattr(whole, name) for name in names}


def _asking(snapshot: Snapshot) -> dict[str, Any] | None:
    asking = snapshot.asking
    if asking is None:
        return None
    return {name: getattr(asking, name) for name in ("moment", "kind", "legal", "at", "again")} | {
        "fixed": sorted(asking.fixed),
        "options": [_parts(option, ("label", "gives", "group", "row")) for option in asking.options],
        "bank": _parts(asking.bank, ("label", "gives")),
        "boxes": [_parts(box, ("label", "gives", "row")) for box in asking.boxes],
        "due": [{"who": who, "dice": count} for who, count in asking.due],
    }


ORDER = (False, None, True)  # failed checks first


def checks_json(checks: Sequence[Check], language: Language) -> dict[str, Any]:
    """Return checks as JSON values in this language: its code, `title`, `back`, and `parts`, each with its `checks`."""
    parts: dict[str, list[dict[str, Any]]] = {}
    for check in sorted(checks, key=lambda check: ORDER.index(check.right)):
        line = {
            "name": language.translate(check.name, ITEM),
            "right": check.right,
            "figure": language.translate(check.figure, NOTE),
            "remedy": language.translate(check.remedy, NOTE),
        }
        parts.setdefault(language.translate(check.part, ITEM), []).append(line)
    return {
        "language": phrases(language).language_code,
        "title": language.translate(say("Check"), TITLE),
        "back": language.translate(say("back"), ITEM),
        "parts": [{"part": part, "checks": lines} for part, lines in parts.items()],
    }
