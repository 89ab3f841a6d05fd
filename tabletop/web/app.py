"""The routes of the web page: its files, the stream of snapshots, and the commands of paired devices."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tabletop.core import checks, errors
from tabletop.dialogs.commands import BEHIND, REFUSED, STALE, Inbox
from tabletop.store.first_steps import FirstSteps
from tabletop.store.throws import keep_pictures
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web import bgstats, recap, throws
from tabletop.web.beside import Beside, costs, luck
from tabletop.web.commands import Read, command_of, object_of
from tabletop.web.feed import Feed
from tabletop.web.pairing import COMMANDS_PER_S, DIGITS, MOST_COMMANDS, Pace, Pairing
from tabletop.web.payload import Lookback, checks_json, die_of, is_coached, packed
from tabletop.web.setup import DECISIONS, SetupSource, decision_of, setup_of
from tabletop.web.tray import ArmLook, TrayFeed

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
SCRIPT = "text/javascript; charset=utf-8"

Answer = Callable[[Request], Awaitable[Response]]


def answers() -> dict[str, Answer]:
    """Return the handler of each file, by its address."""
    found = {f"/{path.relative_to(STATIC).as_posix()}": path for path in STATIC.rglob("*") if path.is_file()}
    files = {name: _answer(path.read_bytes(), TYPES.get(path.suffix, SCRIPT)) for name, path in found.items()}
    files["/"] = files["/arm"] = files.pop("/index.html")
    files["/overlay"] = files["/overlay/overlay.html"]
    return files


def _answer(content: bytes, kind: str) -> Answer:
    """Return the response with a file: without it for a browser that has it."""
    headers = {"content-type": kind, "cache-control": "no-cache", "etag": f'"{sha256(content).hexdigest()[:16]}"'}

    async def answer(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers)

    return answer


MOST_VIEWERS = 120  # a club evening, or a class with their teacher; more get a retry time
BEAT_S = 10.0  # heartbeat of the stream while nothing changes
LATER_S = 10  # a refused viewer retries after this time
HEADERS = {"cache-control": "no-store", "content-type": "text/event-stream; charset=utf-8"}
FULL = 503  # RFC 9110, 15


def stream(viewers: Counter[str], kind: str, content: AsyncIterator[bytes], full: str = "") -> Response:
    """Return a stream, or a refusal if there are too many streams of this kind.

    viewers: counts of each kind. full: the text that the page shows then; an event stream in a browser cannot see a
    status.
    """
    if viewers[kind] < MOST_VIEWERS:
        return _Stream(viewers, kind, content)
    if not full:
        return Response(status_code=FULL, headers={"retry-after": str(LATER_S)})
    return Response(f"retry: {LATER_S}000\nevent: full\ndata: {json.dumps(full)}\n\n", headers=HEADERS)


async def snapshots(feed: Feed, you: dict[str, Any]) -> AsyncIterator[bytes]:
    """Yield the viewer's identity, then each newer snapshot."""
    yield b"retry: 1000\nevent: you\ndata: " + json.dumps(you).encode() + b"\n\n"
    count = -1
    while True:
        try:
            published = await asyncio.wait_for(feed.after(count), BEAT_S)
        except TimeoutError:
            yield b"event: beat\ndata:\n\n"
            continue
        if published is None:
            return
        count = published.count
        yield b"data: " + published.data + b"\n\n"


async def pictures(tray: TrayFeed, may_see: Callable[[], bool]) -> AsyncIterator[bytes]:
    """Yield each newer picture of the tray, while the viewer may see them."""
    yield b"retry: 2000\n\n"
    count = -1
    while (picture := await tray.after(count)) and may_see():
        count = picture.count
        yield b"data: " + picture.data + b"\n\n"


class _Stream(StreamingResponse):
    """A stream that counts as a viewer while it lasts."""

    def __init__(self, viewers: Counter[str], kind: str, content: AsyncIterator[bytes]) -> None:
        super().__init__(content, headers=HEADERS)
        self._viewers, self._kind = viewers, kind

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - as starlette has it
        if scope["method"] == "HEAD":  # the headers of a GET, without a stream
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b""})
            return
        self._viewers[self._kind] += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._viewers[self._kind] -= 1


CheckSource = Callable[[], Sequence[checks.Check]]  # checks the table, in any thread
Recall = Callable[[Path, int], Snapshot]
"""Returns a stored match as it stands, by its store and number; raises TabletopError."""


