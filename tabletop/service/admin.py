"""Ask the root-owned helper of an installed table (systemd/admin) for what the table itself may not do.

Each call blocks: call it from a worker thread, never from the loop or the page's event loop.
"""

import json
import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

SOCKET = "/run/tabletop-admin.sock"  # of tabletop-admin.socket
VARIABLE = "TABLETOP_ADMIN_SOCKET"  # names another one, for tests
CONNECT_S, ANSWER_S = 5.0, 300.0  # a step of an update takes minutes on a small machine
MOST_LINE = 65_536  # bytes of an answer
GONE, BUSY = {"refused": "gone", "about": ""}, {"refused": "busy", "about": ""}


class AdminMissing(Exception):  # noqa: N818 - an answer, not a mistake
    """This table was not installed, or its helper cannot be reached."""


def is_there() -> bool:
    """Return whether this machine has the helper."""
    return Path(_place()).exists()


def ask(verb: str, fields: Mapping[str, Any], body: Iterable[bytes] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the steps of a verb, then one answer with `done` or `refused`. Raises AdminMissing.

    body: what follows the request; it is read only as fast as the helper takes it.
    """
    with socket.socket(socket.AF_UNIX) as helper:
        helper.settimeout(CONNECT_S)
        try:
            helper.connect(_place())
        except OSError as error:
            raise AdminMissing from error
        helper.settimeout(ANSWER_S)  # a worn card may take half a minute for a block
        with suppress(OSError):  # it has answered before it read all
            helper.sendall(json.dumps({**fields, "do": verb}).encode() + b"\n")
            for block in body or ():
                helper.sendall(block)
            helper.shutdown(socket.SHUT_WR)
        yield from _answers(helper)


def _place() -> str:
    return os.environ.get(VARIABLE, SOCKET)


def _answers(helper: socket.socket) -> Iterator[dict[str, Any]]:
    heard = False
    with helper.makefile("rb") as lines:
        while True:
            try:
                answer = json.loads(lines.readline(MOST_LINE))
            except (OSError, ValueError):
                yield GONE if heard else BUSY  # more connections than the socket takes are closed at once
                return
            if not isinstance(answer, dict):
                yield GONE
                return
            yield answer
            heard = True
            if "step" not in answer:
                return
