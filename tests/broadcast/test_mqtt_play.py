"""`tabletop play --mqtt` as a program: it is killed, it ends with its match, and prints what it always prints."""

import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from mosquitto import Listener, broker, free_port, until

from tabletop.broadcast.history import History, Place

pytestmark = pytest.mark.slow
FLUSH_S = 5.0  # of the issue
ENDING_S = 3.0  # of the program itself, beside other tests
PIG = ("pig", "--players", "Ann,Ben", "--seed", "1", "--set", "target=15")


def _command(store: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "tabletop", "play", *words, "--json", "--store", str(store)]


def _played(store: Path, *words: str) -> tuple[list[str], float]:
    """Play to the end; return what was printed, and for how long the program ran after its last line."""
    with subprocess.Popen(_command(store, *PIG, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as program:  # fmt: skip
        assert program.stdout is not None
        assert program.stderr is not None
        lines, last_s = list[str](), 0.0
        for line in program.stdout:
            lines.append(line)
            last_s = time.monotonic()
        assert program.wait() == 0, program.stderr.read()
    return lines, time.monotonic() - last_s


def test_match_prints_the_same_and_ends_in_time_whatever_the_broker_does(tmp_path: Path) -> None:
    without, _ = _played(tmp_path / "without.db")
    with broker(tmp_path, "persistence false") as own, closing(Listener(own.port)) as listener:
        lines, ended_s = _played(tmp_path / "with.db", "--mqtt", own.url)
        assert lines == without
        assert ended_s < FLUSH_S + ENDING_S
        until(lambda: "match_over" in [one["kind"] for one in listener.events()])
        until(lambda: listener.last("availability") == "offline")
        own.hang()
        lines, ended_s = _played(tmp_path / "hanging.db", "--mqtt", own.url)
        assert lines == without
        assert ended_s < FLUSH_S + ENDING_S
        own.go_on()
    lines, ended_s = _played(tmp_path / "none.db", "--mqtt", f"mqtt://127.0.0.1:{free_port()}")
    assert lines == without
    assert ended_s < FLUSH_S + ENDING_S


def test_nothing_is_missing_after_kills_of_the_table(tmp_path: Path) -> None:
    """Killed again and again, once while the broker hangs; then it plays on: all that is stored has arrived once."""
    store, chance = tmp_path / "a.db", random.Random(3)
    with broker(tmp_path, "persistence false") as own, closing(Listener(own.port)) as listener:
        for kill in range(6):
            game = ("--resume",) if kill else ("ten-thousand", "--players", "Ann,Ben", "--set", "target=100000")
            if kill == 3:
                own.hang()
            words = _command(store, *game, "--seed", str(kill), "--mqtt", own.url)
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as program:
                assert program.stdout is not None
                for _ in range(chance.randint(2, 8)):
                    program.stdout.readline()
                with pytest.raises(subprocess.TimeoutExpired):
                    program.wait(chance.uniform(0.0, 0.5))
                program.send_signal(signal.SIGKILL)
            if kill == 3:
                own.go_on()
        lines, _ = _played(store, "--mqtt", own.url)
        assert lines
        until(lambda: listener.last("availability") == "offline")
        ids = list(dict.fromkeys(one["id"] for one in listener.events() if "n" in one))
    history, place, stored = History(store), Place(0), list[str]()
    while told := history.after(place):
        stored += (one.data["id"] for one in told)
        place = told[-1].place or place
    assert ids == stored
    assert len(stored) > 30


def test_page_of_another_program_is_no_broker(tmp_path: Path) -> None:
    """A server that takes the connection and says nothing: the match ends all the same."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        _, ended_s = _played(tmp_path / "a.db", "--mqtt", f"mqtt://127.0.0.1:{silent.getsockname()[1]}")
    assert ended_s < FLUSH_S + ENDING_S
