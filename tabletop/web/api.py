"""The promised API for other programs, `/api/v1`, as docs/api-v1.json describes it, and the tokens that open it.

Within version 1 it only grows. The page sends its own commands here as well.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from itertools import islice

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tabletop.broadcast import interchange, state, vocabulary
from tabletop.broadcast.history import History, Place, Told
from tabletop.broadcast.hub import Follower, Hub
from tabletop.core import InputError, StoreError, TabletopError, one_line, say
from tabletop.store import Store, StoredMatch, erasing
from tabletop.views.i18n.translate import HINT, NOTE
from tabletop.web import admin, app, commands, feed, network, past, payload, players, settings, setup, start
from tabletop.web.app import BAD, BEAT_S, COOKIE, FLOOD, LATE, NOT_YET, UNKNOWN, UNKNOWN_ADDRESS, Site, answer_json
from tabletop.web.tokens import MOST_TOKENS, Tokens

MOST_MATCHES, MOST_NUMBER = 100, 10**18 - 1  # of one answer; of a match
PAGING = (("before", "0", MOST_NUMBER), ("limit", "20", MOST_MATCHES))
LINES, FILE_S = 500, 60.0  # of an export at once; for a file to import, over a slow radio
TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
NO_TOKEN = 401  # RFC 9110, 15.5.2
CHALLENGE = {"www-authenticate": "Bearer"}  # RFC 6750, 3
WORDS = {LATE: "late", UNKNOWN: "refused", FLOOD: "flood", app.FULL: "full"}  # of the page, why not


@dataclass(slots=True)
class Api:
    """What all its routes share. hub: tells what happens.

    bell: rings when streams must look again. reading: one at a time reads the store. closed: streams end.
    """

    site: Site
    tokens: Tokens
    hub: Hub
    bell: feed.Bell = field(default_factory=feed.Bell)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    closed: bool = False

    def __post_init__(self) -> None:
        """Follow the hub."""
        self.hub.call(self.bell.ring)

    def close(self) -> None:
        """End all streams, from any thread."""
        self.closed = True
        self.bell.ring()

    async def read(self, what: Callable[[Store], vocabulary.Fields]) -> Response:
        """Answer with what is read from the store, in a thread."""

        def opened() -> bytes:
            with Store(self.hub.path, looking=True) as store:
                return payload.packed(what(store))

        async with self.reading:
            return answer_json(await asyncio.to_thread(opened))

    def caller(self, request: Request) -> str:
        """Return the secret of who asks: a valid token if one is given, else the cookie of a paired device, or ""."""
        given = request.headers.get("authorization")
        if given is None:
            return request.cookies[COOKIE] if app.is_paired(self.site, request) else ""
        scheme, _, token = given.partition(" ")
        return self.tokens.holder(token.strip()) if scheme.lower() == "bearer" else ""


def application(api: Api) -> Starlette:
    """Return the site with its API, without its guard."""
    made = app.application(api.site)
    made.router.routes[:0] = [
        Route(COMMAND, _open(api, _command), methods=["POST"]),
        *(Route(name, _open(api, look)) for name, look in LOOKS.items()),
        *(Route(name, _open(api, do), methods=["POST"]) for name, do in FOR_GOOD.items()),
        Route("/players", _open(api, _players)),
        *settings.routes(api.site),
        *admin.routes(api.site),
        *start.routes(api.site),
        *network.routes(api.site),
        Route("/tokens", app.let_in(api.site, partial(_tokens, api))),
        Route(TOKENS, app.posted(partial(_change, api)), methods=["POST"]),
    ]
    return made


def _open(api: Api, answer: Callable[[Api, Request], Awaitable[Response]]) -> app.Answer:
    """Return what answers programs and devices that are let in; each refusal says why."""

    async def answered(request: Request) -> Response:
        try:
            given = await answer(api, request) if api.caller(request) else _refused(request)
        except StoreError as error:
            return _why(NOT_YET, str(error))
        except TabletopError as error:
            why = api.site.shown.language.translate(error.args[0], HINT)
            return _why(UNKNOWN_ADDRESS if request.path_params else UNKNOWN, why)
        if (status := given.status_code) >= BAD and not given.body:
            word = api.site.shown.phrases.page[WORDS[status]] if status in WORDS else HTTPStatus(status).phrase
            given.body = payload.packed({"why": word})
            given.headers.update({"content-type": "application/json", "content-length": str(len(given.body))})
        return given

    return answered


def _refused(request: Request) -> Response:
    """Refuse a program that has no token, or a page of ours that is not paired."""
    is_page = "origin" in request.headers and "authorization" not in request.headers
    return Response(None, app.FORBIDDEN if is_page else NO_TOKEN, CHALLENGE)


def _why(status: int, why: str) -> Response:
    return answer_json(payload.packed({"why": why}), status)


async def _nothing(_: Api, request: Request) -> Response:
    raise InputError(f"expected an address of the API, got {request.url.path[:40]!r}")


async def _state(api: Api, request: Request) -> Response:
    first = await app.state(api.site, request)  # once something is shown
    if first.status_code == NOT_YET:
        return first
    shown = api.site.shown
    asked = {"asks": shown.question_number, "moment": shown.asking and shown.asking.moment}  # as commands name it
    return answer_json(payload.packed(state.state_of(shown) | asked))


async def _matches(api: Api, request: Request) -> Response:
    before, limit = (_whole(request.query_params.get(name, usual), most) for name, usual, most in PAGING)
    return await api.read(lambda store: {"matches": [_facts(one) for one in store.matches(before or None, limit)]})


async def _match(api: Api, request: Request) -> Response:
    number, history = _whole(request.path_params["number"], MOST_NUMBER), History(api.hub.path)
    return await api.read(lambda store: {"match": _facts(store.match(number)), "events": history.of_match(number)})


def _facts(match: StoredMatch) -> vocabulary.Fields:
    """Return a match as a list shows it; what is damaged is empty."""
    facts = {"number": match.number, "game": match.game, "name": past.name_of(match.game, match.options)}
    return {**facts, "players": match.players, "begun": match.begun, "ending": match.ending, "events": match.events}


def _whole(text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        raise InputError(f"expected a whole number, at most {most}, got {text[:20]!r}")
    return int(text)


async def _events(api: Api, request: Request) -> Response:
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    after = Place.parse(given) if given else None
    if not api.hub.begun:
        return Response(status_code=NOT_YET, headers={"retry-after": "1"})
    follower = Follower(api.hub, after and min(after, api.hub.place))  # a newer one is of another store
    return app.stream(api.site.viewers, "api", _told(api, request, follower))


async def _told(api: Api, request: Request, follower: Follower) -> AsyncIterator[bytes]:
    """Yield each event, while the device or program may ask."""
    yield b"retry: 1000\n\n"
    last = False
    while not last:
        rung, last = api.bell.next(), api.closed
        while api.caller(request) and (told := await asyncio.to_thread(follower.take)):
            yield b"".join(map(_lines, told))
        if last or not api.caller(request):
            return
        try:
            await asyncio.wait_for(rung.wait(), BEAT_S)
        except TimeoutError:
            yield b": beat\n\n"


def _lines(told: Told) -> bytes:
    place = b"" if told.place is None else b"id: %s\n" % str(told.place).encode()
    return b"%sevent: %s\ndata: %s\n\n" % (place, told.data["kind"].encode(), payload.packed(told.data))


async def _command(api: Api, request: Request) -> Response:
    return await app.posted(lambda _, sent: app.act(api.site, api.caller(request), sent))(request)


async def _players(api: Api, request: Request) -> Response:
    """Return what all results add up to, for the page: of one player with `name`, else of all."""
    language, name = api.site.shown.language, request.query_params.get("name", "")
    return await api.read(lambda store: players.players_of(store, language, name))


# The history page


async def _past(api: Api, request: Request) -> Response:
    wish, language = request.query_params, api.site.shown.language
    before = _whole(wish.get("before", "0"), MOST_NUMBER) or None
    return await api.read(lambda store: past.listed(store, wish, before, language))


async def _past_match(api: Api, request: Request) -> Response:
    number = _whole(request.path_params["number"], MOST_NUMBER)
    return await api.read(lambda store: past.told(store, number, api.site.shown.language))


async def _export(api: Api, request: Request) -> Response:
    form, wanted = (request.query_params.get(name, usual) for name, usual in (("format", "json"), ("match", "")))
    if form not in interchange.FORMATS:
        raise InputError(f"expected one of the formats {', '.join(interchange.FORMATS)}, got {form[:20]!r}")
    with Store(api.hub.path, looking=True) as store:
        matches = [store.match(_whole(wanted, MOST_NUMBER))] if wanted else reversed(store.matches())
        numbers = [match.number for match in matches if not match.damage]
    lines = interchange.export(api.hub.path, numbers, form)
    headers = {"cache-control": "no-store", "content-disposition": f'attachment; filename="matches{wanted}.{form}"'}
    parts = iter(lambda: "".join(islice(lines, LINES)), "")
    return StreamingResponse(parts, headers=headers, media_type=TYPES[form])


async def _erase(api: Api, request: Request) -> Response:
    sent, path = await _sent(api, request), api.hub.path
    number, player, new = (sent.get(key, usual) for key, usual in (("match", None), ("player", None), ("new", "")))

    def playing(number: int) -> bool:
        return number == api.site.shown.number

    if type(number) is int:
        await asyncio.to_thread(erasing.delete_match, path, number, playing)
    elif isinstance(player, str) and isinstance(new, str):
        setup.checked_players([new] if "new" in sent else [])
        await asyncio.to_thread(erasing.replace_player, path, player, new, playing)
    else:
        return Response(status_code=BAD)
    api.hub.forget_erased()
    return Response(status_code=204)


async def _import(api: Api, request: Request) -> Response:
    text = (await _sent(api, request)).get("text")
    if not isinstance(text, str):
        return Response(status_code=BAD)

    def stored() -> tuple[int, int]:
        with Store(api.hub.path) as store:
            return interchange.import_events(store, interchange.read_export(text))

    try:
        new, known = await asyncio.to_thread(stored)
    except InputError as error:
        raise InputError(say("this file cannot be imported ({text})", text=one_line(error))) from error
    said = say("{n} matches stored, {n2} were there already", n=new, n2=known)
    return answer_json(payload.packed({"said": api.site.shown.language.translate(said, NOTE)}))


async def _sent(api: Api, request: Request) -> dict[str, object]:
    """Return the object in the body; an empty one if there is none, or its sender is too fast."""
    if app.refusal_of(api.site, request) is not None:
        return {}
    try:
        return commands.object_of(await asyncio.wait_for(request.body(), FILE_S))
    except (ValueError, RecursionError, TimeoutError):
        return {}


FOR_GOOD = {"/erase": _erase, "/import": _import}
LOOKS = {
    "/api/v1/state": _state,
    "/api/v1/matches": _matches,
    "/api/v1/matches/{number}": _match,
    "/api/v1/events": _events,
    "/api/{rest:path}": _nothing,
    "/past": _past,
    "/played/{number}": _past_match,
    "/export": _export,
}
COMMAND = "/api/v1/command"

# Tokens: for paired devices only


async def _tokens(api: Api, _: Site) -> Response:
    return answer_json(payload.packed([{"name": name, "created": day} for name, day in api.tokens.names.items()]))


async def _change(api: Api, request: Request, sent: dict[str, object]) -> Response:
    """Create a token with a name, or revoke it."""
    if (refusal := app.refusal_of(api.site, request)) is not None:
        return refusal
    name, revoked, shown = sent.get("name"), sent.get("revoke", False), api.site.shown
    if not (isinstance(name, str) and isinstance(revoked, bool)):
        return Response(status_code=BAD)
    api.bell.ring()  # behind this: a stream with a revoked token ends
    try:
        if revoked:
            api.tokens.revoke(name)
        token = None if revoked else api.tokens.create(_new_name(api, name))
    except InputError as error:
        return _why(UNKNOWN, shown.language.translate(error.args[0], HINT))
    except OSError:
        return _why(UNKNOWN, shown.phrases.page["programs_unkept"])
    return answer_json(payload.packed({"token": token}))


def _new_name(api: Api, given: str) -> str:
    names = api.tokens.names
    name = setup.checked_preset(given, names)
    if name in names:
        raise InputError(say("{text} exists already", text=name))
    if len(names) >= MOST_TOKENS:
        raise InputError(api.site.shown.phrases.page["programs_full"])
    return name


TOKENS = "/tokens/change"
ADDED = (*admin.POSTS, settings.SAVE, settings.DO, start.STEP, network.JOIN)
POSTS = (*app.POSTS, *FOR_GOOD, COMMAND, TOKENS, *ADDED)
