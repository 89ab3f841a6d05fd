"""The root's helper in a folder: what it refuses, and what ends a trial. systemd is a stand-in."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from admin_machine import PROGRAM, VERSIONS, Helper, installed

NEW, OLD = b"# new\n", "# as before\n"
TRY = "import sys; sys.path.insert(0, sys.argv[1]); import trial; trial.try_settings(b'# new\\n')"


@pytest.fixture
def helper(tmp_path: Path) -> Helper:
    return installed(tmp_path)


def try_settings(helper: Helper) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-c", TRY, str(PROGRAM)]
    return subprocess.run(words, env=helper.environ(), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "request_line",
    [
        b"",
        b"\n",
        b"[]\n",
        b'"state"\n',
        b"{}\n",
        b'{"do": 1}\n',
        b'{"do": ["state"]}\n',
        b'{"do": "state"',
        b'{"do": "reboot"}\n',
        b'{"do": "__class__"}\n',
        b'{"do": "STATE"}\n',
        b"\xff\xfe\n",
        b'{"do": "state", "x": ' + b"[" * 8000 + b"]" * 8000 + b"}\n",
        b'{"do": "state", "x": ' + b"9" * 5000 + b"}\n",
        b'{"do": "state", "x": "' + b"x" * 16_384 + b'"}\n',
        b'{"do": "state"} {"do": "state"}\n',
        os.urandom(4000),
    ],
)
def test_what_is_no_request_is_refused_in_one_line(helper: Helper, request_line: bytes) -> None:
    """And changes nothing."""
    (answer,) = helper.answers(request_line)
    assert answer["refused"] == "bad-request"
    assert helper.calls() == []
    assert not (helper.home / "last.json").exists()


def test_state_tells_versions_and_what_is_on_trial(helper: Helper) -> None:
    """Beside a verb that is under way."""
    with (helper.home / "admin.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = helper.ask("state")["done"]
        assert done["busy"]
        assert helper.ask("keep") == {"refused": "busy", "about": ""}
    assert done["versions"] == {"current": "0.2", "previous": "0.1", "key": False, "release": False}
    assert (done["trial"], done["last"]) == (None, None)
    assert not helper.ask("state")["done"]["busy"]


def test_a_version_that_never_ran_is_not_the_one_before(helper: Helper) -> None:
    """Nor one that was half removed when the power failed."""
    for mark in ("ran", "whole"):
        (helper.home / "versions" / VERSIONS[0] / mark).unlink()
        assert helper.ask("state")["done"]["versions"]["previous"] is None
        (helper.home / "versions" / VERSIONS[0] / mark).touch()


def test_settings_are_kept_only_if_somebody_says_so(helper: Helper) -> None:
    """The old ones lie beside them until then, and afterwards."""
    assert try_settings(helper).returncode == 0
    assert helper.config.read_bytes() == NEW
    assert "systemctl start tabletop-trial.timer" in helper.calls()
    shown = helper.ask("state")["done"]["trial"]
    assert shown["of"] == "settings"
    assert 0 < shown["left_s"] <= 90
    assert helper.ask("keep") == {"done": {}}
    assert helper.config.read_bytes() == NEW
    assert helper.config.with_suffix(".toml.previous").read_text() == OLD
    assert helper.ask("state")["done"]["trial"] is None
    assert helper.ask("keep")["refused"] == helper.ask("back")["refused"] == "no-trial"


def end_of_trial(helper: Helper) -> None:
    """Do what tabletop-trial.service does."""
    unit = (PROGRAM.parent / "tabletop-trial.service").read_text()
    (line,) = (line for line in unit.splitlines() if line.startswith("ExecStart="))
    words = line.removeprefix("ExecStart=").replace("/opt/", f"{helper.root}/opt/").split()
    subprocess.run(words, env=helper.environ(), check=True)


@pytest.mark.parametrize("asked", [True, False])
def test_settings_that_nobody_keeps_go(helper: Helper, asked: bool) -> None:
    """When somebody says so, and when time is over or the power has failed."""
    assert try_settings(helper).returncode == 0
    helper.calls()
    if asked:
        assert helper.ask("back") == {"done": {}}
        assert helper.calls() == ["systemctl stop tabletop-trial.timer", "systemctl start tabletop-trial.service"]
    end_of_trial(helper)
    assert helper.config.read_text() == OLD
    assert not (helper.home / "trial").is_symlink()
    assert (helper.home / "current").readlink().name == VERSIONS[1]
    assert helper.calls()[-1] == "systemctl --no-block restart tabletop.service"
    assert helper.ask("state")["done"]["last"]["refused"] == "came-back"


def test_settings_with_which_it_does_not_start_go_at_once(helper: Helper) -> None:
    helper.fails("restart tabletop.service")
    tried = try_settings(helper)
    assert "not-ready" in tried.stderr
    assert helper.calls()[-1] == "systemctl start tabletop-trial.service"
    helper.fails("")
    end_of_trial(helper)
    assert helper.config.read_text() == OLD


@pytest.mark.parametrize("cut", range(4))
def test_a_trial_that_was_cut_anywhere_can_be_ended(helper: Helper, cut: int) -> None:
    """With one, two or all of its marks on disk."""
    if cut > 0:
        (helper.home / "trial").symlink_to((helper.home / "current").readlink())
    if cut > 1:
        helper.config.with_suffix(".toml.trial").write_text(OLD)
    if cut > 2:
        helper.config.write_bytes(NEW)
    if cut:
        end_of_trial(helper)
    assert helper.config.read_text() == OLD
    assert not list(helper.config.parent.glob("*.trial"))
    assert helper.ask("state")["done"]["trial"] is None


def test_a_version_that_never_ran_goes_with_the_trial(helper: Helper) -> None:
    """The power failed before it was the one that starts."""
    (helper.home / "trial").symlink_to((helper.home / "current").readlink())
    (helper.home / "versions" / VERSIONS[0] / "ran").unlink()
    end_of_trial(helper)
    assert [path.name for path in (helper.home / "versions").iterdir()] == [VERSIONS[1]]


def test_a_version_on_trial_gives_way_to_the_one_before(helper: Helper) -> None:
    """With the unit of that version; the other one goes if it never ran."""
    old, new = (helper.home / "versions" / name for name in VERSIONS)
    (old / "unit/tabletop.service").write_text("# older\n")
    (new / "ran").unlink()
    (helper.home / "trial").symlink_to(f"versions/{old.name}")
    end_of_trial(helper)
    assert (helper.home / "current").resolve() == old
    assert (helper.root / "etc/systemd/system/tabletop.service").read_text() == "# older\n"
    assert not new.exists()


def test_a_client_that_has_gone_away_stops_nothing(helper: Helper) -> None:
    """It asks, and does not wait for the answer."""
    assert try_settings(helper).returncode == 0
    with helper.connected() as connection:
        connection.sendall(b'{"do": "keep"}\n')
        connection.close()
    assert helper.ask("state")["done"]["trial"] is None


def test_the_answer_is_what_the_page_reads(helper: Helper) -> None:
    """One line of JSON each."""
    with helper.connected() as connection:
        connection.sendall(b'{"do": "keep"}\n')
        line = connection.makefile("rb").readline()
    assert json.loads(line) == {"refused": "no-trial", "about": ""}
