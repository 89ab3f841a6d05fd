"""Who leaves the match that is played, and who joins it: what the form offers as the menu of the table does. Pure."""

from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.dialogs.decisions import Join, Leave
from tabletop.dialogs.setup_state import SetupContext
from tabletop.web.setup.names import checked_players, merged


def leaves(known: SetupContext, sent: dict[str, Any]) -> Leave:
    """Let somebody leave who is there; raises InputError."""
    name = sent.get("name")
    if known.seats is None or not isinstance(name, str) or name not in known.seats.present:
        raise InputError(say("that player is not at the table"))
    return Leave(name)


def joins(known: SetupContext, sent: dict[str, Any]) -> Join:
    """Let somebody come back, or a new player sit down where the game allows it; raises InputError."""
    given, seats = sent.get("name"), known.seats
    if seats is None or not isinstance(given, str):
        raise InputError(say("nobody can join now"))
    (name,) = merged([given], (*seats.left, *seats.present, *known.names, *known.same))
    name = known.same.get(name, name) if name not in seats.left else name
    checked_players((*seats.present, name))
    if name not in seats.left and not seats.joining:
        raise InputError(say("nobody new can join this game once it has begun"))
    return Join(name)
