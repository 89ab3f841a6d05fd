"""Which code carries out which decision of a dialog: each part of the table contributes handlers to one table."""

from collections.abc import Callable, Mapping
from typing import Any

from tabletop.dialogs.decisions import Decision, Dialog, MenuAction
from tabletop.session.match.match_session import MatchSession

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
