"""The unit and its configuration: accepted by systemd's own checks, and read by the program that they start."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli.wiring.devices import MISTAKE_S
from tabletop.config.file import load_configuration
from tabletop.service.service_manager import POWER_OFF_STATUS

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "systemd" / "tabletop.service"
INSTALLED = "/opt/tabletop/current"  # where the unit expects the virtual environment
DROP_IN = ROOT / "systemd" / "picamera2.conf"
SOUND = ROOT / "systemd" / "sound.conf"
MOST_MIB = 271  # of a table that records, with eight devices at its page and a 1280x720 camera
SMALLEST_BOARD_MIB = 416  # MemTotal of a Raspberry Pi Zero 2 W
EXPOSURE, EXPOSURE_OF_PI_CAMERA = 1.4, 2.5  # of systemd-analyze security: 0 is closed, 10 open


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Return a copy of the unit that starts the program of this test's own environment."""
    if shutil.which("systemd-analyze") is None and "CI" not in os.environ:  # there it is installed, or the test fails
        pytest.skip("needs systemd-analyze (Debian package systemd)")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text().replace(INSTALLED, sys.prefix))
    return copy


def analyze(*words: str | Path) -> str:
    done = subprocess.run(["systemd-analyze", "--no-pager", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_systemd_finds_nothing_wrong(unit: Path) -> None:
    """`systemd-analyze verify` accepts every line, the program to start included, and warns of none."""
    assert "tabletop.service" not in analyze("verify", "--man=no", unit)


def test_a_wrong_line_would_be_found(unit: Path) -> None:
    """The check itself is alive: a misspelt setting is told."""
    unit.write_text(unit.read_text().replace("ProtectHome=yes", "ProtectHoem=yes"))
    assert "ProtectHoem" in analyze("verify", "--man=no", unit)


def exposure(unit: Path) -> float:
    (level,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", analyze("security", "--offline=true", unit))
    return float(level)


def test_little_is_open(unit: Path) -> None:
    """With camera, display, buttons and the home network open, the exposure is still small."""
    assert exposure(unit) <= EXPOSURE


def test_a_pi_camera_opens_little_more(unit: Path) -> None:
    """The drop-in is accepted as it stands, and what it opens shows in the figure."""
    before = exposure(unit)
    drop_in = unit.parent / f"{unit.name}.d" / DROP_IN.name
    drop_in.parent.mkdir()
    drop_in.write_text(DROP_IN.read_text())
    assert "picamera2.conf" not in analyze("verify", "--man=no", unit)
    assert before < exposure(unit) <= EXPOSURE_OF_PI_CAMERA


def test_a_voice_opens_no_more(unit: Path) -> None:
    """The sound card's devices and its group are all that the drop-in adds; the exposure stays as small as it was."""
    drop_in = unit.parent / f"{unit.name}.d" / SOUND.name
    drop_in.parent.mkdir()
    drop_in.write_text(SOUND.read_text())
    assert SOUND.name not in analyze("verify", "--man=no", unit)
    assert exposure(unit) <= EXPOSURE
    lines = [line for line in SOUND.read_text().splitlines() if line and not line.startswith(("#", "["))]
    assert lines == ["SupplementaryGroups=audio", "DeviceAllow=char-alsa rw"]


@pytest.mark.parametrize(("name", "most"), [("tabletop-admin@.service", 0.9), ("tabletop-trial.service", 1.0)])
def test_the_programs_of_root_are_as_closed(unit: Path, name: str, most: float) -> None:
    """The helper of the page and the end of a trial: accepted, with the timer and the socket, and with little open."""
    for path in UNIT.parent.glob("tabletop-*.*"):
        if path.suffix != ".toml":
            (unit.parent / path.name).write_text(path.read_text().replace(INSTALLED, sys.prefix))
    names = [unit.parent / each for each in ("tabletop-admin.socket", "tabletop-trial.timer", name)]
    assert "tabletop-" not in analyze("verify", "--man=no", *names)
    assert exposure(unit.parent / name) <= most


def settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def test_it_comes_back_and_keeps_its_matches() -> None:
    """Started again whatever happened, never given up; a user of its own with a folder that stays."""
    unit = settings()
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert unit["User"] == ["tabletop"]
    assert unit["StateDirectory"] == ["tabletop"]  # the store looks for it in STATE_DIRECTORY
    assert unit["WorkingDirectory"] == ["%S/tabletop"]
    assert any(word == "LG_WD=%S/tabletop" for value in unit["Environment"] for word in value.split())
    assert set(unit["SupplementaryGroups"][0].split()) == {"video", "gpio", "i2c"}
    assert "ProcSubset" not in unit  # it breaks gpiozero


def test_switching_off_and_the_watchdog() -> None:
    """The status of "switch off" is the program's, starts nothing again, and is all that the root's line looks at."""
    unit = settings()
    assert unit["Type"] == ["notify"]
    assert unit["SuccessExitStatus"] == [str(POWER_OFF_STATUS)]
    assert unit["RestartPreventExitStatus"] == [f"{POWER_OFF_STATUS} 78"]
    assert int(unit["WatchdogSec"][0]) > 60  # a start of a ribbon camera that hangs, and a write of 25 s
    (line,) = unit["ExecStopPost"]
    for code, status, switched_off in (("exited", POWER_OFF_STATUS, True), ("exited", 0, False), ("killed", 77, False)):
        words = shlex.split(line.replace("$$", "$").replace("exec systemctl", "echo"))
        environ = {"EXIT_CODE": code, "EXIT_STATUS": str(status)}
        said = subprocess.run(["sh", *words[1:]], env=environ, capture_output=True, text=True, check=True).stdout
        assert said == ("--no-block poweroff\n" if switched_off else "")
    assert int(unit["TimeoutStartSec"][0]) > MISTAKE_S


def test_memory_is_bounded_above_what_a_table_takes() -> None:
    """A busy table runs unhindered on the smallest board; what grows beyond is ended before the machine runs out."""
    high, most = (int(settings()[name][0].removesuffix("%")) / 100 for name in ("MemoryHigh", "MemoryMax"))
    assert MOST_MIB / SMALLEST_BOARD_MIB < high < most < 0.9


def test_what_it_starts_exists() -> None:
    """The command is one of ours with an option it knows, and the file it names is the one that is installed."""
    (command,) = settings()["ExecStart"]
    program, start, *words = command.split()
    assert (program, start) == ("/bin/sh", f"{INSTALLED}/unit/start")
    assert (UNIT.parent / "start").exists()
    asked = subprocess.run(
        [sys.executable, "-m", "tabletop", words[0], "--help"], capture_output=True, text=True, check=True
    )
    assert words[0] == "play"
    assert words[1:] == ["--config", "/etc/tabletop/tabletop.toml"]
    assert "--config" in asked.stdout


@pytest.mark.parametrize("switched_on", [False, True])
def test_the_configuration_is_read(tmp_path: Path, switched_on: bool) -> None:
    """The file is valid as it is shipped, and with every line that waits behind a # taken at its word."""
    text = (ROOT / "systemd" / "tabletop.toml").read_text()
    if switched_on:
        text = re.sub(r"^# (?=\w+ = |\[)", "", text, flags=re.MULTILINE)
    (tmp_path / "tabletop.toml").write_text(text)
    for name in ("mqtt-password", "broker-ca.pem"):
        (tmp_path / name).touch()
    read = load_configuration(tmp_path / "tabletop.toml")
    assert (read.camera, read.screen) == ("usb:0", "ssd1306")
    assert read.buttons == ("gpio:bank=17,hold=27,menu=25" if switched_on else "gpio")
    assert read.settings == (("target=50",) if switched_on else ())
    spoken = "voice:volume=3,engine=espeak-ng,card=Headphones,sounds=/etc/tabletop/sounds"
    assert read.views == (("buzzer:pin=12", spoken) if switched_on else ())
