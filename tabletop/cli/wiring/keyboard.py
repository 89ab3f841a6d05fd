"""The keys of the terminal as hands: they press the buttons, and throw and sort the simulated dice."""

import random
import time
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

from tabletop.core.errors import InputError, RefusedError, TooFastError
from tabletop.dialogs.commands import ThrowDice
from tabletop.interpret.offers import ROLL_ON
from tabletop.rules import Choose
from tabletop.session.match_session import MatchSession
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.hands import TrayWithHands
from tabletop.simulator.players import bring_own_dice, dice_due, own_dice
from tabletop.simulator.tray import Tray
from tabletop.views.oled.screen import unpressed
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import DICE_ACTIONS, Key, TerminalView

if TYPE_CHECKING:
    from tabletop.core.ports import ButtonName
    from tabletop.session.table_loop import Handlers

SETTLES_S = 1.5  # dice that came to rest are read by then, or cannot be read; as on the page
MOST_AHEAD_S = 1.0  # presses that wait for longer than this were not meant; as on the page


class HandsAtKeys:
    """Handles the keyboard.

    terminal: None without a keyboard. tray: the simulated tray, None if the dice are real. buttons: pressed by keys,
    with realistic bouncing; None for those beside the simulated tray, if any. handlers: carry out throws requested
    elsewhere.
    """

    def __init__(
        self, terminal: TerminalView | None, tray: TrayWithHands | None, buttons: TrayButtons | None = None
    ) -> None:
        beside = tray.buttons if tray else TrayButtons(time.monotonic, random.Random(0))  # noqa: S311 - chatter
        self.buttons = buttons or beside
        self.quit = False
        self.handlers: Handlers = {ThrowDice: self._throw_for} if tray else {}
        self._terminal, self._tray = terminal, tray
        self._now = Snapshot()
        self._lies_s = float("-inf")  # when the dice thrown last lie
        self._shown: Snapshot | None = None  # what was shown then: anything else says that they were judged
        self._sorted_at: object = None  # what BANK took when hands sorted dice: anything else says that this was seen

    @property
    def waits(self) -> bool:
        """Whether `obey` waits for keys."""
        return self._terminal is not None

    def obey(self, session: MatchSession | None, now: Snapshot, timeout_s: float) -> None:
        """Handle the keys typed within this many seconds."""
        self._now = now
        for key in self._terminal.keys(timeout_s) if self._terminal else ():
            self.do(key, session, now)
        if self._tray is not None:
            self._flying(self._tray, now)

    def _throw_for(self, _: ThrowDice, session: MatchSession | None) -> None:
        """Throw the dice that are due for somebody who sees the table elsewhere."""
        menu = self._now.menu
        if self._tray is None or (session is None and not (menu and menu.guided)):
            raise RefusedError("expected a match to throw for")
        if self._flying(self._tray, self._now):
            raise TooFastError("expected the dice to be read first")
        if session is None:
            self._lies_s = self._tray.throw()
            return
        self._move_dice(Key("throw"), self._tray, session, self._now)

    def do(self, key: Key, session: MatchSession | None, now: Snapshot) -> None:
        """Handle one key. now: the current snapshot. A key that repeats faster than a hand could is refused."""
        tray, terminal = self._tray, self._terminal
        self._press(key)
        if key.action not in DICE_ACTIONS or tray is None:
            return
        if session is None:
            if terminal is not None:
                terminal.means_nothing(key.label)
        elif self._flying(tray, now) if key.action == "throw" else key.action == "nudge" and tray.busy:
            self._refuse()
        else:
            self._move_dice(key, tray, session, now)

    def _flying(self, tray: Tray, now: Snapshot) -> bool:
        """Return whether dice that were thrown are on their way, or lie there and may still be read."""
        shown = replace(unpressed(now), reading=None)
        if tray.now_s < self._lies_s:
            self._shown = shown
            return True
        return shown == self._shown and tray.now_s < self._lies_s + SETTLES_S

    def _refuse(self) -> None:
        if self._terminal is not None:
            self._terminal.too_fast()

    def _press(self, key: Key) -> None:
        if key.action == "quit":
            self.quit = True
        elif key.action in ("bank", "long bank", "hold", "long hold"):
            if self.buttons.ahead_s > MOST_AHEAD_S:
                self._refuse()
            else:
                button: ButtonName = "bank" if key.action.endswith("bank") else "hold"
                self.buttons.press(button, long=key.action.startswith("long"), prompt=True)

    def _move_dice(self, key: Key, tray: TrayWithHands, session: MatchSession, now: Snapshot) -> None:
        try:
            if key.action == "throw" and not isinstance(session.match.request.dice, int):
                if session.match.request.kind == "roll":
                    self._lies_s = throw_together(tray, session)
            elif key.action == "throw":
                self._throw(key, tray, session, now)
            elif key.action == "nudge":
                _nudge(tray, now)
            else:
                self._sorted_at = now.answers
                if key.action == "back":
                    tray.take_back([index for index, _ in tray.aside])
                elif (index := tray.loose_with(key.face)) is not None:
                    tray.keep(index)
        except InputError:
            return  # no such die to move: people see that for themselves

    def _throw(self, key: Key, tray: Tray, session: MatchSession, now: Snapshot) -> None:
        """Set aside what is shown as kept, and throw the dice that are then due: none after a keep that ends the turn.

        What hands have sorted since is left as they did.
        """
        match, part = session.match, session.offer.kept if session.offer else ()
        tray.own(match.game.dice)
        due = None
        if match.request.kind != "keep":
            due = _due(session)
        elif now.answers != self._sorted_at:
            try:
                due = dice_due(match, part)
            except RefusedError:  # no part that may be kept is shown
                part = ()
            if due is None and part:
                if self._terminal is not None:
                    self._terminal.means_nothing(key.label)
                return
        kept = tuple(compress(now.thrown, now.kept))
        if kept and due is not None and len(kept) + due == match.game.dice:
            tray.sort_out(kept)
        self._lies_s, self._sorted_at = tray.throw(due), None


def throw_together(tray: Tray, session: MatchSession) -> float:
    """Throw the dice of a joint throw, or lay down the die being registered; return when they lie still."""
    match, lays = session.match, session.player_to_register
    bring_own_dice(tray, match)
    return tray.throw(which=[match.players.index(lays)] if lays else own_dice(match))


def _due(session: MatchSession) -> int | None:
    """Return how many dice to throw where none are to be kept: those due, None for all that are not aside."""
    request = session.match.request
    if request.kind == "choose" and ROLL_ON in request.options:
        try:
            request = session.match.foresee(Choose(ROLL_ON))
        except RefusedError:
            return None
    return request.dice if request.kind in ("roll", "hide") and isinstance(request.dice, int) else None


def _nudge(tray: Tray, now: Snapshot) -> None:
    """Nudge what cannot be read, else the first die."""
    unsure = now.reading.unsure if now.reading else ()
    index = tray.nearest(unsure[0].x, unsure[0].y) if unsure else tray.nearest(0.0, 0.0)
    if index is not None:
        tray.nudge(index)
