"""The checks of every connection and request, and the headers of every response.

- **Host**: a hostile page can make its own name point at this machine (DNS rebinding) and read the table as its own. So
requests are answered only under this machine's names, the one from the configuration, and the address they came in at.
Others get a page that shows that address.
- **Origin**: a hostile page can send a form here from a player's browser. So each POST must come from our page, or from
a program: without a cookie, and with a token, which browsers never send automatically.
- **Pace**: floods are answered more slowly, so that dice are still read and other viewers served.
- **Connections**: this machine has a few hundred open files. So a connection that sends nothing, sends slowly, or does
not read the response is dropped, and no device can take all places.
- **Headers**: only our own files may run or be shown in the page, nobody may frame it, and nothing is guessed or
leaked.
"""

import asyncio
import re
from asyncio import TimerHandle, Transport
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from html import escape
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from tabletop.web.listening import Listening
from tabletop.web.pairing import Pace, is_far, is_here, place_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

API = "/api/"  # what programs ask for, with a token instead of a page's origin
MOST_BODY = 4096  # bytes: ten names and all options of a match; every other command has less than 512
IMPORT, MOST_IMPORT = "/import", 16_000_000  # bytes of a file with some hundred matches; for paired devices only
UPDATE, MOST_UPDATE = "/update", 168_000_000  # bytes: what `systemd/admin` takes; they go through in pieces
MOST_DIGITS = 9  # of a length: longer ones are too long in any case
AT_ONCE = 400  # burst of requests from one address: a dozen phones behind a router, each loading the page with 35
PER_S = 50.0  # sustained rate: such a flood takes a twentieth of this machine's time
LONGEST_WAIT_S = 1.0  # a request that would have to wait longer is refused
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
# Data after a refused request may be its body, so none of it is read as a request. A client that is still sending when
# the connection ends may lose the answer, so a short body is waited for.
REST_S = 2.0
REFUSAL = ((b"connection", b"close"),)
WORDS = (
    "<!doctype html><meta name=viewport content='width=device-width'><title>tabletop</title><p>{}<p><a href={}>{}</a>"
)
HTML = (b"content-type", b"text/html; charset=utf-8")
JSON = (b"content-type", b"application/json")
HOST = re.compile(r"(?P<name>\[[^\[\]]+\]|[^:]+?)\.?(?::(?P<port>\d+))?")  # the dot is that of the root
FORWARDED = (b"forwarded", b"x-forwarded-for")  # written by proxies, and by others: they remove rights, and grant none
HERE = "127.0.0.1"  # a proxy on this machine
MISDIRECTED, FORBIDDEN, NO_METHOD, NO_LENGTH, TOO_LONG, NO_JSON = 421, 403, 405, 411, 413, 415  # RFC 9110, 15
FLOOD, LONG_HEAD = 429, 431  # RFC 6585, 4 and 5
LONGEST_HEAD = 8192  # bytes of a request line and its headers


