"""The buzzer: which sound comes when, and that a mock pin is driven so and is quiet afterwards."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin
from somebody import Somebody

from hardware.buzzer import BANK, DUTIES, HELP, THROW, BuzzerView, Sounder, Tune, open_buzzer, tune_between
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import PINS
from tabletop.rules import Match
from tabletop.session.snapshotting import THROW_ONE
from tabletop.store import Store
from tabletop.views.snapshot import DieInTray, MenuView, Snapshot, TrayDrawing

PLAYING = Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", THROW_ONE)
THROWN = replace(PLAYING, thrower="Ann", thrown=(5,), kept=(False,), at_stake=5)
BANKED = replace(PLAYING, scores=(5, 0), asked="Ben")
ASKED = replace(PLAYING, tray=TrayDrawing(1.5, (DieInTray(0.5, 0.5, asked=True),)))


class PwmPin(MockPWMPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin that remembers each frequency and each share of it that it is up."""

    heard: list[tuple[float, float]]

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        if not hasattr(self, "heard"):
            self.heard = []
        self.heard.append((self._frequency or 0.0, float(value)))


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, Device.pin_factory = Device.pin_factory, MockFactory(pin_class=PwmPin)
    try:
        yield Device.pin_factory
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = before


@pytest.mark.parametrize(
    ("before", "now", "tune"),
    [
        (PLAYING, THROWN, THROW),
        (THROWN, replace(THROWN, thrown=(2,)), THROW),
        (THROWN, replace(THROWN, hint="Ann banks 5"), ()),
        (THROWN, BANKED, BANK),
        (THROWN, replace(PLAYING, asked="Ben"), ()),  # a one: nothing banked
        (PLAYING, ASKED, HELP),
        (ASKED, ASKED, ()),
        (ASKED, replace(THROWN, scores=(1, 0)), BANK),
        (PLAYING, replace(ASKED, scores=(5, 0)), HELP),
        (BANKED, replace(BANKED, scores=(0, 0)), ()),  # taken back
    ],
)
def test_what_is_heard_when(before: Snapshot, now: Snapshot, tune: Tune) -> None:
    """A die that needs a hand goes before points, points before the throw; all else is silent."""
    assert tune_between(before, now) == tune


def test_menus_and_new_matches_are_silent() -> None:
    """What a menu shows is no event, and what another match begins with neither; afterwards it is heard again."""
    heard = list[Tune]()
    view = BuzzerView(heard.append)
    menu = replace(THROWN, menu=MenuView("Menu", ("play on",)))
    other = replace(BANKED, game="Yahtzee")
    for snapshot in (PLAYING, menu, PLAYING, other, replace(other, scores=(9, 0))):
        view.show(snapshot, None, 0.0)
    assert heard == [BANK]


def test_a_whole_turn_is_heard(tmp_path: Path) -> None:
    """Ann enters a four and banks: a tick, then upwards, and nothing for the pictures between."""
    heard = list[Tune]()
    view = BuzzerView(heard.append)
    with Store(tmp_path / "a.db") as store:
        somebody = Somebody(store, no_camera=True)
        somebody.play(Match("pig", ["Ann", "Ben"]))
        for button, times in (("hold", 3), ("bank", 1), ("bank", 1)):
            for _ in range(times):
                view.show(somebody.press(button), None, somebody.now_s)  # type: ignore[arg-type]  # one of the two
        view.show(somebody.table.tick(somebody.now_s + 9.0), None, 0.0)
    assert heard == [THROW, BANK]


def test_a_tune_is_driven_and_then_the_pin_is_low(pins: MockFactory) -> None:
    """Each note at its frequency, as loud as asked; silent at the start and at the end."""
    buzzer = Sounder(12, DUTIES[3])
    buzzer.play(BANK)
    buzzer.close()
    buzzer.close()
    heard = pins.pin("GPIO12").heard
    assert [note for note in heard if note[1]] == [(hertz, 0.08) for hertz, _ in BANK]
    assert heard[-1][1] == 0.0


def test_what_comes_too_fast_is_left_out(pins: MockFactory) -> None:
    """Thirty throws at once are three ticks at most, not thirty."""
    buzzer = Sounder(12, 0.01)
    for _ in range(30):
        buzzer.play(THROW)
    buzzer.close()
    assert 1 <= sum(duty > 0 for _, duty in pins.pin("GPIO12").heard) <= 3


def test_it_is_quiet_and_on_its_pin_unless_told_otherwise(pins: MockFactory) -> None:
    """The pin of the wiring table, and the second of five volumes."""
    view = open_buzzer("")
    view.show(PLAYING, None, 0.0)
    view.show(THROWN, None, 0.1)
    view.close()
    assert [duty for _, duty in pins.pin(f"GPIO{PINS['buzzer']}").heard if duty] == [DUTIES[2]]
    assert list(DUTIES.values()) == sorted(DUTIES.values())


@pytest.mark.parametrize(
    ("words", "said"), [("pin=2", "4 to 27"), ("volume=6", "1 .*to 5"), ("tone=3", "pin=, volume=")]
)
def test_wrong_words_are_said(words: str, said: str) -> None:
    """One line with what was expected and what was got."""
    with pytest.raises(InputError, match=said) as caught:
        open_buzzer(words)
    assert "\n" not in str(caught.value)


def test_a_pin_in_use_says_so(pins: MockFactory) -> None:
    """Another part has it: one line that says what to do."""
    first = open_buzzer("pin=13")
    with pytest.raises(DeviceError, match=r"expected a buzzer on GPIO13, got: .*leave it out") as caught:
        open_buzzer("pin=13")
    first.close()
    assert "\n" not in str(caught.value)
    assert pins is Device.pin_factory