COOKIE = "tabletop"
COOKIE_S = 400 * 24 * 3600  # the longest lifetime that browsers allow (RFC 6265bis, 5.5)
FIRST_S = 20.0  # until the table shows something for the first time
BODY_S = 5.0  # for a command sent in pieces
COMMAND_S = 3.0  # the table handles commands twenty times a second, unless its machine is busy
STATUS = {"accepted": 204, "stale": 409, "busy": 429, "refused": 422}  # RFC 9110, 15; RFC 6585, 4
NUMBER = re.compile(r"[1-9][0-9]{0,17}")  # of a match or an event, as it stands in an address
BAD, FORBIDDEN, UNKNOWN_ADDRESS, LATE, UNKNOWN, FLOOD, NOT_YET = 400, 403, 404, 409, 422, 429, 503


@dataclass(slots=True)
class Site:
    """The state shared by all routes.

    inbox: takes commands to the thread that plays the match. shown: the newest snapshot. simulated: whether there are
    simulated dice to throw. clock: in seconds. keep: stores the hashes of paired devices. setup: the context for
    setting up matches, None if not possible. check: checks the table, None if unavailable. store: where the
    matches are, None if in none; recall: reads one there, None if unavailable. private: only paired devices may see
    camera pictures. name: of the table. config: the configuration file, None for the usual one. past: the history.
    held: the frames of the newest throw, None if no pictures are kept. looking: held by the only second look. beside:
    what other processes work out. first: the first steps, None if not offered.
    """

    feed: Feed
    tray: TrayFeed
    inbox: Inbox
    pairing: Pairing
    clock: Callable[[], float]
    keep: Callable[[tuple[str, ...]], None]
    shown: Snapshot = field(default_factory=Snapshot)
    simulated: bool = False
    setup: SetupSource | None = None
    first: FirstSteps | None = None
    check: CheckSource | None = None
    store: Path | None = None
    recall: Recall | None = None
    held: throws.Held | None = None
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    viewers: Counter[str] = field(default_factory=Counter)
    pace: Pace = field(default_factory=lambda: Pace(MOST_COMMANDS, COMMANDS_PER_S))
    arm: ArmLook = field(default_factory=ArmLook)
    private: bool = False
    name: str = ""
    config: Path | None = None
    beside: Beside = field(default_factory=Beside)
    past: Feed = field(default_factory=lambda: Feed(lambda _, shown: packed(Lookback(shown).history(whole=True))))


def application(site: Site) -> Starlette:
    """Return the application, without its guard."""
    files = answers()

    async def with_code(request: Request) -> Response:
        """Serve the page for an address with pairing digits, as in the QR code."""
        digits = request.path_params["digits"]
        is_code = len(digits) == DIGITS and digits.isascii() and digits.isdigit()
        return await files["/"](request) if is_code else Response(status_code=UNKNOWN_ADDRESS)

    made = Starlette(
        routes=[
            *(Route(name, answer) for name, answer in files.items()),
            *(Route(name, partial(look, site)) for name, look in LOOKS.items()),
            *(Route(name, let_in(site, look)) for name, look in LET_IN.items()),
            *(Route(name, posted(partial(post, site)), methods=["POST"]) for name, post in POSTS.items()),
            Route("/{digits}", with_code),
        ]
    )
    made.router.redirect_slashes = False  # each address has one name
    return made


# Reading


async def state(site: Site, _: Request) -> Response:
    """Return the newest snapshot, as soon as there is one."""
    try:
        published = await asyncio.wait_for(site.feed.after(-1), FIRST_S)
    except TimeoutError:
        return Response(status_code=NOT_YET, headers={"retry-after": "1"})
    return answer_json(b"null" if published is None else published.data)


async def _events(site: Site, request: Request) -> Response:
    you: dict[str, Any] = {"paired": is_paired(site, request), "simulated": site.simulated, "digits": DIGITS}
    you |= {"pictures": _may_see(site, request), "name": site.name or errors.TABLE}
    you["start"] = you["paired"] and site.first is not None and site.first.opens
    return stream(site.viewers, "events", snapshots(site.feed, you), site.shown.phrases.page["full"])


async def _tray(site: Site, request: Request) -> Response:
    if not _may_see(site, request):
        return Response(status_code=FORBIDDEN)
    return stream(site.viewers, "tray", pictures(site.tray, lambda: _may_see(site, request)))


async def _history(site: Site, _: Request) -> Response:
    published = await site.past.after(-1)
    return answer_json(b"null" if published is None else published.data)


async def _bgstats(site: Site, _: Request) -> Response:
    return answer_json(packed(await asyncio.to_thread(bgstats.posting, site.shown, site.store)))


async def _match(site: Site, request: Request, number: int) -> Snapshot | None:
    """Return the match that is shown, or for devices that are let in a past one; None if there is none."""
    if number == site.shown.number:
        return site.shown
    if site.recall is None or site.store is None or not is_paired(site, request):
        return None
    try:
        return translated(await asyncio.to_thread(site.recall, site.store, number), site.shown.language)
    except errors.TabletopError:  # none, or the rules have changed since
        return None


