"""The broker from the configuration and the command line: what is taken, and what is refused in one line."""

import socket
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.config.file import load_configuration
from tabletop.config.mqtt import Broker, broker_of
from tabletop.core.errors import InputError

GIVEN = "pass word"


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("mqtt://broker", ("broker", 1883, False, None, None)),
        ("mqtts://broker.lan/", ("broker.lan", 8883, True, None, None)),
        ("mqtt://ann:p%40ss%3A@10.0.0.1:1884", ("10.0.0.1", 1884, False, "ann", "p@ss:")),
        ("mqtt://ann@[fd00::1]:1", ("fd00::1", 1, False, "ann", None)),
    ],
)
def test_urls(url: str, wanted: tuple[object, ...]) -> None:
    broker = broker_of(url)
    assert (broker.host, broker.port, broker.tls, broker.user, broker.password) == wanted


@pytest.mark.parametrize(
    "url",
    ["broker", "http://broker", "mqtt://", "mqtt://:1", "mqtt://a:0x", "mqtt://a:99999", "mqtt://a/b", "mqtt://a?b",
     "mqtt://a b", "mqtt://[", "mqtt://u:secret@", "mqtt://u:secret@a b"],
)  # fmt: skip
def test_wrong_urls_are_refused_without_their_password(url: str) -> None:
    with pytest.raises(InputError, match="mqtt://") as caught:
        broker_of(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def _load(folder: Path, text: str) -> Broker | None:
    path = folder / "tabletop.toml"
    path.write_text(text)
    return load_configuration(path).broker


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    (tmp_path / "secret").write_text(f"{GIVEN}\n")
    text = ('[mqtt]\nurl = "mqtts://b"\nuser = "ann"\npassword_file = "secret"\nca = "ca.pem"\nid = "club"\n'
            'discovery = false\ndiscovery_prefix = "ha"\n')  # fmt: skip
    assert _load(tmp_path, text) == Broker(
        "b", 8883, tls=True, user="ann", password=GIVEN, ca=tmp_path / "ca.pem", table="club", discovery=False,
        prefix="ha",
    )  # fmt: skip
    assert GIVEN not in repr(_load(tmp_path, text))
    assert _load(tmp_path, 'camera = "sim"\n') is None


def test_usual_id_is_the_machines_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "würfel tisch.fritz.box")
    broker = _load(tmp_path, '[mqtt]\nurl = "mqtt://b"\n')
    assert broker is not None
    assert (broker.table, broker.discovery, broker.prefix) == ("w-rfel-tisch", True, "homeassistant")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[mqtt]\nuser = 'a'", "expected a line url = ... below [mqtt]"),
        ("mqtt = 'mqtt://b'", "line 1: expected mqtt to be a table"),
        ("[mqtt]\nurl = 'b'", "line 2: expected mqtt://"),
        ("[mqtt]\nurl = 3", "line 2: expected url to be a word"),
        ("[mqtt]\nurl = 'mqtt://b'\npassword = 12345678", "line 3: expected password to be a word"),
        ("[mqtt]\nurl = 'mqtt://b'\npassword_file = 'none'", "line 3: expected password_file to be a text file"),
        ("[mqtt]\nurl = 'mqtts://b'\nca = 'none'", "line 3: expected ca to be a file that is there"),
        ("[mqtt]\nurl = 'mqtt://b'\nid = 'a/b'", "line 3: expected id to be up to 64"),
        ("[mqtt]\nurl = 'mqtt://b'\ndiscovery_prefix = '#'", "line 3: expected discovery_prefix to be up to 64"),
        ("[mqtt]\nurl = 'mqtt://b'\ndiscovery = 1", "line 3: expected discovery to be true or false"),
        ("[mqtt]\nurl = 'mqtt://b'\ndiscover = true", "line 3: expected a known key, got discover; did you mean disc"),
        ("url = 'x'", "line 1: expected a known key, got url; it belongs below the line [mqtt]"),
    ],
)  # fmt: skip
def test_errors_name_their_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        _load(tmp_path, text)
    assert told in str(caught.value)
    assert "12345678" not in str(caught.value)


def test_command_line_names_the_broker_and_the_file_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configured = Broker("file", 1, user="ann", password=GIVEN, table="club")
    assert broker_of("mqtts://line", configured) == Broker(
        "line", 8883, tls=True, user="ann", password=GIVEN, table="club"
    )
    assert broker_of("mqtt://bob@line", configured).password is None
    assert main(["play", "pig", "--mqtt", "line", "--store", str(tmp_path / "a.db")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
