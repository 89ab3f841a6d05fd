"""The pins that a configuration file names for buttons and buzzer."""

from collections.abc import Collection, Mapping
from typing import cast

from tabletop.config.nearest import nearest_number
from tabletop.config.pins import FREE_PINS, Part, default_pin
from tabletop.core.ports import CONTACT_NAMES
from tabletop.core.toml_file import TomlFile

USUAL_PINS = {"bank": default_pin("bank"), "hold": default_pin("hold")}  # theirs though the file names none
BUZZER = "buzzer"  # a view that is heard; its pin stands beside those of the buttons


def checked_pins(file: TomlFile, elsewhere: Mapping[str, str], other_keys: Collection[str]) -> dict[str, int]:
    """Return the GPIO numbers that the file gives, by part; none is there twice.

    elsewhere, other_keys: where keys belong that are not of this table. Raises InputError naming the line.
    """
    pins = file.table("pins")
    file.check_names((*CONTACT_NAMES, BUZZER), "pins", elsewhere, other_keys)
    taken = {**(USUAL_PINS if file.values.get("buttons") == "gpio" else {}), **pins}
    for name, pin in pins.items():
        if not isinstance(pin, int) or isinstance(pin, bool) or pin not in FREE_PINS:
            near = nearest_number(pin, FREE_PINS[0], FREE_PINS[-1], default_pin(cast("Part", name)))
            raise file.wrong(f"pins.{name}", f"the GPIO number of a pin, {FREE_PINS[0]} to {FREE_PINS[-1]}", pin, near)
        if other := next((other for other in taken if other != name and taken[other] == pin), None):
            left = (other for other in FREE_PINS if other not in taken.values())
            free = str(min(left, key=lambda near: (abs(near - pin), -near)))
            raise file.wrong(f"pins.{name}", f"another pin than that of {other}", pin, free)
    return dict(pins)
