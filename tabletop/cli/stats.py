"""`tabletop stats`: how often each player has played and won, and how often each face was thrown.

The summary of each match is cached in a file beside the store, so that a match is replayed once for each version of the
rules. The file may be deleted at any time. `stats` never writes to a store, unless `--rebuild` asks for it.
"""

import argparse
import hashlib
import json
import stat
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tabletop.cli import luck
from tabletop.cli.progress import Progress
from tabletop.config.own_games import offer_own_games
from tabletop.core import errors, values
from tabletop.records.deriving import DIGEST_BYTES, SOURCES, derive_missing, digest_of
from tabletop.rules import COACH, Match, named
from tabletop.session.journal import load_match
from tabletop.store import Store, StoredMatch, database, default_path
from tabletop.views.i18n.catalogue import trial_players

SUFFIX = ".stats"  # behind the name of the store
# Of the package: what decides how a match ends and is counted.
COUNTED_BY = (*SOURCES, "cli/stats.py", "cli/luck.py")


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of one match. game: as its players called it. faces: how often each was thrown, from 1.

    scores, winners: of the players present at its end; empty unless it was played to its end. readable: whether the
    current rules accept all of it; otherwise the faces are counted up to that point. thrown: the faces by player.
    points: see `luck.points`; throws, points beyond expectation and variance.
    """

    game: str
    fewest_win: bool
    players: list[str]
    faces: list[int]
    scores: dict[str, int]
    winners: list[str]
    readable: bool = True
    thrown: dict[str, list[int]] = field(default_factory=dict)
    points: dict[str, list[Any]] | None = None

    @staticmethod
    def of(match: Match, *, readable: bool = True) -> "Summary":
        """Summarise a match: the dice of the throws in force, as corrected, and its result."""
        faces = {player: Counter[int]() for player in match.players}
        for event in match.events:
            if event.kind == "throw":
                parts = event.value if isinstance(event.value, dict) else {event.player: event.value}
                for player, part in parts.items():
                    faces[player or ""].update(part if isinstance(part, tuple) else ())
        counts = readable and match.over and not match.abandoned and not match.options.get(COACH.name)
        scores = {player: match.scores[player] for player in match.present} if counts else {}
        thrown = {player: [own[face] for face in values.FACES] for player, own in faces.items()}
        sums = [sum(own) for own in zip(*thrown.values(), strict=True)]
        gains = luck.points(match)
        points = (
            None if gains is None else {name: [gain.throws, gain.beyond, gain.variance] for name, gain in gains.items()}
        )
        head = (match.title, match.game.fewest_win, list(match.players))
        return Summary(*head, sums, scores, list(match.winners), readable, thrown, points)


class Summaries:
    """The cached summaries of a store, keyed by a digest of the match's data and the rules.

    A damaged or unreadable file counts as empty.
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
        """Return the summary of a match; `make` is called if it is not cached. log: `Store.log_bytes`."""
        key = _digest(digest_of(COUNTED_BY) + log)
        self._used[key] = self._known.get(key) or make()
        return self._used[key]

    def keep(self, *, whole: bool) -> None:
        """Write the summaries if one is new; do nothing if the store or its folder is read-only.

        whole: whether all matches were requested; others are dropped then.
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


OPEN = "open"
NO_COLOURS: Mapping[str, str] = {}
RARE = 0.01  # of a hundred sets of fair dice one deviates as far: worth a word, and no more


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the filters and the output format."""
    parser.add_argument("--game", metavar="GAME", help="only matches of this game")
    parser.add_argument("--player", metavar="NAME", help="only matches that this player took part in")
    parser.add_argument("--since", type=_day, metavar="DATE", help="only matches that began on this day or later")
    parser.add_argument("--until", type=_day, metavar="DATE", help="only matches that began on this day or earlier")
    parser.add_argument("--luck", action="store_true", help="how fairly the dice fell, and how lucky each player was")
    parser.add_argument("--rebuild", action="store_true", help="derive the results of all matches again, for the page")
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """Count the stored matches and print the statistics; status 0."""
    offer_own_games()
    game = named(options.game).game.id if options.game is not None else None
    path = options.store or default_path()
    if options.rebuild:
        with Store(path) as store, Progress("stats") as progress:
            store.results.forget()
            for done in derive_missing(store):
                progress.show(done)
        return 0
    stats, kept = Stats(), Summaries(path)
    with Store(path, looking=True) as store, Progress("stats") as progress:
        stored_matches = [match for match in store.matches() if match.players not in trial_players()]
        same = store.same_names.all()
        dates = store.dates() if options.since or options.until else None
        names = sorted({same.get(name, name) for stored in stored_matches for name in stored.players})
        if options.player is not None and options.player not in names:
            raise errors.InputError(
                f"expected one who has played ({', '.join(names) or 'nobody yet'}), got {options.player!r}"
            )
        for at, stored in enumerate(stored_matches):
            progress.show(f"{at} of {len(stored_matches)} matches")
            if game not in (None, stored.game) or (
                options.player and options.player not in {same.get(name, name) for name in stored.players}
            ):
                continue
            if dates is not None and (begun := dates[stored.number]) is None:
                stats.undated += 1
                continue
            if dates is not None and not _within(begun or "", options.since, options.until):
                continue
            try:
                log = store.log_bytes(stored)
                colours = store.colours(stored.number) if options.luck else {}
                stats.count(kept.of(log, partial(_summary, store, stored)), stored.ending, same, colours)
            except errors.DamagedError:
                stats.damaged += 1
            except errors.InputError:  # a game of your own that is gone
                stats.unreadable += 1
    kept.keep(whole=stats.matches == len(stored_matches))
    facts = stats.luck_as_json() if options.luck else stats.as_json()
    text = luck.text if options.luck else _text
    sys.stdout.write(json.dumps(facts) + "\n" if options.json else text(facts))
    return 0


