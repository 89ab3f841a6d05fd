"""Whose die is whose in a joint throw: before it each player lays one die, and its colour is his for the match.

The dice that are in the tray already belong to nobody. A die that is laid cannot be told from a throw of one die by
anything but the request, so dice are laid one at a time.
"""

from collections.abc import Mapping

from tabletop.interpret.joint import near
from tabletop.rules import Match


class DiceOwnership:
    """The colours of the players' dice, and how joint throws are read.

    colours: by player. registers: whether players can be asked to lay a die. entered_by_hand: joint throws are entered
    with the buttons, since the colours do not tell whose die is whose.
    """

    def __init__(self, colours: Mapping[str, str] | None = None, *, registers: bool = False) -> None:
        self.colours = dict(colours or {})
        self.registers, self.entered_by_hand = registers, False

    def restore(self, colours: Mapping[str, str], *, registers: bool, entered_by_hand: bool) -> None:
        """Take over what was known at another time, such as that of a recording."""
        self.colours, self.registers, self.entered_by_hand = dict(colours), registers, entered_by_hand

    def player_to_register(self, match: Match) -> str:
        """Return who is to lay a die now, empty for nobody: all players before a match, later those who throw now."""
        dice = match.request.dice
        if not self.registers or self.entered_by_hand or match.request.kind != "roll" or isinstance(dice, int):
            return ""
        return next((name for name in (dice if match.log else match.present) if name not in self.colours), "")

    def clashes(self, colour: str) -> bool:
        """Return whether some player's die has a colour that cannot be told from this one."""
        return any(near(colour, own) for own in self.colours.values())
