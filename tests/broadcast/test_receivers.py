"""Which receivers fail: noted with since when and why, forgotten when they work, and written only on a change."""

import json
from pathlib import Path

from tabletop.broadcast.receivers import Receivers


def test_a_failure_stays_until_it_works(tmp_path: Path) -> None:
    path = tmp_path / "receivers.json"
    receivers = Receivers(path)
    receivers.note("MQTT", "")
    assert not path.exists()
    receivers.note("MQTT", "no answer")
    first = json.loads(path.read_text())["MQTT"]
    receivers.note("lamp", "status 500")
    receivers.note("MQTT", "refused")
    assert Receivers(path).failing()["MQTT"] == {"since": first["since"], "why": "refused"}
    written = path.stat()
    receivers.note("MQTT", "refused")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    receivers.note("MQTT", "")
    assert list(receivers.failing()) == ["lamp"]


def test_rubbish_and_a_closed_folder_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "receivers.json"
    for text in ("", "[1]", '{"a": 1}', "[" * 5000, "\x00"):
        path.write_text(text)
        assert Receivers(path).failing() == {}
    Receivers(tmp_path / "none" / "receivers.json").note("MQTT", "no answer")
