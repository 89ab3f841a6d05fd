"""Webhooks against a real receiver with every fault: what arrives, how often it is tried, and that nothing waits."""

import asyncio
import re
import shlex
import socket
import ssl
import subprocess
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import http_receiver as receivers_of
import pytest
from http_receiver import Behaviour, Got, Receiver, never_accepting, receiving, status
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.broadcast import hooks
from tabletop.broadcast.history import History, Place
from tabletop.broadcast.hooks import LOCAL, MOST_WAITING, Timing, Webhook, attempt, request
from tabletop.broadcast.hub import Hub, close_all
from tabletop.broadcast.receivers import Receivers
from tabletop.broadcast.wled import SEATS
from tabletop.config.file import load_configuration
from tabletop.config.hooks import Hook
from tabletop.core.values import Moment
from tabletop.rules import Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store

QUICK = Timing(attempt_s=0.5, pauses_s=(0.01, 0.01))
TRIES = 1 + len(QUICK.pauses_s)
PATIENCE_S = 20.0  # of a busy machine, before a test fails
SLACK_S = 1.0  # a busy machine may be this late
MOST_BYTES = 1 << 19  # of an endless answer in memory
WELL = ("", False)
SHARED = Path(__file__).parents[2]

UNWELL: dict[str, Behaviour] = {
    "hang": receivers_of.hang,
    "dribble": receivers_of.dribble,
    "close": receivers_of.close,
    "reset": receivers_of.reset,
    "no HTTP": receivers_of.no_http,
}


def _hook(folder: Path, url: str, more: str = "") -> Hook:
    path = folder / "tabletop.toml"
    path.write_text(f'[[hooks]]\nurl = "{url}"\n{more}\n', encoding="utf-8")
    (hook,) = load_configuration(path).hooks
    return hook


def _well_after(go_on: threading.Event) -> Behaviour:
    def slow(connection: socket.socket, receiver: Receiver) -> None:
        go_on.wait(PATIENCE_S)
        status(200)(connection, receiver)

    return slow


def _tried(hook: Hook, text: bytes, within_s: float = PATIENCE_S) -> tuple[str, bool]:
    return asyncio.run(attempt(hook, text, within_s))


class _Table:
    """A table whose hub has hooks. path: of its store."""

    def __init__(self, hub: Hub, session: MatchSession, outlets: list[Webhook], receivers: Receivers) -> None:
        self.hub, self.session, self.outlets, self.receivers = hub, session, outlets, receivers

    def play(self, answers: int) -> None:
        chance = Random(7)
        for _ in range(answers):
            self.session.give(random_answer(self.session.match.request, chance))

    def pause(self, *, paused: bool, now_s: float) -> None:
        self.hub.show(replace(snapshot(self.session, None), paused=paused), None, now_s)

    def close(self, within_s: float = PATIENCE_S) -> None:
        self.hub.close()
        close_all(self.outlets, within_s)


@contextmanager
def _table(folder: Path, *all_hooks: Hook, timing: Timing = QUICK) -> Iterator[_Table]:
    hub, receivers = Hub(folder / "a.db"), Receivers(folder / "receivers.json")
    outlets = [Webhook(hook, receivers, timing) for hook in all_hooks]
    with Store(folder / "a.db") as store:
        library = MatchLibrary(store, lambda: Moment("2026-11-28T18:00:00.000Z"), hub.stored)
        hub.start(store.newest_sequence())
        for outlet in outlets:
            outlet.start(hub)
        yield _Table(hub, library.begin(Match("pig", ["Ann", "Ben"], target=200)), outlets, receivers)
        hub.close()


def _rest(receiver: Receiver) -> list[Got]:
    found = list[Got]()
    while not receiver.got.empty():
        found.append(receiver.got.get())
    return found


def _stored(folder: Path) -> list[dict[str, Any]]:
    history, place, found = History(folder / "a.db"), Place(0), list[dict[str, Any]]()
    while told := history.after(place):
        found += (one.data for one in told)
        place = told[-1].place or place
    return found


