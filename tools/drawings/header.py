"""The 40-pin header of a Raspberry Pi, and the pins of each part.

The drawing and the docs are checked against it, and it against the pins of the program (`PINS` of
`tabletop.core.ports`). Source of the header: Raspberry Pi's documentation, "GPIO and the 40-pin header".
"""

from dataclasses import dataclass
from typing import Literal

Part = Literal["display", "bank", "hold", "menu", "buzzer", "power"]

V3_3, V5, GROUND = "3V3", "5V", "GND"  # of a pin that is no GPIO
HEADER = (
    *(V3_3, V5, "GPIO2", V5, "GPIO3", GROUND, "GPIO4", "GPIO14"),
    *(GROUND, "GPIO15", "GPIO17", "GPIO18", "GPIO27", GROUND, "GPIO22", "GPIO23"),
    *(V3_3, "GPIO24", "GPIO10", GROUND, "GPIO9", "GPIO25", "GPIO11", "GPIO8"),
    *(GROUND, "GPIO7", "GPIO0", "GPIO1", "GPIO5", GROUND, "GPIO6", "GPIO12"),
    *("GPIO13", GROUND, "GPIO19", "GPIO16", "GPIO26", "GPIO20", GROUND, "GPIO21"),
)
"""What each pin is, pin 1 first. Odd pins are the inner row, towards the middle of the board."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the header to a part. end: the label at the part's end. pin: of the header, 1 to 40."""

    part: Part
    end: str
    pin: int

    @property
    def name(self) -> str:
        """The label of the header's pin, such as "GPIO17" or "GND"."""
        return HEADER[self.pin - 1]


ONE_LEG, OTHER_LEG = "one leg", "the other leg"
WIRES = (
    *(Wire("display", "VCC", 1), Wire("display", "SDA", 3), Wire("display", "SCL", 5), Wire("display", "GND", 6)),
    *(Wire("bank", ONE_LEG, 11), Wire("bank", OTHER_LEG, 9)),
    *(Wire("hold", ONE_LEG, 13), Wire("hold", OTHER_LEG, 14)),
    *(Wire("menu", ONE_LEG, 22), Wire("menu", OTHER_LEG, 20)),
    *(Wire("buzzer", "+", 32), Wire("buzzer", "-", 30)),
    *(Wire("power", ONE_LEG, 36), Wire("power", OTHER_LEG, 34)),
)
"""Each wire once; no pin has two, so that plugs on the header do. The last three parts may be left out."""