def _number(request: Request, name: str, usual: int = 0) -> int:
    """Return a number in an address, 0 for what is none."""
    text = request.query_params.get(name, str(usual))
    return int(text) if NUMBER.fullmatch(text) else 0


async def _throws(site: Site, request: Request) -> Response:
    """Return which throws of a match have a picture, of the one that is shown unless another is named."""
    if not _may_see(site, request):
        return Response(status_code=FORBIDDEN)
    number = _number(request, "match", site.shown.number)
    if not number and "match" in request.query_params:
        return Response(status_code=BAD)
    shown, kept = await _match(site, request, number), site.held is not None
    looked = partial(throws.throws_of, store=site.store, kept=kept)
    return answer_json(packed(shown and await asyncio.to_thread(looked, shown)))


async def _throw(site: Site, request: Request) -> Response:
    """Return the picture of a throw, `null` for none."""
    if not _may_see(site, request):
        return Response(status_code=FORBIDDEN)
    match, event = (_number(request, name) for name in ("match", "event"))
    if not (match and event):
        return Response(status_code=BAD)
    shown = await _match(site, request, match)
    looked = partial(throws.picture_of, store=site.store, match=match, number=event)
    return answer_json(packed(shown and await asyncio.to_thread(looked, shown)))


async def _recap(site: Site, request: Request) -> Response:
    """Return a finished match as a picture, or as a script: the one that is shown unless another is named."""
    shown = await _match(site, request, _number(request, "match", site.shown.number))
    if shown is None or not shown.winners:
        return Response(status_code=UNKNOWN)
    make, kind = (recap.picture, ".svg") if request.url.path == "/recap.svg" else (recap.script, ".txt")
    day = await asyncio.to_thread(recap.day_of, shown.number, site.store)
    headers = {"content-type": TYPES[kind], "cache-control": "no-store"}
    return Response(await asyncio.to_thread(make, shown, day), headers=headers)


async def _costs(site: Site, _: Request) -> Response:
    """Return what decisions of the finished match cost; during one that is coached, what each answer costs."""
    shown = site.shown
    entries = shown.record.entries if shown.record and is_coached(shown) and not shown.over else 0
    if site.store is None or not (shown.winners or entries):
        return Response(status_code=UNKNOWN)
    asked = ("coach", str(shown.number), "--store", str(site.store), *(["--now"] if entries else []))
    moment = shown.record.entries if shown.record else 0  # a finished match may be corrected
    return answer_json(packed(costs(await site.beside.facts(*asked, moment=moment), shown.language, entries)))


async def _luck(site: Site) -> Response:
    if site.store is None:
        return Response(status_code=UNKNOWN)
    facts = await site.beside.facts("stats", "--luck", "--store", str(site.store))
    return answer_json(packed(luck(facts, site.shown.language)))


async def _arm(site: Site) -> Response:
    return answer_json(await site.arm.look(site.tray.frame, site.clock(), site.shown))


async def _setup(site: Site) -> Response:
    if site.setup is None:
        return Response(status_code=UNKNOWN)
    source, shown = site.setup, site.shown
    try:
        return answer_json(packed(await asyncio.to_thread(lambda: setup_of(source(shown.number), shown.language))))
    except errors.StoreError:  # just deleted: it is written again with the next event
        return Response(status_code=UNKNOWN)


async def _checks(site: Site) -> Response:
    if site.check is None:
        return Response(status_code=UNKNOWN)
    return answer_json(packed(checks_json(await asyncio.to_thread(site.check), site.shown.language)))


def let_in(site: Site, answer: Callable[[Site], Awaitable[Response]]) -> Callable[[Request], Any]:
    """Return what answers paired devices only."""

    async def answered(request: Request) -> Response:
        return await answer(site) if is_paired(site, request) else Response(status_code=FORBIDDEN)

    return answered


def answer_json(body: bytes, status: int = 200) -> Response:
    """Return an answer with this JSON."""
    return Response(body, status, headers={"content-type": "application/json", "cache-control": "no-store"})


LOOKS = {"/events": _events, "/tray": _tray, "/history": _history, "/state": state, "/bgstats": _bgstats}
LOOKS |= {"/throws": _throws, "/throw": _throw}
LOOKS |= {"/recap.svg": _recap, "/recap.txt": _recap, "/costs": _costs}
LET_IN = {"/arm/look": _arm, "/setup": _setup, "/checks": _checks, "/luck": _luck}

# Commands


Taker = Callable[[Request, dict[str, Any]], Awaitable[Response]]


def posted(take: Taker) -> Answer:
    """Return what answers a POST: with what `take` makes of the object in its body, or that there is none."""

    async def answer(request: Request) -> Response:
        try:
            sent = object_of(await asyncio.wait_for(request.body(), BODY_S))
        except (ValueError, RecursionError, TimeoutError):
            return Response(status_code=BAD)
        return await take(request, sent)

    return answer


