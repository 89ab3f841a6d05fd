"""One run of a game's coroutine: takes checked answers and returns the next question. It cannot go back."""

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from traceback import walk_tb
from typing import Any

from tabletop.core import InputError, RefusedError, ReplayError, TabletopError, say
from tabletop.rules import events, history
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Value
from tabletop.rules.requests import OVER, Answer, Request, checked_answer
from tabletop.rules.table import AloneError, LeftError, Play, Table

ALONE, TOO_FEW = say("everybody else has left"), say("too few players are left")
NOBODY_LEFT, ABANDONED = say("everybody has left: the match is abandoned"), say("the match is abandoned")


class BrokenGameError(InputError):
    """The game's code failed. line: in the game's file. text: what was expected and what came, without the place."""

    def __init__(self, text: str, file: str, line: int) -> None:
        super().__init__(f"{file}:{line}: {text}")
        self.text, self.line = text, line


class Run:
    """One run of a game. request: the current question, OVER at the end. result: None until then.

    abandoned: whether it ended before the game had a winner.
    """

    def __init__(self, game: Game, play: Play, players: Sequence[str], options: Mapping[str, Value]) -> None:
        self.table = Table(players, options)
        self.result: Result | None = None
        self.abandoned = False
        self.request = OVER
        self._least = game.min_players if game.fewest_left is None else game.fewest_left
        self._code = play.__code__
        self._resume(lambda: self._begun(play).send(None))

    def take(self, answer: Answer) -> None:
        """Check the answer (RefusedError, nothing changed), then resume the game with it."""
        right = checked_answer(self.request, answer)
        self.table.said.clear()
        self._resume(lambda: self._game.send(right))

    def obey(self, event: events.Event, *, exact: bool) -> events.Event:
        """Apply a stored event; return it with the request it answers now. Raises ReplayError if it no longer fits.

        exact: whether the stored request must also have the same answers, or only the same kind, player and dice.
        """
        if event.kind not in events.COUNTED:
            self._seat_or_abandon(event)
            return event
        stored, asked = event.request, self.request
        same = stored is not None and (stored.same_answers(asked) if exact else stored.same_question(asked))
        if not same or event.player != asked.player:
            raise ReplayError(
                f"stored with the question: {stored}; the question is now: {asked}{_differing(stored, asked)}"
            )
        try:
            self.take(event.answer)
        except RefusedError as error:
            raise ReplayError(f"stored with the question: {stored}; now {error}") from error
        return event if stored is asked else events.Event(event.kind, event.player, event.value, asked)

    def asked_at(self) -> Iterator[tuple[str, int]]:
        """Yield file and line of each coroutine waiting for the answer, the game's `play` first; empty at the end."""
        waiting: Any = self._game
        while (frame := getattr(waiting, "cr_frame", None)) is not None:
            yield frame.f_code.co_filename, frame.f_lineno
            waiting = waiting.cr_await

    def _seat_or_abandon(self, event: events.Event) -> None:
        self.table.said.clear()
        if event.kind == "abandon":
            if self.result is None:  # a correction can make the game end earlier
                self._end_unplayed(ABANDONED)
        elif event.player is None or (event.kind == "leave" and event.player not in self.table.names):
            raise ReplayError(f"expected a {event.kind} of a player at the table, got {event.player!r}")
        elif self.result is None:  # a correction can make the game end before somebody leaves
            (self._leave if event.kind == "leave" else self._join)(event.player)

    def _leave(self, name: str) -> None:
        table, player = self.table, self.table.names.index(name)
        table.gone.add(player)
        table.say("{name} has left", name=name)
        present = tuple(table.seats())
        if not present:
            self._end_unplayed(NOBODY_LEFT)
        elif len(present) < self._least:
            self._end(Result(present, ALONE if len(present) == 1 else TOO_FEW))
        elif player in table.rivals and len(table.rivals - table.gone) == 1:
            self._resume(lambda: self._game.throw(AloneError()))
        elif self.request.player == name or (isinstance(self.request.dice, Mapping) and name in self.request.dice):
            self._resume(lambda: self._game.throw(LeftError(player)))

    def _join(self, name: str) -> None:
        table = self.table
        table.say("{name} has joined", name=name)
        if name in table.names:
            table.gone.discard(table.names.index(name))
        else:
            table.sit_down(name)

    def _begun(self, play: Play) -> Coroutine[Request, Any, Result]:
        self._game = play(self.table)
        return self._game

    def _resume(self, step: Callable[[], Request]) -> None:
        try:
            self.request = step()
        except StopIteration as end:
            self._end(self._result(end.value))
        except TabletopError:
            raise
        except Exception as error:
            file = self._code.co_filename
            lines = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
            text = f"expected no error, got {type(error).__name__}: {error}{_hint(str(error))}"
            raise BrokenGameError(text, file, (lines or [self._code.co_firstlineno])[-1]) from error

    def _result(self, given: object) -> Result:
        """Return what `play` returned if it is a result with seats, or raise BrokenGameError."""
        if isinstance(given, Result):
            winners: object = given.winners
            if isinstance(winners, tuple) and all(seat in range(len(self.table.names)) for seat in winners):
                return given
        text = f"expected play to return Result(winners, why), got {given!r}{_hint(repr(given))}"
        raise BrokenGameError(text, self._code.co_filename, self._code.co_firstlineno)

    def _end_unplayed(self, why: str) -> None:
        self.abandoned = True
        self._end(Result((), why))

    def _end(self, result: Result) -> None:
        self._game.close()
        self.request, self.result = OVER, result
        self.table.at_stake = 0


