"""Pins of gpiozero's mock that a test or its class drives."""

from collections.abc import Iterator
from contextlib import contextmanager

from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin


class HeldPin(MockPin):  # type: ignore[misc]  # gpiozero ships no types
    """A mock pin whose pull-up, as in life, does not win over a finger on the button."""

    def _set_pull(self, value: str) -> None:
        self._pull = value


class LaterPressedPin(HeldPin):
    """GPIO22 is pressed from its third look on; GPIO5 is at ground all the time."""

    looks = 0

    def _get_state(self) -> bool:
        self.looks += 1
        return not (self.info.name == "GPIO5" or (self.info.name == "GPIO22" and self.looks > 2))


@contextmanager
def mock_pins(factory: MockFactory) -> Iterator[MockFactory]:
    """Give gpiozero pins that a test drives; afterwards it is as before."""
    before, Device.pin_factory = Device.pin_factory, factory
    try:
        yield factory
    finally:
        factory.reset()
        Device.pin_factory = before
