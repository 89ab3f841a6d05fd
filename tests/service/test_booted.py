"""A booted Debian: one command installs the service, which hangs, stops, is updated and switched off as on a table."""

import fcntl
import json
import os
from collections.abc import Mapping
from typing import Any

import pytest
from booted_machine import ROOT, boot, debian_root, why_not

from tabletop.dialogs.setup import WHICH_GAME

pytestmark = pytest.mark.longest
RELEASES = [pytest.param("bookworm", marks=pytest.mark.slow), pytest.param("trixie", marks=pytest.mark.soak)]
INSTALL = "sudo tabletop-*/systemd/install"
STOP_S, WATCHDOG_S, GREEN_MIB = 2.0, 15.0, 220
EXPOSURE = 1.4  # of systemd-analyze security: 0 is closed, 10 open


@pytest.fixture(scope="module", params=RELEASES)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Boot a Debian once and return what was seen in it; `still on` is among it where it had to be ended by force."""
    if why_not() and "CI" not in os.environ:  # there it can be booted, or the test fails
        pytest.skip(why_not())
    mine = tmp_path_factory.getbasetemp()
    proof = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / request.param / "proof"
    proof.mkdir(parents=True, exist_ok=True)
    with proof.with_name("lock").open("w") as lock:  # the tests may be dealt out to several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (proof / "log").exists():
            done = boot(debian_root(ROOT / "build" / "debian", request.param), proof)
            proof.with_name("console").write_text(done.stdout + done.stderr)
    log = (proof / "log" if (proof / "log").exists() else proof.with_name("console")).read_text()
    found: dict[str, Any] = json.loads((proof / "seen.json").read_text()) if (proof / "seen.json").exists() else {}
    assert "matches_after" in found, log[-6000:]
    return {**found, "still on": (proof / "still_on").exists(), "log": log}


def test_one_command_makes_a_service_that_is_ready(seen: Mapping[str, Any]) -> None:
    """Without camera, buttons and display: it asks what to play, as a user of its own, and takes little memory."""
    assert "9 of 9: start" in seen["page"][INSTALL]
    assert seen["ready"] == ["active", "running", WHICH_GAME]
    assert 0 < int(seen["user"]) < 1000
    assert seen["exposure"] <= EXPOSURE
    assert seen["rss_mib"] < GREEN_MIB


def test_the_makers_page_can_be_followed_word_by_word(seen: Mapping[str, Any]) -> None:
    """Each command below "Installing" and "Updates" of docs/building.md; the doctor names what this machine has not."""
    said = seen["page"]
    assert list(seen["update"]) == list(said)[:3]
    assert ": OK" in said["sha256sum --check --ignore-missing SHA256SUMS"]
    assert "active (running)" in said["systemctl status tabletop --no-pager"]
    for part in ("camera", "display", "buttons"):
        assert part in said["tabletop doctor"]


def test_a_missing_camera_is_told_in_its_status(seen: Mapping[str, Any]) -> None:
    """With each Debian's own Python; on Debian 12 with the NumPy and OpenCV that its picamera2 needs."""
    assert seen["status"].startswith("Pig: ")
    assert "camera" in seen["status"]
    assert "Error" not in seen["log"].replace("DeviceError", "")


def test_nothing_that_the_service_may_write_runs_as_root(seen: Mapping[str, Any]) -> None:
    """Games, modules and links planted as the service's user, while root runs every command and the installer there."""
    assert "0" not in seen["ran_as"]
    assert seen["left"] == [True, False]
    assert "games/evil.py" in seen["named"]


def test_a_hostile_archive_is_refused_and_programs_are_roots(seen: Mapping[str, Any]) -> None:
    """Nothing is written into the system; games only if asked for, where the service cannot write."""
    assert seen["hostile"] == [True, 1, True]
    assert seen["programs"] == [True, 1, 0, "root", False, "maker"]


def test_the_terminal_and_films_work_as_before(seen: Mapping[str, Any]) -> None:
    """The command runs as the service's user in a terminal of its own; the film is the caller's, and can be played."""
    assert seen["player"] == ["tabletop"]
    assert (seen["colours"], seen["ctrl_c"]) == (True, 0)
    assert seen["film"][0] == "maker"
    assert "rror" not in seen["film"][1]


def test_a_version_with_a_dynamic_user_is_taken_over(seen: Mapping[str, Any]) -> None:
    """Its folder comes back from the place of such users, with all matches."""
    assert seen["migrated"] == [True, False, "tabletop", 0, "active"]


def test_what_was_backed_up_can_be_put_back(seen: Mapping[str, Any]) -> None:
    """The archive is its maker's; then the service, a user of its own, starts again with all matches."""
    assert seen["put_back"] == ["maker", "active", 0]


def test_a_damaged_store_does_not_stop_it(seen: Mapping[str, Any]) -> None:
    """A damaged row leaves a table that plays, a damaged file one that asks; neither is restarted over and over."""
    active, game, matches, named, restarts = seen["damaged_row"]
    assert (active, game, matches > 1, named, restarts) == ("active", "Pig:", True, True, "0")
    active, status, restarts = seen["damaged_file"]
    assert (active, "damaged" in status, restarts) == ("active", True, "0")


def test_it_stops_within_two_seconds(seen: Mapping[str, Any]) -> None:
    """And counts as stopped, not as failed."""
    assert seen["stop_s"] < STOP_S
    assert seen["stopped"] == ["inactive", "success"]


def test_a_table_that_hangs_is_started_again(seen: Mapping[str, Any]) -> None:
    """SIGSTOP, with a watchdog of three seconds: another process, the same matches."""
    assert seen["another_process"]
    assert seen["kept"]
    assert seen["watchdog_s"] < WATCHDOG_S


def test_a_slow_card_is_no_hang(seen: Mapping[str, Any]) -> None:
    """Its loop stands still for 25 seconds, under the unit's own watchdog: the same process goes on."""
    assert seen["outlives_a_slow_card"] == [True, "active"]


def test_another_python_is_said_once_with_what_to_do(seen: Mapping[str, Any]) -> None:
    """In the status, in the journal once, and by the command; the command that is named there repairs it."""
    state, status, text = seen["gone"]
    assert (state, status) == ("failed", "78")
    assert "sudo /opt/tabletop/current/source/systemd/install" in text
    assert seen["gone_journal"].count(text) == 1
    assert text in seen["gone_command"]
    assert "Traceback" not in seen["gone_journal"] + seen["gone_command"]
    assert "9 of 9: start" in seen["repaired"]
    assert seen["runs_again"] == "active"


def test_an_update_that_does_not_start_gives_way(seen: Mapping[str, Any]) -> None:
    """The one before comes back and is ready; a good one then takes its place, and the matches are there."""
    assert "the version before comes back" in seen["broken"]
    assert seen["came_back"]
    assert seen["updated"]
    assert seen["matches_after"] >= seen["matches"] > 0
    assert json.loads(seen["command"].splitlines()[0])["game"] == "pig"


def test_switch_off_switches_the_machine_off(seen: Mapping[str, Any]) -> None:
    """Its status ends the machine, which would otherwise have gone on."""
    assert not seen["still on"]
