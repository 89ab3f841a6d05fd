"""What BANK takes now, and what would follow from it: asked several times for each choice that HOLD walks to."""

from dataclasses import replace

from tabletop.core.errors import RefusedError
from tabletop.dialogs.correct import LostAnswerPrompt, LostAnswers, advance, next_offer, start
from tabletop.interpret import Offer, TableMemory, offer
from tabletop.interpret.choices import Faces, keep_label
from tabletop.interpret.offers import ROLL_ON, STOPS, stop_option
from tabletop.rules import Answer, Choose, Event, Keep, Match, Request
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


class Offers:
    """The offers of one match session; nothing here changes the match."""

    def __init__(self) -> None:
        self._lookahead = Lookahead()
        self._cached: tuple[tuple[object, ...], Offer | None] = ((), None)
        self._lost: LostAnswers | None = None

    def current(self, match: Match, memory: TableMemory, aside: Faces | None, *, by_hand: bool) -> Offer | None:
        """Return what BANK takes now, None for nothing. aside: the faces set aside at a keep."""
        key = (len(match.log), memory, aside, by_hand)
        if self._cached[0] != key:  # views ask many times a second
            taken = offer(match.request, memory, aside, lambda answers: self.allows(match, answers), by_hand=by_hand)
            self._cached = key, self._lookahead.with_points(match, taken)
        return self._cached[1]

    def allows(self, match: Match, answers: tuple[Answer, ...]) -> bool:
        """Return whether these answers, one after the other, are legal now."""
        return self._lookahead.allowed(match, answers)

    def after_keeping_all(self, match: Match, hand: Faces) -> Request | None:
        """Return what would be asked if all dice of the hand were kept, None where that may not be. hand: sorted."""
        return self._lookahead.after_keeping_all(match, hand)

    def offer_lost(self, lost: tuple[Event, ...], match: Match, known: int) -> None:
        """Offer answers again that a correction lost, as far as they fit. known: the length of the log right after."""
        begun = start(lost, known)
        self._lost = advance(begun, match) if begun else None

    def drop_lost(self) -> None:
        """Offer no more lost answers."""
        self._lost = None

    def lost_answer_prompt(self, match: Match) -> LostAnswerPrompt | None:
        """Return the lost answer that fits now, None if there is none."""
        if self._lost is not None and self._lost.known != len(match.log):
            self._lost = advance(self._lost, match)
        event = next_offer(self._lost, match) if self._lost else None
        return LostAnswerPrompt(event, len(self._lost.rest) - 1) if self._lost and event else None
