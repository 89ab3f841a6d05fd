"""BANK that was pressed for what stood there before: the throw that came first counts, and BANK answers nothing.

A press answers the question that its player had before his eyes. Dice that tumble, and a question that a throw has
only just changed, are the two cases in which it is another one by the time the press arrives.
"""

from math import inf

from tabletop.core.ports import Press
from tabletop.interpret.offers import stop_option
from tabletop.session.match.match_session import MatchSession
from tabletop.session.presses.event_queue import TUMBLE_S


class EarlyBank:
    """Knows when a throw last changed the question, and which BANK was pressed before that could be seen."""

    def __init__(self) -> None:
        self._taken_s = -inf

    def throw_taken(self, now_s: float) -> None:
        """Note that a throw was taken, and that views show the next question from `now_s` on."""
        self._taken_s = now_s

    def may_precede_throw(self, press: Press, session: MatchSession, now_s: float, *, watched: bool) -> bool:
        """Return whether something may be a throw that moves in the tray, and the player has the choice to roll.

        watched: whether the camera has shown the tray; without a frame there is no throw that BANK could wait for.
        """
        if not watched or session.tray.rest is not None or session.by_hand:
            return False
        choice = stop_option(session.match.request) is not None and not session.tray.memory.paused
        return choice and now_s - press.time_s <= TUMBLE_S

    def precedes_question(self, press: Press, session: MatchSession, now_s: float) -> bool:
        """Return whether the finger went down before views could show the question that a throw has led to.

        False where BANK gives no answer, and where nobody watches the tray.
        """
        if session.by_hand or session.match.request.kind == "roll":
            return False
        return press.down_s < self._taken_s or now_s <= self._taken_s
