"""Numbers the questions that people see, so that a command can name the one it answers."""

from dataclasses import replace
from math import inf

from tabletop.core.ports import Press
from tabletop.dialogs.commands import REFUSED, STALE, Command, Moment, Result, TakeLine, Wanted
from tabletop.dialogs.decisions import ThrowDice
from tabletop.interpret.offers import ROLL_ON
from tabletop.views.snapshot import Snapshot

# The shortest time in which people react to what they see: a start within 0.1 s of the gun is a false start (World
# Athletics, Technical Rule 16.6), and the mean is 0.21 s (Woods et al., Frontiers in Human Neuroscience 9:131, 2015).
REACTION_S = 0.1
FACES_TO_ENTER = 7  # 0 for no die, then 1 to 6


class Questions:
    """Knows which question is open. first: its number, another one at each start of the table.

    BANK answers exactly what was shown. HOLD may name any number since it does what it does now: steps through a list
    are quick. A throw may name any number since the log of the match last grew.
    """

    def __init__(self, first: int = 0) -> None:
        self.number = self._hold_since = self._log_since = first
        self._changed_s = self._answered_s = -inf
        self._shown, self._asks = Snapshot(), _asks(Snapshot())
        self._hold, self._log = _hold(Snapshot()), _log(Snapshot())

    def numbered(self, shown: Snapshot) -> Snapshot:
        """Return a snapshot with the number of its question."""
        self._shown, asks, hold, log = shown, _asks(shown), _hold(shown), _log(shown)
        if asks != self._asks:
            self.number += 1
        if hold != self._hold:
            self._hold_since = self.number
        if log != self._log:
            self._log_since = self.number
        self._asks, self._hold, self._log = asks, hold, log
        return replace(shown, question_number=self.number)

    def judge(self, command: Command, moment: Moment | None = None) -> Result | None:
        """Return why a command is not to be carried out; None if it is. moment: when the match asked, None if not."""
        wants, asked = command.wants, command.asked
        if isinstance(asked, tuple) and asked != moment:
            return STALE
        if isinstance(asked, int) and not self._is_open(asked, wants):
            return STALE
        return REFUSED if isinstance(wants, TakeLine) and not 0 <= wants.at < _length(self._shown) else None

    def _is_open(self, asked: int, wants: Wanted) -> bool:
        since = self.number
        if isinstance(wants, ThrowDice):
            since = self._log_since
        elif isinstance(wants, Press) and wants.button == "hold" and not wants.long:
            since = self._hold_since
        return since <= asked <= self.number

    def too_early(self, press: Press, now_s: float) -> bool:
        """Return whether a BANK went down before anybody could react to what it takes now.

        A key may be as quick as it likes, and answer each of two questions in the same moment.
        """
        since_s = self._changed_s if press.prompt else max(self._changed_s, self._answered_s)
        return press.down_s < since_s + (0.0 if press.prompt else REACTION_S) or now_s <= since_s

    def bank_changes(self, now_s: float) -> None:
        """Note that BANK takes something else than before, and that views show it from `now_s` on."""
        self._changed_s = now_s
        self.close()

    def answered(self, now_s: float) -> None:
        """Note that a press was an answer, and that views show the next question from `now_s` on."""
        self._answered_s = now_s

    def close(self, wants: Wanted | None = None) -> None:
        """Make commands for the open question stale. wants: what answered it; a HOLD that only steps closes nothing.

        What is shown may stay the same: of two people who press BANK at once, one has to look again.
        """
        if isinstance(wants, Press) and wants.button == "hold" and not wants.long and _steps(self._shown):
            return
        self.number += 1
        self._hold_since = self.number

    def log_grew(self) -> None:
        """Make throws for the question before stale as well."""
        self.close()
        self._log_since = self.number


def _asks(shown: Snapshot) -> Snapshot:
    """Return what BANK answers: equal snapshots ask the same question."""
    plain = replace(shown, reading=None, held=0.0, tray=None, question_number=0)
    return replace(plain, pressed=None, hint="", happened=(), thrower="", between=False, record=None)


def _hold(shown: Snapshot) -> object:
    """Return what HOLD does, wherever it has stepped to."""
    if shown.menu is not None:
        return shown.menu.title, shown.menu.items
    if shown.spelling is not None:
        return shown.spelling.title, shown.spelling.text, shown.spelling.letters
    if shown.entry is not None:
        return shown.entry.who, shown.entry.faces, shown.entry.due
    return _log(shown), shown.hold, shown.paused


def _length(shown: Snapshot) -> int:
    """Return how many lines HOLD steps through, 0 without a list."""
    if shown.menu is not None:
        return len(shown.menu.items)
    if shown.spelling is not None:
        return len(shown.spelling.letters)
    return FACES_TO_ENTER if shown.entry is not None else 0


def _steps(shown: Snapshot) -> bool:
    """Return whether HOLD only steps on, so that a second one does the same as the first."""
    asking = shown.asking
    chooses = asking is not None and not asking.due and all(option.option != ROLL_ON for option in asking.options)
    return chooses or _length(shown) > 0


def _log(shown: Snapshot) -> tuple[int, int]:
    """Return which match is shown, and how many entries its log has."""
    return shown.number, 0 if shown.record is None else shown.record.entries
