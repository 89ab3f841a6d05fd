"""Two spellings of one person merged in the form, and parted again. Pure."""

from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.dialogs.decisions import MergeNames
from tabletop.dialogs.setup_state import SetupContext


def merges(known: SetupContext, sent: dict[str, Any]) -> MergeNames:
    """Let `name` mean the person `means`, whose name is offered from then on; raises InputError.

    Both are names that are known; equal ones part a name that was merged.
    """
    name, means = sent.get("name"), sent.get("means")
    there = {*known.names, *known.same}
    if not isinstance(name, str) or not isinstance(means, str) or not {name, means} <= there:
        raise InputError(say("that name is not known here"))
    return MergeNames(name, means)
