"""Before a joint throw each player lays one die, and its colour is his for the match: who is asked, what came of it.

Pure. The dice that lie there from before are nobody's; one die at a time is told apart from a throw by nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tabletop.core.values import Rest
from tabletop.interpret import TableMemory, dice_state, unreadable
from tabletop.interpret.joint import near
from tabletop.rules import Match

LAID_S = 0.5  # a die that lies for so long was laid, and its colour has been seen in some frames
LAY = "lay one die"  # what is asked, beside the player's name
SKIP, ANEW = "skip", "anew"  # what BANK and HOLD do
ONE_AT_A_TIME = "one die at a time, please"
SKIPPED = "one after the other then"
TOO_ALIKE = "colours too alike: one after the other"


@dataclass(frozen=True, slots=True)
class Registration:
    """What a rest says about the die that is to be laid: its colour, or a hint, or neither yet."""

    colour: str = ""
    hint: str = ""


def player_to_register(match: Match, colours: Mapping[str, str]) -> str:
    """Return who is to lay a die, empty where nobody is: before the match all, later who throws at once with others."""
    dice = match.request.dice
    if match.request.kind != "roll" or isinstance(dice, int):
        return ""
    return next((name for name in (dice if match.log else match.present) if name not in colours), "")


def registered_colour(rest: Rest, memory: TableMemory) -> Registration:
    """Return what this rest says; memory: what had come before this player was asked is not his."""
    new, unsure = dice_state.new_dice(rest, memory), dice_state.new_unsure(rest, memory)
    if len(new) + len(unsure) > 1:
        return Registration(hint=ONE_AT_A_TIME)
    if unsure:
        return Registration(hint=unreadable.hint(unsure[0], rest))
    arrived_s = max(rest.arrived_s, default=0.0)
    return Registration(new[0].colour) if new and rest.reading.time_s - arrived_s >= LAID_S else Registration()


def colours_clash(colour: str, colours: Mapping[str, str]) -> bool:
    """Tell whether another player's die cannot be told from one of this colour."""
    return any(near(colour, own) for own in colours.values())


def registered_text(name: str, colour: str) -> str:
    """Say whose colour it is."""
    return f"the {colour} die is {name}'s"
