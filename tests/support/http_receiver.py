"""A loopback webhook receiver with configurable faults, which records every request."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from ssl import SSLContext
from typing import Any, NamedTuple

BYTE_S = 0.5  # between two bytes of one that dribbles: no try waits for a whole status
BLOCK = b"x" * 65536


class Got(NamedTuple):
    """A request. path: as it came, with the query."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON
        return json.loads(self.body)


class Receiver(ThreadingHTTPServer):
    """Answers with what `behaves` writes. got: the requests, in order. closing: set when it ends."""

    daemon_threads = True

    def __init__(self, behaves: "Behaviour") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaves, self.got, self.closing = behaves, SimpleQueue[Got](), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: the sender may hang up."""


Behaviour = Callable[[socket.socket, Receiver], None]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        self.server.got.put(Got(self.command, self.path, dict(self.headers), body))
        self.server.behaves(self.connection, self.server)
        self.close_connection = True

    do_PUT = do_GET = do_POST  # noqa: N815 - the same

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def status(number: int, more: str = "") -> Behaviour:
    """Answer with this status. more: header lines."""
    answer = f"HTTP/1.1 {number} Such\r\ncontent-length: 0\r\n{more}\r\n".encode()
    return lambda connection, _: connection.sendall(answer)


def hang(_: socket.socket, receiver: Receiver) -> None:
    receiver.closing.wait()


def dribble(connection: socket.socket, receiver: Receiver) -> None:
    """Send the status line and its header byte by byte."""
    for byte in b"HTTP/1.1 200 " + b"x" * 100_000:
        if receiver.closing.wait(BYTE_S):
            return
        connection.sendall(bytes([byte]))


def endless_headers(connection: socket.socket, receiver: Receiver) -> None:
    """Send headers for ever."""
    connection.sendall(b"HTTP/1.1 200 Fine\r\n")
    while not receiver.closing.is_set():
        connection.sendall(b"x-more: " + BLOCK + b"\r\n")


def endless_status(connection: socket.socket, receiver: Receiver) -> None:
    """Send a status line without end."""
    connection.sendall(b"HTTP/1.1 200 ")
    while not receiver.closing.is_set():
        connection.sendall(BLOCK)


def endless_body(connection: socket.socket, receiver: Receiver) -> None:
    """Announce and send a body that fills any memory."""
    connection.sendall(b"HTTP/1.1 200 Fine\r\ncontent-length: 1000000000000\r\n\r\n")
    while not receiver.closing.is_set():
        connection.sendall(BLOCK)


def close(connection: socket.socket, _: Receiver) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def reset(connection: socket.socket, _: Receiver) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def no_http(connection: socket.socket, _: Receiver) -> None:
    """Answer with what is no HTTP."""
    connection.sendall(b"220 mail.example.org ESMTP\r\n")


@contextmanager
def receiving(behaves: Behaviour, tls: SSLContext | None = None) -> Iterator[Receiver]:
    with Receiver(behaves) as receiver:
        if tls:
            receiver.socket = tls.wrap_socket(receiver.socket, server_side=True)
        thread = threading.Thread(target=receiver.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.closing.set()
            receiver.shutdown()


@contextmanager
def never_accepting() -> Iterator[str]:
    """Listen inside the `with` block, with a full backlog: nobody can connect any more. Yields the URL."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listening:
        waiting = []
        for _ in range(8):
            one = socket.socket()
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect(listening.getsockname())
            waiting.append(one)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            for one in waiting:
                one.close()
