"""`tabletop doctor` as people run it: no part there, a part that is wrong, a word without meaning."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tabletop.broadcast.hooks import FAULTS
from tabletop.broadcast.receivers import Receivers
from tabletop.cli.main import main
from tabletop.config.file import load_configuration
from tabletop.config.profile import save_profile
from tabletop.core.checks import Check, CheckedTable
from tabletop.core.values import Profile, SetUp
from tabletop.doctor import collect
from tabletop.doctor.camera import SeenCamera
from tabletop.doctor.collect import Files, checks, file_checks, profile_checks
from tabletop.doctor.receivers import RECEIVERS
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language

NOW = datetime(2026, 12, 24, 18, 0, tzinfo=UTC)
BARE = ("--camera", "none", "--buttons", "none", "--screen", "none")
KEYS = {"part", "check", "found", "right", "figure", "remedy"}


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep this machine's own configuration and matches out."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_without_any_part_it_says_so_and_nothing_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0; every line has a mark, and the last one sums up."""
    assert main(["doctor", *BARE]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.startswith("camera\n  -      pictures    none\n")
    assert said.out.endswith(
        "\n\n- is no fault: it is not there and not asked for, or nobody can tell\nnothing is wrong\n"
    )


def test_as_json_it_is_one_array_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Every check with the same six keys."""
    assert main(["doctor", *BARE, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert all(set(check) == KEYS for check in found)
    assert [check["part"] for check in found] == [
        *("camera", "store", "store", "clock", "configuration", "profile", "networks")
    ]
    assert found[-1]["right"] is True


def test_what_a_profile_knows_has_a_line_each(tmp_path: Path) -> None:
    """Tray, dice and how many were unsure; small dice, many unsure ones and pictures of another shape are wrong."""
    path = tmp_path / "tray.toml"
    corners = ((40.0, 60.0), (600.0, 60.0), (600.0, 440.0), (40.0, 440.0))
    matrix = ((0.5, 0.0, -20.0), (0.0, 0.5, -30.0), (0.0, 0.0, 1.0))
    setup = SetUp(120.5, 0.2, 15, 0.2)
    save_profile(Profile(640, 480, corners, (280.0, 190.0), matrix, 2.0, 16.0, setup=setup), path)
    assert [(check.name, check.right, check.figure) for check in profile_checks(path)] == [
        ("file", True, str(path)),
        ("tray", True, "280 x 190 mm, good to 0.2 mm"),
        ("size of a die", True, "16.0 mm, 32 px"),
        ("unsure dice", False, "3 of 15 at the set-up"),
    ]
    small = {check.name: check.right for check in profile_checks(path, (160, 120))}
    assert small == {"file": True, "tray": True, "size of a die": False, "unsure dice": False}
    *_, last = profile_checks(path, (1280, 720))
    assert (last.name, last.right) == ("tray", False)
    assert last.remedy == "made in pictures of 640 x 480: calibrate again"
    (missing,) = profile_checks(tmp_path / "none.toml")
    assert missing.remedy.endswith("there is none of this name; `tabletop calibrate` makes one")


def test_what_is_wrong_has_a_remedy_and_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A camera that is not there, a configuration with a mistake, a profile that is none, a damaged store."""
    config, profile, store = tmp_path / "a.toml", tmp_path / "tray.toml", tmp_path / "a.db"
    config.write_text('camera = "ubs:0"\n')
    profile.write_text("version = 1\n")
    store.write_bytes(b"SQLite format 3\0" + bytes(500))
    words = ["--config", str(config), "--profile", str(profile), "--store", str(store), "--camera", "usb:97"]
    assert main(["doctor", *words, "--json"]) == 1
    wrong = {check["part"]: check["remedy"] for check in json.loads(capsys.readouterr().out) if check["right"] is False}
    assert set(wrong) == {"camera", "store", "configuration", "profile"}
    assert wrong["camera"] == "expected a camera at usb:97, got none: plug it in, or try another number"
    assert "line 1: expected camera to be one of" in wrong["configuration"]
    assert str(profile) in wrong["profile"]
    assert wrong["store"].startswith(f"move {store} away")
    assert main(["doctor", *words]) == 1
    assert capsys.readouterr().out.endswith("4 things are wrong: see ->\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--camera", "ubs:0"], "expected --camera sim"),
        (["--screen", "oled"], "expected --screen auto or terminal"),
        (["--config", "no/where.toml"], "expected a file after --config"),
        (["--store", "no/where.db"], "expected an existing folder for --store"),
        (["--listen"], "--listen"),
    ],
)
def test_a_bad_call_is_one_line_and_status_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is checked then."""
    assert main(["doctor", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1


def of(found: tuple[Check, ...], part: str) -> list[Check]:
    return [check for check in found if check.part == part]


def test_a_store_is_read_and_its_card_measured(tmp_path: Path) -> None:
    """A whole one is right; one in a folder that is a file cannot be written."""
    with Store(tmp_path / "a.db"):
        pass
    found = tuple(file_checks(Files(tmp_path / "a.db", root=tmp_path), NOW))
    assert [(check.name, check.found, check.right) for check in of(found, "store")] == [
        ("file", True, True),
        ("rows", True, True),
        ("free space", True, True),
    ]


def test_a_clock_that_lost_the_time_is_wrong(tmp_path: Path) -> None:
    """A Raspberry Pi without network starts in the past; with a date that may be right it is no fault, but said."""
    (tmp_path / "proc/device-tree").mkdir(parents=True)

    def clock(now: datetime) -> Check:
        return next(
            check for check in file_checks(Files(tmp_path / "a.db", root=tmp_path), now) if check.part == "clock"
        )

    assert clock(datetime(1970, 1, 1, tzinfo=UTC)).right is False
    assert (clock(NOW).right, clock(NOW).figure) == (None, "2026-12-24 18:00, not set: no dates")
    assert clock(NOW).remedy.startswith("connect it to the network once")
    heard = tmp_path / "run/systemd/timesync/synchronized"
    heard.parent.mkdir(parents=True)
    heard.touch()
    assert clock(NOW).right is True
    assert clock(NOW).figure == "2026-12-24 18:00, from the network"


def test_a_package_that_fails_is_a_line_and_no_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name and its error are there, and so are all other lines."""

    def fails(_: CheckedTable) -> list[Check]:
        raise OSError("no bus")

    monkeypatch.setattr(collect, "added", lambda: [("robot", fails)])
    table = CheckedTable(camera="none", root=tmp_path)
    found = checks(table, Files(tmp_path / "a.db"), SeenCamera(), NOW, thorough=False)
    assert of(found, "robot") == [Check("robot", "check", False, False, "", "report this: OSError: no bus")]
    assert len(found) > 4