def test_every_event_arrives_once_in_order(tmp_path: Path) -> None:
    """Without a body the events themselves, as JSON; a filtered hook gets its own."""
    with receiving(status(200)) as receiver, receiving(status(204)) as other:
        of_ben = _hook(tmp_path, other.url, 'on = ["throw", "bust"]\nplayer = "Ben"\nmethod = "PUT"')
        with _table(tmp_path, _hook(tmp_path, receiver.url), of_ben) as table:
            table.play(30)
            table.close()
        assert table.receivers.failing() == {}
    expected = _stored(tmp_path)
    got = _rest(receiver)
    assert [one.json for one in got] == expected
    assert {(one.method, one.path, one.headers["content-type"]) for one in got} == {("POST", "/", "application/json")}
    own = [event for event in expected if event["kind"] in ("throw", "bust") and event["player"] == "Ben"]
    filtered = _rest(other)
    assert own
    assert [one.json for one in filtered] == own
    assert {one.method for one in filtered} == {"PUT"}


def test_live_events_arrive_too(tmp_path: Path) -> None:
    with receiving(status(200)) as receiver:
        with _table(tmp_path, _hook(tmp_path, receiver.url, 'on = "table"')) as table:
            table.pause(paused=False, now_s=0.0)
            table.pause(paused=True, now_s=1.0)
            table.close()
        assert [one.json["state"] for one in _rest(receiver)] == ["playing", "paused"]


@pytest.mark.parametrize(
    ("number", "tries"), [(200, 1), (204, 1), (301, 1), (400, 1), (404, 1), (429, TRIES), (500, TRIES), (503, TRIES)]
)
def test_status_decides_on_another_try(number: int, tries: int, tmp_path: Path) -> None:
    """A redirect is not followed, and a failure has its status."""
    with receiving(status(200)) as elsewhere:
        with receiving(status(number, f"location: {elsewhere.url}/\r\n")) as receiver:
            hook = _hook(tmp_path, receiver.url, 'on = "table"')
            with _table(tmp_path, hook) as table:
                table.pause(paused=False, now_s=0.0)
                got = [receiver.got.get(timeout=PATIENCE_S) for _ in range(tries)]
                table.close()
                assert table.receivers.failing().get(hook.name, {}).get("why", "") == (
                    "" if number < 300 else f"answers {number}"
                )
            assert _rest(receiver) == []
        assert {one.body for one in got} == {got[0].body}
        assert _rest(elsewhere) == []


@pytest.mark.parametrize("fault", UNWELL)
def test_bad_receiver_is_tried_three_times_and_reported_until_it_is_well(fault: str, tmp_path: Path) -> None:
    with receiving(UNWELL[fault]) as receiver:
        hook = _hook(tmp_path, receiver.url, 'on = "table"')
        with _table(tmp_path, hook) as table:
            table.pause(paused=False, now_s=0.0)
            for _ in range(TRIES):
                receiver.got.get(timeout=PATIENCE_S)
            table.pause(paused=True, now_s=1.0)  # sent only once the first event is given up
            receiver.got.get(timeout=PATIENCE_S)
            failing = table.receivers.failing()[hook.name]
            assert failing["why"] == ("slow" if fault in ("hang", "dribble") else "unreachable")
            receiver.behaves = status(200)
            table.pause(paused=False, now_s=2.0)
            while receiver.got.get(timeout=PATIENCE_S).json["state"] == "paused":
                pass
            table.close()
        assert _rest(receiver) == []
        assert table.receivers.failing() == {}


@pytest.mark.parametrize("fault", ["endless_status", "endless_headers", "endless_body"])
def test_answer_without_end_counts_by_its_status(fault: str, tmp_path: Path) -> None:
    """And of what it sends no more is read than what is on its way."""
    with receiving(getattr(receivers_of, fault)) as receiver:
        hook = _hook(tmp_path, receiver.url)
        tracemalloc.start()
        begun_s = time.monotonic()
        assert _tried(hook, request(hook, None, {"kind": "turn"}), QUICK.attempt_s) == WELL
        took_s, (_, peak) = time.monotonic() - begun_s, tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert took_s < QUICK.attempt_s + SLACK_S
    assert peak < MOST_BYTES + 2 * len(receivers_of.BLOCK)  # the receiver's own block is in this process


@pytest.mark.parametrize("fault", ["hang", "dribble", "hanging handshake", "never accepts"])
def test_no_try_takes_longer_than_it_may(fault: str, tmp_path: Path) -> None:
    with ExitStack() as opened:
        if fault == "never accepts":
            url = opened.enter_context(never_accepting())
        elif fault == "hanging handshake":
            silent = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
            url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        else:
            url = opened.enter_context(receiving(UNWELL[fault])).url
        hook = _hook(tmp_path, url)
        begun_s = time.monotonic()
        assert _tried(hook, request(hook, None, {"kind": "turn"}), QUICK.attempt_s) == ("slow", True)
        assert time.monotonic() - begun_s < QUICK.attempt_s + SLACK_S


