"""Derive the results of a match from its events, store them, and derive what is missing."""

import hashlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import tabletop
from tabletop.config.own_games import games_folder
from tabletop.core.errors import StoreError, TabletopError
from tabletop.rules import Event, Match
from tabletop.store import Store
from tabletop.store.results import Result

SOURCES = ("core/*.py", "rules/**/*.py", "games/*.py")  # of the package: what decides how a match ends
DERIVING = (*SOURCES, "records/deriving.py")
DIGEST_BYTES = 16  # 128 bits: no two matches share one by chance


@cache
def digest_of(sources: tuple[str, ...] = DERIVING) -> bytes:
    """Return a digest of code: these files of the package, and all your games, which may share code."""
    package = Path(tabletop.__file__).parent
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    shared = (path for files in sources for path in package.glob(files))
    for path in (*sorted(shared), *sorted(games_folder().glob("*.py"))):
        with suppress(OSError):  # then it is not played either
            digest.update(path.read_bytes())
    return digest.digest()


def results_of(match: Match) -> tuple[Result, ...]:
    """Return the results of those who were present at the end; empty unless it was played to its end.

    A turn lasts from being asked until the own score changes or somebody else is asked. In a joint question it is each
    change of a score.
    """
    if not match.over or match.abandoned:
        return ()
    turns, points, best, course = Counter[str](), Counter[str](), dict[str, int](), [match.scores]
    again = Match(match.game.id, match.seated, **match.options)
    for event in match.events:
        asked, before = again.request.player, again.scores
        _repeat(again, event)
        now = again.scores
        course.append(now)
        gains = {name: now[name] - score for name, score in before.items() if now[name] != score}
        if asked is not None:
            ends = asked in gains or again.over or again.request.player != asked
            gains = {asked: gains.get(asked, 0)} if ends else {}
        for name, gain in gains.items():
            turns[name] += 1
            points[name] += gain
            best[name] = max(best.get(name, gain), gain)
    places, throws = _places(match, course), sum(event.kind == "throw" for event in match.events)
    return tuple(
        Result(seat, name, match.scores[name], places[name], throws, turns[name], points[name], best.get(name, 0))
        for seat, name in enumerate(match.players)
        if name in places
    )


def _repeat(match: Match, event: Event) -> None:
    """Answer as in this event, which may have been corrected: only the answer has to fit."""
    changes: dict[str, Callable[[str], None]] = {"leave": match.leave, "join": match.join}
    if event.kind in changes:
        changes[event.kind](event.player or "")
    else:
        match.apply(*match.draft(event.answer))


def _places(match: Match, course: list[dict[str, int]]) -> dict[str, int]:
    """Return the places of those present. Where lives are lost, those who kept theirs longer come first."""
    past, sign = course[::-1] if match.game.layout == "lives" else [match.scores], -1 if match.game.fewest_win else 1
    standing = {
        name: (1, []) if name in match.winners else (0, [sign * scores.get(name, 0) for scores in past])
        for name in match.present
    }
    return {name: 1 + sum(other > own for other in standing.values()) for name, own in standing.items()}


def store_results(store: Store, number: int, match: Match) -> None:
    """Store what a match adds up to; call it when a match has ended, and when it changes after that."""
    store.results.keep(number, results_of(match), digest_of().hex())


def derive_missing(store: Store, load: Callable[[int], Match], shown: Callable[[int, int], bool]) -> int:
    """Derive the results of each finished match that has none by these rules; return how many cannot be read.

    load: replays a match; raises TabletopError. shown: called with how many are done and how many there are; returns
    whether to go on.
    """
    missing, unreadable = store.results.missing(digest_of().hex()), 0
    for done, number in enumerate(missing):
        if not shown(done, len(missing)):
            break
        try:
            match = load(number)
        except StoreError:
            raise
        except TabletopError:  # damaged, of a game that is gone, or no longer accepted by the rules
            unreadable += 1
            store.results.forget(number)
        else:
            store_results(store, number, match)
    return unreadable
