"""How the scores went in a match, for a picture of its course."""

from tabletop.core.errors import RefusedError, ReplayError
from tabletop.rules import Match

MOST_POINTS = 60  # of a line on a screen as wide as a phone: more cannot be told apart
PLAIN = ("throw", "keep", "choose", "leave", "join")  # events after which the scores before still hold

Scores = tuple[int, ...]


class Course:
    """The scores of one match after each event that changed them, from the beginning."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._entries = 0
        self._scores: list[Scores] = []

    def of(self, match: Match) -> tuple[Scores, ...]:
        """Return the scores in seat order, the oldest first and those of now last; at most `MOST_POINTS` of them."""
        new = match.log[self._entries :]
        if match is not self._match or any(event.kind not in PLAIN for event in new):
            self._scores = _replayed(match)
        self._match, self._entries = match, len(match.log)
        now = tuple(match.scores.values())
        if not self._scores or self._scores[-1] != now:
            self._scores.append(now)
        step = len(self._scores) / MOST_POINTS
        if step <= 1.0:
            return tuple(self._scores)
        return (*(self._scores[int(point * step)] for point in range(MOST_POINTS - 1)), now)


def _replayed(match: Match) -> list[Scores]:
    """Return the scores on the way to where a match stands; as far as it is clear where players left or joined."""
    again = Match(match.game.id, match.seated, **match.options)
    scores = [tuple(again.scores.values())]
    for event in match.events:
        try:
            again.apply(*again.draft(event.answer))
        except (RefusedError, ReplayError):  # who left and joined is no answer
            break
        if (now := tuple(again.scores.values())) != scores[-1]:
            scores.append(now)
    return scores