def test_certificate_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that no known authority signed is refused before anything is sent; a known one is accepted."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = shlex.split("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=x")
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", *words], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with receiving(status(200), context) as receiver:
        hook = _hook(tmp_path, receiver.url.replace("http:", "https:"))
        text = request(hook, None, {"kind": "turn"})
        assert _tried(hook, text) == ("certificate", True)
        assert _rest(receiver) == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert _tried(hook, text) == WELL
        assert len(_rest(receiver)) == 1


@pytest.mark.parametrize("host", ["a..b", ".a", "x" * 70])
def test_name_that_is_none_is_called_so(host: str, tmp_path: Path) -> None:
    hook = _hook(tmp_path, f"https://{host}/", 'on = "table"')
    with _table(tmp_path, hook, timing=replace(QUICK, attempt_s=PATIENCE_S)) as table:
        table.pause(paused=False, now_s=0.0)
        table.close()
    assert table.receivers.failing()[hook.name]["why"] == "name"


def test_queue_is_bounded_and_keeps_the_newest(tmp_path: Path) -> None:
    """While the receiver thinks about the first event a thousand others come."""
    go_on = threading.Event()
    with receiving(_well_after(go_on)) as receiver:
        hook = _hook(tmp_path, receiver.url, 'on = "table"')
        with _table(tmp_path, hook, timing=replace(QUICK, attempt_s=PATIENCE_S)) as table:
            table.pause(paused=False, now_s=0.0)
            numbers = [_number(receiver.got.get(timeout=PATIENCE_S))]
            for number in range(1, 1001):
                table.pause(paused=bool(number % 2), now_s=float(number))
            table.hub.close()
            go_on.set()
            close_all(table.outlets, PATIENCE_S)
        numbers += map(_number, _rest(receiver))
    assert numbers == [1, *range(1002 - MOST_WAITING, 1002)]


def _number(got: Got) -> int:
    return int(got.json["id"].rpartition("-")[2])


def test_old_event_is_dropped(tmp_path: Path) -> None:
    with receiving(status(200)) as receiver:
        hook = _hook(tmp_path, receiver.url)
        with _table(tmp_path, hook, timing=replace(QUICK, old_s=0.0)) as table:
            table.play(3)
            table.close()
        assert _rest(receiver) == []
        assert table.receivers.failing()[hook.name]["why"] == "slow"


def test_closing_waits_no_longer_than_it_may(tmp_path: Path) -> None:
    with ExitStack() as open_things:
        bad = [open_things.enter_context(receiving(receivers_of.hang)) for _ in range(3)]
        hanging = [_hook(tmp_path, one.url) for one in bad]
        with _table(tmp_path, *hanging, timing=Timing()) as table:
            table.play(10)
            table.hub.close()
            begun_s = time.monotonic()
            close_all(table.outlets, 0.3)
            assert time.monotonic() - begun_s < 0.3 + SLACK_S


def test_no_throw_waits_for_a_receiver(tmp_path: Path) -> None:
    """Every receiver is broken: giving answers costs what it costs without, and nothing in the hub waits either."""
    with ExitStack() as open_things:
        bad = [open_things.enter_context(receiving(one)) for one in UNWELL.values()]
        broken = [_hook(tmp_path, one.url) for one in bad]
        with _table(tmp_path, *broken, timing=Timing()) as table:
            begun_s = time.monotonic()
            table.play(60)
            table.hub.close()
            assert time.monotonic() - begun_s < Timing().attempt_s  # a single wait for a receiver would take this long


NAMES = st.text(max_size=30) | st.sampled_from(
    ['"}', "\r\nX: y", "{player}", "a&b=c", "../..", "\ud800", "</x>", "%0d"]
)


