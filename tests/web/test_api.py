"""The promised API: what programs read and do with a token, against a real server; the store is the oracle."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_visitor import Visitor, let_in

from tabletop.broadcast.history import History, Place
from tabletop.broadcast.hub import Hub
from tabletop.broadcast.state import state_of
from tabletop.core.values import Moment
from tabletop.dialogs.commands import ACCEPTED
from tabletop.rules import Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store
from tabletop.web.api import LOOKS, MOST_MATCHES
from tabletop.web.app import MOST_VIEWERS
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.tokens import FILE_NAME, MOST_TOKENS

BEGUN = "2026-11-28T18:00:00.000Z"
WAIT_S = 60.0
BEGINNING = Place(0)
EVENTS, COMMAND = "/api/v1/events", "/api/v1/command"


@dataclass(slots=True)
class Table:
    """A table with a store, a hub and a page. program: holds a token. owner: a paired device."""

    path: Path
    hub: Hub
    page: Page
    library: MatchLibrary
    session: MatchSession
    owner: Visitor
    token: str

    def play(self, answers: int, seed: int = 1) -> None:
        chance = Random(seed)
        for _ in range(answers):
            if self.session.match.over:
                self.session = self.library.begin(pig())
            self.session.give(random_answer(self.session.match.request, chance))
        self.show()
        self.settle()

    def settle(self) -> None:
        newest, read = Place.parse(self.stored()[-1]["id"]), threading.Event()
        self.hub.call(read.set)
        while self.hub.place < newest:
            assert read.wait(WAIT_S)
            read.clear()

    def show(self) -> None:
        now = snapshot(self.session, None)
        self.hub.show(now, None, time.monotonic())
        self.page.show(now, None, time.monotonic())

    def ask(self, path: str, method: str = "GET", sent: object = None, **headers: str) -> tuple[int, Any]:
        """Ask as a program does: without cookie and origin."""
        body = None if sent is None else json.dumps(sent).encode()
        usual = {"Authorization": f"Bearer {self.token}"} | ({"Content-Type": "application/json"} if body else {})
        answer = Visitor(self.page.address).send(method, path, body, usual | headers)
        return answer.status, json.loads(answer.body) if answer.body else None

    def stored(self, after: Place = BEGINNING) -> list[dict[str, Any]]:
        history, found = History(self.path), list[dict[str, Any]]()
        while told := history.after(after):
            found += (one.data for one in told)
            after = told[-1].place or after
        return found

    @contextmanager
    def stream(self, path: str = EVENTS, **headers: str) -> Iterator["Stream"]:
        connection = http.client.HTTPConnection(self.page.address, timeout=WAIT_S)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(connection):
            named = {"Authorization": f"Bearer {self.token}", **named}
            connection.request("GET", path, headers={name: value for name, value in named.items() if value})
            with closing(connection.getresponse()) as answer:
                assert answer.status == 200, answer.read()
                assert answer.readline() == b"retry: 1000\n"
                yield Stream(answer)


class Stream:
    """An open stream of events, read by the WHATWG format: fields until an empty line."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self._answer = answer

    def events(self, count: int = -1) -> list[dict[str, Any]]:
        """Return the next stored events, or all until the stream ends."""
        found, fields = list[dict[str, Any]](), dict[str, str]()
        while len(found) != count and (line := self._answer.readline().decode()):
            name, colon, value = line.rstrip("\n").partition(": ")
            if name and colon:
                fields[name] = value
            elif fields:
                data = json.loads(fields["data"])
                assert data["kind"] == fields["event"]
                assert fields.get("id", data["id"]) == data["id"]
                assert ("id" in fields) == ("n" in data)
                found += [data] if "id" in fields else []
                fields = {}
        return found


def pig() -> Match:
    return Match("pig", ["Ann", "Ben"], target=30)


