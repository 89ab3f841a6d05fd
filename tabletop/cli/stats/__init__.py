"""`tabletop stats`: who has played and won how often, and how often each face was thrown."""

import argparse
import json
import sys
import time
from contextlib import ExitStack, closing
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.core.errors import DamagedError, InputError, ReplayError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tabletop.cli.stats.counting import Stats
    from tabletop.cli.stats.summaries import Summary
    from tabletop.store import Store, StoredMatch

HELP = "count matches, wins and best scores, and how often each face was thrown"
SAY_EVERY_S = 0.5  # between two progress lines on a terminal
RARE = 0.01  # of a hundred sets of fair dice one deviates as far: worth a word, and no more


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is counted."""
    parser.add_argument("--game", metavar="GAME", help="only matches of this game")
    parser.add_argument("--player", metavar="NAME", help="only matches in which this player sat down")
    parser.add_argument("--since", type=_day, metavar="DATE", help="only matches begun on this day or later")
    parser.add_argument("--until", type=_day, metavar="DATE", help="only matches begun on this day or before")
    parser.add_argument("--json", action="store_true", help="one JSON object on one line")
    parser.add_argument("--store", type=Path, metavar="FILE", help="the store, if not the usual one")


def run(options: argparse.Namespace) -> int:
    """Count the stored matches and show what comes out; status 0."""
    from tabletop.cli.stats.counting import Stats  # noqa: PLC0415 - `--help` needs no store and no rules
    from tabletop.cli.stats.summaries import Summaries  # noqa: PLC0415
    from tabletop.config.own_games import offer_own_games  # noqa: PLC0415
    from tabletop.rules.catalog import named  # noqa: PLC0415
    from tabletop.store import Store, default_path  # noqa: PLC0415

    offer_own_games()
    game = named(options.game).game.id if options.game is not None else None
    stats = Stats()
    path = options.store or default_path()
    kept = Summaries(path)
    with ExitStack() as opened:
        store = opened.enter_context(Store(path, looking=True))
        stored_matches, same = store.matches(), store.same_names.all()
        dates = store.dates() if options.since or options.until else None
        names = sorted({same.get(name, name) for stored in stored_matches for name in stored.players})
        if options.player is not None and options.player not in names:
            raise InputError(
                f"expected one who has played ({', '.join(names) or 'nobody yet'}), got {options.player!r}"
            )
        watched = opened.enter_context(closing(_watched(stored_matches)))
        for stored in watched:
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
                stats.count(kept.of(log, partial(_summary, store, stored)), stored.ending, same)
            except DamagedError:
                stats.damaged += 1
            except InputError:  # a game of one's own that is gone
                stats.unreadable += 1
    kept.keep(whole=stats.matches == len(stored_matches))
    sys.stdout.write(json.dumps(stats.as_json()) + "\n" if options.json else _text(stats))
    return 0


def _summary(store: "Store", stored: "StoredMatch") -> "Summary":
    """Play a match through; raises DamagedError, and InputError if its game is gone."""
    from tabletop.cli.stats.summaries import Summary  # noqa: PLC0415
    from tabletop.rules import Match  # noqa: PLC0415
    from tabletop.session.journal import load_match  # noqa: PLC0415

    try:
        return Summary.of(load_match(store, stored))
    except DamagedError:
        raise
    except ReplayError as error:  # the rules have changed since: it counts as far as they accept it
        readable = error.match if isinstance(error.match, Match) else Match(stored.game, stored.players)
        return Summary.of(readable, readable=False)


def _watched(matches: "Sequence[StoredMatch]") -> "Generator[StoredMatch]":
    """Yield the matches; on a terminal, show how many of them have been counted."""
    shows, next_s, clear = sys.stderr.isatty(), time.monotonic() + SAY_EVERY_S, ""
    try:
        for at, match in enumerate(matches):
            if shows and time.monotonic() >= next_s:
                next_s, clear = time.monotonic() + SAY_EVERY_S, "\r\033[K"
                sys.stderr.write(f"\rtabletop stats: {at} of {len(matches)} matches")
                sys.stderr.flush()
            yield match
    finally:
        sys.stderr.write(clear)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day, such as 2026-12-24, got {text!r}") from None


def _within(begun: str, since: date | None, until: date | None) -> bool:
    """Return whether a match began on one of these days, here."""
    day = datetime.fromisoformat(begun).astimezone().date()
    return (since is None or day >= since) and (until is None or day <= until)


def _text(stats: "Stats") -> str:
    endings = [f"{stats.matches} match{'es' if stats.matches != 1 else ''}"]
    endings += [f"{count} {word}" for word, count in stats.endings.items() if count]
    if stats.unreadable:
        endings.append(f"{stats.unreadable} that the rules no longer accept")
    if stats.damaged:
        endings.append(f"{stats.damaged} that cannot be read any more: see `tabletop doctor`")
    lines = [", ".join(endings)]
    if stats.undated:
        lines.append(f"left out: {stats.undated} without a date, since the clock was not set, or no real table played")
    if stats.rows:
        width, names = (
            max(len(head), *(len(row[at]) for row in stats.rows)) for at, head in enumerate(("game", "player"))
        )
        lines += ["", f"{'game':<{width}}  {'player':<{names}}  played   won   best    mean"]
        for (game, player), row in sorted(stats.rows.items()):
            lines.append(
                f"{game:<{width}}  {player:<{names}}  {row.played:>6}{row.won:>6}{row.best:>7}{row.mean:>8.1f}"
            )
    thrown = sum(stats.faces)
    if thrown:
        shares = "  ".join(f"{face}: {count} ({count / thrown:.1%})" for face, count in enumerate(stats.faces, 1))
        lines += ["", f"{thrown} dice thrown  {shares}"]
        chance = stats.chance_of_fair
        rare = ", which is rare: are the dice loaded, or misread?" if chance < RARE else ""
        lines.append(f"fair dice deviate as far in {chance:.1%} of all cases{rare}")
    return "\n".join(lines) + "\n"
