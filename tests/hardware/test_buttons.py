"""Real buttons on gpiozero's mock pins: from the level of a pin to a press."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device, DigitalInputDevice
from gpiozero.pins.mock import MockFactory
from mock_pins import HeldPin, LaterPressedPin, mock_pins

from hardware.buttons import GpioButtons, find_press, open_gpio
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Edge, Press
from tabletop.input.presses import Presses

LGPIO = '''
"""What Debian's lgpio does when it is imported, and nothing else."""
import os
if "LG_WD" in os.environ:
    os.chdir(os.environ["LG_WD"])
os.mkfifo(".lgd-nfy0")
raise ImportError("no pins here")
'''


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    with mock_pins(MockFactory()) as factory:
        yield factory


@pytest.fixture
def held_pins() -> Iterator[MockFactory]:
    with mock_pins(MockFactory(pin_class=HeldPin)) as factory:
        yield factory


class Clock:
    """A clock that a test sets."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def drive(pins: MockFactory, number: int, *, down: bool) -> None:
    pin = pins.pin(f"GPIO{number}")
    if down:
        pin.drive_low()
    else:
        pin.drive_high()


def test_pins_are_pulled_up_and_not_debounced(pins: MockFactory) -> None:
    """No resistor is needed, and gpiozero leaves chatter to us; a pin that no word names stays free."""
    opened = open_gpio("hold=5")
    for number in (17, 5):
        assert pins.pin(f"GPIO{number}").pull == "up"
        assert pins.pin(f"GPIO{number}").bounce is None
    DigitalInputDevice(25).close()
    opened.close()


def test_a_button_held_at_the_start_is_no_press(held_pins: MockFactory) -> None:
    """The pin is low before it is opened: only its chattering release is seen, and the next press counts."""
    drive(held_pins, 17, down=True)
    clock, presses = Clock(), Presses()
    opened = open_gpio("", clock)
    assert presses.feed(opened.edges(), 0.5) == []
    for now_s, down in ((1.0, False), (1.003, True), (1.004, False)):
        clock.now_s = now_s
        drive(held_pins, 17, down=down)
    assert presses.feed(opened.edges(), 2.0) == []
    for now_s, down in ((3.0, True), (3.1, False)):
        clock.now_s = now_s
        drive(held_pins, 17, down=down)
    assert presses.feed(opened.edges(), 4.0) == [Press("bank")]
    opened.close()


def test_a_lost_edge_is_found_at_the_pin(pins: MockFactory) -> None:
    """The system drops the opening of a press: the pin's level says so, well before the press would be a long one."""
    clock, presses, found = Clock(), Presses(), list[Press]()
    opened = open_gpio("", clock)
    pin = pins.pin("GPIO17")
    for tick in range(100):
        clock.now_s = tick * 0.02
        if tick == 10:
            drive(pins, 17, down=True)
        elif tick == 20:
            told, pin.when_changed = pin.when_changed, None
            drive(pins, 17, down=False)
            pin.when_changed = told
        found += presses.feed(opened.edges(), clock.now_s)
    assert found == [Press("bank")]
    opened.close()


@pytest.mark.parametrize(("late_s", "told_s"), [(0.5, 0.5), (0.02, 0.02), (0.0, 0.0), (1.7e9, 0.0), (-3.0, 0.0)])
def test_edges_bear_the_kernels_time(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch, late_s: float, told_s: float
) -> None:
    """An edge that waited for its thread is told with its own time; the time of another clock is none."""
    opened = open_gpio("")
    monkeypatch.setattr(pins, "ticks_diff", lambda _later, _earlier: late_s)
    from_s = time.monotonic()
    drive(pins, 17, down=True)
    to_s = time.monotonic()
    (edge,) = opened.edges()
    assert from_s - told_s <= edge.time_s <= to_s - told_s
    opened.close()


def test_a_failing_callback_does_not_reach_the_pins(pins: MockFactory) -> None:
    """An error in clock or listener would end lgpio's only thread, and with it all buttons: the next edge counts."""
    failures = [True]

    def failing() -> None:
        raise RuntimeError

    def clock() -> float:
        if failures:
            raise RuntimeError(failures.pop())
        return 5.0

    opened = GpioButtons({"bank": 17, "hold": 27}, clock)
    opened.listen(failing)
    drive(pins, 17, down=True)
    drive(pins, 17, down=False)
    assert opened.edges() == [Edge(5.0, "bank", down=False)]
    opened.close()


def test_pins_in_use_say_so(pins: MockFactory) -> None:
    """Another device has one of the pins: one line, and the other pin is let go."""
    assert pins is Device.pin_factory
    with_hold = open_gpio("bank=4,hold=27")
    with pytest.raises(DeviceError, match=r"GPIO17 and GPIO27.*GPIO27.*--buttons keys") as caught:
        open_gpio("")
    assert "\n" not in str(caught.value)
    with_hold.close()
    open_gpio("").close()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bank=2", "4 to 27"),
        ("bank=GPIO17", "4 to 27"),
        ("bank=5,hold=5", "a pin of its own"),
        ("take=5", "bank=, hold="),
        ("bank=5,bank=6", "at most once"),
    ],
)
def test_wrong_words_are_said(words: str, said: str) -> None:
    """Each mistake gives one line with what was expected and what was got, before any pin is touched."""
    with pytest.raises(InputError, match=said) as caught:
        open_gpio(words)
    assert "got" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given_folder", [False, True])
def test_without_pins_it_says_what_to_do_and_leaves_nothing(tmp_path: Path, *, given_folder: bool) -> None:
    """No Pi: one line, no traceback, no warning; lgpio neither litters nor moves the program."""
    for name in ("modules", "here", "given"):
        (tmp_path / name).mkdir()
    (tmp_path / "modules" / "lgpio.py").write_text(LGPIO)
    program = (
        "import os\nfrom hardware.buttons import open_gpio\nfrom tabletop.core.errors import DeviceError\n"
        "try:\n    open_gpio('')\nexcept DeviceError as error:\n    print(error)\n"
        "print(os.getcwd(), os.environ.get('LG_WD'))"
    )
    bare = {name: value for name, value in os.environ.items() if name not in ("LG_WD", "GPIOZERO_PIN_FACTORY")}
    given = {"LG_WD": str(tmp_path / "given")} if given_folder else {}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "here",
        env=bare | given | {"PYTHONPATH": str(tmp_path / "modules"), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    line, where = done.stdout.splitlines()
    assert "python3-lgpio" in line
    assert "--buttons keys" in line
    assert where == f"{tmp_path / 'here'} {given.get('LG_WD')}"
    assert done.stderr == ""
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}
    pipe = {"given/.lgd-nfy0"} if given_folder else set()
    assert left == {"modules", "modules/lgpio.py", "here", "given"} | pipe


def test_a_third_button_opens_the_menu(pins: MockFactory) -> None:
    """`gpio:menu=25` adds it: it chatters like the others, and one tap is one press."""
    clock = Clock()
    opened = open_gpio("menu=25", clock)
    for after_s, down in ((0.0, True), (0.004, False), (0.011, True), (0.1, False), (0.105, True), (0.108, False)):
        clock.now_s = 1.0 + after_s
        drive(pins, 25, down=down)
    clock.now_s = 1.3
    assert Presses().feed(opened.edges(), 1.3) == [Press("hold", long=True, menu=True)]
    opened.close()


def test_a_button_on_another_pin_is_found() -> None:
    """Not the table's own pins, and not one that is at ground anyway; afterwards all are free again."""
    with mock_pins(MockFactory(pin_class=LaterPressedPin)) as factory:
        opened = open_gpio("bank=17,hold=27")
        assert find_press() == 22
        assert find_press(0.0) is None
        assert all(factory.pin(f"GPIO{number}").function == "input" for number in (4, 22, 27))
        opened.close()
        open_gpio("bank=22,hold=5").close()
