"""What BANK takes now, and what would follow from it: asked several times for each choice that HOLD walks to."""

from dataclasses import replace

from tabletop.core.errors import RefusedError
from tabletop.interpret import Offer, TableMemory, offer
from tabletop.interpret.choices import Faces, keep_label
from tabletop.interpret.offers import ROLL_ON, STOPS, stop_option
from tabletop.rules import Answer, Choose, Keep, Match, Request
from tabletop.rules.requests import checked_answer

STOPPING = tuple(map(Choose, (ROLL_ON, *STOPS)))  # answers to the question whether to roll on
KNOWN = 64  # parts of a hand that are remembered: more than a keep has


class Offers:
    """The offers of one match session; nothing here changes the match.

    The requests after a keep are cached: finding one may replay the whole match. Views ask many times a second.
    """

    def __init__(self) -> None:
        self._at = -1
        self._after: dict[Keep, Request] = {}
        self._cached: tuple[tuple[object, ...], Offer | None] = ((), None)

    def current(self, match: Match, memory: TableMemory, aside: Faces | None, *, by_hand: bool) -> Offer | None:
        """Return what BANK takes now, None for nothing. aside: the faces set aside at a keep."""
        key = (len(match.log), memory, aside, by_hand)
        if self._cached[0] != key:
            taken = offer(match.request, memory, aside, lambda answers: self.allows(match, answers), by_hand=by_hand)
            self._cached = key, self._with_points(match, taken)
        return self._cached[1]

    def allows(self, match: Match, answers: tuple[Answer, ...]) -> bool:
        """Return whether these answers, one after the other, are legal now."""
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

    def _with_points(self, match: Match, taken: Offer | None) -> Offer | None:
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
