"""MQTT with a real Mosquitto: every stored event arrives once by its id and in order, whatever happens to it."""

import json
import socket
import statistics
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from mosquitto import Listener, Way, broker, free_port, until
from told_table import TABLE, Table, at, table

from tabletop.broadcast import mqtt
from tabletop.broadcast.history import History, Place
from tabletop.config.mqtt import Broker

GIVEN, OTHER = "pass word", "secret"
KEEPALIVE_S = 2  # instead of 15, so that a test need not wait
MOST_DELAY_S = 2.0  # of an answer while the broker hangs; generous: other tests run beside this one


def stored(path: Path) -> list[str]:
    history, place, found = History(path), Place(0), list[str]()
    while told := history.after(place):
        found += (one.data["id"] for one in told)
        place = told[-1].place or place
    return found


def arrived(listener: Listener) -> list[str]:
    """Return the ids of the stored events that arrived, each once, in the order of their first arrival."""
    return list(dict.fromkeys(one["id"] for one in listener.events() if "n" in one))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [(), ("persistence true", "autosave_interval 1", "autosave_on_changes true")])
def test_ten_thousand_events_arrive_once_through_broker_restarts(tmp_path: Path, settings: tuple[str, ...]) -> None:
    """Killed in the middle of them, and down for a while: those that it did not acknowledge come again, in order.

    The table comes back after the listener: a broker may drop what arrives while there is no subscriber.
    """
    where = (f"persistence_location {tmp_path}/",) if settings else ("persistence false",)
    with broker(tmp_path, "max_inflight_messages 0", "max_queued_messages 0", *where, *settings) as own:
        with closing(Listener(own.port)) as listener, closing(Way(own.port)) as way:
            with table(tmp_path, at(way.port)) as played:
                for part in range(16):
                    played.play(400)
                    if part % 3 == 1:
                        subscribed = listener.again(0)
                        own.kill()
                        way.cut()
                        played.play(50)
                        own.start()
                        listener.again(subscribed)
                        way.open()
                until(lambda: arrived(listener)[-1:] == stored(played.path)[-1:], 60.0)
            ids = arrived(listener)
            until(lambda: listener.last("availability") == mqtt.OFFLINE)
        assert ids == stored(played.path)
        assert len(ids) >= 10_000
        assert played.receivers.failing() == {}


@pytest.mark.slow
@pytest.mark.parametrize("kept", [None, "99999999999999999.0", "rubbish", "\u00e4"])
def test_table_begins_with_what_is_new_if_it_has_no_place_in_this_store(tmp_path: Path, kept: str | None) -> None:
    """At the first start ever, with a store that was put back, and with a file that is damaged."""
    path = tmp_path / "a.mqtt"
    with table(tmp_path, at(free_port())) as played:
        played.play(10)
    before = stored(played.path)
    path.unlink()
    if kept is not None:
        path.write_text(kept)
    with broker(tmp_path, "persistence false") as own, closing(Listener(own.port)) as listener:
        with table(tmp_path, at(own.port)) as played:
            played.play(10)
        until(lambda: arrived(listener)[-1:] == stored(played.path)[-1:])
        assert arrived(listener) == stored(played.path)[len(before) :]


@pytest.mark.slow
@pytest.mark.parametrize("stopped", ["broker", "way"])
def test_half_open_connection_is_noticed_and_delays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    """The broker is stopped, or the network drops packets; the connection stays open."""
    monkeypatch.setattr(mqtt, "KEEPALIVE_S", KEEPALIVE_S)
    with (
        broker(tmp_path, "persistence false") as own,
        closing(Listener(own.port)) as listener,
        closing(Way(own.port)) as way,
    ):
        with table(tmp_path, at(way.port)) as played:
            played.play(20)
            until(lambda: arrived(listener))
            own.hang() if stopped == "broker" else way.stall()
            played.delays_s.clear()
            played.play(300)
            assert max(played.delays_s) < MOST_DELAY_S
            until(played.why)
            own.go_on() if stopped == "broker" else way.go_on()
            until(lambda: not played.why())
            played.play(20)
        until(lambda: arrived(listener)[-1:] == stored(played.path)[-1:])
        assert arrived(listener) == stored(played.path)


@pytest.mark.slow
def test_refused_password_is_told_and_tried_again_slowly(tmp_path: Path) -> None:
    secrets = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", secrets, "ann", GIVEN], check=True)
    with broker(tmp_path, "allow_anonymous false", f"password_file {secrets}", "persistence false") as own:
        with table(tmp_path, at(own.port, user="ann", password=OTHER)) as played:
            until(played.why)
            assert played.why() == "refuses"
            tries = own.log.read_text().count("not authorised")
            with pytest.raises(AssertionError):
                until(lambda: own.log.read_text().count("not authorised") > tries, 5.0)
        with table(tmp_path, at(own.port)) as played:
            until(lambda: played.why() == "refuses")
        assert "Received PUBLISH" not in own.log.read_text()
        with table(tmp_path, at(own.port, user="ann", password=GIVEN)) as played:
            until(lambda: not played.why())
        assert "Received PUBLISH" in own.log.read_text()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a failed socket to its end
