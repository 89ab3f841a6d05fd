"""`tabletop games`: which games there are, how each is played, and whether a file is a game that can be played."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from tabletop.config.own_games import not_played, offer_own_games
from tabletop.core.errors import InputError
from tabletop.rules import game_ids, load
from tabletop.rules.catalog import named
from tabletop.rules.game import Game
from tabletop.rules.options import Value

HELP = "list the games and their rules"
BROKEN_GAME_STATUS = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare which game, and in which form."""
    parser.add_argument("game", nargs="?", default="", metavar="GAME", help="show how this game is played")
    parser.add_argument("--json", action="store_true", help="facts and options as JSON on one line")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a game file of your own; nothing is listed")
    parser.add_argument(
        "--draft-examples",
        action="store_true",
        help="with --check: write worked examples from random matches beside the file, for you to confirm",
    )
    parser.add_argument(
        "--new",
        metavar="NAME",
        help="write a game that plays, for you to change: my_game, or a file such as ./my_game.py",
    )


def run(options: argparse.Namespace) -> int:
    """List all games, describe one, check one, or begin one."""
    offer_own_games()
    if options.new is not None:
        from tabletop.cli.games_new import new_game  # noqa: PLC0415 - a list of games needs none of this

        if options.game or options.check or options.json:
            raise InputError("expected --new NAME alone, got more words with it")
        return new_game(options.new)
    if options.draft_examples and options.check is None:
        raise InputError("expected --draft-examples with --check FILE, got it alone")
    if options.check is not None:
        from tabletop.cli.games_check import check_file  # noqa: PLC0415 - a list of games needs none of this

        if options.game:
            raise InputError(f"expected --check FILE alone, got the game {options.game!r} as well")
        return check_file(options.check, as_json=options.json, draft=options.draft_examples)
    if options.game:
        game, _, preset, note = named(options.game)
        if note:
            sys.stderr.write(f"tabletop games: {note}\n")
        sys.stdout.write((json.dumps([game.to_json()]) if options.json else game_text(game, preset)) + "\n")
        return 0
    games, broken = _all_games()
    if options.json:
        sys.stdout.write(json.dumps([game.to_json() for game in games]) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in listed(games)))
    sys.stderr.write("".join(f"tabletop games: {line}\n" for line in broken))
    return BROKEN_GAME_STATUS if broken else 0


def _all_games() -> tuple[list[Game], list[str]]:
    games, broken = [], list(not_played())
    for game_id in game_ids():
        try:
            games.append(load(game_id)[0])
        except (InputError, ImportError) as error:
            broken.append(f"expected a game {game_id}, got a file that cannot be loaded: {error}")
    return games, broken


def listed(games: list[Game]) -> list[str]:
    """One line a game, and one that says where to read on."""
    width = max((len(game.id) for game in games), default=0)
    lines = [f"{game.id:<{width}}  {game.name}, {_players(game)}, {_dice(game)}{_also(game)}" for game in games]
    return [*lines, "", "`tabletop games GAME` tells how one is played."]


def game_text(game: Game, preset: str = "") -> str:
    """Tell about one game: what it is, how it is played, its options. preset: the one whose name was asked for."""
    lines = [f"{game.name}{_also(game)}", f"{_players(game)}, {_dice(game)}; after {game.source}", "", game.help, ""]
    if preset:
        lines[:0] = [f"{preset} is {game.name} with rules={preset}, which sets {_settings(game.presets[preset])}", ""]
    lines.append("Options (--set option=value):")
    for option in game.all_options:
        facts = option.to_json()
        span = (
            f"{facts['min']} to {facts['max']}" if facts["choices"] == [] else " | ".join(map(_word, facts["choices"]))
        )
        lines.append(f"  {option.name}={_word(option.default)}  {option.help} ({span})")
    for name, values in game.presets.items():
        if values:
            lines.append(f"  rules={name} sets {_settings(values)}")
    return "\n".join(lines)


def _settings(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name}={_word(value)}" for name, value in values.items())


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _players(game: Game) -> str:
    return f"{game.min_players} to {game.max_players} players"


def _dice(game: Game) -> str:
    dice = "1 die" if game.dice == 1 else f"{game.dice} dice"
    return f"{dice} for each player" if game.dice_each else dice


def _also(game: Game) -> str:
    return f" ({', '.join(game.other_names)})" if game.other_names else ""
