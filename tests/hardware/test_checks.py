"""The lines about bus, display, pins and groups, in folders that look like a Raspberry Pi's, or like none."""

import errno
import os
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

import pytest

from hardware import checks
from tabletop.core.checks import Check, CheckedTable

FAST, SLOW = 400_000, 100_000
NOBODY = 65534  # the user that owns nothing, on every Debian


class Pi:
    """A Raspberry Pi's folders, its I2C bus and its pins. answers: the addresses at which a chip is."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.answers = root, {0x3C}
        (root / "dev").mkdir()
        for name in ("dev/i2c-1", "dev/gpiochip0"):
            (root / name).touch()
        self.write("proc/device-tree/model", b"Raspberry Pi 5 Model B Rev 1.0\0")
        self.write("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", FAST.to_bytes(4, "big"))
        smbus2 = types.ModuleType("smbus2")
        vars(smbus2)["SMBus"] = lambda bus: _Bus(self, bus)
        monkeypatch.setitem(sys.modules, "smbus2", smbus2)

    def write(self, name: str, content: bytes) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_bytes(content)

    def found(self, buttons: str = "gpio", screen: str = "ssd1306") -> Mapping[tuple[str, str], Check]:
        table = CheckedTable(buttons=buttons, screen=screen, root=self.root)
        return {(check.part, check.name): check for check in checks.checks(table)}


class _Bus:
    def __init__(self, pi: Pi, number: int) -> None:
        self._pi, self._number = pi, number

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read_byte(self, address: int) -> int:
        if self._number != 1 or address not in self._pi.answers:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        return 0


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    return Pi(tmp_path, monkeypatch)


@pytest.mark.parametrize("words", [("gpio", "ssd1306"), ("auto", "auto")])
def test_a_whole_pi_is_right(pi: Pi, words: tuple[str, str]) -> None:
    """Bus, speed, address, pins: found and right, named or not."""
    found = pi.found(*words)
    assert {name: check.figure for (_, name), check in found.items()} == {
        "I2C bus": str(pi.root / "dev/i2c-1"),
        "speed of the bus": "400 kHz",
        "address": "0x3c",
        "pins": str(pi.root / "dev/gpiochip0"),
    }
    assert all(check.right and check.found and not check.remedy for check in found.values())


def test_each_fault_of_the_display_says_what_to_do(pi: Pi) -> None:
    """A slow bus, another address, a loose wire, no bus, a word without meaning."""
    pi.write("sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", SLOW.to_bytes(4, "big"))
    slow = pi.found()["display", "speed of the bus"]
    assert (slow.right, slow.figure) == (False, "100 kHz")
    assert slow.remedy == "dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt, then restart"
    pi.answers = {0x3D}
    moved = pi.found()["display", "address"]
    assert (moved.right, moved.found) == (False, True)
    assert moved.remedy == "it answers at 0x3d: --screen ssd1306:address=0x3d"
    assert moved.instead == "screen.address=0x3d"
    assert pi.found(screen="ssd1306:address=0x3d")["display", "address"].right
    pi.answers = set()
    assert pi.found()["display", "address"].remedy == "check VCC, GND, SDA and SCL: docs/wiring.md"
    (pi.root / "dev/i2c-1").unlink()
    assert pi.found()["display", "I2C bus"].remedy == "`sudo raspi-config nonint do_i2c 0`, then restart"
    assert "address" in pi.found(screen="ssd1306:adress=1")["display", "setting"].remedy
    assert not pi.found(buttons="gpio:bank=99")["buttons", "setting"].right


@pytest.fixture
def somebody() -> Iterator[None]:
    """Be somebody whom modes of files hold back: root asks as the user nobody."""
    root = os.getuid() == 0
    if root:
        os.setreuid(NOBODY, -1)  # the real user is the one whose rights are asked for; the effective one stays root
    yield
    if root:
        os.setreuid(0, -1)


@pytest.mark.usefixtures("somebody")
def test_a_device_of_another_group_names_the_group(pi: Pi) -> None:
    """Who is not in the group i2c reads how to get there."""
    (pi.root / "dev/i2c-1").chmod(0)
    assert "usermod -aG i2c" in pi.found()["display", "I2C bus"].remedy


def test_without_a_pi_nothing_is_wrong_unless_asked_for(tmp_path: Path) -> None:
    """On a laptop there is no bus and there are no pins; who asks for them is told; who wants none reads nothing."""
    assert [check.right for check in checks.checks(CheckedTable(root=tmp_path))] == [None, None]
    asked = CheckedTable(buttons="gpio", screen="sh1106", root=tmp_path)
    assert [check.right for check in checks.checks(asked)] == [False, False]
    assert list(checks.checks(CheckedTable(buttons="keys", screen="none", root=tmp_path))) == []
