"""A snapshot as the page gets it: plain values, every text already in the language of the table. Pure.

The page draws what it is given and composes no sentence. What the display says with a sentence of its own (who wins,
what is at stake) is made here of the same words.
"""

import json
from dataclasses import replace
from typing import Any

from tabletop.views.i18n.catalogue import Strings
from tabletop.views.snapshot import Snapshot
from tabletop.web.lookback import Lookback

SHARED_WORDS = ("happened", "paused", "score", "thrown", "threw", "no_dice", "moment")


def still(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without what changes from frame to frame and is not on the page."""
    return replace(snapshot, reading=None, held=0.0, tray=None)


def encoded(count: int, snapshot: Snapshot) -> bytes:
    """Return the snapshot as one line of JSON, UTF-8. count: as in `page_of`."""
    return json.dumps(page_of(count, snapshot), ensure_ascii=False, separators=(",", ":")).encode()


def page_of(count: int, snapshot: Snapshot) -> dict[str, Any]:
    """Return what the page shows of a snapshot, in values of JSON. count: numbers the snapshots that were shown."""
    past = Lookback(snapshot)
    return {
        "count": count,
        "asks": snapshot.question_number,
        "game": snapshot.game,
        "asked": snapshot.asked,
        "ask": snapshot.ask,
        "question": snapshot.question,
        "offer": f"{snapshot.offer}?" if snapshot.question and snapshot.offer else snapshot.offer,
        "hint": snapshot.hint,
        "thrower": snapshot.thrower,
        "between": snapshot.between,
        "hold": snapshot.hold,
        "bank": snapshot.bank,
        "pressed": snapshot.pressed or "",
        "paused": snapshot.paused,
        "stake": snapshot.phrases.at_stake.format(n=snapshot.at_stake) if snapshot.at_stake else "",
        "players": _players(snapshot),
        "dice": _dice(snapshot, past),
        "covered": snapshot.covered,
        "awaited": snapshot.awaited,
        "unread": snapshot.unread,
        "sheet": [list(row) for row in snapshot.sheet],
        "match": snapshot.number,
        "layout": snapshot.layout,
        "drawn": [list(row) for row in snapshot.drawn],
        "course": [list(scores) for scores in snapshot.course],
        "goal": snapshot.goal,
        "happened": list(snapshot.happened),
        "history": past.history(whole=False),
        "corrections": past.corrections,
        "over": _over(snapshot),
        "why": snapshot.why if snapshot.winners else "",
        "menu": _menu(snapshot),
        "spelling": _spelling(snapshot),
        "entry": _entry(snapshot),
        "asking": _asking(snapshot),
        "words": words_of(snapshot.phrases),
    }


def words_of(phrases: Strings) -> dict[str, str]:
    """Return the words that the page says of its own accord, and the code of their language."""
    shared = {name: getattr(phrases, name) for name in SHARED_WORDS}
    return {"language": phrases.language_code, **shared, **phrases.page}


def _players(snapshot: Snapshot) -> list[dict[str, Any]]:
    best = (min if snapshot.fewest_win else max)(snapshot.scores, default=0)
    ahead = len(set(snapshot.scores)) > 1  # nobody leads while all are level
    return [
        {
            "name": name,
            "score": score,
            "asked": name == snapshot.asked,
            "leads": ahead and score == best,
            "won": name in snapshot.winners,
        }
        for name, score in zip(snapshot.players, snapshot.scores, strict=True)
    ]


def _dice(snapshot: Snapshot, past: Lookback) -> list[dict[str, Any]]:
    shown = zip(snapshot.thrown, snapshot.kept, past.row(), strict=False)
    return [
        {"face": face, "kept": kept, "asked": at == snapshot.cursor, "from": die and past.facts(die)}
        for at, (face, kept, die) in enumerate(shown)
    ]


def _over(snapshot: Snapshot) -> str:
    """Return who wins, empty until the match is over."""
    if not snapshot.winners:
        return ""
    phrases = snapshot.phrases
    line = phrases.win if len(snapshot.winners) > 1 else phrases.wins
    return line.format(names=f" {phrases.joined} ".join(snapshot.winners))


def _menu(snapshot: Snapshot) -> dict[str, Any] | None:
    menu = snapshot.menu
    return (
        None
        if menu is None
        else {
            "title": menu.title,
            "items": menu.items,
            "at": menu.at,
            "note": menu.note,
            "main": menu.main,
            "leave": menu.leave,
        }
    )


def _spelling(snapshot: Snapshot) -> dict[str, Any] | None:
    spelling = snapshot.spelling
    if spelling is None:
        return None
    return {"title": spelling.title, "text": spelling.text, "letters": spelling.letters, "at": spelling.at}


def _asking(snapshot: Snapshot) -> dict[str, Any] | None:
    asking = snapshot.asking
    if asking is None:
        return None
    return {
        "moment": asking.moment,
        "kind": asking.kind,
        "legal": asking.legal,
        "fixed": sorted(asking.fixed),
        "options": [
            {"label": option.label, "gives": option.gives, "group": option.group, "row": option.row}
            for option in asking.options
        ],
        "at": asking.at,
        "boxes": [{"label": box.label, "gives": box.gives, "row": box.row} for box in asking.boxes],
        "due": [{"who": who, "dice": count} for who, count in asking.due],
    }


def _entry(snapshot: Snapshot) -> dict[str, Any] | None:
    entry = snapshot.entry
    if entry is None:
        return None
    return {"who": entry.who, "faces": entry.faces, "due": entry.due, "face": entry.face}
