"""Webhooks: sends events to other programs by HTTP, and follows the game with WLED lamps.

Each hook has a thread, and a bounded queue that the hub's thread fills without waiting. No receiver can hold its thread
for longer than `Timing.attempt_s` a try, except while the system looks up its name.
"""

import asyncio
import json
import re
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import quote

from tabletop.broadcast import vocabulary, wled
from tabletop.broadcast.hub import Follower, Hub
from tabletop.broadcast.receivers import Receivers
from tabletop.config.hooks import FIELD, HTTP, HTTPS, Hook

MOST_WAITING = 100  # events: more than a match makes in a minute
STATUS, STATUS_BYTES = re.compile(rb"HTTP/1\.[01] (\d{3})"), 12  # the beginning of an answer
SUCCESS, TOO_MANY, SERVER_ERROR = range(200, 300), 429, 500
STAGGER_S = 0.25  # RFC 8305, 8: between the addresses of one name
NETWORKS = ("127.0.0.0/8", "::1", "169.254.0.0/16", "fe80::/64", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
LOCAL = tuple(map(ip_network, (*NETWORKS, "fc00::/7")))  # IPAddressAllow in systemd/tabletop.service


FAULTS: tuple[tuple[type[Exception], str], ...] = (
    (ssl.SSLCertVerificationError, "certificate"),
    (socket.gaierror, "name"),
    (TimeoutError, "slow"),
    (OSError, "unreachable"),
    (EOFError, "unreachable"),
    (ValueError, "name"),
)
"""Why a receiver fails, as the file of receivers has it; also "outside" and its address, "answers" and the status."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a try takes at most, the pauses between tries, and the age at which an event is not sent any more."""

    attempt_s: float = 3.0
    pauses_s: tuple[float, ...] = (1.0, 4.0)
    old_s: float = 60.0


USUAL = Timing()


class Webhook:
    """The outlet to one receiver."""

    def __init__(self, hook: Hook, receivers: Receivers, timing: Timing = USUAL) -> None:
        self._hook, self._receivers, self._timing = hook, receivers, timing
        self._waiting = deque[tuple[float, vocabulary.Fields, vocabulary.Fields]](maxlen=MOST_WAITING)
        self._light = wled.Light() if hook.preset else None
        self._wake, self._ending, self._ends_s = threading.Event(), threading.Event(), float("inf")
        self._why: str | None = None  # not known before the first try
        self._runner = asyncio.Runner(loop_factory=_Loop)
        self.thread = threading.Thread(target=self._run, name=hook.name, daemon=True)

    def start(self, hub: Hub) -> None:
        """Begin with what comes from now on."""
        self.thread.start()
        hub.call(partial(self._note, hub, Follower(hub)))

    def end(self, ends_s: float) -> None:
        """Send what waits, each event once, and none to a receiver that fails."""
        self._ends_s = ends_s
        self._ending.set()
        self._wake.set()

    def _note(self, hub: Hub, follower: Follower) -> None:
        for told in follower.take():
            if told.data["kind"] in self._hook.on and self._hook.player in (None, told.data["player"]):
                self._waiting.append((time.monotonic(), told.data, hub.state))
                self._wake.set()

    def _run(self) -> None:
        with self._runner:
            while self._waiting or not self._ending.is_set():
                self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    self._send(*self._waiting.popleft())

    def _send(self, came_s: float, event: vocabulary.Fields, state: vocabulary.Fields) -> None:
        if self._light is None:
            self._deliver(request(self._hook, self._hook.body, event), came_s)
            return
        self._light.note(event, state)
        while not self._waiting and (shown := self._light.take()):  # only the newest matters
            self._deliver(request(self._hook, shown[0], event), time.monotonic())
            self._ending.wait(shown[1])

    def _deliver(self, text: bytes, came_s: float) -> None:
        why = "slow"
        for pause_s in (0.0, *self._timing.pauses_s):
            if pause_s and ((self._light and self._waiting) or self._ending.wait(pause_s)):
                break
            now_s = time.monotonic()
            if now_s >= min(self._ends_s, came_s + self._timing.old_s):
                break
            within_s = min(self._timing.attempt_s, self._ends_s - now_s)
            why, again = self._runner.run(attempt(self._hook, text, within_s))
            if not again:
                break
        if why and self._ending.is_set():
            self._waiting.clear()
        if why != self._why:
            self._why = why
            self._receivers.note(self._hook.name, why)


def request(hook: Hook, template: Any, event: vocabulary.Fields) -> bytes:  # noqa: ANN401 - JSON
    """Return a whole HTTP request. template: of the body: text, or JSON as Python values; None for the event itself."""
    host, port = f"[{hook.host}]" if ":" in hook.host else hook.host, HTTPS if hook.tls else HTTP
    host = host if hook.port == port else f"{host}:{hook.port}"
    as_text = isinstance(template, str)
    body = filled(template, event) if as_text else json.dumps(event if template is None else filled(template, event))
    kind = "text/plain; charset=utf-8" if as_text else "application/json"
    own = {name.lower(): text for name, text in (hook.headers or {}).items()}
    headers = {"host": host, "content-type": kind, "user-agent": "tabletop", **own, "connection": "close"}
    content = body.encode("utf-8", "replace")
    target = filled(hook.target, event, lambda text: quote(text, safe="", errors="replace"))
    lines = [f"{hook.method} {target} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    return "\r\n".join([*lines, f"content-length: {len(content)}", "", ""]).encode("ascii") + content


def filled(template: Any, event: vocabulary.Fields, escaped: Callable[[str], str] = str) -> Any:  # noqa: ANN401 - JSON
    """Fill the fields of an event into the strings of a template."""
    if isinstance(template, dict):
        return {name: filled(one, event) for name, one in template.items()}
    if isinstance(template, list):
        return [filled(one, event) for one in template]
    if isinstance(template, str):
        return FIELD.sub(lambda found: escaped(_words(event.get(found[1]))), template)
    return template


def _words(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a field as people write it."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(one)}" for name, one in value.items())
    return ", ".join(map(_words, value)) if isinstance(value, list) else "" if value is None else str(value)


async def attempt(hook: Hook, text: bytes, within_s: float) -> tuple[str, bool]:
    """Send a request. Return why it failed, empty if it did not, and whether another try may help.

    Only the status of the answer is read.
    """
    writer = None
    try:
        async with asyncio.timeout(within_s):
            tls = ssl.create_default_context() if hook.tls else None
            reader, writer = await asyncio.open_connection(
                hook.host, hook.port, ssl=tls, happy_eyeballs_delay=STAGGER_S
            )
            writer.write(text)
            answer = STATUS.fullmatch(await reader.readexactly(STATUS_BYTES))
    except (OSError, EOFError, ValueError) as error:
        return reason(error, "" if writer else hook.host), True
    finally:
        if writer is not None:
            writer.transport.abort()
    if answer is None:
        return "unreachable", True
    status = int(answer[1])
    return "" if status in SUCCESS else f"answers {status}", status == TOO_MANY or status >= SERVER_ERROR


def reason(error: Exception, host: str) -> str:
    """Return why a receiver fails. host: of one that could not be connected to, else empty.

    One without an address in the local network that does not answer has its own reason: the unit may keep the table
    from it.
    """
    if host and isinstance(error, TimeoutError | PermissionError):
        with suppress(OSError):
            addresses = [found[4][0] for found in socket.getaddrinfo(host, None)]
            if not any(ip_address(address) in network for address in addresses for network in LOCAL):
                return f"outside {addresses[0]}"
    return next((why for kind, why in FAULTS if isinstance(error, kind)), "broker")


class _Loop(asyncio.SelectorEventLoop):
    """Looks up names in its own thread: the one that asyncio starts for it would delay the end of the program."""

    async def getaddrinfo(self, host: Any, port: Any, **hints: int) -> Any:  # noqa: ANN401 - as the socket module
        return socket.getaddrinfo(host, port, **hints)
