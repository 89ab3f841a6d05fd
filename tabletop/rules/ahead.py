"""A second run of a match that tries answers before anyone gives them."""

from collections.abc import Callable, Sequence

from tabletop.core.errors import RefusedError
from tabletop.rules.coroutine import Run
from tabletop.rules.events import COUNTED
from tabletop.rules.history import LogView
from tabletop.rules.requests import Answer, Request, checked_answer


class AheadRun:
    """A run cannot go back: after a trial it can be used again only if the players gave the answer that it tried.

    Usually they do, because the likely answers are tried. If not, the match is replayed from its start, which is slow
    late in a long match.
    """

    def __init__(self, fresh: Callable[[], Run]) -> None:
        self._fresh = fresh
        self._run: Run | None = None
        self._obeyed: tuple[LogView, ...] = ()
        self._tried: tuple[Answer, ...] = ()

    def follow(self, standing: Sequence[LogView]) -> Request:
        """Move to the position after these events; return the request there."""
        run, new = self._run, self._unknown(standing)
        if run is None or new is None:
            run, new = self._fresh(), standing
        self._run = None  # of no use if a game ends with an error
        for view in new:
            run.obey(view.event, exact=view.exact)
        self._run, self._obeyed, self._tried = run, tuple(standing), ()
        return run.request

    def attempt(self, answer: Answer) -> Request:
        """Take an answer after `follow`; return the next request. RefusedError if it is not legal."""
        run = self._run
        if run is None:
            raise RefusedError("expected a match to follow first, got an answer")
        right = checked_answer(run.request, answer)
        self._run = None
        run.take(right)
        self._run, self._tried = run, (*self._tried, right)
        return run.request

    def _unknown(self, standing: Sequence[LogView]) -> Sequence[LogView] | None:
        """Return the events that the run has not taken yet; None if it took others."""
        known = len(self._obeyed)
        given = standing[known : known + len(self._tried)]
        same = len(standing) >= known and all(old is now for old, now in zip(self._obeyed, standing, strict=False))
        if not same or len(given) < len(self._tried):
            return None
        answers = (view.event.answer if view.event.kind in COUNTED else None for view in given)
        return standing[known + len(given) :] if tuple(answers) == self._tried else None
