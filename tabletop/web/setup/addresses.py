"""What the form of the page offers, and how a match is begun, resumed or ended with it."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from tabletop.core.errors import InputError
from tabletop.dialogs.decisions import MenuAction, NewMatch, Resume
from tabletop.dialogs.setup.state import SetupContext
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import HINT
from tabletop.web.setup.form import Described, new_match, setup_of

ACTIONS = {"stop": MenuAction.START_MENU, "end": MenuAction.END_MATCH}
DECISIONS = ("begin", "resume", *ACTIONS)
UNKNOWN = 422  # RFC 9110, 15
JSON = {"content-type": "application/json", "cache-control": "no-store"}

SetupSource = Callable[[], tuple[SetupContext, Language]]
"""Reads what can be offered to set a match up, in any thread, and in which language the table speaks."""


async def offers(source: SetupSource | None, described: Described) -> Response:
    """Answer with what the form offers. source: None where no match can be set up."""
    if source is None:
        return Response(status_code=UNKNOWN)
    offered = await asyncio.to_thread(lambda: setup_of(*source(), described))
    return Response(json.dumps(offered, ensure_ascii=False, separators=(",", ":")).encode(), headers=JSON)


async def decision_of(source: SetupSource | None, wish: dict[str, Any]) -> NewMatch | Resume | MenuAction | Response:
    """Return what a wish decides, or the answer that says why it cannot be, in the language of the table."""
    does, number = wish["do"], wish.get("number")
    if does == "begin" and source is not None:
        known, language = await asyncio.to_thread(source)
        try:
            return new_match(known, wish)
        except InputError as error:
            why = language.translate(error.args[0], HINT)
            return Response(json.dumps({"why": why}, ensure_ascii=False).encode(), UNKNOWN, headers=JSON)
    if does == "resume" and type(number) is int:
        return Resume(number)
    return ACTIONS[does] if does in ACTIONS else Response(status_code=UNKNOWN)
