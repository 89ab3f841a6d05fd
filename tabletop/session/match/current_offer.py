"""What BANK can take: the offer for the request, and answers that a correction lost and that may be given again."""

from tabletop.dialogs.correction.lost_answers import LostAnswerPrompt, LostAnswers, advance, next_offer, start
from tabletop.interpret import Offer, TableMemory, offer
from tabletop.interpret.cursor import Faces
from tabletop.rules import Answer, Event, Match, Request
from tabletop.session.match.lookahead import Lookahead


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
