"""Process the arguments of `tabletop play`: validation, merging with the configuration, match and profile.

The greeting on the display waits for this module: nothing here needs OpenCV or NumPy before a profile is read.
"""

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.config import file, mqtt, profile
from tabletop.core import InputError, Profile, one_line
from tabletop.dialogs.event_text import result_text
from tabletop.rules import Match, named
from tabletop.rules.protocol import new_match as new_match_of_words
from tabletop.store import default_path
from tabletop.web.listening import check_word, port_of

if TYPE_CHECKING:
    from tabletop.session.match_session import MatchSession


RECORDING_SUFFIX = ".tar"
MOST_MIB = 1 << 20  # a tebibyte: more than any card has
USUAL_GAME = "pig"  # if nobody can be asked (docs/commands.md)
USUAL_PLAYERS = "Ann,Ben"
NEWEST = -1  # --resume without a number


def check_store(options: argparse.Namespace) -> None:
    """Raise InputError if the folder of --store does not exist: a mistyped path must not create a new store."""
    if options.store is not None and not options.store.parent.is_dir():
        raise InputError(f"expected an existing folder for --store, got {options.store.parent}; make it first")


@contextmanager
def naming_line(options: argparse.Namespace, name: str) -> Iterator[None]:
    """Prefix a device's error with the configuration's line if its word comes from there."""
    try:
        yield
    except InputError as error:
        if (place := getattr(options, "places", {}).get(name)) is None:
            raise
        raise InputError(f"{place}: {error}") from error


def merge(options: argparse.Namespace, configured: file.Configuration) -> None:
    """Fill in options from the configuration that the command line left open."""
    typed = options.game is not None or options.players is not None or options.resume is not None
    options.goes_on = not typed and configured.game is not None
    options.places = {name: place for name, place in configured.places.items() if getattr(options, name, None) is None}
    if options.settings:  # they may have caused an error in the match
        options.places.pop("players", None)
    if options.game is None and options.resume is None:
        options.game = configured.game
    elif options.game is not None:
        found = named(options.game)
        options.game = found.game.id
        options.settings = [*map("=".join, found.settings.items()), *options.settings]
        if found.note:
            tell(found.note)
    if options.game is not None and options.game == configured.game:
        options.settings = [*configured.settings, *options.settings]
    if options.players is None and configured.players:
        options.players = ",".join(configured.players)
    options.screen_asked, options.buttons_asked = options.screen is not None, options.buttons is not None
    options.parts = configured.views
    options.hooks = configured.hooks
    options.switches_off = configured.switches_off
    options.throw_pictures = configured.throw_pictures
    options.name = configured.name
    options.host = configured.host or ""
    options.broker = mqtt.broker_of(options.mqtt, configured.broker) if options.mqtt else configured.broker
    usual = {"camera": "sim", "buttons": "auto", "screen": "auto", "profile": None, "record": None, "listen": None}
    usual["pictures"] = "all"
    for name, word in usual.items():
        if getattr(options, name) is None:
            setattr(options, name, getattr(configured, name) or word)
    if "record" in options.places:
        options.record = next_free(options.record)  # a table that starts again records into a new file


def next_free(path: Path) -> Path:
    """Return a free file name, numbered if the given one is taken."""
    names = chain([path], (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2)))
    return next(name for name in names if not os.path.lexists(name))


def check_listen(options: argparse.Namespace) -> None:
    """Raise InputError for an invalid --listen, --pictures or --port."""
    check_pictures(options.pictures)
    if options.listen is not None:
        check_word(options.listen)
        options.port = None if options.port is None else port_of(options.port)
    elif options.port is not None:
        raise InputError("expected --listen local or --listen lan for this --port, got neither")


def check_pictures(word: str) -> None:
    """Raise InputError unless this is a valid value of `--pictures`."""
    if word not in file.PICTURES:
        raise InputError(f"expected --pictures {' or '.join(file.PICTURES)}, got {word!r}")


def new_match(options: argparse.Namespace) -> Match:
    """Return the match named on the command line, or the default one."""
    players = USUAL_PLAYERS if options.players is None else options.players
    if options.players == "":
        raise InputError("expected --players with names, as in --players Ann,Ben, got none")
    with naming_line(options, "players"):
        return new_match_of_words(options.game or USUAL_GAME, players, options.settings)


