"""The addresses of the page: its files, the stream of snapshots, and what devices that were let in may do."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.dialogs.commands import STALE, Inbox, Result
from tabletop.dialogs.decisions import BEHIND
from tabletop.views.snapshot import Snapshot
from tabletop.web.arm.look import ArmLook
from tabletop.web.check.addresses import CheckSource, checked
from tabletop.web.commands import Read, command_of, object_of
from tabletop.web.feed import Feed, MadeOnce
from tabletop.web.files.packed import answers
from tabletop.web.lookback import Lookback, die_of
from tabletop.web.pairing import DIGITS, Pairing, Rate
from tabletop.web.setup.addresses import DECISIONS, SetupSource, decision_of, offers
from tabletop.web.setup.form import Described
from tabletop.web.streams import pictures, snapshots, stream
from tabletop.web.tray import TrayFeed

COOKIE = "tabletop"
COOKIE_S = 400 * 24 * 3600  # the longest that browsers keep one (RFC 6265bis, 5.5)
FIRST_S = 20.0  # until the table shows something for the first time
BODY_S = 5.0  # for a command that is sent in pieces
COMMAND_S = 3.0  # the table handles commands twenty times a second, unless its machine is busy
STATUS = {"accepted": 204, "stale": 409, "busy": 429, "refused": 422}  # RFC 9110, 15; RFC 6585, 4
BAD, FORBIDDEN, LATE, FLOOD, NOT_YET = 400, 403, 409, 429, 503


class _Code(Convertor[str]):
    """Digits behind the address."""

    regex = f"[0-9]{{{DIGITS}}}"

    def convert(self, value: str) -> str:
        """Return them as they stand."""
        return value

    def to_string(self, value: str) -> str:
        """Return them as they stand."""
        return value


register_url_convertor("code", _Code())


@dataclass(slots=True)
class Site:
    """What the addresses have in common.

    inbox: takes commands to the thread that plays the match. shown: the newest snapshot. simulated: whether there are
    simulated dice to throw. clock: in seconds. keep: writes the hashes of the devices down. setup, described: what
    matches are set up with, None where none can be, and games as the form shows them. check: checks the table, None
    where nothing does. private: only devices that were let in see pictures of the camera.
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
    described: Described = field(default_factory=Described)
    check: CheckSource | None = None
    viewers: Counter[str] = field(default_factory=Counter)
    rates: dict[str, Rate] = field(default_factory=dict)
    arm: ArmLook = field(default_factory=ArmLook)
    private: bool = False
    past: MadeOnce = field(default_factory=lambda: MadeOnce(_past))

    def other_name(self) -> str:
        """Return what whoever uses a name that is not the table's is shown, in the language of the table."""
        return self.shown.phrases.other_name


def application(site: Site) -> Starlette:
    """Return the application, without its guard."""
    files = answers()
    routes = [Route(name, answer) for name, answer in files.items()]
    arm = _let_in(site, lambda: site.arm.answer(site.tray.frame, site.clock(), site.setup, site.shown))
    made = Starlette(
        routes=[
            *routes,
            Route("/events", partial(_events, site)),
            Route("/tray", partial(_tray, site)),
            Route("/arm/look", arm),
            Route("/history", partial(_history, site)),
            Route("/state", partial(_state, site)),
            Route("/setup", _let_in(site, lambda: offers(site.setup, site.described, site.shown.number))),
            Route("/checks", _let_in(site, lambda: checked(site.check))),
            *(Route(name, _post(site, post), methods=["POST"]) for name, post in POSTS.items()),
            Route("/{_:code}", files["/"]),  # as the QR code has it
        ]
    )
    made.router.redirect_slashes = False  # each address has one name
    return made


# What is shown


async def _state(site: Site, _: Request) -> Response:
    """Answer with the newest snapshot alone."""
    try:
        published = await asyncio.wait_for(site.feed.after(-1), FIRST_S)
    except TimeoutError:
        return Response(status_code=NOT_YET, headers={"retry-after": "1"})
    body = b"null" if published is None else published.data
    return Response(body, headers={"content-type": "application/json", "cache-control": "no-store"})


async def _events(site: Site, request: Request) -> Response:
    """Answer with a stream: who you are, then each newer snapshot."""
    you = {"paired": _is_paired(site, request), "simulated": site.simulated, "digits": DIGITS}
    you |= {"pictures": _may_see(site, request)}
    return stream(site.viewers, "events", snapshots(site.feed, you), site.shown.phrases.page["full"])


async def _tray(site: Site, request: Request) -> Response:
    """Answer with a stream of pictures of the tray, as long as this device may see them."""
    if not _may_see(site, request):
        return Response(status_code=FORBIDDEN)
    return stream(site.viewers, "tray", pictures(site.tray, lambda: _may_see(site, request)))


