"""`tabletop referee`: a game for other programs, by the line protocol on standard input and output."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import IO, Any

from tabletop.errors import InputError
from tabletop.rules import Match, load
from tabletop.rules.options import settled
from tabletop.rules.protocol import obey, quoted

HELP = "play a game by the line protocol, for other programs"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, its players and its options."""
    parser.add_argument(
        "game", nargs="?", default="", metavar="GAME", help="the game's id, as `tabletop games` lists it"
    )
    parser.add_argument("--players", default="", metavar="Ann,Ben", help="names in seat order, with commas between")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="settings", help="set an option of the game"
    )


def run(options: argparse.Namespace) -> int:
    """Obey one command a line until the end of standard input; one JSON line after each, at once."""
    match = new_match(options.game, options.players, options.settings)
    for line in sys.stdin.buffer:
        _write(sys.stdout, _answer(match, line))
    return 0


def new_match(game_id: str, players: str, settings: Sequence[str]) -> Match:
    """Return a match from words of the command line; `rules` overrides the settings before it, not those after."""
    game, _ = load(game_id)
    if not players:
        raise InputError("expected --players with names, as in --players Ann,Ben, got none")
    pairs: list[tuple[str, object]] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"expected --set option=value, got {quoted(setting)}")
        pairs.append((name, value))
    return Match(game_id, players.split(","), **settled(game.all_options, game.presets, pairs))


def _answer(match: Match, line: bytes) -> dict[str, Any]:
    try:
        return obey(match, line.decode())
    except UnicodeDecodeError:
        return {"error": f"expected a line of UTF-8, got {quoted(line.decode(errors='backslashreplace').rstrip())}"}


def _write(output: IO[str], told: dict[str, Any]) -> None:
    output.write(json.dumps(told) + "\n")  # ASCII only: it passes through any terminal's encoding
    output.flush()
