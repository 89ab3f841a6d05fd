"""`tabletop games --new NAME`: a game file that plays as it stands, with remarks that say what to change."""

import sys
from pathlib import Path

from tabletop.config.own_games import games_folder, id_of
from tabletop.core.errors import InputError
from tabletop.rules.catalog import built_in_ids, is_id
from tabletop.rules.names import quoted

ENDING = ".py"


def new_game(name: str) -> int:
    """Write the file and say where it is. name: of a game in the folder of one's own games, or a path of a file.

    InputError if the name is no game's, is a built-in game's, or if the file is there.
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


def write_new(path: Path, text: str) -> Path:
    """Write a file that is not there yet, with the folder if need be; return its path. InputError if it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError(f"expected a file that is not there yet, got {path}: it is not overwritten") from None
    except OSError as error:
        raise InputError(f"expected a file that can be written, got {path}: {error.strerror}") from error
    return path


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
