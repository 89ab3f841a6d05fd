"""BANK that was pressed for what stood there before: what came first counts, and BANK answers nothing.

A press answers what its player had before his eyes. It is something else by the time the press arrives where dice
tumble, where a throw has only just led to the next question, where other dice were just set aside, and where an earlier
press has just answered: people press again when a table that cannot see does nothing. While nothing can be stored, the
table takes in no dice either.
"""

from math import inf

from tabletop.core.ports import Press
from tabletop.interpret.dice_state import unread_throw
from tabletop.interpret.hints import OTHERS_ASIDE, PRESSED_TWICE, ROOM_AGAIN, THROW_FIRST
from tabletop.interpret.offers import stop_option
from tabletop.session.match.match_session import MatchSession
from tabletop.session.presses.event_queue import TUMBLE_S

# Nobody reacts faster to what he sees: a start within 0.1 s of the gun is a false start (World Athletics, Technical
# Rule 16.6), and people take 0.21 s in the mean (Woods et al., Frontiers in Human Neuroscience 9:131, 2015).
REACTION_S = 0.1


class EarlyBank:
    """Knows when the tray last changed what BANK takes, and which BANK was pressed before that could be seen."""

    def __init__(self) -> None:
        self._changed_s, self._hint = -inf, THROW_FIRST
        self._answered_s = -inf

    def throw_taken(self, now_s: float) -> None:
        """Note that a throw was taken, and that views show the next question from `now_s` on."""
        self._changed_s, self._hint = now_s, THROW_FIRST

    def offer_changed(self, now_s: float) -> None:
        """Note that other dice lie aside, and that views show from `now_s` on what BANK would keep now."""
        self._changed_s, self._hint = now_s, OTHERS_ASIDE

    def room_again(self, now_s: float) -> None:
        """Note that events can be stored again, and that views show from `now_s` on what lies in the tray by now."""
        self._changed_s, self._hint = now_s, ROOM_AGAIN

    def answered(self, now_s: float) -> None:
        """Note that a press was an answer, and that views show the next question from `now_s` on."""
        self._answered_s = now_s

    def may_precede_throw(self, press: Press, session: MatchSession, now_s: float, *, watched: bool) -> bool:
        """Return whether something may be a throw that moves in the tray, and the player has the choice to roll.

        watched: whether the camera has shown the tray; without a frame there is no throw that BANK could wait for.
        """
        if not watched or session.tray.rest is not None or session.by_hand:
            return False
        choice = stop_option(session.match.request) is not None and not session.tray.memory.paused
        return choice and now_s - press.time_s <= TUMBLE_S

    def too_early(self, press: Press, session: MatchSession, now_s: float) -> str:
        """Return the hint if the finger went down before anybody could react to what BANK takes now, else "".

        Empty where BANK takes nothing, and where nobody watches the tray.
        """
        rest, memory, request = session.tray.rest_for(session.match), session.tray.memory, session.match.request
        if session.by_hand or (request.kind == "roll" and not (rest and unread_throw(request, rest, memory))):
            return ""
        if self._before(self._changed_s, press, now_s):
            return self._hint
        # A script may press a key for each of two questions in the same moment.
        return PRESSED_TWICE if not press.prompt and self._before(self._answered_s, press, now_s) else ""

    @staticmethod
    def _before(changed_s: float, press: Press, now_s: float) -> bool:
        return press.down_s < changed_s + (0.0 if press.prompt else REACTION_S) or now_s <= changed_s