@contextmanager
def playing(folder: Path) -> Iterator[Table]:
    path = folder / "a.db"
    hub = Hub(path)
    with Store(path) as store:
        page = Page(listen("local", 0), time.monotonic, folder / DEVICES, hub=hub)
        try:
            hub.start(store.newest_sequence())
            library = MatchLibrary(store, lambda: Moment(BEGUN), hub.stored)
            owner = let_in(page)
            name = f"program {len(page._api.tokens.names)}"  # noqa: SLF001 - a name that is free
            token = json.loads(owner.post("/tokens/change", {"name": name}).body)["token"]
            table = Table(path, hub, page, library, library.begin(pig()), owner, token)
            table.show()
            table.settle()
            yield table
        finally:
            hub.close()
            page.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with playing(tmp_path) as made:
        yield made


def test_a_stream_has_every_event_once(table: Table) -> None:
    """Several at once, one from the beginning, one from now on; the store has the same."""
    with table.stream() as new, table.stream(f"{EVENTS}?after=0.0") as whole:
        begun = table.stored()
        table.play(60)
        wanted = table.stored()
        assert whole.events(len(wanted)) == wanted
        assert new.events(len(wanted) - len(begun)) == wanted[len(begun) :]


def test_a_stream_resumes_after_any_event(table: Table) -> None:
    """Neither an event twice nor one missing, also between the parts of one entry."""
    table.play(30)
    wanted = table.stored()
    for at in range(0, len(wanted), 7):
        for path, headers in (
            (f"{EVENTS}?after={wanted[at]['id']}", {}),
            (EVENTS, {"Last_Event_ID": wanted[at]["id"]}),
        ):
            with table.stream(path, **headers) as stream:
                assert stream.events(len(wanted) - at - 1) == wanted[at + 1 :]
    with table.stream(f"{EVENTS}?after=0.0", Last_Event_ID=wanted[-2]["id"]) as stream:
        assert stream.events(1) == wanted[-1:]


def test_a_stream_goes_on_after_a_restart(tmp_path: Path) -> None:
    with playing(tmp_path) as table:
        table.play(20)
        wanted = table.stored()
        with table.stream(f"{EVENTS}?after=0.0") as stream:
            seen = stream.events(10)
            table.page.close()
            seen += stream.events()  # what came before the end
        assert seen == wanted[: len(seen)]
    with playing(tmp_path) as again:
        again.play(10)
        wanted = again.stored()
        with again.stream(Last_Event_ID=seen[-1]["id"]) as stream:
            assert seen + stream.events(len(wanted) - len(seen)) == wanted


def test_a_damaged_or_deleted_match_is_left_out(table: Table) -> None:
    table.play(20)
    table.session = table.library.begin(pig())
    table.play(5)
    with Store(table.path) as store, store._writing() as database:  # noqa: SLF001 - damage that no program does
        database.execute("UPDATE event SET body='{' WHERE match=1 AND n=4")
        database.execute("DELETE FROM event WHERE match=2 AND n>2")
    wanted = table.stored()
    assert {event["match"] for event in wanted} >= {1, 2}
    with table.stream(f"{EVENTS}?after=0.0") as stream:
        assert stream.events(len(wanted)) == wanted
    assert table.ask("/api/v1/matches/1")[0] == 200
    assert table.ask("/api/v1/matches/9")[0] == 404


def test_a_reader_that_stops_delays_nobody(table: Table) -> None:
    """It holds its place without reading; the table and another reader go on."""
    with table.stream(f"{EVENTS}?after=0.0"), table.stream() as other:
        begun = len(table.stored())
        table.play(400)
        wanted = table.stored()[begun:]
        assert other.events(len(wanted)) == wanted


@pytest.mark.parametrize(
    "hostile", ["-1.0", "1", "1.", ".1", "1.0.0", "x", "1e3.0", "9" * 30 + ".0", "²³.0", "1.0 ", "\x00"]
)
def test_what_is_no_id_is_refused(table: Table, hostile: str) -> None:
    quoted = "".join(f"%{byte:02x}" for byte in hostile.encode())
    status, said = table.ask(f"{EVENTS}?after={quoted}")
    assert (status, list(said)) == (422, ["why"])


