"""The link that creates a finished match as a play in the app BG Stats, and its QR code.

Format: https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/. `playDate` is the end of
the play. The app on Android needs every flag. It remembers games and players by the ids it was sent once.
"""

import json
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tabletop.core.errors import TabletopError
from tabletop.rules import COACH, Match
from tabletop.rules.families.order import ROW
from tabletop.store import Store, StoredEvent, StoredMatch
from tabletop.views.snapshot import Snapshot
from tabletop.web.payload import places

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
LONGEST = 8000  # characters of a link that the app takes
BGG_IDS = {"Farkle": 3181, "LCR": 3522, "Liar's Dice": 45, "Yahtzee": 2243}  # boardgamegeek.com/boardgame/ID
BREAK_S = 1800.0  # longer than any decision: not counted as playing


def posting(shown: Snapshot, path: Path | None) -> dict[str, Any]:
    """Return `link` and `code`, the rows of its QR code, for the finished match that is shown. path: of the store.

    The link is empty if there is none: the match is not over, was abandoned or coached, or cannot be read. The code is
    empty if the link is too long for one.
    """
    link, record = "", shown.record
    if shown.winners and record is not None and path is not None and not record.options.get(COACH.name):
        with suppress(TabletopError), Store(path, looking=True) as store:  # it may be damaged or deleted
            match = Match.replay(record.game, record.seated, record.options, record.log)
            link = link_of(play_of(match, places(shown), store.match(record.number), store.events(record.number)))
    return {"link": link, "code": code_of(link) if link else ()}


def play_of(match: Match, ranks: list[int], stored: StoredMatch, events: tuple[StoredEvent, ...]) -> dict[str, Any]:
    """Return the play as the app has it. ranks: from 1, in seat order. stored, events: the match in the store."""
    points, begins = match.game.counts == "points", _begins(match)
    game = {"name": match.title, "sourceGameId": match.title, "highestWins": not match.game.fewest_win}
    game |= {"noPoints": not points} | ({"bggId": BGG_IDS[match.title]} if match.title in BGG_IDS else {})
    players = [
        {"name": name, "sourcePlayerId": _id(name), "rank": rank, "winner": name in match.winners}
        | {"startPlayer": name == begins, **({"score": score} if points else {})}
        for (name, score), rank in zip(match.scores.items(), ranks, strict=True)
    ]
    same = _id(stored.number, stored.begun, stored.game, *stored.players)
    return {"sourceName": "tabletop", "sourcePlayId": same, "game": game, "players": players, **times_of(events)}


def link_of(play: dict[str, Any]) -> str:
    """Return the link that creates a play, empty if it would be too long for the app."""
    link = ADDRESS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
    return link if len(link) <= LONGEST else ""


@lru_cache(maxsize=2)
def code_of(link: str) -> tuple[str, ...]:
    """Return the rows of a link's QR code, "1" for each dark module; empty if the link is too long for one."""
    import segno  # noqa: PLC0415 - slow to import

    with suppress(segno.DataOverflowError):
        return tuple(
            "".join(map(str, row)) for row in segno.make(link, micro=False, error="l", boost_error=False).matrix
        )
    return ()


def _id(*parts: object) -> str:
    return sha256(json.dumps(parts).encode()).hexdigest()[:12]


def _begins(match: Match) -> str | None:
    """Return who began after the roll-off, None if all threw together."""
    rolled = sum(str(cell).count("/") + 1 for cell in match.sheet.get(ROW, {}).values() if cell is not None)
    return next((event.player for event in [e for e in match.events if e.request is not None][rolled:]), None)


def times_of(events: tuple[StoredEvent, ...]) -> dict[str, Any]:
    """Return when a match ended and how long it took, as far as the clocks of the table tell."""
    clocks = [event.clock for event in events if event.clock is not None]
    gaps_s = [later.monotonic_s - one.monotonic_s for one, later in pairwise(clocks) if "" != one.boot == later.boot]
    minutes = round(sum(gap_s for gap_s in gaps_s if 0.0 < gap_s < BREAK_S) / 60)
    found: dict[str, Any] = {"durationMin": minutes} if minutes else {}
    if events and (last := events[-1]).clock is not None and last.clock.trusted:
        found["playDate"] = f"{datetime.fromisoformat(last.time).astimezone(UTC):%Y-%m-%d %H:%M:%S}"
    return found