@settings(max_examples=60, deadline=None)
@given(name=NAMES, faces=st.lists(st.integers(1, 6), max_size=6))
def test_no_name_breaks_out_of_json_or_url(name: str, faces: list[int]) -> None:
    target = "/a/{player}/b?who={player}&n={n}"
    body = {"text": "<{player}> {notation}", "more": [{"who": "{player}"}, 7, None]}
    with receiving(status(200)) as receiver:
        hook = Hook("hook 1", "127.0.0.1", receiver.server_address[1], tls=False, target=target, body=body)
        event = {"player": name, "notation": str(faces), "n": 3}
        assert _tried(hook, request(hook, hook.body, event)) == WELL
        (got,) = _rest(receiver)
    assert got.json == {"text": f"<{name}> {faces}", "more": [{"who": name}, 7, None]}
    shown = name.encode("utf-8", "replace").decode()
    parts = urlsplit(got.path)
    assert [unquote(part) for part in parts.path.split("/")] == ["", "a", shown, "b"]
    assert parse_qs(parts.query, keep_blank_values=True) == {"who": [shown], "n": ["3"]}
    assert set(got.headers) == {"host", "content-type", "user-agent", "connection", "content-length"}


def test_text_of_fields(tmp_path: Path) -> None:
    with receiving(status(200)) as receiver:
        more = 'body = "{player}: {scores}; {faces}; {ask}"\nheaders = { Title = "Dice", Content-Type = "text/x" }'
        hook = _hook(tmp_path, receiver.url, more)
        event = {"player": "Zoë", "scores": {"Zoë": 5, "Ben": 0}, "faces": [1, 2]}
        assert _tried(hook, request(hook, hook.body, event)) == WELL
        (got,) = _rest(receiver)
    assert got.body.decode() == "Zoë: Zoë 5, Ben 0; 1, 2; "
    assert (got.headers["title"], got.headers["content-type"]) == ("Dice", "text/x")


def test_local_networks_are_those_of_the_unit() -> None:
    """An address of theirs is none that a line in the unit's drop-in could be missing for."""
    unit = (SHARED / "systemd/tabletop.service").read_text(encoding="utf-8")
    (allowed,) = re.findall(r"^IPAddressAllow=localhost link-local (.*)$", unit, flags=re.MULTILINE)
    named = [str(network) for network in LOCAL]
    assert named[-4:] == allowed.split()
    for address in ("127.0.0.1", "::1", "169.254.3.4", "fe80::1"):  # localhost and link-local
        assert any(ip_address(address) in network for network in LOCAL[:-4])


def test_hook_outside_the_local_network_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No loopback address is outside, so the list of what is local is emptied; the timeout is a real one."""
    monkeypatch.setattr(hooks, "LOCAL", ())
    with never_accepting() as url:
        hook = _hook(tmp_path, url, 'on = "table"')
        with _table(tmp_path, hook, timing=replace(QUICK, pauses_s=())) as table:
            table.pause(paused=False, now_s=0.0)
            table.close()
    assert table.receivers.failing()[hook.name]["why"] == "outside 127.0.0.1"


@pytest.mark.parametrize(
    ("addresses", "why"),
    [
        (("2001:db8::5", "192.168.1.5"), "slow"),
        (("192.168.1.5",), "slow"),
        (("2001:db8::5", "203.0.113.7"), "outside 2001:db8::5"),
    ],
)
def test_lamp_at_home_that_is_off_is_not_outside(
    addresses: tuple[str, ...], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though many homes give it a second address that the internet knows."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(0, 0, 0, "", (address, 0)) for address in addresses])
    assert hooks.reason(TimeoutError(), "wled.local") == why


def test_lamp_gets_the_newest_and_no_evening(tmp_path: Path) -> None:
    """While the lamp thinks, a match goes on; then it gets the colour of whose turn it is now, and no turn before."""
    go_on = threading.Event()
    with receiving(_well_after(go_on)) as receiver:
        hook = _hook(tmp_path, f"{receiver.url}/lamp/", 'preset = "wled"')
        with _table(tmp_path, hook, timing=replace(QUICK, attempt_s=PATIENCE_S)) as table:
            table.play(1)
            assert receiver.got.get(timeout=PATIENCE_S).path == "/lamp/json/state"
            table.play(40)
            table.hub.close()
            go_on.set()
            close_all(table.outlets, PATIENCE_S)
            asked = table.session.match.request.player
        *moments, last = [one.json for one in _rest(receiver)]
    assert len(moments) <= 1
    assert last["seg"]["col"] == [list(SEATS[["Ann", "Ben"].index(asked or "")])]
