"""The keys of the terminal as hands: they press the buttons, and throw and sort the simulated dice."""

from collections.abc import Callable

from tabletop.core.errors import InputError, RefusedError
from tabletop.interpret.offers import ROLL_ON
from tabletop.rules import Choose
from tabletop.session.match.match_session import MatchSession
from tabletop.simulator.players.own_dice import bring_own_dice, own_dice
from tabletop.simulator.room.world import World
from tabletop.simulator.tray.devices import TrayButtons
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.keys import DICE_ACTIONS, Key
from tabletop.views.terminal.view import TerminalView


class HandsAtKeys:
    """What people do at the keyboard.

    terminal: None where there is no keyboard. world: the simulated tray with the hands over it, None if the dice are
    real. buttons: pressed by keys, with all the chatter of real ones. throws: given whether dice are on their way, it
    tells whether somebody elsewhere wished to throw since the last call. free: the simulated dice may be thrown without
    a match, all of them.
    """

    def __init__(
        self,
        terminal: TerminalView | None,
        world: World | None,
        buttons: TrayButtons,
        throws: Callable[[bool], bool] = lambda _: False,
        *,
        free: bool = False,
    ) -> None:
        self.buttons = buttons
        self.quit = False
        self._terminal, self._world, self._throws, self._free = terminal, world, throws, free

    @property
    def waits(self) -> bool:
        """Whether `obey` waits for keys."""
        return self._terminal is not None

    def obey(self, session: MatchSession | None, now: Snapshot, timeout_s: float) -> None:
        """Do what was typed within this many seconds."""
        for key in self._terminal.keys(timeout_s) if self._terminal else ():
            self._press(key)
            if key.action not in DICE_ACTIONS or self._world is None:
                continue
            if session is not None:
                self._move_dice(key, self._world, session, now)
            elif self._free and key.action in ("throw", "nudge"):
                self._world.throw() if key.action == "throw" else _nudge(self._world, now)
            elif self._terminal is not None:
                self._terminal.means_nothing(key.label)
        if self._world is not None and self._throws(self._world.busy) and session is not None:
            self._move_dice(Key("throw"), self._world, session, now)

    def _press(self, key: Key) -> None:
        if key.action == "quit":
            self.quit = True
        elif key.action in ("bank", "long bank"):
            self.buttons.press("bank", long=key.action == "long bank", prompt=True)
        elif key.action in ("hold", "long hold"):
            self.buttons.press("hold", long=key.action == "long hold", prompt=True)

    def _move_dice(self, key: Key, world: World, session: MatchSession, now: Snapshot) -> None:
        try:
            if key.action == "throw" and not isinstance(session.match.request.dice, int):
                if session.match.request.kind == "roll":
                    throw_together(world, session)
            elif key.action == "throw":
                world.tray.own(session.match.game.dice)
                world.throw(_due(session))
            elif key.action == "aside":
                index = world.tray.loose_with(key.face)
                world.keep([] if index is None else [index])
            elif key.action == "back":
                world.tray.take_back([index for index, _ in world.tray.aside])
            elif key.action == "nudge":
                _nudge(world, now)
        except InputError:
            return  # no such die to move: people see that for themselves


def throw_together(world: World, session: MatchSession) -> None:
    """Throw the dice of all who throw at once, or lay that of the player who is asked for it."""
    match, lays = session.match, session.player_to_register
    bring_own_dice(world.tray, match)
    world.throw(which=[match.players.index(lays)] if lays else own_dice(match))


def _due(session: MatchSession) -> int | None:
    """Return how many dice to throw: those due; at a keep all that are not aside (None)."""
    request = session.match.request
    if request.kind == "choose" and ROLL_ON in request.options:
        try:
            request = session.match.foresee(Choose(ROLL_ON))
        except RefusedError:
            return None
    return request.dice if request.kind in ("roll", "hide") and isinstance(request.dice, int) else None


def _nudge(world: World, now: Snapshot) -> None:
    """Nudge what cannot be read, else the first die."""
    unsure = now.reading.unsure if now.reading else ()
    index = world.tray.nearest(unsure[0].x, unsure[0].y) if unsure else world.tray.nearest(0.0, 0.0)
    if index is not None:
        world.nudge(index)
