"""`tabletop` as a program whose display is a chip behind a stand-in of its bus; what its glass shows is kept in a file.

python shown_table.py GLASS ROWS WORDS...

A USB camera looks at a printed mat with three dice. What people do there comes line by line on standard input: throw,
cover (the mat's markers), unplug, plug in.
"""

import os
import sys
import time
from pathlib import Path
from random import Random
from threading import Thread

import cv2
import numpy as np
import smbus2
from display_chip import Bus, Ssd1306
from disturbed_mat import Disturbance, DisturbedMat
from numpy.typing import NDArray
from v4l2_camera import Plugged, VideoCapture

from tabletop.cli.main import main
from tabletop.config.mat import mat_of
from tabletop.simulator import mat_tray

FPS, DICE = 8.0, 3
mat_tray.HAND_S = 2.0  # dice are out of sight for so long: a machine with other things to do sees that, too
Picture = NDArray[np.uint8]


class MatOnUsb(Plugged):
    """The mat and its camera, in real time."""

    tray = DisturbedMat(mat_of("A4", "left"), DICE, chance=Random(3), fps=FPS)

    def clock(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
        self.measure()

    def look(self) -> Picture:
        """Return what the camera sees now, with the noise of its sensor."""
        self.tray.now_s = time.monotonic()
        seen = self.tray.show(self.tray.now_s)
        return np.asarray(seen ^ np.random.default_rng().integers(0, 2, (*seen.shape[:2], 1), np.uint8), np.uint8)

    def obey(self) -> None:
        """Do what people do, until they say no more."""
        acts = {"throw": self.tray.throw, "unplug": self.unplug, "plug in": self.plug_in}
        for line in map(str.strip, sys.stdin):
            if line == "cover":
                self.tray.wrong = Disturbance(hidden=tuple(self.tray.mat.markers))
            else:
                acts[line]()


class Capture(VideoCapture):
    """What OpenCV opens there."""

    def retrieve(self) -> tuple[bool, Picture | None]:
        """Decode the newest frame."""
        good, _ = super().retrieve()
        world = self._world
        assert isinstance(world, MatOnUsb)
        return good, world.look()


def show(glass: Path, rows: int, words: list[str]) -> int:
    """Run `tabletop` with these words; a picture is in the file as a whole or not at all."""
    bus, partial, known = Bus(Ssd1306(rows=rows)), glass.with_suffix(".part"), b""

    def keep() -> None:
        nonlocal known
        pixels = bus.chip.glass().tobytes()
        if pixels != known:
            known = pixels
            partial.write_bytes(pixels)
            partial.replace(glass)

    bus.after = keep
    smbus2.SMBus = lambda _number: bus  # type: ignore[assignment, misc] # the bus of this display
    machine = glass.with_name("machine")
    machine.mkdir()
    height, width = MatOnUsb.tray.show(0.0).shape[:2]
    world = MatOnUsb(machine, fps=FPS, modes=((width, height),))
    cv2.VideoCapture = lambda number, _: Capture(world, number)  # type: ignore[assignment, misc] # this machine's
    Thread(target=world.obey, daemon=True).start()
    os.environ["STATE_DIRECTORY"] = str(glass.parent)
    return main(words)


if __name__ == "__main__":
    sys.exit(show(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