def test_an_id_of_another_store_means_only_new_events(table: Table) -> None:
    """Such as after a copy was restored: the ids begin again earlier."""
    with table.stream(Last_Event_ID=f"{'9' * 18}.0") as stream:
        begun = len(table.stored())
        table.play(3)
        wanted = table.stored()[begun:]
        assert stream.events(len(wanted)) == wanted


def test_a_revoked_token_ends_its_stream(table: Table) -> None:
    other = json.loads(table.owner.post("/tokens/change", {"name": "other"}).body)["token"]
    with table.stream() as kept, table.stream(Authorization=f"bearer {other}") as stream:
        assert table.owner.post("/tokens/change", {"name": "other", "revoke": True}).status == 200
        assert stream.events() == []
        assert table.ask("/api/v1/state", Authorization=f"Bearer {other}")[0] == 401
        begun = len(table.stored())
        table.play(2)
        wanted = table.stored()[begun:]
        assert kept.events(len(wanted)) == wanted


def test_a_device_that_is_sent_away_has_no_stream(table: Table) -> None:
    with table.stream(Authorization="", Cookie=table.owner.cookie) as stream:
        table.page.send_away()
        assert stream.events() == []


def test_matches_are_listed_page_by_page(table: Table) -> None:
    for _ in range(30):
        table.library.begin(pig())
    numbers = list(range(31, 0, -1))
    assert [one["number"] for one in table.ask("/api/v1/matches")[1]["matches"]] == numbers[:20]
    found, path = list[int](), "/api/v1/matches?limit=7"
    while listed := table.ask(path)[1]["matches"]:
        found += (one["number"] for one in listed)
        path = f"/api/v1/matches?limit=7&before={found[-1]}"
    assert found == numbers
    first = {"number": 1, "game": "pig", "name": "Pig", "players": ["Ann", "Ben"], "begun": BEGUN, "ending": None}
    assert table.ask("/api/v1/matches?before=2")[1]["matches"] == [{**first, "events": 0}]
    for wrong in ("limit=x", "limit=", f"limit={MOST_MATCHES + 1}", "before=-1", "before=" + "9" * 40):
        assert table.ask(f"/api/v1/matches?{wrong}")[0] == 422, wrong


def test_a_match_has_all_its_events(table: Table) -> None:
    table.play(200)
    for number in {event["match"] for event in table.stored()}:
        status, found = table.ask(f"/api/v1/matches/{number}")
        wanted = [{k: v for k, v in event.items() if k != "id"} for event in table.stored() if event["match"] == number]
        assert (status, found["events"]) == (200, wanted)
        assert found["match"]["number"] == number
    for wrong in ("x", "-1", "9" * 5000, "1/", "%C2%B2"):
        status, said = table.ask(f"/api/v1/matches/{wrong}")
        assert (status, list(said)) == (404, ["why"])


def test_the_state_is_what_the_table_shows(table: Table) -> None:
    table.play(7)
    wanted = json.loads(json.dumps(state_of(snapshot(table.session, None))))
    status, state = table.ask("/api/v1/state")
    assert (status, state.pop("asks"), state.pop("moment")) == (200, 0, [1, len(table.session.match.log)])
    assert state == wanted
    assert table.ask("/api/v1/state", "HEAD") == (200, None)
    assert table.ask(EVENTS, "HEAD") == (200, None)


