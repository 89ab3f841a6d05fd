"""What the table says aloud: the text for the change from one snapshot to another, and the names of its sounds. Pure.

A sentence has what happened first, then what is asked, then what the buttons do, so that a listener can cut it off with
a press. Each part is spoken only if it has changed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tabletop.core.message import say
from tabletop.rules import Event
from tabletop.views.snapshot import Snapshot

BACK = ("undo", "correct")  # entries of the log that change earlier ones
OVER, HELP, SCORE, TURN, STARTED = "match_over", "needs_help", "score", "turn", "match_started"
BETWEEN_FACES, TIMES = re.compile(r"(?<=\b\d) (?=\d\b)"), re.compile(r"(?<=\d) x\b")  # "5 5" and "3 x 6"


def spoken(before: Snapshot, now: Snapshot) -> str:
    """Return what to say, empty for nothing. before: what was said last, as `remembered` returns it."""
    told, thrown = now.hint if now.hint != before.hint else "", list(_thrown(before, now))
    parts = [told, *thrown] if _newest(before, now) in BACK else [*thrown, told]
    parts += [*_scored(before, now), *_asked(before, now)]
    if (now.hold, now.bank) != (before.hold, before.bank) and not _routine(now):
        parts += [now.hold and f"HOLD: {now.hold}", now.bank and f"BANK: {now.bank}"]
    text = ". ".join(said for part in parts if (said := part.strip().rstrip(".")))
    return TIMES.sub(" \N{MULTIPLICATION SIGN}", BETWEEN_FACES.sub(", ", text)).replace("?.", "?")


def remembered(before: Snapshot, now: Snapshot) -> Snapshot:
    """Return what to compare the next snapshot with: `now`, with what it does not show or is not said of it.

    A menu shows no match. A warning that comes back is not said again, nor are buttons that mean the same as before.
    """
    if now.record is None:
        return replace(now, record=before.record, scores=before.scores, players=before.players, winners=before.winners)
    if now.record == before.record and not now.hint and not before.told:
        now = replace(now, hint=before.hint)
    return replace(now, hold=before.hold, bank=before.bank) if _routine(now) else now


def sounds(before: Snapshot, now: Snapshot) -> tuple[str, ...]:
    """Return the kinds of events between two snapshots, the most important first. before: as for `spoken`."""
    newest = _newest(before, now)
    happened = {
        OVER: bool(now.winners) and now.winners != before.winners,
        HELP: now.tray is not None and before.tray is None and now.record is not None,
        SCORE: bool(newest) and newest not in (*BACK, STARTED) and now.scores != before.scores,
        newest: bool(newest),
        TURN: now.record is not None and now.asked not in ("", before.asked),
    }
    return tuple(kind for kind in happened if happened[kind])


def _newest(before: Snapshot, now: Snapshot) -> str:
    """Return the kind of the newest entry if it is new: `STARTED` for a match that begins, or goes on another day."""
    if now.record is None or now.record == before.record:
        return ""
    begins = before.record is None or before.record.number != now.record.number
    return STARTED if begins or not now.record.log else now.record.log[-1].kind


def _throws(snapshot: Snapshot) -> list[Event]:
    return [event for event in (snapshot.record.standing if snapshot.record else ()) if event.kind == "throw"]


def _thrown(before: Snapshot, now: Snapshot) -> Iterator[str]:
    """Yield the dice of new throws and of corrected ones; for a match that begins its name, and the dice to decide on.

    The player who was asked to throw is not named.
    """
    newest, throws, was = _newest(before, now), _throws(now), _throws(before)
    if newest == STARTED:
        yield now.game
        was = throws if now.awaited else throws[:-1]
    for at, event in enumerate(throws if newest else ()):
        if at >= len(was) or event != was[at]:
            joint = event.value if isinstance(event.value, Mapping) else {event.player: event.value}
            for name, faces in joint.items():
                dice = " ".join(map(str, faces))  # type: ignore[arg-type]  # the value of a throw
                yield dice if name == before.asked and newest not in BACK else f"{name}: {dice}"


def _scored(before: Snapshot, now: Snapshot) -> Iterator[str]:
    """Yield what is new of the scores, and the end of the match."""
    if now.record is None:
        return
    was = {} if _newest(before, now) == STARTED else dict(zip(before.players, before.scores, strict=False))
    ended = bool(now.winners) and now.winners != before.winners
    yield from (now.over, now.why) if ended else ()
    for name, score in zip(now.players, now.scores, strict=True):
        if ended or score != was.get(name, 0):
            counted = {
                "points": say("{n} points", n=score),
                "lives": say("{n} lives", n=score),
                "chips": say("{n} chips", n=score),
                "dice": say("{n} dice", n=score),
            }
            text = say("{name} now has {text}", name=name, text=counted[now.counts])
            yield now.language.translate(text, ("said",))
    yield now.cheer if now.cheer != before.cheer else ""
    yield now.stake if now.at_stake != before.at_stake else ""


def _asked(before: Snapshot, now: Snapshot) -> Iterator[str]:
    """Yield what is asked: the question of the match and what BANK takes, then what is new in a list."""
    if now.record is not None and not now.winners:
        yield now.phrases.paused if now.paused and not before.paused else ""
        new, back = now.record != before.record or now.paused < before.paused, _newest(before, now) in BACK
        if now.asked and (now.asked != before.asked or back):
            yield f"{now.asked}: {now.ask}"
        elif (new or now.ask != before.ask) and (now.question or not now.offer):
            yield now.ask
        yield now.offer if new or (now.offer, now.cursor) != (before.offer, before.cursor) else ""
    yield from (line for line, was in zip(_listed(now), _listed(before), strict=True) if line != was)


def _listed(now: Snapshot) -> tuple[str, str, str]:
    """Return the title, the line and its note of a menu, or what is entered: a name, or the face of a die."""
    if now.menu is not None:
        return now.menu.title, now.menu.items[now.menu.at], now.menu.note
    if now.spelling is not None:
        return now.spelling.title, now.spelling.text, now.spelling.letters[now.spelling.at]
    if now.entry is None:
        return "", "", ""
    entry, which = now.entry, now.phrases.die_of
    which = which.format(n=len(entry.faces) + 1, n2=entry.due) if entry.due > 1 else ""
    return entry.who if entry.who != now.asked else "", which, str(entry.face or now.phrases.no_dice)


def _routine(now: Snapshot) -> bool:
    """Return whether the dice are simply to be thrown: nothing needs the buttons."""
    helped = now.unread or now.registering or now.paused or now.tray or now.entry or now.winners
    return now.record is not None and bool(now.awaited) and not helped