def is_paired(site: Site, request: Request) -> bool:
    """Return whether a paired device asks."""
    return site.pairing.is_paired(request.cookies.get(COOKIE, ""))


def _may_see(site: Site, request: Request) -> bool:
    return not site.private or is_paired(site, request)


def later(wait_s: float) -> Response:
    """Return a refusal for this time."""
    return Response(status_code=FLOOD, headers={"retry-after": str(int(wait_s) + 1)})


async def _ask(site: Site, request: Request, _: dict[str, Any]) -> Response:
    wait_s = site.pairing.ask(site.clock(), request.client.host if request.client else "")
    return later(wait_s) if wait_s > 0.0 else Response(status_code=204)


async def _pair(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Let a device in that was given the right digits; one that is in already may come with an old code."""
    digits, now_s, address = sent.get("digits"), site.clock(), request.client.host if request.client else ""
    if not isinstance(digits, str):
        return Response(status_code=BAD)
    if digits != site.pairing.digits and is_paired(site, request):
        return Response(status_code=204)
    wait_s = site.pairing.wait_s(now_s, address)
    if wait_s > 0.0:
        return later(wait_s)
    token = site.pairing.enter(digits, now_s, address)
    if token is None:
        return Response(status_code=FORBIDDEN)
    site.keep(site.pairing.known)
    response = Response(status_code=204)
    encrypted = request.headers["origin"].startswith("https:")
    response.set_cookie(COOKIE, token, max_age=COOKIE_S, httponly=True, samesite="strict", secure=encrypted)
    return response


def refusal_of(site: Site, request: Request) -> Response | None:
    """Return why a device may do nothing now, None if it may."""
    if not is_paired(site, request):
        return Response(status_code=FORBIDDEN)
    if site.pace.wait_s(request.cookies[COOKIE], site.clock()):
        return Response(status_code=FLOOD)
    return None


async def _would(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    if (refusal := refusal_of(site, request)) is not None:
        return refusal
    die = die_of(sent)
    if die is None:
        return Response(status_code=BAD)
    changes = await asyncio.to_thread(Lookback(site.shown).would_change, die)
    return Response(status_code=LATE) if changes is None else answer_json(packed(changes))


async def act(site: Site, who: str, sent: dict[str, Any]) -> Response:
    """Do what a device or program wants, once the thread that plays the match takes it; else drop it.

    who: its secret, for its pace.
    """
    if site.pace.wait_s(who, site.clock()):
        return Response(status_code=FLOOD)
    try:
        read = (
            await asyncio.to_thread(_read, site, sent) if sent.get("do") in DECISIONS else command_of(sent, site.shown)
        )
        if isinstance(read, tuple):
            read = await asyncio.wait_for(asyncio.wrap_future(site.inbox.put(*read)), COMMAND_S)
    except ValueError:
        return Response(status_code=BAD)
    except errors.InputError as error:
        return answer_json(packed({"why": error.args[0]}), UNKNOWN)
    except TimeoutError:
        read = STALE
    return Response(status_code=STATUS[read.status])


def _read(site: Site, sent: dict[str, Any]) -> Read:
    """Return the decision that was sent, if it belongs to the match that is shown."""
    decision = decision_of(site.setup, sent, site.shown)
    if decision is None:
        return REFUSED
    fits = sent.get("match") == site.shown.number or isinstance(decision, BEHIND)
    return (decision, None) if fits else STALE


async def _look_again(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Look again at a throw; one look at a time, since each costs seconds of a processor."""
    if (refusal := refusal_of(site, request)) is not None:
        return refusal
    match, event = sent.get("match"), sent.get("event")
    if not (type(match) is int and type(event) is int):
        return Response(status_code=BAD)
    if site.looking.locked():
        return Response(status_code=FLOOD)
    async with site.looking:
        shown, past = await _match(site, request, match), match != site.shown.number
        try:
            seen = shown and await throws.look_again(shown, site.store, site.held, match, event, past=past)
        except (TimeoutError, EOFError):  # the program was killed, perhaps since memory ran out
            return Response(status_code=NOT_YET)
    return answer_json(packed(seen))


async def _keep_pictures(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Keep pictures of throws from now on, or no more."""
    if (refusal := refusal_of(site, request)) is not None:
        return refusal
    keep = sent.get("keep")
    if site.store is None or type(keep) is not bool:
        return Response(status_code=BAD)
    try:
        await asyncio.to_thread(keep_pictures, site.store, keep=keep)
    except OSError:  # the card is full or broken, and the switch stays as it is
        return Response(status_code=UNKNOWN)
    return Response(status_code=204)


POSTS = {"/ask": _ask, "/pair": _pair, "/would": _would, "/look": _look_again, "/pictures": _keep_pictures}