def test_a_program_presses(table: Table) -> None:
    """Its command reaches the table as that of a phone; each token has its own pace."""
    wanted: list[object] = []

    def take() -> None:
        while not wanted:
            for command in table.page.inbox.take():
                wanted.append(command.wants)
                command.result.set_result(ACCEPTED)

    thread = threading.Thread(target=take)
    thread.start()
    assert table.ask(COMMAND, "POST", {"do": "hold", "asks": 0})[0] == 204
    thread.join()
    assert table.ask(COMMAND, "POST", {"do": "fly", "asks": 0})[0] == 422
    assert table.ask(COMMAND, "POST", [])[0] == 400
    assert table.ask(COMMAND, "POST", {"do": "keep", "moment": [9, 9], "faces": []})[0] == 409
    statuses = {table.ask(COMMAND, "POST", {"do": "fly", "asks": 0})[0] for _ in range(30)}
    assert statuses == {422, 429}


@pytest.mark.parametrize("path", [*LOOKS, "/api/v1/none"])
def test_nobody_gets_in_without_a_token(table: Table, path: str) -> None:
    address = path.replace("{number}", "1").replace("{rest:path}", "v2")
    for sent in ("", "Bearer", "Bearer ", "Bearer x", f"Basic {table.token}", f"Bearer {table.token}x", "Bearer \xff"):
        answer = Visitor(table.page.address).send("GET", address, None, {"Authorization": sent})
        assert answer.status == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
        assert list(json.loads(answer.body)) == ["why"]
        assert "access-control-allow-origin" not in answer.headers
    assert table.owner.get(address).status in (200, 404) if path != EVENTS else True


def test_another_site_is_refused(table: Table) -> None:
    """A browser names the origin; with a foreign one neither cookie nor token help."""
    wish = json.dumps({"do": "hold", "asks": 0}).encode()
    usual, token = {"Content-Type": "application/json"}, {"Authorization": f"Bearer {table.token}"}
    visitor = Visitor(table.page.address)
    for headers, status in (
        ({"Cookie": table.owner.cookie}, 403),  # no origin: no browser of ours
        ({"Cookie": table.owner.cookie, "Origin": "http://evil.example"}, 403),
        ({**token, "Origin": "http://evil.example"}, 403),
        ({**token, "Origin": "null"}, 403),
        ({"Origin": f"http://{table.page.address}"}, 403),  # our page, not paired
        ({}, 401),
        ({**token, "Host": "evil.example"}, 421),
        ({**token, "Content-Type": "text/plain"}, 415),
        ({**token, "Content-Length": "4097"}, 413),
    ):
        answer = visitor.send("POST", COMMAND, wish, usual | headers)
        assert (answer.status, list(json.loads(answer.body))) == (status, ["why"])
    assert visitor.send("OPTIONS", COMMAND, None, {"Origin": "http://evil.example"}).status == 405


def test_only_a_paired_device_makes_tokens(table: Table) -> None:
    token = {"Authorization": f"Bearer {table.token}", "Content-Type": "application/json"}
    body = json.dumps({"name": "more"}).encode()
    stranger = Visitor(table.page.address)
    origin = {"Origin": f"http://{table.page.address}"}
    assert stranger.send("POST", "/tokens/change", body, token).status == 403
    assert stranger.send("POST", "/tokens/change", body, token | origin).status == 403
    assert stranger.send("GET", "/tokens", None, token).status == 403
    assert [one["name"] for one in json.loads(table.owner.get("/tokens").body)] == ["program 0"]


