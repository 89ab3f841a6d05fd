"""The table's side: what it hears from the helper behind a real socket."""

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from admin_machine import Helper, installed
from admin_socket import serving

from tabletop.service import admin

BLOCKS = 64


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Helper]:
    """Serve one connection after the other, as systemd does."""
    helper, path = installed(tmp_path), tmp_path / "socket"
    monkeypatch.setenv(admin.VARIABLE, str(path))
    with serving(helper, path):
        yield helper


@pytest.mark.usefixtures("helper")
def test_it_asks_and_hears_the_answer() -> None:
    """A refusal too, whatever else it wants to send."""
    (answer,) = admin.ask("state", {})
    assert answer["done"]["versions"]["current"] == "0.2"
    assert list(admin.ask("keep", {"do": "state"})) == [{"refused": "no-trial", "about": ""}]
    body = (b"x" * 65_536 for _ in range(BLOCKS))
    (refused,) = admin.ask("reboot", {}, body)
    assert refused["refused"] == "bad-request"


@pytest.mark.parametrize(
    ("said", "heard"),
    [(b"", admin.BUSY), (b"half a li", admin.BUSY), (b'{"step": "a"}\n', admin.GONE), (b"1\n", admin.GONE)],
)
def test_what_ends_early_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes, heard: dict[str, str]
) -> None:
    """A helper that closes at once has too much to do; one that ends in the middle is gone."""
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()

        def serve() -> None:
            with listener.accept()[0] as connection:
                connection.recv(100)
                connection.sendall(said)

        serving = threading.Thread(target=serve)
        serving.start()
        answers = list(admin.ask("state", {}))
        serving.join()
    assert answers[-1] == heard


def test_a_table_that_was_not_installed_has_no_helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so, at once."""
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "nothing"))
    with pytest.raises(admin.AdminMissing):
        next(admin.ask("state", {}))