def _hint(error: str) -> str:
    if "list ind" in error:
        return ": is a player a seat, a number from 0?"
    return ": is an `await` missing?" if "coroutine" in error else ""


def _differing(stored: Request | None, asked: Request) -> str:
    """Name what differs between two questions that read the same."""
    if stored is None or not stored.same_question(asked):
        return ""
    parts = [name for name in ("legal", "options", "gives") if getattr(stored, name) != getattr(asked, name)]
    return "".join(f"; {part} was {getattr(stored, part)}, is {getattr(asked, part)}" for part in parts)


class AheadRun:
    """Tries answers ahead on a separate run, which is reused if the players then give the answer that was tried.

    A run cannot go back. Usually the guess is right, because the likely answers are tried. If not, the match is
    replayed from its start, which is slow late in a long match.
    """

    def __init__(self, fresh: Callable[[], Run]) -> None:
        self._fresh = fresh
        self._run: Run | None = None
        self._obeyed: tuple[history.LogView, ...] = ()
        self._tried: tuple[Answer, ...] = ()

    def follow(self, standing: Sequence[history.LogView]) -> Request:
        """Move to the position after these events; return the request there."""
        run, new = self._run, self._unknown(standing)
        if run is None or new is None:
            run, new = self._fresh(), standing
        self._run = None  # unusable if the game fails
        for view in new:
            run.obey(view.event, exact=view.exact)
        self._run, self._obeyed, self._tried = run, tuple(standing), ()
        return run.request

    def attempt(self, answer: Answer) -> Request:
        """Try an answer after `follow`; return the next request. Raises RefusedError if it is not legal."""
        run = self._run
        if run is None:
            raise RefusedError("expected a match to follow first, got an answer")
        right = checked_answer(run.request, answer)
        self._run = None
        run.take(right)
        self._run, self._tried = run, (*self._tried, right)
        return run.request

    def _unknown(self, standing: Sequence[history.LogView]) -> Sequence[history.LogView] | None:
        """Return the events that the run has not taken yet; None if it took others."""
        known = len(self._obeyed)
        given = standing[known : known + len(self._tried)]
        same = len(standing) >= known and all(old is now for old, now in zip(self._obeyed, standing, strict=False))
        if not same or len(given) < len(self._tried):
            return None
        answers = (view.event.answer if view.event.kind in events.COUNTED else None for view in given)
        return standing[known + len(given) :] if tuple(answers) == self._tried else None
