"""The real server on a free port of this machine: who may look, who may press, and what is refused."""

import json
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from page_visitor import WAIT_S, Visitor
from taken_commands import taken

from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Press
from tabletop.dialogs.commands import ThrowDice
from tabletop.interpret.hints import ONE_MISSING
from tabletop.interpret.press_table import REALLY_ROLL
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.snapshot import Snapshot
from tabletop.web.app import MOST_VIEWERS
from tabletop.web.guards import MOST_BODY
from tabletop.web.listening import listen, port_of
from tabletop.web.page import ADDRESS_S, DEVICES, Page
from tabletop.web.pairing import FREE_GUESSES, MOST_COMMANDS

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, hold=REALLY_ROLL, bank="bank")


class Table:
    """A page and who looks at it; the test is the thread that plays the match."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.page = Page(listen("local", 0), clock, folder / DEVICES, simulated=True)
        self.visitor = Visitor(self.page.address)
        self._taking = ExitStack()
        self.wanted = self._taking.enter_context(taken(self.page.inbox))
        self.show(TABLE)

    def show(self, snapshot: Snapshot) -> None:
        self.page.show(snapshot, None, time.monotonic())

    def close(self) -> None:
        self.page.close()
        self._taking.close()

    def pair(self) -> int:
        return self.visitor.post("/pair", {"digits": self.page.pairing.digits}).status


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Table]:
    """Open a table at which nothing has happened."""
    opened = Table(tmp_path)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    opened = Table(tmp_path_factory.mktemp("shared"))
    yield opened
    opened.close()


@pytest.fixture
def table(shared: Table) -> Table:
    """Look at a table that others use, too, with a device that was not let in yet."""
    shared.visitor = Visitor(shared.page.address)
    shared.wanted.clear()
    shared.show(TABLE)
    return shared


# Looking


def test_everybody_may_look(table: Table) -> None:
    """The files of the page are sent as they are, and none of them asks for anything outside."""
    static = Path(__file__).resolve().parents[2] / "tabletop" / "web" / "static"
    for path in (path for path in static.rglob("*") if path.is_file()):
        if path.suffix not in {".png", ".woff2", ".txt"}:
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, never fetched
            assert "//" not in "".join(line.partition("// ")[0] for line in text.splitlines()), path.name
        name = "/" if path.name == "index.html" else f"/{path.relative_to(static).as_posix()}"
        assert table.visitor.get(name).body == path.read_bytes()


def test_a_file_is_sent_once(table: Table) -> None:
    """A browser that has it is told so."""
    first = table.visitor.get("/main.js")
    again = table.visitor.get("/main.js", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_snapshots_come_as_they_are_shown(table: Table) -> None:
    """First who you are, then the newest snapshot, then each newer one; equal ones are not sent again."""
    with table.visitor.events() as events:
        assert next(events) == (
            "you",
            {"paired": False, "simulated": True, "digits": 4, "pictures": True, "name": "tabletop", "start": False},
        )
        first = next(events)[1]
        assert (first["ask"], first["players"][1]["score"]) == (ROLL_OR_BANK, 7)
        table.show(replace(TABLE, reading=None))
        table.show(replace(TABLE, hint=ONE_MISSING))
        second = next(events)[1]
    assert (second["hint"], second["count"]) == (ONE_MISSING, first["count"] + 1)
    assert second["asks"] == first["asks"]
    assert table.visitor.state() == second


def test_a_snapshot_is_encoded_once_for_all(fresh: Table) -> None:
    """However many look, and not at all while nobody does."""
    before = fresh.page.feed.encodings
    for hint in ("a", "b", "c"):
        fresh.show(replace(TABLE, hint=hint))
    assert fresh.page.feed.encodings == before
    with fresh.visitor.events() as one, Visitor(fresh.page.address).events() as other:
        for events in (one, other):
            assert [next(events)[0], next(events)[1]["hint"]] == ["you", "c"]
        assert fresh.page.feed.encodings == before + 1


def test_a_slow_viewer_holds_up_nobody(fresh: Table) -> None:
    """Somebody who reads nothing: snapshots go on being taken and shown to others, and nothing heaps up for him."""
    host, port = fresh.page.address.split(":")
    with socket.create_connection((host, int(port)), timeout=WAIT_S) as slow, fresh.visitor.events() as events:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.sendall(f"GET /events HTTP/1.1\r\nHost: {fresh.page.address}\r\n\r\n".encode())
        assert next(events)[0] == "you"
        for count in range(3000):
            fresh.show(replace(TABLE, hint=f"{count} " + "x" * 4000))
        newest = next(event for _, event in events if event["hint"].startswith("2999 "))
        assert newest["count"] >= 3000
    assert fresh.page.feed.encodings < 3000


def test_one_viewer_too_many_is_asked_to_wait(fresh: Table) -> None:
    """The others go on looking, and there is room again when one leaves."""
    crowd = [Visitor(fresh.page.address).events() for _ in range(MOST_VIEWERS)]
    for viewer in crowd:
        assert next(viewer.__enter__())[0] == "you"
    with fresh.visitor.events() as refused:
        assert list(refused) == [("full", "Too many people are watching. Trying again.")]
    for viewer in crowd:
        viewer.__exit__(None, None, None)
    for count in range(1000):  # who has gone is noticed at the next snapshot
        fresh.show(replace(TABLE, hint=str(count)))
        with suppress(AssertionError), fresh.visitor.events() as events:
            assert next(events)[0] == "you"
            return
    pytest.fail("expected room for one more viewer, the page is still full")


# Pressing


def test_nobody_presses_unasked(table: Table) -> None:
    """Without the digits every command is refused, whatever cookie comes with it."""
    assert table.visitor.act("bank", 1) == 403
    table.visitor.cookie = "tabletop=guessed"
    assert table.visitor.act("throw") == 403
    assert table.wanted == []


def test_who_knows_the_digits_presses(table: Table) -> None:
    """The cookie cannot be read by scripts or sent from other sites, lives long, and is enough from then on."""
    assert table.pair() == 204
    answer = table.visitor.post("/pair", {"digits": table.page.pairing.digits})
    attributes = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} < attributes
    assert int(next(part for part in attributes if part.startswith("max-age=")).partition("=")[2]) > 30_000_000
    assert [table.visitor.act(do) for do in ("bank", "hold", "throw")] == [204] * 3
    assert table.wanted == [Press("bank"), Press("hold"), ThrowDice()]
    with table.visitor.events() as events:
        assert next(events)[1]["paired"]


def test_a_device_is_known_after_a_restart(fresh: Table, tmp_path: Path) -> None:
    """The table keeps hashes only, in a file for its own eyes; without it nobody is known."""
    fresh.pair()
    fresh.close()
    kept = tmp_path / DEVICES
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert fresh.visitor.cookie.partition("=")[2] not in kept.read_text()
    again = Table(tmp_path)
    again.visitor.cookie = fresh.visitor.cookie
    assert again.visitor.act("bank") == 204
    again.close()
    kept.unlink()
    third = Table(tmp_path)
    third.visitor.cookie = fresh.visitor.cookie
    assert third.visitor.act("throw") == 403
    third.close()


def test_guesses_get_slower(fresh: Table) -> None:
    """After a few wrong digits even the right ones are refused, with the seconds to wait; not to another address."""
    wrong = "0000" if fresh.page.pairing.digits != "0000" else "0001"
    assert [fresh.visitor.post("/pair", {"digits": wrong}).status for _ in range(FREE_GUESSES)] == [403] * FREE_GUESSES
    answer = fresh.visitor.post("/pair", {"digits": fresh.page.pairing.digits})
    assert (answer.status, answer.headers["retry-after"].isdigit()) == (429, True)
    assert fresh.visitor.cookie == ""
    other = Visitor(fresh.page.address, own="127.0.0.2")
    assert other.post("/pair", {"digits": fresh.page.pairing.digits}).status == 204


def test_the_digits_are_never_on_the_page(fresh: Table) -> None:
    """They are shown where the dice are when somebody asks, and no viewer of the page gets them."""
    now_s = time.monotonic()
    assert fresh.page.notice(now_s) == f"page: {fresh.page.address}"
    assert fresh.page.notice(now_s + ADDRESS_S) == ""
    assert fresh.visitor.post("/ask", {}).status == 204
    assert fresh.page.pairing.digits in fresh.page.notice(time.monotonic())
    shown = json.dumps(fresh.visitor.state()["players"]) + fresh.visitor.state()["hint"]
    assert fresh.page.pairing.digits not in shown


def test_a_flood_of_presses_is_stopped(tmp_path: Path) -> None:
    """One device that presses faster than fingers is told to slow down; another one still has its presses."""
    table = Table(tmp_path, lambda: 100.0)  # all of it happens in no time
    table.pair()
    most = int(MOST_COMMANDS)
    assert [table.visitor.act("fly") for _ in range(30)] == [422] * most + [429] * (30 - most)
    table.pair()
    assert table.visitor.act("fly") == 422
    table.close()


# What is refused


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "https://{address}", "http://{address}.evil"])
def test_another_site_is_refused(table: Table, origin: str) -> None:
    """A form or a script of another page presses nothing, even in a browser that was let in."""
    table.pair()
    there = origin.format(address=table.page.address)
    assert table.visitor.post("/api/v1/command", {"do": "throw", "asks": 0}, Origin=there).status == 403
    assert table.wanted == []


@pytest.mark.parametrize(
    ("sent", "headers", "status"),
    [
        (b"x" * (MOST_BODY + 1), {}, 413),
        (b"{}", {"Content_Length": "9" * 18}, 413),
        (b"{}", {"Content_Length": "two"}, 400),
        (b"{}", {"Content_Type": "text/plain"}, 415),
        (b"{}", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"{", {}, 400),
        (b"[" * MOST_BODY, {}, 400),
        (b"[]", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b'{"do": "bank"}', {}, 400),
        (b'{"do": "bank", "asks": "1"}', {}, 400),
        (b'{"do": "bank", "asks": 1, "at": true}', {}, 400),
        (b'{"do": "fly", "asks": 1}', {}, 422),
        (b'{"do": ["bank"], "asks": 1}', {}, 422),
    ],
)
def test_what_is_no_command(table: Table, sent: bytes, headers: dict[str, str], status: int) -> None:
    """Too long, of another type, no JSON, or nothing that can be done: refused, and the table goes on."""
    table.pair()
    assert table.visitor.post("/api/v1/command", sent, **headers).status == status
    assert table.wanted == []
    assert table.visitor.get("/state").status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/../page.py", "/%2e%2e/page.py", "/..%2fpage.py", "/static/main.js"),
        *("//etc/passwd", "/main.js/..", "/a\\b", "/.."),
    ],
)
def test_no_path_reaches_the_disk(served: Page, path: str) -> None:
    """Only the names of the page's own files are answered."""
    assert Visitor(served.address).get(path).status == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_other_methods_are_refused(served: Page, method: str) -> None:
    """Nothing but looking and wishing; which of the two it is, is said, as RFC 9110 has it (15.5.6)."""
    for asked, path, right in (
        (method, "/state", "GET, HEAD"),
        (method, "/api/v1/command", "POST"),
        ("HEAD", "/api/v1/command", "POST"),
    ):
        answer = Visitor(served.address).send(asked, path, None, {})
        assert (answer.status, answer.headers["allow"]) == (405, right)