class Guard:
    """Lets only requests through that can come from our own page.

    listening: its names and port; its origin, that of a proxy, may appear in Host and Origin. posts: the paths that
    accept a POST; all others are read-only. words: returns the page shown under a wrong name.
    """

    def __init__(
        self, inside: Application, listening: Listening, posts: Collection[str], words: Callable[[], str]
    ) -> None:
        self._inside, self._names, self._port, self._posts = inside, listening.names, listening.port, posts
        self._origin, self._words = listening.origin, words
        scheme, _, site = listening.origin.partition("://")
        self._sites = {site, f"{site}:{'443' if scheme == 'https' else '80'}"} if site else set[str]()
        self._pace = Pace(AT_ONCE, PER_S, LONGEST_WAIT_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        self._count_proxied(scope)
        address, now_s = (scope.get("client") or ("",))[0], asyncio.get_running_loop().time()
        wait_s = 0.0 if is_here(address) else self._pace.wait_s(place_of(address), now_s)
        if 0.0 < wait_s <= LONGEST_WAIT_S:
            await asyncio.sleep(wait_s)
        refused = FLOOD if wait_s > LONGEST_WAIT_S else self.fault(scope)
        if refused:
            await _body_of(scope, receive)
            allowed = ", ".join(self._methods(scope)).encode()
            body, kind = (self._other_name(scope), HTML) if refused == MISDIRECTED else (b"", None)
            if scope["path"].startswith(API):
                body, kind = b'{"why":"%s"}' % HTTPStatus(refused).phrase.encode(), JSON
            headers = [*REFUSAL, *([(b"allow", allowed)] if refused == NO_METHOD else []), *([kind] if kind else [])]
            headers.append((b"content-length", str(len(body)).encode()))
            await send_with_headers({"type": "http.response.start", "status": refused, "headers": headers})
            await send_with_headers({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
        else:
            await self._inside(scope, receive, send_with_headers)

    def fault(self, scope: Scope) -> int:
        """Return the status with which a request is refused, 0 if it is allowed."""
        hosts = _all(scope, b"host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self._is_ours(host, scope):
            return MISDIRECTED
        if len(scope["raw_path"]) + sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEAD:
            return LONG_HEAD
        if scope["method"] not in self._methods(scope):
            return NO_METHOD
        if scope["method"] == "POST":
            return _fault_of_post(scope, {f"http://{host}", self._origin} - {""})
        return TOO_LONG if _all(scope, b"content-length") not in ([], ["0"]) or _all(scope, b"transfer-encoding") else 0

    def _methods(self, scope: Scope) -> tuple[str, ...]:
        return ("POST",) if scope["path"] in self._posts else ("GET", "HEAD")

    def _is_ours(self, host: str, scope: Scope) -> bool:
        found = HOST.fullmatch(host)
        if found is None:
            return False
        site = found["name"] + (f":{found['port']}" if found["port"] else "")
        ours = found["name"] in self._names or _number(found["name"]) == (_own_number(scope) or "")
        return site in self._sites or (ours and (found["port"] or "80") == str(self._port))

    def _count_proxied(self, scope: Scope) -> None:
        """Count all who come through a proxy on this machine as one address, which is not this machine's."""
        hosts, origins = ({text.lower() for text in _all(scope, name)} for name in (b"host", b"origin"))
        named = hosts & self._sites or origins & {self._origin}  # a proxy may pass on either of them
        if (named or any(_all(scope, name) for name in FORWARDED)) and is_here((scope.get("client") or ("",))[0]):
            scope["client"] = ("", 0)

    def _other_name(self, scope: Scope) -> bytes:
        """Return a page that leads to the address at which the request came in, and says nothing that was not known."""
        own = str(_own_number(scope) or HERE)
        address = f"http://{f'[{own}]' if ':' in own else own}:{self._port}/"
        return WORDS.format(escape(self._words()), address, address).encode()


async def _body_of(scope: Scope, receive: Receive) -> None:
    """Wait for the short body of a request that is refused."""
    length = "".join(_all(scope, b"content-length"))
    if re.fullmatch("[0-9]{1,4}", length) and int(length) <= MOST_BODY:
        with suppress(TimeoutError):
            async with asyncio.timeout(REST_S):
                while (await receive()).get("more_body"):
                    pass


def _fault_of_post(scope: Scope, origins: set[str]) -> int:
    """Return the status with which a POST is refused, 0 if our own page or a program made it and it is short.

    A browser names the origin in each POST, so one with neither origin nor cookie comes from a program.
    """
    given = [origin.lower() for origin in _all(scope, b"origin")]
    from_program = not given and not _all(scope, b"cookie") and scope["path"].startswith(API)
    if not from_program and (len(given) != 1 or given[0] not in origins):
        return FORBIDDEN
    if _all(scope, b"content-type") != ["application/json"]:
        return NO_JSON
    lengths = _all(scope, b"content-length")
    if len(lengths) != 1 or not (lengths[0].isascii() and lengths[0].isdigit()) or _all(scope, b"transfer-encoding"):
        return NO_LENGTH
    most = {IMPORT: MOST_IMPORT, UPDATE: MOST_UPDATE}.get(scope["path"], MOST_BODY)
    return TOO_LONG if int(lengths[0][:MOST_DIGITS]) > most else 0


def _own_number(scope: Scope) -> IPv4Address | IPv6Address | None:
    return _number(str((scope.get("server") or ("",))[0]))


def _number(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address however it is written, None for a name. Its zone is that of the asker's machine: left out."""
    try:
        number = ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return (number.ipv4_mapped if isinstance(number, IPv6Address) else None) or number


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


MOST_CONNECTIONS = 400  # of all kinds: those of `MOST_VIEWERS`, each with one for the tray and one for its commands
MOST_OF_ONE = 64  # from one address: a browser opens six; several devices may share an address behind a router
SPARE = 32  # above these, a connection is told that the table is full; further ones are dropped
HEAD_S = 10.0  # a connection must send its request within this time
SLOW_S = 20.0  # a viewer that reads too slowly for this long is disconnected, and reconnects


class Connection(H11Protocol):
    """One connection: uvicorn's protocol, with time limits."""

    _asking: TimerHandle | None = None
    _taking: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Accept the connection, unless there are too many."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # calls `pause_writing` as soon as the peer falls behind
        own = self._address()
        of_one = sum(cast("Connection", other)._address() == own for other in self.connections)  # noqa: SLF001 - its own kind
        full = len(self.connections) > MOST_CONNECTIONS + SPARE or (of_one > MOST_OF_ONE and not is_here(own))
        if full or (self.client and self.server and is_far(self.client[0], self.server[0])):
            transport.abort()
            return
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        """Handle received data."""
        super().data_received(data)
        self._wait_for_request()

    def on_response_complete(self) -> None:
        """Start waiting for the next request."""
        super().on_response_complete()
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        super().connection_lost(exc)
        for timer in (self._asking, self._taking):
            if timer is not None:
                timer.cancel()

    def pause_writing(self) -> None:
        """Start the time limit for a slow reader."""
        super().pause_writing()
        self._taking = self.loop.call_later(SLOW_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the time limit: everything was read."""
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()

    def _wait_for_request(self) -> None:
        """Give the visitor some time for a whole request; what follows after an answer without end is none."""
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request
        answered = cycle is None or cycle.response_complete
        if not answered and self._asking is not None:
            self._asking.cancel()
            self._asking = None
        elif answered and self._asking is None:
            self._asking = self.loop.call_later(HEAD_S, self.transport.abort)

    def _address(self) -> str:
        return place_of(self.client[0]) if self.client else ""
