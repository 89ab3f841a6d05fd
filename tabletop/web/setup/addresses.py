"""What the form of the page offers, and what is decided with it and beside it: matches, seats, presets, the camera."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from tabletop.core.errors import InputError, StoreError
from tabletop.dialogs.decisions import Decision, ForgetPreset, MenuAction, Resume
from tabletop.dialogs.setup_state import SetupContext
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import HINT
from tabletop.web.setup.camera import guided_run, shown_corners
from tabletop.web.setup.form import Described, new_match, setup_of
from tabletop.web.setup.merging import merges
from tabletop.web.setup.presets import kept, renamed
from tabletop.web.setup.seats import joins, leaves

ACTIONS = {"stop": MenuAction.START_MENU, "end": MenuAction.END_MATCH}
FORM: dict[str, Callable[[SetupContext, dict[str, Any]], Decision]] = {
    "begin": new_match,
    "leave": leaves,
    "join": joins,
    "keep-preset": kept,
    "rename-preset": renamed,
    "merge": merges,
    "calibrate": guided_run,
    "corners": shown_corners,
}
DECISIONS = ("resume", "forget-preset", *FORM, *ACTIONS)
UNKNOWN = 422  # RFC 9110, 15
JSON = {"content-type": "application/json", "cache-control": "no-store"}

SetupSource = Callable[[int], tuple[SetupContext, Language]]
"""Reads what can be offered to set a match up, in any thread, and in which language the table speaks.

It takes the number of the match that is played, 0 for none.
"""


async def offers(source: SetupSource | None, described: Described, number: int) -> Response:
    """Answer with what the form offers. source: None where no match can be set up. number: of the match played."""
    if source is None:
        return Response(status_code=UNKNOWN)
    try:
        offered = await asyncio.to_thread(lambda: setup_of(*source(number), described))
    except StoreError:  # deleted a moment ago: it is written again with the next event
        return Response(status_code=UNKNOWN)
    return Response(json.dumps(offered, ensure_ascii=False, separators=(",", ":")).encode(), headers=JSON)


async def decision_of(source: SetupSource | None, sent: dict[str, Any], number: int) -> Decision | Response:
    """Return the decision that was sent, or the answer that says why there is none, in the language of the table."""
    does = sent["do"]
    if does in FORM and source is not None:
        known, language = await asyncio.to_thread(source, number)
        try:
            return FORM[does](known, sent)
        except InputError as error:
            why = language.translate(error.args[0], HINT)
            return Response(json.dumps({"why": why}, ensure_ascii=False).encode(), UNKNOWN, headers=JSON)
    if does == "resume" and type(sent.get("number")) is int:
        return Resume(sent["number"])
    if does == "forget-preset" and isinstance(sent.get("name"), str):
        return ForgetPreset(sent["name"])
    return ACTIONS[does] if does in ACTIONS else Response(status_code=UNKNOWN)
