"""`tabletop referee`: a game for other programs, by the line protocol on standard input and output."""

import argparse
import json
import sys
from typing import IO, Any

from tabletop.config.own_games import offer_own_games
from tabletop.rules import Match, named, protocol, quoted


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, its players and its options."""
    parser.add_argument(
        "game", nargs="?", default="", metavar="GAME", help="a game, by any of its names (`tabletop games`)"
    )
    parser.add_argument("--players", default="", metavar="Ann,Ben", help="names in seat order, separated by commas")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="settings", help="set an option of the game"
    )


def run(options: argparse.Namespace) -> int:
    """Execute one command per line until the end of standard input; write one JSON line after each, at once."""
    offer_own_games()
    match = protocol.new_match(options.game, options.players, options.settings)
    if note := named(options.game).note:
        sys.stderr.write(f"tabletop referee: {note}\n")
    for line in sys.stdin.buffer:
        _write(sys.stdout, _answer(match, line))
    return 0


def _answer(match: Match, line: bytes) -> dict[str, Any]:
    try:
        return protocol.obey(match, line.decode())
    except UnicodeDecodeError:
        return {"error": f"expected a line of UTF-8, got {quoted(line.decode(errors='backslashreplace').rstrip())}"}


def _write(output: IO[str], reply: dict[str, Any]) -> None:
    output.write(json.dumps(reply) + "\n")  # ASCII only: it passes through any terminal's encoding
    output.flush()
