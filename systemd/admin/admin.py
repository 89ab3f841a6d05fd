"""The few things on this machine that the table's page may change, done by root: a fixed list of verbs.

A request is one line of JSON, `{"do": VERB, ...}`; the answer has any number of steps, and then `done` or `refused`.
"""

import fcntl
import json
import socket
import sys
from collections.abc import Callable
from typing import IO

import network
import trial
import versions
from request import BAD, HOME, PATIENCE_S, Refused, Request, read, write

LAST = HOME / "last.json"  # how the last change ended: the page that asked for it may have been restarted since
LOCK = HOME / "admin.lock"


def state(_request: Request) -> dict[str, object]:
    """Return versions and trial, whether a change is under way, and how the last one ended."""
    try:
        last = json.loads(LAST.read_text())
    except (OSError, ValueError):
        last = None
    busy = LOCK.exists() and not _take(LOCK.open("w"))
    return {"versions": versions.shown(), "trial": trial.shown(), "last": last, "busy": busy}


def _take(lock: IO[str]) -> bool:
    """Take the lock until this file is closed; return whether it was free."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def settings(request: Request) -> dict[str, object]:
    """Let the table try other settings."""
    from settings import change  # noqa: PLC0415 - the table's own reader costs a third of a second

    return change(request)


def unknown(request: Request) -> dict[str, object]:
    """Refuse a verb that is not in the list."""
    raise Refused(BAD, request.verb)


# Each verb returns what `done` holds, or raises Refused.
VERBS: dict[str, Callable[[Request], dict[str, object]]] = {
    "state": state,
    "settings": settings,
    "keep": trial.keep,
    "back": trial.back,
    "update": versions.update,
    "update-from": versions.update_from,
    "previous": versions.previous,
    **network.VERBS,
}
LOOKING = {"state", "networks"}  # beside a verb that is under way
RESTARTING = {"settings", "update", "update-from", "previous"}


def answer(request: Request) -> dict[str, object]:
    """Do what is asked, and return the last line of the answer. Raises Refused."""
    try:
        do = VERBS.get(request.verb, unknown)
        if request.verb in LOOKING:
            return {"done": do(request)}
        with LOCK.open("w") as lock:
            if not _take(lock):
                raise Refused("busy")
            return _kept(do, request) if request.verb in RESTARTING else {"done": do(request)}
    except OSError as error:
        return Refused("failed", str(error)).line


def _kept(do: Callable[[Request], dict[str, object]], request: Request) -> dict[str, object]:
    """Do what restarts the table, and write down how it ended: at first that it was cut off."""
    write(LAST, json.dumps({"do": request.verb, **Refused("came-back").line}).encode())
    try:
        ended: dict[str, object] = {"done": do(request)}
    except Refused as error:
        ended = error.line
    write(LAST, json.dumps({"do": request.verb, **ended}).encode())
    return ended


def main() -> int:
    """Serve the connection that is standard input."""
    with socket.socket(fileno=sys.stdin.fileno()) as client:
        client.settimeout(PATIENCE_S)
        incoming = client.makefile("rb")
        request = Request({}, incoming, client)
        try:
            request.fields = read(incoming)
            request.say(answer(request))
        except Refused as error:
            request.say(error.line)
    return 0
