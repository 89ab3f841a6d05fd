"""Derive the results of a match from its events, store them, and derive what is missing."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import tabletop
from tabletop.config.own_games import games_folder
from tabletop.core.errors import InputError, RefusedError, ReplayError
from tabletop.rules import Event, Match
from tabletop.store import Store
from tabletop.store.results import Score

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


def scores_of(match: Match) -> list[Score]:
    """Return how those did who were present at the end; empty unless the match was played to its end.

    A turn lasts from being asked until the own score changes or somebody else is asked. In a joint question it is each
    change of a score.
    """
    if not match.over or match.abandoned:
        return []
    turns, course = defaultdict[str, list[int]](list), [match.scores]
    again = Match(match.game.id, match.seated, **match.options)
    for event in match.events:
        asked, before = again.request.player, again.scores
        if event.kind in ("leave", "join"):
            (again.leave if event.kind == "leave" else again.join)(event.player or "")
        else:
            again.apply(*again.draft(event.answer))  # a corrected event only has to fit
        course.append(again.scores)
        gains = {name: again.scores[name] - score for name, score in before.items()}
        ends = again.over or again.request.player != asked
        for name, gain in gains.items():
            if (gain and asked in (None, name)) or (ends and asked == name):
                turns[name].append(gain)
    places, throws = _places(match, course), sum(event.kind == "throw" for event in match.events)
    return [
        Score(seat, name, match.scores[name], places[name], throws, len(own := turns[name]), sum(own), max(own or [0]))
        for seat, name in enumerate(match.players)
        if name in places
    ]


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
    store.results.keep(number, scores_of(match), digest_of().hex())


def derive_missing(store: Store) -> Iterator[str]:
    """Derive the results of each finished match that has none by these rules; yield what is done before each.

    Matches that the rules no longer accept, damaged ones, and those of a game that is gone have no results.
    """
    missing = store.results.missing(digest_of().hex())
    for done, number in enumerate(missing):
        yield f"{done} of {len(missing)} matches"
        stored, events = store.match(number), store.events(number)
        try:
            log = (Event.from_json(event.body) for event in events)
            store_results(store, number, Match.replay(stored.game, stored.players, stored.options, log))
        except (InputError, RefusedError, ReplayError):
            store.results.keep(number, (), "")
