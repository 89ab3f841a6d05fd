"""What views show of a match from moment to moment: what happened last is said first, then what to do."""

from dataclasses import replace

from tabletop.core.errors import RefusedError, ReplayError
from tabletop.core.values import Reading
from tabletop.interpret.log_views import is_forced
from tabletop.rules import Match
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import last_throw, snapshot
from tabletop.views.snapshot import Snapshot

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


LAST_THROW_S = 9.0  # the throw that ended the match is shown before the winner: two pages of the small screen
SAID_S = 4.0  # what came of an answer is shown for this long, then the request


class MatchDisplay:
    """Remembers when something happened in a match, and makes snapshots of it. Times in seconds, on any one clock.

    manual: the faces that are being entered with the buttons.
    """

    def __init__(self, manual: ManualEntry) -> None:
        self.manual, self._course = manual, Course()
        self._thrower = ""
        self._hinted: tuple[str, float] = ("", 0.0)  # the newest hint, and since when it is shown
        self.begin(None)

    def begin(self, session: MatchSession | None) -> None:
        """Show this match from now on; what happened in it before is not said again."""
        self._known = (len(session.match.log), session.notices.news) if session else (0, (0, ""))
        self._news_s = self._thrown_s = self._ended_s = float("-inf")

    def shows_last_throw(self, session: MatchSession, now_s: float) -> bool:
        """Return whether the throw that ended the match is shown, and not yet the winner."""
        return session.match.over and now_s - self._ended_s < LAST_THROW_S

    def turn_to_winner(self) -> None:
        """Show the winner from now on."""
        self._ended_s = float("-inf")

    def show(self, session: MatchSession, reading: Reading | None, now_s: float) -> Snapshot:
        """Return what views show now. reading: in pixels, None before the first."""
        now = self.manual.shown(snapshot(session, reading), session)
        self._note_news(session, now_s)
        if self.shows_last_throw(session, now_s):
            return last_throw(now, self._thrower, session.match.said)
        if now_s - self._thrown_s < SAID_S:
            now = replace(now, thrower=self._thrower)
        if now.hint != self._hinted[0]:
            self._hinted = (now.hint, now_s)
        now = replace(now, tray=self.manual.tray(session), course=self._course.of(session.match))
        said = session.notices.news[1] or ("" if now.winners else session.match.said)
        if now_s - self._news_s >= SAID_S or (now.hint and (self._hinted[1] >= self._news_s or not said)):
            return now
        return replace(now, hint=said, tray=now.tray if now.entry is not None else None)

    def _note_news(self, session: MatchSession, now_s: float) -> None:
        """Note when something happened, and the thrower; an undone or corrected throw does not count."""
        known = (len(session.match.log), session.notices.news)
        if known == self._known:
            return
        before, self._known = self._known[0], known
        new = session.match.log[before:]
        self._news_s = now_s if new or session.notices.news[1] else float("-inf")  # a press ends what was being said
        throws = [event for event in new if event.kind == "throw"]
        if throws:
            self._thrower, self._thrown_s = throws[-1].player or "", now_s
            given = next(event for event in reversed(session.match.events) if not is_forced(event))
            self._ended_s = now_s if session.match.over and given.kind == "throw" else float("-inf")
        elif new:
            self._thrown_s = float("-inf")  # the throw is answered, or no longer stands: whose turn it is comes first