def _summary(store: Store, stored: StoredMatch) -> Summary:
    """Play a match through; raises DamagedError, and InputError if its game is gone."""
    try:
        return Summary.of(load_match(store, stored))
    except errors.DamagedError:
        raise
    except errors.ReplayError as error:  # the rules have changed since: it counts as far as they accept it
        readable = error.match if isinstance(error.match, Match) else Match(stored.game, stored.players)
        return Summary.of(readable, readable=False)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day, such as 2026-12-24, got {text!r}") from None


def _within(begun: str, since: date | None, until: date | None) -> bool:
    """Return whether a match began on one of these days, here."""
    day = datetime.fromisoformat(begun).astimezone().date()
    return (since is None or day >= since) and (until is None or day <= until)


def _text(facts: Mapping[str, Any]) -> str:
    """Return the sums as text. facts: those that `--json` prints."""
    endings = [f"{facts['matches']} match{'es' if facts['matches'] != 1 else ''}"]
    endings += [f"{count} {word}" for word, count in facts["endings"].items()]
    if facts["unreadable"]:
        endings.append(f"{facts['unreadable']} that the rules no longer accept")
    if "damaged" in facts:
        endings.append(f"{facts['damaged']} that cannot be read any more: see `tabletop doctor`")
    lines = [", ".join(endings)]
    if "undated" in facts:
        why = "since the clock was not set, or no real table played"
        lines.append(f"left out: {facts['undated']} without a date, {why}")
    if rows := facts["players"]:
        width, names = (max(len(head), *(len(row[head]) for row in rows)) for head in ("game", "player"))
        lines += ["", f"{'game':<{width}}  {'player':<{names}}  played   won   best    mean"]
        lines += [
            f"{row['game']:<{width}}  {row['player']:<{names}}  "
            f"{row['played']:>6}{row['won']:>6}{row['best']:>7}{row['mean']:>8.1f}"
            for row in rows
        ]
    if thrown := sum(facts["faces"].values()):
        shares = "  ".join(f"{face}: {count} ({count / thrown:.1%})" for face, count in facts["faces"].items())
        lines += ["", f"{thrown} dice thrown  {shares}"]
        chance = facts["chance_of_fair"]
        rare = ", which is rare: are the dice loaded, or misread?" if chance < RARE else ""
        lines.append(f"fair dice deviate as far in {chance:.1%} of all cases{rare}")
    return "\n".join(lines) + "\n"


