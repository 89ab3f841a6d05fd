"""The real server from outside, with bare sockets: what one connection may take, and requests that no browser makes."""

import re
import socket
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from page_visitor import WAIT_S, Visitor

from tabletop.interpret.press_table import REALLY_ROLL
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.snapshot import Snapshot
from tabletop.web import guards
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, hold=REALLY_ROLL, bank="bank")
SOON_S = 0.2  # in place of the seconds that a visitor has


def reached(page: Page) -> socket.socket:
    host, port = page.address.split(":")
    return socket.create_connection((host, int(port)), timeout=WAIT_S)


def heard(connection: socket.socket) -> bytes:
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def refuses(connection: socket.socket) -> bool:
    """Say line after line until the page has ended the connection; return True then."""
    try:
        while True:
            connection.sendall(b"X: y\r\n")
    except ConnectionError:
        return True


def statuses(page: Page, request: str, body: bytes = b"") -> list[int]:
    """Send a request as it stands, with our Host for {host}; return the status of each answer until the page closes."""
    with reached(page) as connection:
        connection.sendall(request.format(host=f"Host: {page.address}").replace("\n", "\r\n").encode("latin-1") + body)
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", heard(connection))]


# What a connection may take


@pytest.mark.parametrize("said", [b"", b"GET /state HTTP/1.1\r\nHost: 127"])
def test_who_says_nothing_is_let_go(page: Page, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    """Nothing, or the beginning of a request, holds no place for long."""
    monkeypatch.setattr(guards, "HEAD_S", SOON_S)
    with reached(page) as slow:
        slow.sendall(said)
        assert heard(slow) == b""


def test_a_request_in_small_pieces_is_let_go(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many pieces come, the time for all of them is the same ("slow loris")."""
    monkeypatch.setattr(guards, "HEAD_S", SOON_S)
    with reached(page) as slow:
        slow.sendall(b"GET /state HTTP/1.1\r\n")
        assert refuses(slow)


def test_a_refusal_waits_for_what_is_still_sent(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser may send the body after the head; a connection that ended before that would take the answer with it."""
    monkeypatch.setattr(guards, "REST_S", WAIT_S)
    with reached(page) as connection:
        head = f"POST /pair HTTP/1.1\r\nHost: {page.address}\r\nOrigin: http://elsewhere\r\nContent-Length: 2\r\n\r\n"
        connection.sendall(head.encode())
        connection.settimeout(SOON_S)
        with pytest.raises(TimeoutError):
            connection.recv(1)
        connection.settimeout(WAIT_S)
        connection.sendall(b"{}")
        assert re.match(rb"HTTP/1\.1 403 ", heard(connection))


def test_who_takes_nothing_is_let_go(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client asks and never reads: the page drops what waits for it, and the client."""
    monkeypatch.setattr(guards, "SLOW_S", SOON_S)
    with reached(page) as slow, Visitor(page.address).events() as events:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.sendall(f"GET /events HTTP/1.1\r\nHost: {page.address}\r\n\r\n".encode())
        for count in range(30):  # together more than the kernel buffers
            page.show(replace(TABLE, hint=f"{count} " + "x" * 300_000), None, time.monotonic())
            assert next(events)
        assert refuses(slow)


def test_more_connections_than_there_may_be_are_dropped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that this machine can have open are for the match; those already connected stay."""
    monkeypatch.setattr(guards, "MOST_CONNECTIONS", 10)
    with ExitStack() as crowd, Visitor(page.address).events() as events:
        assert next(events)[0] == "you"
        for _ in range(10 + guards.SPARE):
            crowd.enter_context(reached(page))
        assert heard(crowd.enter_context(reached(page))) == b""
        assert next(events)[1]["game"] == "Pig"


def test_one_device_does_not_take_all_places(tmp_path: Path) -> None:
    """In a network each address has some places; this machine itself has all."""
    page = Page(listen("lan", 0), time.monotonic, tmp_path / DEVICES)
    page.show(TABLE, None, time.monotonic())
    with ExitStack() as crowd:
        for _ in range(guards.MOST_OF_ONE):
            crowd.enter_context(reached(page))
        assert heard(crowd.enter_context(reached(page))) == b""
        here = Visitor(f"127.0.0.1:{page.address.partition(':')[2]}")
        assert here.get("/state").status == 200
    page.close()


def test_a_flood_is_slowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that asks without end, over many connections, is told so; nobody else waits."""
    monkeypatch.setattr(guards, "AT_ONCE", 10)
    monkeypatch.setattr(guards, "LONGEST_WAIT_S", SOON_S)
    page = Page(listen("lan", 0), time.monotonic, tmp_path / DEVICES)
    page.show(TABLE, None, time.monotonic())
    port = page.address.partition(":")[2]
    asked = f"HEAD /icon.svg HTTP/1.1\r\nHost: {page.address}\r\nConnection: close\r\n\r\n".encode()
    found = set()
    while b"429" not in found:
        with ExitStack() as crowd:
            flood = [crowd.enter_context(reached(page)) for _ in range(30)]
            for one in flood:
                one.sendall(asked)
            found |= {heard(one).split(b" ", 2)[1] for one in flood}
    assert found == {b"200", b"429"}
    assert Visitor(f"127.0.0.1:{port}").get("/state").status == 200
    page.close()


# Requests that no browser makes


@pytest.mark.parametrize("path", ["/", "/main.js", "/state", "/history", "/events", "/tray", "/0427", "/setup"])
def test_head_is_a_get_without_its_body(served: Page, path: str) -> None:
    """The same status and headers (RFC 9110, 9.3.2), and nothing before the answer to what is asked next."""
    with reached(served) as asking:
        asking.sendall(f"HEAD {path} HTTP/1.1\r\nHost: {served.address}\r\n\r\n".encode())
        asking.sendall(f"GET /none HTTP/1.1\r\nHost: {served.address}\r\nConnection: close\r\n\r\n".encode())
        head, then = heard(asking).split(b"\r\n\r\n", 1)
    with reached(served) as asking:
        asking.sendall(f"GET {path} HTTP/1.1\r\nHost: {served.address}\r\n\r\n".encode())
        got = b""
        while b"\r\n\r\n" not in got:
            got += asking.recv(65536)
    lines = [set(one.lower().split(b"\r\n")) for one in (head, got.partition(b"\r\n\r\n")[0])]
    assert {line for line in lines[0] ^ lines[1] if not line.startswith(b"date:")} == set()
    assert then.startswith(b"HTTP/1.1 404 ")


NEXT = b"GET /state HTTP/1.1\r\nHost: ours\r\n\r\n"


@pytest.mark.parametrize(
    ("request_", "body", "status"),
    [
        ("POST /ask HTTP/1.1\n{host}\nContent-Length: 2\nTransfer-Encoding: chunked\n\n0\n\n", NEXT, 403),
        ("POST /ask HTTP/1.1\n{host}\nContent-Length: 2\nContent-Length: 3\n\n", b"{}" + NEXT, 400),
        ("POST /ask HTTP/1.1\n{host}\nTransfer-Encoding: xchunked\n\n", b"0\r\n\r\n" + NEXT, 400),
        ("POST /ask HTTP/1.1\n{host}\nTransfer-Encoding : chunked\n\n", b"0\r\n\r\n" + NEXT, 400),
        ("GET /state HTTP/1.1\n{host}\nContent-Length: 9\n\n", NEXT, 413),
        ("GET /state HTTP/1.1\n{host}\nX: " + "a" * 20_000 + "\n\n", NEXT, 431),
        ("GET /" + "a" * 9_000 + " HTTP/1.1\n{host}\n\n", NEXT, 431),
        ("GET /state HTTP/1.1\n{host}\nTransfer-Encoding: chunked\n\n", b"0\r\n\r\n" + NEXT, 413),
        ("GET /state HTTP/1.1\n{host}\nHost: ours\n\n", NEXT, 400),
        ("GET /state HTTP/1.1\n\n", NEXT, 400),
        ("GET /state HTTP/1.0\n\n", NEXT, 421),
        ("CONNECT 192.0.2.1:80 HTTP/1.1\nHost: 192.0.2.1:80\n\n", NEXT, 421),
        ("PRI * HTTP/2.0\n\nSM\n\n", NEXT, 421),
        ("\x16\x03\x01\n\n", NEXT, 400),
        ("GET /state HTTP/1.1\n{host}\nX: a\0b\n\n", NEXT, 400),
    ],
)
def test_nothing_is_smuggled(served: Page, request_: str, body: bytes, status: int) -> None:
    """A request of which one reads this and another that: it is refused, and nothing that follows is read."""
    assert statuses(served, request_, body.replace(b"ours", served.address.encode()))[:1] == [status]
    assert 200 not in statuses(served, request_, body.replace(b"ours", served.address.encode()))


@pytest.mark.parametrize(
    "path", ["/" + "9" * 5000, "/99999", "/%D9%A1%D9%A2%D9%A3%D9%A4", "/%ff%fe", "/state/", "/%00"]
)
def test_addresses_that_are_none(served: Page, path: str) -> None:
    """They are not there; four digits are the page, as the QR code has it."""
    visitor = Visitor(served.address)
    assert visitor.get(path).status == 404
    assert visitor.get("/0123").body == visitor.get("/").body


@pytest.mark.parametrize("digits", [b'"\\ud800"', b"NaN", b"9" * 3000, b"[" * 2000, b'"\\u0000"', b"{}"])
def test_digits_that_are_none(served: Page, digits: bytes) -> None:
    """Half a letter, no number, a huge one, depths: refused in words of HTTP, and the page goes on."""
    visitor = Visitor(served.address)
    assert visitor.post("/pair", b'{"digits": ' + digits + b"}").status in (400, 403)
    assert visitor.get("/state").status == 200