def test_a_refusal_is_whole_at_once(table: Table) -> None:
    """Its head says that nothing follows: who still sends a body then reads the status, not that the line is broken."""
    for answer in (table.visitor.post("/would", {}, Origin=""), table.visitor.post("/would", b"x" * 4097)):
        assert answer.status in (403, 413)
        assert (answer.headers["content-length"], answer.headers["connection"]) == ("0", "close")
        assert "transfer-encoding" not in answer.headers


def test_json_has_one_kind_of_number(table: Table) -> None:
    """A whole number is one however it is written (JSON Schema 2020-12, 6.1.1); a broken one is none."""
    assert table.visitor.post("/pair", {"digits": table.page.pairing.digits}).status == 204
    body = '{{"throw": 1, "was": {}}}'
    statuses = [table.visitor.post("/would", body.format(was).encode()).status for was in ("5", "5.0", "5.5", "1e999")]
    assert statuses == [409, 409, 400, 400]


def test_every_answer_is_guarded(table: Table) -> None:
    """Files, snapshots, refusals: only our own scripts run, nobody frames the page, no type is guessed."""
    answers = [table.visitor.get("/"), table.visitor.get("/state"), table.visitor.get("/nothing")]
    answers += [table.visitor.get("/", Host="evil.example"), table.visitor.post("/api/v1/command", {})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers


# Opening and closing


def test_a_port_that_is_taken_is_told() -> None:
    """In one line, with what to do."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(DeviceError, match="name another one with --port"):
            listen("local", other.getsockname()[1])


@pytest.mark.parametrize("port", ["x", "-1", "65536", "1.5"])
def test_a_port_that_cannot_be(port: str) -> None:
    """A whole number that ports have."""
    with pytest.raises(InputError, match="expected a port"):
        port_of(port)


def test_only_lan_is_open_to_others() -> None:
    """`local` is bound to this machine alone; `lan` answers to its name in the local network too."""
    here, there = listen("local", 0), listen("lan", 0)
    with here.socket, there.socket:
        assert here.socket.getsockname()[0] == "127.0.0.1"
        assert there.socket.getsockname()[0] in ("::", "0.0.0.0")  # noqa: S104 - that is what is asked for
        assert here.names == {"localhost"}
        assert f"{socket.gethostname().lower()}.local" in there.names


def test_the_end_is_told_to_viewers(fresh: Table) -> None:
    """A closed page ends its streams and its thread."""
    server = fresh.page._thread  # noqa: SLF001 - the one of this page
    with fresh.visitor.events() as events:
        assert next(events)[0] == "you"
        assert next(events)[1]["game"] == "Pig"
        fresh.page.close()
        assert list(events) == []
    assert server not in threading.enumerate()