@pytest.mark.slow
def test_tls_with_an_authority_of_ones_own(tmp_path: Path) -> None:
    """Only with its file, and only for the name in the certificate; the events arrive."""
    ca, key, certificate = _certificates(tmp_path)
    lines = (f"certfile {certificate}", f"keyfile {key}", f"cafile {ca}", "persistence false")
    with broker(tmp_path, *lines) as own, closing(Listener(own.port, ca_certs=str(ca))) as listener:
        for why, wrong in (
            ("certificate", at(own.port, tls=True)),
            ("broker", at(own.port)),
            ("certificate", Broker("localhost", own.port, tls=True, ca=ca)),
        ):
            with table(tmp_path, wrong) as played:
                until(lambda why=why, played=played: played.why() == why)
        with table(tmp_path, at(own.port, tls=True, ca=ca)) as played:
            until(lambda: not played.why())
            played.play(300)
        until(lambda: arrived(listener)[-1:] == stored(played.path)[-1:])
        assert len(arrived(listener)) > 300
        assert arrived(listener) == stored(played.path)
    with broker(tmp_path, "persistence false") as plain, table(tmp_path, at(plain.port, tls=True, ca=ca)) as played:
        until(played.why)


RUBBISH = (b"online", b"", b"\xff\x00" * 500, b"[" * 100_000, b'{"a": ' * 50_000, b"x" * 3_000_000)


@pytest.mark.slow
def test_hostile_messages_do_nothing(tmp_path: Path) -> None:
    """On every topic that the table or Home Assistant uses, retained or not: the table listens to none of them."""
    own_topics = (f"tabletop/{TABLE}/{name}" for name in ("events", "state", "availability", "command", "set"))
    topics = ["homeassistant/status", f"homeassistant/device/{TABLE}/config", *own_topics]
    with broker(tmp_path, "persistence false") as own, closing(Listener(own.port)) as listener:
        for retain in (True, False):
            with table(tmp_path, at(own.port)) as played:
                for rubbish in RUBBISH:
                    for topic in topics:
                        listener.client.publish(topic, rubbish, 1, retain=retain).wait_for_publish(10.0)
                    played.play(5)
            assert not played.why()
        events = [json.loads(one.payload) for one in listener.messages
                  if one.topic.endswith("/events") and one.payload.startswith(b'{"id"')]  # fmt: skip
        known = list(dict.fromkeys(one["id"] for one in events if "n" in one))
        assert known == stored(tmp_path / "a.db")
        assert " tabletop-" in own.log.read_text()
        assert "Received SUBSCRIBE from tabletop-" not in own.log.read_text()


@pytest.mark.slow
def test_messages_come_soon_after_a_throw_is_on_disk(tmp_path: Path) -> None:
    with broker(tmp_path, "persistence false") as own, closing(Listener(own.port)) as listener:
        delays_s = list[float]()
        with table(tmp_path, at(own.port)) as played:
            played.play(1)
            until(lambda: arrived(listener))
            for _ in range(100):
                played.play(1)
                newest = stored(played.path)[-1]
                until(lambda newest=newest: arrived(listener)[-1] == newest)
                stamp = next(one.timestamp for one in listener.messages if newest.encode() in one.payload)
                delays_s.append(stamp - played.stored_s)
        figure = statistics.median(delays_s)
        sys.stdout.write(f"on disk to message: median {1000 * figure:.1f} ms, most {1000 * max(delays_s):.1f} ms\n")
        assert figure < MOST_DELAY_S


def _certificates(folder: Path) -> tuple[Path, Path, Path]:
    """Make an authority, and a certificate for 127.0.0.1; return its file, the key and the certificate."""
    ca, key, certificate = folder / "ca.pem", folder / "key.pem", folder / "certificate.pem"
    openssl = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
    ]  # fmt: skip
    subprocess.run([*openssl, "-keyout", folder / "ca.key", "-out", ca, "-subj", "/CN=own authority"],
                   check=True, capture_output=True)  # fmt: skip
    subprocess.run([*openssl, "-keyout", key, "-out", certificate, "-subj", "/CN=broker", "-CA", ca, "-CAkey",
                    folder / "ca.key", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                    "basicConstraints=critical,CA:FALSE"], check=True, capture_output=True)  # fmt: skip
    return ca, key, certificate


def test_without_a_broker_the_end_comes_at_once(tmp_path: Path) -> None:
    """A refused connection is recorded and does not delay the end."""
    with table(tmp_path, at(free_port())) as played:
        played.play(5)
        until(played.why)
        begun_s = time.monotonic()
    assert time.monotonic() - begun_s < 4.0
    assert (tmp_path / "a.mqtt").read_text().partition(".")[0] == "0"


def test_server_that_never_answers_is_waited_for_as_long_as_was_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        played = Table(tmp_path, at(silent.getsockname()[1]))
        played.play(5)
        begun_s = time.monotonic()
        played.close(1.0)
        assert 0.9 < time.monotonic() - begun_s < 4.0


def test_server_that_speaks_something_else_is_no_broker(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, table(tmp_path, at(other.getsockname()[1])) as played:
        with other.accept()[0] as connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 1000)
        until(played.why)
        other.close()
