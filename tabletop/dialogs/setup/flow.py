"""A match set up with two buttons: game, players, seats, options. Pure: presses in, questions or a decision out.

`docs/table-manners.md` draws the way through the questions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, ForgetName, MenuAction
from tabletop.dialogs.setup import game, options, players
from tabletop.dialogs.setup.state import Asked, Question, SetupState
from tabletop.views.snapshot import MenuView, Snapshot

QUESTIONS: Mapping[Asked, Callable[[SetupState], Question]] = {
    "first": game.first,
    "off?": game.off_sure,
    "open": game.open_matches,
    "games": game.games,
    "group": game.group,
    "who": players.who,
    "names": players.names,
    "more": players.more,
    "forget": players.forget,
    "forget?": players.forget_sure,
    "seats": players.seats,
    "start": options.start,
    "options": options.options,
    "value": options.value,
    "again": options.rematch,
    "joins": players.joins,
    "joins?": players.joins_sure,
}
MAIN: tuple[Asked, ...] = ("first",)  # where the form of the page leads to the same in fewer steps
WRITTEN: Mapping[Asked, Callable[[SetupState, str], SetupState]] = {
    "name": players.written,
    "number": options.number_written,
}


@dataclass(frozen=True, slots=True)
class SetupDialog:
    """A match being set up.

    question: what is asked now, None while something is written. home: long BANK on the first question closes it, since
    there is a match behind.
    """

    state: SetupState
    question: Question | None
    home: bool = False

    def step_to(self, at: int) -> "SetupDialog":
        """Return it with this line stepped to, from 0."""
        writing = self.state.step.writing
        return replace(self, state=self.state.write(writing.step_to(at)) if writing else self.state.at(at))

    def press(self, press: Press) -> "Dialog | Decision":
        """Return what is asked after this press, or what was decided."""
        if self.question is None:
            return self._write(press)
        at = self.at
        if press.button == "hold":  # a long one and each of its repeats is one more step
            return replace(self, state=self.state.at((at + 1) % len(self.question.lines)))
        if press.repeat:
            return self
        if press.long:
            return self._back()
        line = QUESTIONS[self.state.step.asked](self.state).lines[at]  # so that the way back leads to this line
        if not isinstance(line.target, SetupState):
            return line.target
        then = setup_dialog(line.target, home=self.home)
        return ForgetName(line.forgets, then) if line.forgets else then

    @property
    def at(self) -> int:
        """The line that BANK takes."""
        if self.question is None:
            return 0
        return self.question.at if self.state.step.at is None else min(self.state.step.at, len(self.question.lines) - 1)

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        if self.question is None:
            return self.state.step.writing.snapshot if self.state.step.writing else Snapshot()
        lines = self.question.lines
        labels, given = tuple(line.label for line in lines), frozenset(n for n, line in enumerate(lines) if line.given)
        main = self.state.step.asked in MAIN
        menu = MenuView(self.question.title, labels, self.at, lines[self.at].note, given, main=main)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu)

    def _write(self, press: Press) -> "Dialog | Decision":
        writing = self.state.step.writing
        after = writing.press(press) if writing else None
        if after is None:
            return self._back()
        if isinstance(after, str):
            return setup_dialog(WRITTEN[self.state.step.asked](self.state, after), home=self.home)
        return replace(self, state=self.state.write(after))

    def _back(self) -> "Dialog | Decision":
        state = self.state.back()
        if state is not None:
            return setup_dialog(state, home=self.home)
        return MenuAction.BACK if self.home else self


def setup_dialog(state: SetupState, *, home: bool = False) -> SetupDialog:
    """Ask what this way has come to."""
    return SetupDialog(state, None if state.step.writing else QUESTIONS[state.step.asked](state), home)
