"""`tabletop replay`: replay a stored match event by event, or check a script of worked examples.

With `--frames` a recording is processed with the current code (`replay_frames`). Without an argument it lists the
matches.
"""

import argparse
import json
import re
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from tabletop.cli.numbers import match_number
from tabletop.config.own_games import offer_own_games
from tabletop.core.errors import InputError, ReplayError, TabletopError, printable
from tabletop.dialogs.event_text import event_text, result_text
from tabletop.rules import CALLED, COACH, Match
from tabletop.rules.script import Difference, Example, difference, examples_of
from tabletop.session.journal import check_match, read_event
from tabletop.store import Store, StoredEvent, StoredMatch, default_path

DIFFERS_STATUS = 2
MOST_BYTES = 10_000_000  # no script of people is larger; a film or a device given by mistake is
NO_DATE = "no date"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("match", nargs="?", metavar="MATCH|FILE", help="the number of a stored match, or a script")
    parser.add_argument("--frames", type=Path, metavar="FILE.tar", help="play a recording of `play --record` again")
    parser.add_argument(
        "--cut", nargs=2, type=float, metavar=("FROM", "TO"), help="with --frames: copy these seconds to --out"
    )
    parser.add_argument("--out", type=Path, metavar="FILE.tar", help="with --cut: the file to write")
    parser.add_argument("--why", action="store_true", help="with --frames: show what was read in each frame")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """List the matches, show one, or play a script or a recording."""
    offer_own_games()
    if options.frames is not None:
        if options.match is not None:
            raise InputError("expected a match, a script or --frames FILE, got two of them")
        from tabletop.cli.replay_recording import replay_frames  # noqa: PLC0415 - a stored match needs no reader

        return replay_frames(options)
    if options.why or options.cut is not None or options.out is not None:
        raise InputError("expected --why, --cut and --out together with --frames FILE")
    if options.match is not None and not _is_number(options.match):
        return play_script(Path(options.match), as_json=options.json)
    if options.match is not None:
        options.match = match_number(options.match)
    with Store(options.store or default_path(), looking=True) as store:
        if options.match is None:
            _list(store, as_json=options.json)
            return 0
        return _show(store, store.match(options.match), as_json=options.json)


def _is_number(word: str) -> bool:
    return re.fullmatch("-?[0-9]+", word) is not None and not Path(word).exists()


def _list(store: Store, *, as_json: bool) -> None:
    """Write a line for each match, and one more if some have no date."""
    dates = store.dates()
    broken = store.broken_logs()
    for stored in store.matches():
        if not stored.damage and stored.number in broken:
            stored = replace(stored, damage="events")  # noqa: PLW2901 - the same match, and what is wrong with it
        date = dates[stored.number]
        _write(_facts(stored, date) if as_json else _line(stored, date))
    undated = sum(date is None for date in dates.values())
    if undated and not as_json:
        _write(f"{without_date(undated)}: the clock was not set, or the dice were simulated or of a film")


def without_date(count: int) -> str:
    """Return the remark that this many matches have no date."""
    return f"{count} {'match has' if count == 1 else 'matches have'} no date"


def _facts(stored: StoredMatch, date: str | None) -> str:
    """Return a match as JSON: with its `date` where `begun` is of a clock that was not set."""
    facts = {
        fact: getattr(stored, fact) for fact in ("number", "game", "players", "options", "begun", "ending", "events")
    }
    more = {"damaged": stored.damage} if stored.damage else {}
    return json.dumps({**facts, **more} if date in (stored.begun, None) else {**facts, **more, "date": date})


def _line(stored: StoredMatch, date: str | None) -> str:
    here = f"{datetime.fromisoformat(date).astimezone():%Y-%m-%d %H:%M}" if date else NO_DATE
    if stored.damage:
        return f"{stored.number:>4}  {here:<16}  cannot be read any more: {stored.damage}"
    return printable(
        f"{stored.number:>4}  {here:<16}  {stored.options.get(CALLED, stored.game)}: {', '.join(stored.players)}; "
        f"{stored.events} events, {stored.ending or 'open'}{', coached' if stored.options.get(COACH.name) else ''}"
    )


def _show(store: Store, stored: StoredMatch, *, as_json: bool) -> int:
    """Write every stored event, what it led to, and where the match stands; a mismatch is reported and ends it."""
    check_match(stored)
    match, unset = Match(stored.game, stored.players, **stored.options), 0
    for kept in store.events(stored.number):
        event = read_event(stored, kept)
        try:
            match.apply(event)
        except TabletopError as error:
            raise ReplayError(
                f"event {kept.n} of match {stored.number} does not fit any more: {error}", match
            ) from error
        if as_json:
            fields = {key: value for key, value in event.to_json().items() if key != "request"}
            _write(json.dumps({"n": kept.n, "time": kept.time, **_clock(kept), **fields}))
        else:
            unset += kept.clock is not None and not kept.clock.trusted
            _write(f"{kept.n:>4}  {_clock_time(kept.time)}  {event_text(event, match)}")
    if not as_json:
        _write(result_text(match))
        if unset:
            _write(f"the clock was not set at {unset} of these events: their times are as it showed them")
    return 0


def _clock_time(time: str) -> str:
    """Return what a clock here showed at a stored time; dashes for a damaged one."""
    try:
        return f"{datetime.fromisoformat(time).astimezone():%H:%M:%S}"
    except (ValueError, OverflowError):
        return "--:--:--"


def _clock(kept: StoredEvent) -> dict[str, str | float | bool]:
    """Return what the clocks were worth at an event, as JSON; empty where no clock gave its time."""
    if kept.clock is None:
        return {}
    return {"trusted": kept.clock.trusted, "monotonic_s": kept.clock.monotonic_s, "boot": kept.clock.boot}


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")


def play_script(path: Path, *, as_json: bool) -> int:
    """Write a line for each example: it holds, or where it fails, with the expected and the actual result."""
    examples = read_script(path)
    differing = 0
    for example in examples:
        wrong = difference(example)
        differing += wrong is not None
        sys.stdout.write(
            (json.dumps(facts(path, example, wrong)) if as_json else example_text(path, example, wrong)) + "\n"
        )
    if differing:
        sys.stderr.write(
            f"tabletop replay: expected {len(examples)} examples of {path} to hold, got {differing} that do not\n"
        )
    return DIFFERS_STATUS if differing else 0


def read_script(path: Path) -> tuple[Example, ...]:
    """Return the examples of a script, at least one; InputError names the file, and the line if there is one."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES).decode("utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: an invalid name or text
        reason = getattr(error, "strerror", None) or "no text"
        raise InputError(
            f"expected the number of a stored match or the file of a script, got {str(path)!r}: {reason}"
        ) from error
    try:
        return examples_of(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def example_text(path: Path, example: Example, wrong: Difference | None) -> str:
    """Return the result of an example as text."""
    if wrong is None:
        return f"holds: {example.shows}"
    return f"{path}:{wrong.line.number}: {wrong} (in: {example.shows})"


def facts(path: Path, example: Example, wrong: Difference | None) -> dict[str, str | int | bool | None]:
    """Return the result of an example as JSON values; line: of the failure, else of the example."""
    return {
        "file": str(path),
        "line": wrong.line.number if wrong else example.number,
        "example": example.shows,
        "holds": wrong is None,
        "command": wrong.line.text if wrong else None,
        "expected": wrong.expected if wrong else None,
        "got": wrong.got if wrong else None,
    }
