"""Checks that every game must pass, whatever its rules; run by game authors and by the project's own tests.

Each check plays random matches from a given random generator, so a seed reproduces a failure. A fault is reported in
one line that begins with its place in the game's file.
"""

from collections.abc import Callable, Mapping
from random import Random
from traceback import walk_tb

from tabletop.core.errors import ReplayError, TabletopError
from tabletop.rules.conformance import checks
from tabletop.rules.conformance.trial import LONGEST_TOLD, Trial, UnmetError
from tabletop.rules.coroutine import BrokenGameError

__all__ = ["CHECKS", "ConformanceError", "check"]

CHECKS: Mapping[str, Callable[[Trial], None]] = {
    "the facts are whole": checks.facts,
    "every question is whole, the illegal refused, every step taken back": checks.steps,
    "a match ends, and its events lead there again": checks.ends,
    "a correction is as if it had been so": checks.corrections,
    "a player who has left is not asked and does not win": checks.leaves,
    "a player who comes back or joins plays on": checks.returns,
    "any mix of entries can be taken back and replayed": checks.mixed,
    "every option is read": checks.options_are_read,
}
ONCE = ("the facts are whole",)  # checks that do not depend on chance


class ConformanceError(TabletopError):
    """A game failed a check. file, line: where to look; if line is 0, at what `about` names."""

    def __init__(self, text: str, file: str, line: int, about: str) -> None:
        super().__init__(f"{file}:{line}: {text}" if line else f"{file}: {text}")
        self.text, self.file, self.line, self.about = text, file, line, about


def check(name: str, game_id: str, chance: Random) -> None:
    """Run one of `CHECKS` once; raises ConformanceError with the fault and its place in the game's file."""
    trial = Trial(game_id, chance)
    file = trial.play.__code__.co_filename
    try:
        CHECKS[name](trial)
    except Exception as error:
        raise _as_conformance_error(error, file, trial) from error


def _as_conformance_error(error: Exception, file: str, trial: Trial) -> ConformanceError:
    """Find the author's line: where it was raised, else if the game waits, else if `play` begins."""
    about = error.about if isinstance(error, UnmetError) else ""
    text = error.text if isinstance(error, BrokenGameError) else str(error)
    if not isinstance(error, TabletopError):
        text = f"expected no error, got {type(error).__name__}: {error}"
    if isinstance(error, ReplayError):
        text = f"{text} ({checks.OTHERWISE})"
    text = " ".join(text.split())[: 2 * LONGEST_TOLD]
    if about:
        return ConformanceError(text, file, 0, about)
    raised = [line for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    waiting = [line for name, line in trial.match.asked_at if name == file] if trial.match is not None else []
    raised = [error.line] if isinstance(error, BrokenGameError) else raised
    line = (raised or waiting or [trial.play.__code__.co_firstlineno])[-1]
    where = trial.where()
    return ConformanceError(f"{text} ({where})" if where else text, file, line, "")
