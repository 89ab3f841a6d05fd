"""What `tabletop doctor` says of the Raspberry Pi's parts: I2C bus and its speed, display, pins, groups.

Only looks: a display is asked for one byte, and pins are asked who has them. So a table that is played at goes on.
"""

import contextlib
import fcntl
import os
import struct
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

from hardware import buttons, screens
from tabletop.core.checks import Check, CheckedTable, is_missing
from tabletop.core.errors import InputError
from tabletop.core.words import Setting, read_settings
from tabletop.doctor import lines

NOT_ASKED = ("none", "terminal", "keys")  # words for no part on the header
USUAL = {"screen": "ssd1306", "buttons": "gpio"}  # what "auto" looks for
FAST_HZ = 400_000  # of the I2C bus: a frame in 23 ms; at the usual 100,000 it takes 93
CHIPS = ("gpiochip0", "gpiochip4")  # the header's pins; 4 on a Raspberry Pi 5 with an early kernel
LINE_INFO = struct.Struct("=32s32sIIQ160s16s")  # struct gpio_v2_line_info of linux/gpio.h
LINE_INFO_CALL = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL: _IOWR(0xB4, 0x05, the same)
USED = 1  # GPIO_V2_LINE_FLAG_USED


def checks(table: CheckedTable) -> Iterator[Check]:
    """Yield what there is to say; nothing of parts that this table does without."""
    yield from _display(table)
    yield from _buttons(table)


def _display(table: CheckedTable) -> Iterator[Check]:
    part, missing = lines.display(), is_missing(table, table.screen)
    settings = yield from _settings(part, "screen", table.screen, screens.SETTINGS)
    if settings is None:
        return
    bus = settings["bus"]
    device = table.root / f"dev/i2c-{bus}"
    if not device.exists():
        yield Check(part, lines.bus(), found=False, right=missing, figure=str(device), remedy=lines.switch_bus_on())
        return
    yield _access(part, lines.bus(), device, "i2c")
    yield from _speed(part, table.root / f"sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency")
    answers = [address for address in screens.ADDRESSES if _answers(bus, address)] if os.access(device, os.W_OK) else []
    address, figure = settings["address"], " ".join(f"0x{address:02x}" for address in answers)
    if address in answers:
        yield Check(part, lines.address(), found=True, right=True, figure=figure)
    elif answers:
        yield Check(part, lines.address(), found=True, right=False, figure=figure, remedy=lines.say_address(answers[0]))
    else:
        right = missing if table.screen == "auto" else False
        yield Check(part, lines.address(), found=False, right=right, figure=lines.none(), remedy=lines.wire_display())


def _settings(
    part: str, option: str, asked: str, known: Mapping[str, Setting]
) -> Generator[Check, None, dict[str, int] | None]:
    """Return what the words for a part set; None if the table does without it, or, with a check, if they are wrong."""
    word = USUAL[option] if asked == "auto" else asked
    kind, _, rest = word.partition(":")
    if kind in NOT_ASKED:
        return None
    try:
        return read_settings(f"--{option} {kind}", rest, known)
    except InputError as error:
        yield Check(part, lines.word(), found=False, right=False, figure=word, remedy=str(error))
        return None


def _speed(part: str, file: Path) -> Iterator[Check]:
    """Yield how fast the bus is; nothing where the system does not say."""
    with contextlib.suppress(OSError, ValueError):
        hertz = int.from_bytes(file.read_bytes(), "big")
        right = hertz >= FAST_HZ
        remedy = "" if right else lines.speed_bus_up(FAST_HZ)
        yield Check(part, lines.bus_speed(), found=True, right=right, figure=lines.kilohertz(hertz), remedy=remedy)


def _answers(bus: int, address: int) -> bool:
    """Return whether a chip at this address answers when it is read."""
    try:
        from smbus2 import SMBus  # noqa: PLC0415 - it comes with luma; only a table with a display needs it

        with SMBus(bus) as wires:
            wires.read_byte(address)
    except (ImportError, OSError):
        return False
    return True


def _buttons(table: CheckedTable) -> Iterator[Check]:
    part, missing = lines.buttons(), is_missing(table, table.buttons)
    pins = yield from _settings(part, "buttons", table.buttons, buttons.SETTINGS)
    if pins is None:
        return
    chips = [table.root / "dev" / name for name in CHIPS]
    chip = next((chip for chip in reversed(chips) if chip.exists()), None)
    if chip is None:
        yield Check(part, lines.pins(), found=False, right=missing, figure=str(chips[0]), remedy=lines.only_on_a_pi())
        return
    yield _access(part, lines.pins(), chip, "gpio")
    for name, pin in pins.items():
        yield from _pin(part, chip, name.upper(), pin)


def _pin(part: str, chip: Path, name: str, pin: int) -> Iterator[Check]:
    """Yield who has a button's pin; nothing where the kernel does not say. This very program may have it."""
    with contextlib.suppress(OSError, struct.error):
        user = _user_of(chip, pin)
        right = user in ("", "lg", "gpiozero", f"GPIO{pin}") or "tabletop" in user
        figure, remedy = lines.pin(pin, user), "" if right else lines.free_pin(user)
        yield Check(part, name, found=True, right=right, figure=figure, remedy=remedy)


def _user_of(chip: Path, pin: int) -> str:
    """Return what the program that has a pin calls itself, empty if nobody has it."""
    asked = bytearray(LINE_INFO.pack(b"", b"", pin, 0, 0, b"", b""))
    handle = os.open(chip, os.O_RDWR)
    try:
        fcntl.ioctl(handle, LINE_INFO_CALL, asked)
    finally:
        os.close(handle)
    _, user, _, _, flags, _, _ = LINE_INFO.unpack(asked)
    return user.rstrip(b"\0").decode("utf-8", "replace") or "?" if flags & USED else ""


def _access(part: str, name: str, device: Path, group: str) -> Check:
    """Return whether this user may use a device."""
    right = os.access(device, os.R_OK | os.W_OK)
    remedy = "" if right else lines.join_group(group)
    return Check(part, name, found=True, right=right, figure=str(device), remedy=remedy)
