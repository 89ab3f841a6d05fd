"""What the page asks of the root's helper (`service.admin`): versions and updates. For paired devices only.

The helper's lines go to the page as they come, one JSON object each: steps, then `done` or `refused`. The page has the
words for them. An archive goes through in pieces, as fast as the helper takes it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tabletop.core.message import say
from tabletop.dialogs.update import WHY
from tabletop.service import admin
from tabletop.views.i18n.translate import NOTE
from tabletop.web import app, commands, guards, payload

ASK, VERSION = "/admin", "/version"
POSTS = (ASK, guards.UPDATE)
VERBS = {"state", "previous", "update-from"}  # `update` has an address of its own
MOST_LINE = 16_000  # bytes of the line before an archive
PIECE_S = 30.0  # for the next piece of one, over a slow radio
MISSING = {"refused": "missing"}
LINES = "application/x-ndjson"
WORDS = {
    "title": say("Version"),
    "running": say("Version {text} runs on this table."),
    "file": say("Update from files: the archive and its .sig"),
    "stick": say("Update from a USB stick"),
    "release": say("Update from the release address"),
    "previous": say("Return to version {text}"),
    "two_files": say("Choose two files: tabletop-….tar.gz, and the .sig that belongs to it."),
    "look": say("Looking for a new version"),
    "receive": say("Receiving the new version: {n} of {n2}"),
    "install": say("Installing, step {n} of {n2}. Do not pull the plug."),
    "restart": say("The table starts again. This takes up to two minutes."),
    "done": say("Done: version {text} runs now."),
    "away": say("The table does not answer. Look at its display."),
}


def routes(site: app.Site) -> tuple[Route, ...]:
    """Return what the section on versions asks for."""
    return (
        Route(VERSION, app.let_in(site, _version)),
        Route(ASK, app.posted(partial(_ask, site)), methods=["POST"]),
        Route(guards.UPDATE, partial(_update, site), methods=["POST"]),
    )


async def _version(site: app.Site) -> Response:
    """Return the versions on this table, and all words of the section."""
    try:
        last = await asyncio.to_thread(lambda: [*admin.ask("state", {})][-1])
    except admin.AdminMissing:
        last = MISSING
    words, why = (
        {name: site.shown.language.template(text, NOTE) for name, text in part.items()} for part in (WORDS, WHY)
    )
    return app.answer_json(payload.packed({"words": words, "why": why, **last}))


async def _ask(site: app.Site, request: Request, sent: dict[str, Any]) -> Response:
    """Do one of the verbs that need no archive."""
    if (refusal := app.refusal_of(site, request)) is not None:
        return refusal
    verb = sent.pop("do", None)
    if not isinstance(verb, str) or verb not in VERBS:
        return Response(status_code=app.BAD)
    return await _answered(admin.ask(verb, sent))


async def _update(site: app.Site, request: Request) -> Response:
    """Install an archive: the body is a line of JSON with `size` and `signature`, and then the archive."""
    if (refusal := app.refusal_of(site, request)) is not None:
        return refusal
    pieces, head = request.stream(), b""
    with suppress(ClientDisconnect, TimeoutError):
        while b"\n" not in head and len(head) < MOST_LINE and (piece := await _piece(pieces)):
            head += piece
    line, _, rest = head.partition(b"\n")
    try:
        fields = commands.object_of(line)
    except (ValueError, RecursionError):
        return Response(status_code=app.BAD)
    answer = await _answered(admin.ask("update", fields, _body(rest, pieces)))
    with suppress(ClientDisconnect, TimeoutError):  # a browser that is still sending would not hear a refusal
        while await _piece(pieces):
            pass
    return answer


async def _piece(pieces: AsyncIterator[bytes]) -> bytes:
    return await asyncio.wait_for(anext(pieces, b""), PIECE_S)


def _body(begun: bytes, pieces: AsyncIterator[bytes]) -> Iterator[bytes]:
    """Yield an archive in the helper's thread, while the page's loop receives it."""
    loop = asyncio.get_running_loop()

    def rest() -> Iterator[bytes]:
        with suppress(ClientDisconnect, TimeoutError):
            while piece := asyncio.run_coroutine_threadsafe(_piece(pieces), loop).result():
                yield piece

    return chain([begun], rest())


async def _answered(answers: Iterator[dict[str, Any]]) -> Response:
    """Return the helper's lines as they come; the first one is awaited."""
    try:
        first = await asyncio.to_thread(next, answers)
    except admin.AdminMissing:
        first = MISSING

    async def lines() -> AsyncIterator[bytes]:
        line: dict[str, Any] | None = first
        while line is not None:
            yield payload.packed(line) + b"\n"
            line = await asyncio.to_thread(next, answers, None)

    return StreamingResponse(lines(), headers={"cache-control": "no-store"}, media_type=LINES)