def number_of(options: argparse.Namespace) -> int | None:
    """Return the number after --resume, None for the newest open match."""
    return None if options.resume == NEWEST else int(options.resume)


def tell_standing(session: "MatchSession", options: argparse.Namespace) -> None:
    """Print the scores on quitting, and the command that resumes the match."""
    tell(f"match {session.journal.number}: {result_text(session.match)}")
    if not session.match.over and session.match.log:
        store = f" --store {shlex.quote(str(options.store))}" if options.store else ""
        tell(f"go on with: {_program()} play --resume {session.journal.number}{store}")


def _program() -> str:
    if shutil.which("tabletop"):
        return "tabletop"
    called = Path(sys.argv[0])
    return f"{shlex.quote(sys.executable)} -m tabletop" if called.stem == "__main__" else shlex.quote(sys.argv[0])


def tell_in_turn(match: Match) -> None:
    """Print that players throw in turn because dice are not registered, if that matters to the match."""
    if match.options.get("together") is True:
        tell("whose die is whose is not told here: the players throw one after the other (together=false)")


def tell(line: str) -> None:
    """Print a message for users on standard error, because standard output has the events."""
    sys.stderr.write(f"tabletop play: {line}\n")


def profile_file(word: Path | None) -> Path | None:
    """Return the profile's file from --profile, a path or a name; None if none is given."""
    if word is None:
        return None
    return profile.profile_path(word, default_path().with_name(profile.FOLDER))


def usual_setup(camera: str) -> Path | None:
    """Return the default profile, written by `tabletop calibrate`, if it exists.

    camera: the value of --camera; the profile is only for a real one.
    """
    from tabletop.cameras.opening import is_device  # noqa: PLC0415 - the same

    path = profile.path_to_write(profile.USUAL, default_path().with_name(profile.FOLDER))
    return path if is_device(camera) and path.is_file() else None


def profile_in_use(options: argparse.Namespace) -> Profile | None:
    """Return the named profile, else the default one, None without; options.profile is set to its file.

    A named profile that cannot be read is an error, see `load_profile`. For the default one a message is printed and
    the table plays without a profile; options.setup_fault is set to that message, else empty.
    """
    options.setup_fault = ""
    with naming_line(options, "profile"):
        named = profile_file(options.profile)
    options.profile = named or usual_setup(options.camera)
    try:
        return named_profile(options.profile)
    except InputError as error:
        if named is not None:
            raise
        tell(f"{one_line(error)}; until then it plays without")
        from tabletop.perception.drift import UNREAD  # noqa: PLC0415 - the same

        options.setup_fault = UNREAD
        return None


def named_profile(path: Path | None) -> Profile | None:
    """Return the profile in this file, None if no file is given. Errors are those of `load_profile`."""
    if path is None:
        return None
    return profile.load_profile(path)


def check_record(options: argparse.Namespace) -> None:
    """Raise InputError if --record or --record-mib is invalid; nothing is created or opened."""
    path, mib = options.record, options.record_mib
    if mib is not None and not 1 <= mib <= MOST_MIB:
        raise InputError(f"expected --record-mib from 1 to {MOST_MIB}, got {mib}")
    if path is not None:
        with naming_line(options, "record"):
            _check_file(path)


def _check_file(path: Path) -> None:
    from tabletop.cameras.files import CODECS  # noqa: PLC0415 - OpenCV behind it, and a greeting waits

    endings = (RECORDING_SUFFIX, *CODECS)
    if path.suffix.lower() not in endings:
        near = get_close_matches(path.suffix.lower(), endings, n=1, cutoff=0.0)[0]
        raise InputError(
            f"expected --record FILE ending in {RECORDING_SUFFIX}, {' or '.join(CODECS)}, got {path.name}; "
            f"nearest: {path.stem}{near}"
        )
    if path.exists():
        raise InputError(f"expected a new file after --record, got one that exists: {path}")
    if not path.parent.is_dir():
        raise InputError(f"expected an existing folder for --record, got {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"expected a folder that can be written for --record, got {path.parent}")
