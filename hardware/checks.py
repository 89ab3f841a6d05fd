"""The checks of `tabletop doctor` for Raspberry Pi hardware: I2C bus and speed, display, pins, groups, sound.

Read-only: a display is asked for one byte, so a table in use is not disturbed.
"""

import contextlib
import os
import shutil
from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hardware import buttons, screens, voice
from tabletop.core import InputError, say, words
from tabletop.core.checks import Check, CheckedTable, is_missing, measured

NOT_ASKED = ("none", "terminal", "keys")  # words for no part on the header
USUAL = {"screen": "ssd1306", "buttons": "gpio"}  # what "auto" looks for
FAST_HZ = 400_000  # of the I2C bus: a frame in 23 ms; at the usual 100,000 it takes 93
CHIPS = ("gpiochip0", "gpiochip4")  # the header's pins; 4 on a Raspberry Pi 5 with an early kernel


def checks(table: CheckedTable) -> Iterator[Check]:
    """Yield the checks of this table's hardware."""
    yield from _display(table)
    yield from _buttons(table)
    for view in table.views:
        if view.startswith("voice:"):
            yield from _voice(table, view)


def _display(table: CheckedTable) -> Iterator[Check]:
    part, missing = say("display"), is_missing(table, table.screen)
    settings = yield from _settings(part, "screen", table.screen, screens.SETTINGS)
    if settings is None:
        return
    bus = settings["bus"]
    device = table.root / f"dev/i2c-{bus}"
    if not device.exists():
        remedy = say("`sudo raspi-config nonint do_i2c 0`, then restart")
        yield Check(part, say("I2C bus"), found=False, right=missing, figure=str(device), remedy=remedy)
        return
    yield _access(part, say("I2C bus"), device, "i2c")
    yield from _speed(part, table.root / f"sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency")
    answers = [address for address in screens.ADDRESSES if _answers(bus, address)] if os.access(device, os.W_OK) else []
    address, name = settings["address"], say("address")
    if answers:
        figure = " ".join(f"0x{other:02x}" for other in answers)
        other = f"0x{answers[0]:02x}"
        remedy = say("it answers at {text}: --screen ssd1306:address={text}", text=other)
        found = measured(part, name, address in answers, figure, remedy)
        yield found if found.right else replace(found, instead=f"screen.address={other}")
    else:
        right, remedy = missing if table.screen == "auto" else False, say("check VCC, GND, SDA and SCL: docs/wiring.md")
        yield Check(part, name, found=False, right=right, figure=say("not there"), remedy=remedy)


def _settings(
    part: str, option: str, asked: str, known: Mapping[str, words.Setting]
) -> Generator[Check, None, dict[str, Any] | None]:
    """Return what the words for a part set; None if the table does without it, or, with a check, if they are wrong."""
    word = USUAL[option] if asked == "auto" else asked
    kind, _, rest = word.partition(":")
    if kind in NOT_ASKED:
        return None
    try:
        return words.read_settings(f"--{option} {kind}", rest, known)
    except InputError as error:
        yield Check(part, say("setting"), found=False, right=False, figure=word, remedy=str(error))
        return None


def _speed(part: str, file: Path) -> Iterator[Check]:
    """Yield how fast the bus is; nothing where the system does not say."""
    with contextlib.suppress(OSError, ValueError):
        hertz = int.from_bytes(file.read_bytes(), "big")
        figure = say("{n} kHz", n=round(hertz / 1000))
        remedy = say("dtparam=i2c_arm_baudrate={n} in /boot/firmware/config.txt, then restart", n=FAST_HZ)
        yield measured(part, say("speed of the bus"), hertz >= FAST_HZ, figure, remedy)


def _answers(bus: int, address: int) -> bool:
    try:
        from smbus2 import SMBus  # noqa: PLC0415 - it comes with luma; only a table with a display needs it

        with SMBus(bus) as wires:
            wires.read_byte(address)
    except (ImportError, OSError):
        return False
    return True


def _buttons(table: CheckedTable) -> Iterator[Check]:
    part, missing = say("buttons"), is_missing(table, table.buttons)
    if (yield from _settings(part, "buttons", table.buttons, buttons.SETTINGS)) is None:
        return
    chips = [table.root / "dev" / name for name in CHIPS]
    chip = next((chip for chip in reversed(chips) if chip.exists()), None)
    if chip is None:
        remedy = say("only a Raspberry Pi has pins: --buttons keys or none")
        yield Check(part, say("pins"), found=False, right=missing, figure=str(chips[0]), remedy=remedy)
        return
    yield _access(part, say("pins"), chip, "gpio")


def _voice(table: CheckedTable, view: str) -> Iterator[Check]:
    part = say("voice")
    settings = yield from _settings(part, "view", view, voice.SETTINGS)
    if settings is None:
        return
    engine = voice.ESPEAK if settings["engine"] == voice.ESPEAK else voice.PIPER
    needed = (voice.PLAYER,) if "sounds" in settings else (voice.PLAYER, engine)
    missing = [name for name in needed if shutil.which(name) is None]
    yield measured(part, say("programs"), not missing, " ".join(missing or needed), f"`{voice.INSTALL}`")
    name, card = say("sound card"), table.root / "proc/asound" / settings.get("card", "card0")
    if not card.exists():
        yield Check(part, name, found=False, right=False, figure=str(card), remedy=say("`aplay -l` lists the cards"))
        return
    yield _access(part, name, table.root / f"dev/snd/controlC{card.resolve().name.removeprefix('card')}", "audio")


def _access(part: str, name: str, device: Path, group: str) -> Check:
    remedy = say("`sudo usermod -aG {text} $USER`, then log in again", text=group)
    return measured(part, name, os.access(device, os.R_OK | os.W_OK), str(device), remedy)
