"""The routes of the history page: past matches, their export and import, and what is deleted for good.

For paired devices only, and one at a time: each may read the whole store.
"""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import islice
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tabletop.broadcast.interchange import FORMATS, export
from tabletop.core.errors import InputError, StoreError
from tabletop.store import Store
from tabletop.views.i18n.translate import HINT
from tabletop.web import app, past
from tabletop.web.app import BAD, NOT_YET, UNKNOWN, Site, answer_json
from tabletop.web.commands import object_of
from tabletop.web.payload import packed

AT_ONCE = 500  # lines of an export: less than a second of a slow machine
BODY_S = 60.0  # for a file over a slow radio
TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}

Done = Callable[[Path, Request], Awaitable[Response]]


def answering(site: Site, do: Callable[[Site, Path, Request], Awaitable[Response]]) -> app.Answer:
    """Return what answers paired devices; a refusal says why."""
    one = asyncio.Lock()

    async def answer(request: Request) -> Response:
        if not app.is_paired(site, request):
            return Response(status_code=app.FORBIDDEN)
        if request.method == "POST" and (refusal := app.refusal_of(site, request)) is not None:
            return refusal
        if site.store is None:
            return Response(status_code=UNKNOWN)
        try:
            async with one:
                return await do(site, site.store, request)
        except InputError as error:
            return _why(UNKNOWN, site.shown.language.translate(error.args[0], HINT))
        except (StoreError, OSError) as error:
            return _why(NOT_YET, site.shown.language.translate(error.args[0], HINT) if error.args else str(error))

    return answer


def _why(status: int, why: Any) -> Response:  # noqa: ANN401 - the text of any error
    return answer_json(packed({"why": str(why)}), status)


async def _listed(site: Site, path: Path, request: Request) -> Response:
    found = await asyncio.to_thread(past.listed, path, request.query_params, site.shown.language)
    return answer_json(packed(found))


async def _told(site: Site, path: Path, request: Request) -> Response:
    number = past.number_in(request.query_params)
    return answer_json(packed(await asyncio.to_thread(past.told, path, number, site.shown.language)))


async def _export(_: Site, path: Path, request: Request) -> Response:
    form = request.query_params.get("format", "")
    if form not in FORMATS:
        raise InputError(f"expected one of the formats {', '.join(FORMATS)}, got {form[:20]!r}")
    numbers = await asyncio.to_thread(_numbers, path, request)
    name = f"match-{numbers[0]}" if "match" in request.query_params else "matches"
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}.{form}"'}
    lines = export(path, numbers, form)
    parts = iter(lambda: "".join(islice(lines, AT_ONCE)), "")
    return StreamingResponse(parts, headers=headers, media_type=TYPES[form])


def _numbers(path: Path, request: Request) -> list[int]:
    with Store(path, looking=True) as store:
        if "match" in request.query_params:
            return [store.match(past.number_in(request.query_params)).number]
        return [match.number for match in reversed(store.matches()) if not match.damage]


async def _erase(site: Site, path: Path, request: Request) -> Response:
    sent = await _sent(request)
    if sent is None:
        return Response(status_code=BAD)
    await asyncio.to_thread(past.change, path, sent, lambda number: number == site.shown.number, site.recordings)
    return Response(status_code=204)


async def _import(site: Site, path: Path, request: Request) -> Response:
    sent = await _sent(request)
    if sent is None or not isinstance(sent.get("text"), str):
        return Response(status_code=BAD)
    said = await asyncio.to_thread(past.take_in, path, sent["text"], site.shown.language)
    return answer_json(packed({"said": said}))


async def _sent(request: Request) -> dict[str, Any] | None:
    try:
        return object_of(await asyncio.wait_for(request.body(), BODY_S))
    except (ValueError, RecursionError, TimeoutError):
        return None


LOOKS = {"/past": _listed, "/past/match": _told, "/export": _export}
POSTS = {"/erase": _erase, "/import": _import}