async def _history(site: Site, _: Request) -> Response:
    """Answer with all that has happened in the match."""
    body = await site.past.of(site.shown)
    return Response(body, headers={"content-type": "application/json", "cache-control": "no-store"})


def _let_in(site: Site, answer: Callable[[], Awaitable[Response]]) -> Callable[[Request], Any]:
    """Return what answers only devices that were let in."""

    async def answered(request: Request) -> Response:
        return await answer() if _is_paired(site, request) else Response(status_code=FORBIDDEN)

    return answered


def _json(value: Any) -> Response:  # noqa: ANN401 - values of JSON
    return Response(_encoded(value), headers={"content-type": "application/json", "cache-control": "no-store"})


def _encoded(value: Any) -> bytes:  # noqa: ANN401 - values of JSON
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _past(snapshot: Snapshot) -> bytes:
    return _encoded(Lookback(snapshot).history(whole=True))


# What may be done


def _post(site: Site, post: Callable[[Site, Request, dict[str, Any]], Awaitable[Response]]) -> Callable[[Request], Any]:
    """Return what reads an object of JSON, and answers it."""

    async def answer(request: Request) -> Response:
        try:
            sent = object_of(await asyncio.wait_for(request.body(), BODY_S))
        except (ValueError, RecursionError, TimeoutError):
            return Response(status_code=BAD)
        return await post(site, request, sent)

    return answer


def _is_paired(site: Site, request: Request) -> bool:
    return site.pairing.is_paired(request.cookies.get(COOKIE, ""))


def _may_see(site: Site, request: Request) -> bool:
    """Return whether this device may see pictures of the camera."""
    return not site.private or _is_paired(site, request)


def _later(wait_s: float) -> Response:
    return Response(status_code=FLOOD, headers={"retry-after": str(int(wait_s) + 1)})


async def _ask(site: Site, request: Request, _: dict[str, Any]) -> Response:
    """Let the table show the digits for a while."""
    wait_s = site.pairing.ask(site.clock(), request.client.host if request.client else "")
    return _later(wait_s) if wait_s > 0.0 else Response(status_code=204)


async def _pair(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Let a device in that was given the right digits; one that is in already may come with an old code."""
    digits, now_s, address = sent.get("digits"), site.clock(), request.client.host if request.client else ""
    if not isinstance(digits, str):
        return Response(status_code=BAD)
    if digits != site.pairing.digits and _is_paired(site, request):
        return Response(status_code=204)
    wait_s = site.pairing.wait_s(now_s, address)
    if wait_s > 0.0:
        return _later(wait_s)
    token = site.pairing.enter(digits, now_s, address)
    if token is None:
        return Response(status_code=FORBIDDEN)
    site.keep(site.pairing.known)
    response = Response(status_code=204)
    encrypted = request.headers["origin"].startswith("https:")
    response.set_cookie(COOKIE, token, max_age=COOKIE_S, httponly=True, samesite="strict", secure=encrypted)
    return response


def _refusal(site: Site, request: Request) -> Response | None:
    """Return why a device may do nothing now, None if it may."""
    if not _is_paired(site, request):
        return Response(status_code=FORBIDDEN)
    if not site.rates.setdefault(request.cookies[COOKIE], Rate()).allows(site.clock()):
        return Response(status_code=FLOOD)
    return None


async def _would(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Tell what each other face of a die would change."""
    if (refusal := _refusal(site, request)) is not None:
        return refusal
    die = die_of(sent)
    if die is None:
        return Response(status_code=BAD)
    changes = await asyncio.to_thread(Lookback(site.shown).would_change, die)
    return Response(status_code=LATE) if changes is None else _json(changes)


async def _act(site: Site, request: Request, sent: dict[str, Any]) -> Response:
    """Do what a device wants that was let in."""
    return _refusal(site, request) or _status(await _result(site, await _read(site, sent)))


async def _read(site: Site, sent: dict[str, Any]) -> Read | Response:
    """Return the command in what was sent, or the answer that says why there is none."""
    if sent.get("do") not in DECISIONS:
        try:
            return command_of(sent, site.shown)
        except ValueError:
            return Response(status_code=BAD)
    decision = await decision_of(site.setup, sent, site.shown.number)
    if isinstance(decision, Response):
        return decision
    fits = sent.get("match") == site.shown.number or isinstance(decision, BEHIND)
    return (decision, None) if fits else STALE


async def _result(site: Site, read: Read | Response) -> Result | Response:
    """Wait until the thread that plays the match has handled a command; one that it does not take is dropped."""
    if not isinstance(read, tuple):
        return read
    try:
        return await asyncio.wait_for(asyncio.wrap_future(site.inbox.put(*read)), COMMAND_S)
    except TimeoutError:
        return STALE


def _status(result: Result | Response) -> Response:
    return Response(status_code=STATUS[result.status]) if isinstance(result, Result) else result


POSTS = {"/act": _act, "/ask": _ask, "/pair": _pair, "/would": _would}
