"""`tabletop games`: list the games, describe one, or check a game file."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from tabletop.config.own_games import games_folder, id_of, not_played, offer_own_games, write_new
from tabletop.core.errors import InputError
from tabletop.rules import Game, Value, built_in_ids, game_ids, is_id, load, named, quoted

BROKEN_GAME_STATUS = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game and the output format."""
    parser.add_argument("game", nargs="?", default="", metavar="GAME", help="show how this game is played")
    parser.add_argument("--json", action="store_true", help="write facts and options as JSON on one line")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check a game file of your own")
    parser.add_argument(
        "--draft-examples",
        action="store_true",
        help="with --check: write examples from random matches beside the file, for you to confirm",
    )
    parser.add_argument(
        "--new", metavar="NAME", help="write a working game for you to change: my_game, or a file such as ./my_game.py"
    )


def run(options: argparse.Namespace) -> int:
    """List all games, describe one, check one, or begin one."""
    offer_own_games()
    if options.new is not None:
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
        game, _, preset, note, _ = named(options.game)
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
    """Return a line for each game, and one with the next command to try."""
    width = max((len(game.id) for game in games), default=0)
    lines = [f"{game.id:<{width}}  {game.name}, {_players(game)}, {_dice(game)}{_also(game)}" for game in games]
    return [*lines, "", "`tabletop games GAME` shows how to play it."]


def game_text(game: Game, preset: str = "") -> str:
    """Describe a game: its facts, its rules, its options. preset: the one that was asked for by name."""
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


ENDING = ".py"


def new_game(name: str) -> int:
    """Write a new game file and print its path. name: of a game in the folder of custom games, or the path of a file.

    Raises InputError if the name is invalid or belongs to a built-in game, or if the file exists.
    """
    path = _path_of(name)
    game_id = id_of(path)
    if not is_id(game_id) or "-" in path.stem:
        raise InputError(f"expected a name like my_game (small letters, digits, underscores), got {quoted(name)}")
    if game_id in built_in_ids():
        raise InputError(f"expected a name that no built-in game has, got {quoted(name)}: call it otherwise")
    title = path.stem.replace("_", " ").title()
    written = write_new(path, TEMPLATE.replace("@ID@", game_id).replace("@NAME@", title))
    told = [f"written: {written}", f"check it: tabletop games --check {written}"]
    if written.parent == games_folder():
        told.append(f"play it:  tabletop play {game_id} --players Ann,Ben")
    else:
        told.append(f"play it:  move it to {games_folder()}, then tabletop play {game_id} --players Ann,Ben")
    sys.stdout.write("".join(f"{line}\n" for line in told))
    return 0


def _path_of(name: str) -> Path:
    path = Path(name).expanduser()
    if path.suffix == ENDING or path.parent != Path() or name.startswith("."):
        return path if path.suffix == ENDING else path.with_name(path.name + ENDING)
    return games_folder() / f"{name}{ENDING}"


TEMPLATE = '''\
"""@NAME@: roll a die as often as you dare, then bank. Source: (where the rules are from).

Change this file from top to bottom. After each change: tabletop games --check THIS_FILE
docs/my-first-game.md takes a game from here to its end; docs/game-modules.md lists what a game can use.
"""

from tabletop.rules import Game, Result, Table, Whole, say

# The numbers of the rules, each with a name.
DICE = 1
BUST = 1

# What people may agree on differently: name, default, one line of help, and here the least and the most.
TARGET = Whole("target", 30, "the goal of the race", at_least=5, at_most=1000)

GAME = Game(
    id="@ID@",  # as the file is called, with hyphens
    name="@NAME@",
    source="(where the rules are from)",
    dice=DICE,  # how many the table needs
    min_players=1,
    options=(TARGET,),
    presets={"usual": {}},
    help="""\\
What it is about: be the first with 30 points.
A turn: roll a die as often as you like. Its points are at stake until you bank them.
A 1 ends the turn, and what was at stake is lost.
The end: the first player with the target or more after banking wins at once.""",
)


async def play(table: Table) -> Result:
    """Play turns until a player has reached the target. Players are numbers, 0 for the first one."""
    while True:
        for player in table.seats():  # those who have left are skipped
            points = await table.turn(player, turn(table, player))
            table.scores[player] += points or 0  # None: the player left in the midst of the turn
            if table.scores[player] >= table.option(TARGET):
                return Result((player,), say("{name} reaches the target", name=table.names[player]))


async def turn(table: Table, player: int) -> int:
    """Roll and bank; return the points. Each question needs its `await`."""
    while True:
        (face,) = await table.roll(player, DICE)
        if face == BUST:
            table.say("{name} throws a 1: nothing", name=table.names[player])
            return 0
        table.at_stake += face
        if await table.choose(player, "roll", "bank", gives={"bank": table.at_stake}) == "bank":
            return table.at_stake
'''