@pytest.mark.parametrize(("model", "right"), [("Raspberry Pi 4 Model B", False), ("ThinkPad", None)])
def test_a_camera_nobody_named_is_missing_on_a_pi_only(tmp_path: Path, model: str, right: bool | None) -> None:
    """A laptop has its simulated table."""
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text(model)
    found = checks(CheckedTable(root=tmp_path), Files(tmp_path / "a.db"), SeenCamera(), NOW, thorough=False)
    assert of(found, "camera")[0].right is right


def test_failing_receivers_are_named_with_a_remedy(tmp_path: Path) -> None:
    """Each reason that webhooks note has its words, in German too; a broker's sentence is the remedy itself."""
    config, store = tmp_path / "a.toml", tmp_path / "a.db"
    whys = [*(why for _, why in FAULTS if why != "outside"), "answers 404", "outside 203.0.113.7"]
    config.write_text("".join(f'[[hooks]]\nurl = "http://host{n}"\n' for n in range(len(whys) + 1)))
    *failing, well = (hook.name for hook in load_configuration(config).hooks)
    receivers = Receivers(tmp_path / "receivers.json")
    for name, why in zip(failing, whys, strict=True):
        receivers.note(name, why)
    receivers.note("MQTT", "the broker 10.0.0.1 cannot be reached: no route")
    found = {check.name: check for check in file_checks(Files(store, config), NOW) if check.part == RECEIVERS}
    assert [name for name, check in found.items() if not check.right] == [*failing, "MQTT"]
    assert (found[well].right, found[well].remedy) == (True, "")
    german = load_language("de")
    for name, why in zip(failing, whys, strict=True):
        check = found[name]
        for text in (check.figure, check.remedy):
            assert german.translate(text, ("menus", "notes")) != text
        assert why.partition(" ")[2] in check.figure + check.remedy
    assert "404" in found[failing[-2]].figure
    assert "203.0.113.7" in found[failing[-1]].remedy
    assert "/etc/systemd/system/tabletop.service.d/receivers.conf" in found[failing[-1]].remedy
    assert found["MQTT"].remedy == "the broker 10.0.0.1 cannot be reached: no route"


def test_rubbish_about_receivers_is_shown_harmlessly(tmp_path: Path) -> None:
    """Who may write the file may not fill the screen, send control characters, or stop the doctor with a pipe."""
    path = tmp_path / "receivers.json"
    many = {f"\x1b[2J{n}" + "x" * 300: {"since": "\x1b[2J" * 9, "why": "y\x1b" * 100} for n in range(40)}
    path.write_text(json.dumps(many))
    found = [check for check in file_checks(Files(tmp_path / "a.db"), NOW) if check.part == RECEIVERS]
    assert 0 < len(found) <= 20
    assert all(text.isprintable() and len(text) <= 300 for one in found for text in (one.name, one.figure, one.remedy))
    path.unlink()
    os.mkfifo(path)
    assert [check for check in file_checks(Files(tmp_path / "a.db"), NOW) if check.part == RECEIVERS] == []
    path.unlink()
    path.symlink_to("/dev/zero")
    assert [check for check in file_checks(Files(tmp_path / "a.db"), NOW) if check.part == RECEIVERS] == []