def test_tokens_are_stored_as_hashes(tmp_path: Path) -> None:
    """Only the owner of the files may read them; they hold after a restart; 32 at most, each with its own name."""
    with playing(tmp_path) as table:
        file = tmp_path / FILE_NAME
        assert file.stat().st_mode & 0o777 == 0o600
        assert table.token not in file.read_text(encoding="utf-8")
        for wrong in ("", "a" * 21, "a\u202eb", "PROGRAM 0", None, 7):
            answer = table.owner.post("/tokens/change", {"name": wrong})
            assert answer.status == (422 if isinstance(wrong, str) else 400)
        for n in range(1, MOST_TOKENS):
            table.page._site.pace = type(table.page._site.pace)(99.0, 99.0)  # noqa: SLF001 - not as quick as fingers
            assert table.owner.post("/tokens/change", {"name": f"no {n} ü"}).status == 200
        assert table.owner.post("/tokens/change", {"name": "one more"}).status == 422
        kept = table.token
        names = json.loads(table.owner.get("/tokens").body)
        assert len(names) == MOST_TOKENS
        table.owner.post("/tokens/change", {"name": "no 1 ü", "revoke": True})
    with playing(tmp_path) as again:
        again.token = kept
        assert again.ask("/api/v1/state")[0] == 200
        assert len(json.loads(again.owner.get("/tokens").body)) == MOST_TOKENS


@pytest.mark.parametrize("damage", [b"\xff\xfe\x00", b"x\ny z\n\n" * 50, b"0" * 64 + b" 2026-11-28 \n", b"\n" * 10_000])
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(damage)
    with playing(tmp_path) as table:
        assert table.ask("/api/v1/state")[0] == 200  # a new one can be made
        assert [one["name"] for one in json.loads(table.owner.get("/tokens").body)] == ["program 0"]


def test_a_file_that_cannot_be_read_lets_nobody_in(tmp_path: Path) -> None:
    """The table serves its page, and says why no token can be made."""
    (tmp_path / FILE_NAME).mkdir()
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    owner = let_in(page)
    answer = owner.post("/tokens/change", {"name": "lights"})
    assert (answer.status, list(json.loads(answer.body))) == (422, ["why"])
    assert owner.get("/tokens").body == b"[]"
    assert owner.get("/api/v1/matches").status == 503  # there is no store either
    assert owner.get(EVENTS).status == 503
    page.close()


def test_what_cannot_be_stored_is_said(table: Table, tmp_path: Path) -> None:
    """A token that could not be stored is none; one that is revoked is invalid at once, even so."""
    blocked = tmp_path / f"{FILE_NAME}.new"
    blocked.mkdir()
    (blocked / "full").touch()
    answer = table.owner.post("/tokens/change", {"name": "lost"})
    assert (answer.status, list(json.loads(answer.body))) == (422, ["why"])
    assert table.owner.post("/tokens/change", {"name": "program 0", "revoke": True}).status == 422
    assert table.ask("/api/v1/state")[0] == 401


def test_streams_are_limited(table: Table) -> None:
    table.page._site.viewers["api"] = MOST_VIEWERS  # noqa: SLF001 - as many as there may be
    status, said = table.ask(EVENTS)
    assert (status, list(said)) == (503, ["why"])


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with playing(tmp_path_factory.mktemp("fuzzed")) as made:
        made.play(12)
        yield made


LATIN = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)


BODIES = st.binary(max_size=300) | JSON.map(lambda value: json.dumps(value).encode())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(BODIES, LATIN, LATIN, st.sampled_from([*LOOKS, COMMAND]))
def test_no_request_breaks_it(fuzzed: Table, body: bytes, authorization: str, last: str, path: str) -> None:
    """Whatever comes, the answer is a refusal in JSON, and the table goes on."""
    address = path.replace("{number}", "7").replace("{rest:path}", "x")
    headers = {"Authorization": authorization.strip() or f"Bearer {fuzzed.token}", "Last-Event-ID": last.strip()}
    visitor = Visitor(fuzzed.page.address)
    fuzzed.page._site.pace = type(fuzzed.page._site.pace)(99.0, 99.0)  # noqa: SLF001 - not as quick as fingers
    headers["Content-Type"] = "application/json"
    answer = (
        visitor.send("POST", address, body, headers)
        if path == COMMAND
        else visitor.send("HEAD", address, None, headers)
    )
    assert answer.status in (200, 204, 400, 401, 404, 409, 422, 429)
    assert fuzzed.ask("/api/v1/state")[0] == 200
