"""`tabletop` as a program whose display is a chip behind a stand-in of its bus; what its glass shows is kept in a file.

python shown_table.py GLASS ROWS WORDS...
"""

import sys
from pathlib import Path

import smbus2
from display_chip import Bus, Ssd1306

from tabletop.cli.main import main


def show(glass: Path, rows: int, words: list[str]) -> int:
    """Run `tabletop` with these words; a picture is in the file as a whole or not at all."""
    bus, partial = Bus(Ssd1306(rows=rows)), glass.with_suffix(".part")
    known = b""

    def keep() -> None:
        nonlocal known
        pixels = bus.chip.glass().tobytes()
        if pixels != known:
            known = pixels
            partial.write_bytes(pixels)
            partial.replace(glass)

    bus.after = keep
    smbus2.SMBus = lambda _number: bus  # type: ignore[assignment, misc] # the bus of this display
    return main(words)


if __name__ == "__main__":
    sys.exit(show(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
