"""What would follow from answers given one after the other; asked several times for each choice that HOLD walks to."""

from dataclasses import replace

from tabletop.core.errors import RefusedError
from tabletop.interpret import Offer
from tabletop.interpret.choices_order import keep_label
from tabletop.interpret.offers import ROLL_ON, STOPS, stop_option
from tabletop.rules import Answer, Choose, Keep, Match, Request
from tabletop.rules.requests import checked_answer

STOPPING = tuple(map(Choose, (ROLL_ON, *STOPS)))  # answers to the question whether to roll on
KNOWN = 64  # parts of a hand that are remembered: more than a keep has


class Lookahead:
    """The requests after a keep, cached: finding one may replay the whole match."""

    def __init__(self) -> None:
        self._at = -1
        self._after: dict[Keep, Request] = {}

    def allowed(self, match: Match, answers: tuple[Answer, ...]) -> bool:
        """Return whether these answers are legal now; nothing changes."""
        try:
            if len(answers) == len(("keep", "stop")) and isinstance(answers[0], Keep):
                if not match.request.may_stop and answers[1] in STOPPING:
                    return False
                checked_answer(self._request_after(match, answers[0]), answers[1])
            else:
                match.draft(*answers)
        except RefusedError:
            return False
        return True

    def with_points(self, match: Match, taken: Offer | None) -> Offer | None:
        """Return the offer; if it keeps dice and stops, or stopping is possible then, its label says what it gives."""
        if not match.request.may_stop:
            return taken
        match taken:
            case Offer(answers=(Keep() as keep, Choose(stop))):
                points = self._request_after(match, keep).gives.get(stop)
                return taken if points is None else replace(taken, label=keep_label(keep, stop, points))
            case Offer(answers=(Keep() as keep,)):
                after = self._request_after(match, keep)
                points = after.gives.get(stop_option(after) or "")
                return taken if points is None else replace(taken, label=keep_label(keep, "", points))
            case _:
                return taken

    def after_keeping_all(self, match: Match, hand: tuple[int, ...]) -> Request | None:
        """Return what would be asked if all dice of the hand were kept, None where that may not be. hand: sorted."""
        return self._request_after(match, Keep(hand)) if hand in match.request.legal else None

    def _request_after(self, match: Match, keep: Keep) -> Request:
        if self._at != len(match.log) or len(self._after) >= KNOWN:
            self._at, self._after = len(match.log), {}
        if keep not in self._after:
            self._after[keep] = match.foresee(keep)
        return self._after[keep]
