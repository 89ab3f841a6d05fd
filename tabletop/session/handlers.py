"""Which code carries out which decision of a dialog: each part of the table contributes handlers to one table.

Undo and corrections, which concern nothing but the match that is played, are carried out here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.core.errors import StaleError
from tabletop.core.message import say
from tabletop.dialogs.commands import Correct, Decision, Dialog, MenuAction, TakeBack
from tabletop.dialogs.mistakes import correct_menu, undo_question
from tabletop.interpret.log_views import answer_standing
from tabletop.session.match_session import MatchSession

DecisionKind = MenuAction | type[Decision]
"""What decisions are looked up by: a menu action itself, else the class of the decision."""

Handler = Callable[[Any, MatchSession | None], MatchSession | Dialog | None]
"""Carries out a decision of its kind in the match that is played, None for no match.

Returns the match that is played then, the dialog that is open then, or None for the start menu. Raises TabletopError if
it cannot be done; nothing has changed then.
"""

Handlers = Mapping[DecisionKind, Handler]


def kind_of(decision: Decision) -> DecisionKind:
    """Return what the handler of this decision is looked up by."""
    return decision if isinstance(decision, MenuAction) else type(decision)


MatchHandler = Callable[[Any, MatchSession, float], Dialog | None]
"""Carries out a decision of its kind at a time in seconds; returns the dialog that is open then, None for none."""


def open_undo(session: MatchSession) -> Dialog | None:
    """Ask what to take back."""
    session.tray.cancel_confirmation()
    question = undo_question(session.match)
    if question is None:
        session.notices.show(say("nothing to undo"))
    return question


def _ask_undo(_: MenuAction, session: MatchSession, now_s: float) -> Dialog | None:
    session.tray.ignore_current_dice(now_s)  # what was done with the dice meanwhile is no throw
    return open_undo(session)


def _ask_correction(_: MenuAction, session: MatchSession, now_s: float) -> Dialog | None:
    session.tray.ignore_current_dice(now_s)
    menu = correct_menu(session.match)
    if menu is None:
        session.notices.show(say("nothing to correct"))
    return menu


def _take_back(decision: TakeBack, session: MatchSession, now_s: float) -> None:
    session.undo(decision.entries, now_s)


def _correct(decision: Correct, session: MatchSession, now_s: float) -> None:
    """Correct an answer; StaleError if another one stands by now than the one to be replaced."""
    if decision.was is not None and decision.was != answer_standing(session.match, decision.number):
        raise StaleError(f"expected {decision.was} as answer {decision.number}, got another one")
    session.correct(decision.number, decision.answer, now_s)


MATCH_HANDLERS: Mapping[DecisionKind, MatchHandler] = {
    MenuAction.UNDO: _ask_undo,
    MenuAction.CORRECT: _ask_correction,
    TakeBack: _take_back,
    Correct: _correct,
}
