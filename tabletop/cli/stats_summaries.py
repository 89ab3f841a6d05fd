"""What each match adds to the sums, kept in a file beside the store.

A match is played through once for each version of the rules. The file may be deleted at any time. It is not a table of
the store: `stats` never writes to a store or locks it, and backups hold only what cannot be recomputed.
"""

import hashlib
import json
import stat
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import tabletop
from tabletop.config.own_games import games_folder
from tabletop.core.values import FACES
from tabletop.rules import Match

SUFFIX = ".stats"  # behind the name of the store
# Of the package: what decides how a match ends and is counted.
SOURCES = ("core/*.py", "rules/**/*.py", "games/*.py", "cli/stats*.py")
DIGEST_BYTES = 16  # 128 bits: no two matches share one by chance


@dataclass(frozen=True, slots=True)
class Summary:
    """What one match adds. game: its name. faces: how often each was thrown, the 1 first.

    scores, winners: of the players present at its end; empty unless it was played to its end. readable: whether the
    present rules accept all of it; else the faces count up to there.
    """

    game: str
    fewest_win: bool
    players: list[str]
    faces: list[int]
    scores: dict[str, int]
    winners: list[str]
    readable: bool = True

    @staticmethod
    def of(match: Match, *, readable: bool = True) -> "Summary":
        """Return what a match adds: the dice of the throws that stand, corrected where they were, and its result."""
        faces = Counter[int]()
        for event in match.events:
            if event.kind == "throw":
                parts = event.value.values() if isinstance(event.value, dict) else [event.value]
                for part in parts:
                    faces.update(part if isinstance(part, tuple) else ())
        played = readable and match.over and not match.abandoned
        scores = {player: match.scores[player] for player in match.present} if played else {}
        thrown = [faces[face] for face in FACES]
        game, players = match.game, list(match.players)
        return Summary(game.name, game.fewest_win, players, thrown, scores, list(match.winners), readable)


class Summaries:
    """The summaries of a store, found by a digest of all that the store has of a match and of the rules.

    A file that is damaged or cannot be read counts as empty.
    """

    def __init__(self, store: Path) -> None:
        self._store, self._path = store, store.with_name(store.name + SUFFIX)
        self._known: dict[str, Summary] = {}
        self._used: dict[str, Summary] = {}
        with suppress(OSError, ValueError, TypeError, AttributeError):
            digest, _, text = self._path.read_text(encoding="utf-8").partition("\n")
            if digest == _digest(text.encode()):
                self._known = {key: Summary(**facts) for key, facts in json.loads(text).items()}

    def of(self, log: bytes, make: Callable[[], Summary]) -> Summary:
        """Return the summary of a match; `make` is called if it is not known. log: `Store.log_bytes`."""
        key = _digest(_rules() + log)
        self._used[key] = self._known.get(key) or make()
        return self._used[key]

    def keep(self, *, whole: bool) -> None:
        """Write the summaries if one is new; do nothing if the store or its folder is read-only.

        whole: whether all matches were asked for; those that were not are dropped then.
        """
        if self._used.keys() <= self._known.keys() or not self._store.stat().st_mode & stat.S_IWUSR:
            return
        kept = self._used if whole else self._known | self._used
        text = json.dumps({key: asdict(summary) for key, summary in kept.items()})
        part = self._path.with_name(self._path.name + ".part")
        with suppress(OSError):
            part.write_text(f"{_digest(text.encode())}\n{text}", encoding="utf-8")
            part.replace(self._path)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


@cache
def _rules() -> bytes:
    """Return a digest of the code that decides: the table's own, and all your games, which may share code."""
    package = Path(tabletop.__file__).parent
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    shared = (path for files in SOURCES for path in package.glob(files))
    for path in (*sorted(shared), *sorted(games_folder().glob("*.py"))):
        with suppress(OSError):  # then it is not played either
            digest.update(path.read_bytes())
    return digest.digest()
