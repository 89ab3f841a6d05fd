"""Before a joint throw each player lays one die, so that its colour is known.

A die that is laid cannot be told from a throw of one die by anything but the request, so dice are laid one at a time.
"""

from dataclasses import dataclass

from tabletop.core.errors import StoreError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import Rest
from tabletop.dialogs.option_values import TOGETHER
from tabletop.interpret import TableMemory, dice_state, unreadable
from tabletop.session.match.dice_ownership import DiceOwnership
from tabletop.session.match.journal import Journal
from tabletop.session.match.notices import Notices
from tabletop.session.match.observed_tray import ObservedTray

LAID_S = 0.5  # a die that has lain this long was laid, and several frames have shown its colour
LAY = say("lay one die")  # the request, beside the player's name
SKIP, RESTART = say("skip"), say("restart")  # what BANK and HOLD do
ONE_AT_A_TIME = say("one die at a time, please")
SKIPPED = say("taking turns instead")
TOO_ALIKE = say("colours too alike: one after the other")


@dataclass(frozen=True, slots=True)
class Registration:
    """What a rest says about the die that is to be laid: its colour, or a hint, or neither yet."""

    colour: str = ""
    hint: str = ""


class DiceRegistration:
    """Asks for each player's die, and gives up if the colours are of no use or somebody presses BANK.

    journal, owners, tray, notices: parts of the match session.
    """

    def __init__(self, journal: Journal, owners: DiceOwnership, tray: ObservedTray, notices: Notices) -> None:
        self._journal, self._owners, self._tray, self._notices = journal, owners, tray, notices

    def on_rest(self, name: str, rest: Rest) -> None:
        """Keep the colour of the die that this player has laid, if he has."""
        seen = registered_colour(rest, self._tray.memory)
        self._notices.hint = seen.hint
        if not seen.colour:
            return
        if self._owners.clashes(seen.colour):
            self._throw_in_turn(TOO_ALIKE, rest.reading.time_s)
            return
        try:
            self._journal.keep_colour(name, seen.colour)
        except StoreError as error:
            self._notices.hint = str(error)
            return
        self._owners.colours[name] = seen.colour
        self._tray.ignore_current_dice(rest.reading.time_s)
        self._notices.show(registered_text(name, seen.colour))

    def press(self, press: Press, now_s: float) -> None:
        """Give up at BANK; at HOLD begin again, if no throw was made yet."""
        if press.button == "bank":
            self._throw_in_turn(SKIPPED, now_s)
        elif not self._journal.match.log:
            self._owners.colours.clear()
            self._tray.ignore_current_dice(now_s)

    def _throw_in_turn(self, why: str, now_s: float) -> None:
        """Let players throw one after the other instead of at once; during a match joint throws are entered by hand."""
        if self._journal.match.log:
            self._owners.entered_by_hand = True
        else:
            try:
                self._journal.change_options(**{TOGETHER: False})
            except StoreError as error:
                self._notices.hint = str(error)
                return
        self._notices.hint = ""
        self._tray.ignore_current_dice(now_s)
        self._notices.show(why)


def registered_colour(rest: Rest, memory: TableMemory) -> Registration:
    """Return what this rest says. memory: dice that came before this player was asked are not his."""
    new, unsure = dice_state.new_dice(rest, memory), dice_state.new_unsure(rest, memory)
    if len(new) + len(unsure) > 1:
        return Registration(hint=ONE_AT_A_TIME)
    if unsure:
        return Registration(hint=unreadable.hint(unsure[0], rest))
    arrived_s = max(rest.arrived_s, default=0.0)
    return Registration(new[0].colour) if new and rest.reading.time_s - arrived_s >= LAID_S else Registration()


def registered_text(name: str, colour: str) -> str:
    """Return the notice that a die was registered."""
    return say("the {reason} die is {name}'s", reason=colour, name=name)