@dataclass(slots=True)
class Row:
    """The results of one player in one game, over finished matches. scores: one for each match, never empty."""

    fewest_win: bool
    won: int = 0
    scores: list[int] = field(default_factory=list)

    def as_json(self) -> dict[str, int | float]:
        """Return the row as JSON values; the best score is the lowest if the fewest points win."""
        played, best = len(self.scores), min(self.scores) if self.fewest_win else max(self.scores)
        return {"played": played, "won": self.won, "best": best, "mean": sum(self.scores) / played}


class Stats:
    """The statistics. rows: (name of the game, player) -> row. endings: `over`, `left`, ... -> matches.

    unreadable: matches that the current rules no longer accept, or whose game is gone. damaged: matches that cannot be
    read. undated: matches left out of a date range because their date is unknown.
    """

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.endings: Counter[str] = Counter()
        self.unreadable = self.undated = self.damaged = 0
        self._faces: Counter[int] = Counter()
        self._sets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(values.FACES))
        self._gains: defaultdict[tuple[str, str, str], luck.Gain] = defaultdict(luck.Gain)

    @property
    def matches(self) -> int:
        """The number of matches considered."""
        return self.endings.total() + self.unreadable + self.damaged

    def count(
        self, match: Summary, ending: str | None, same: Mapping[str, str], colours: Mapping[str, str] = NO_COLOURS
    ) -> None:
        """Add a match. ending: as stored, None for an open one. same: merged name -> player. colours: of their dice.

        Two names in one match are two players, even if they were merged.
        """
        self._faces.update(dict(zip(values.FACES, match.faces, strict=True)))
        means = {player: same.get(player, player) for player in match.players}
        if len(set(means.values())) < len(means):
            means = {player: player for player in match.players}
        for player, thrown in match.thrown.items():
            for name in [match.game] + ([f"{colours[player]} die"] if player in colours else []):
                self._sets[name] = [one + more for one, more in zip(self._sets[name], thrown, strict=True)]
            if means[player] in database.NOT_OFFERED:  # deleted
                continue
            unit = luck.PIPS if match.points is None else luck.POINTS
            gain = luck.pips(tuple(thrown)) if match.points is None else luck.Gain(*match.points[player])
            self._gains[match.game, means[player], unit] += gain
        if not match.readable:
            self.unreadable += 1
            return
        self.endings[ending or OPEN] += 1
        for player, score in match.scores.items():
            if means[player] in database.NOT_OFFERED:
                continue
            row = self.rows.setdefault((match.game, means[player]), Row(match.fewest_win))
            row.scores.append(score)
            row.won += player in match.winners

    def as_json(self) -> dict[str, Any]:
        """Return the statistics as JSON values."""
        return {
            "matches": self.matches,
            "endings": dict(self.endings),
            "unreadable": self.unreadable,
            **({"damaged": self.damaged} if self.damaged else {}),
            **({"undated": self.undated} if self.undated else {}),
            "players": [
                {"game": game, "player": player, **row.as_json()} for (game, player), row in sorted(self.rows.items())
            ],
            "faces": {str(face): self._faces[face] for face in values.FACES},
            "chance_of_fair": luck.chance_of(tuple(self._faces[face] for face in values.FACES)),
        }

    def luck_as_json(self) -> dict[str, Any]:
        """Return the luck report as JSON values."""
        whole = {"all": [self._faces[face] for face in values.FACES]} if len(self._sets) > 1 else {}
        return luck.report({name: tuple(faces) for name, faces in {**whole, **self._sets}.items()}, self._gains)
