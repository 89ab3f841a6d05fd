"""A long evening at `tabletop play` in simulated time: throws and presses, and the memory after each tenth of them.

    memory_run.py FOLDER THROWS PRESSES [--in-use]

Prints one JSON line: throws and presses that were made, matches played, and MiB in memory after each tenth.
With --in-use what the C library has free is given back to the kernel first. It keeps 5 to 10 MiB, in steps of up to
4 MiB that come at any moment, which hide a small growth in a short run.
"""

import ctypes
import gc
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import cv2
from fault_players import EYES
from fault_table import BANK_PIN, HOLD_PIN, PLACES, Machine, draw_all, offer_view

PARTS = 10
LOOK_S, PATIENCE_S, AFTER_S = 0.4, 3.0, 0.2
CONFIGURED = """\
game = "pig"
players = ["Ann", "Ben"]
[set]
target = 60  # many matches, as in many evenings
"""
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MIB = 2**20


def memory_mib(*, in_use: bool) -> float:
    """Return what this process holds in memory now. in_use: without what the C library has free (glibc only)."""
    gc.collect()
    if in_use:
        ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / MIB


class Evening:
    """Two people who play one match after the other, and press more than they need to. matches: their numbers."""

    def __init__(self, machine: Machine, *, in_use: bool) -> None:
        self._in_use = in_use
        self.throws = self.presses = 0
        self.matches = set[int]()
        self.memory = list[float]()
        self._machine, self._chance = machine, Random(1)

    def play(self, throws: int, presses: int) -> None:
        each = presses // throws // 2 * 2  # HOLD pauses, and HOLD again goes on
        while not self._sees(lambda: EYES.shown.record is not None):
            pass
        for part in range(1, PARTS + 1):
            while self.throws < throws * part // PARTS:
                self._turn(each)
            self.memory.append(round(memory_mib(in_use=self._in_use), 2))

    def _turn(self, presses: int) -> None:
        """Throw once, bank where that is asked, and press HOLD so many times; at the end begin again."""
        while EYES.shown.winners or EYES.shown.menu is not None:
            self._press(BANK_PIN)
        self.matches.add(EYES.shown.number)
        entries = self._entries()
        self._machine.world.scene = ()
        self._sees(lambda: False, LOOK_S)
        self._machine.world.scene = ((self._chance.randint(1, 6), self._chance.randrange(len(PLACES))),)
        self.throws += self._sees(lambda: self._entries() > entries)
        self._sees(lambda: False, LOOK_S)  # a BANK in the instant of a throw answers nothing
        if EYES.shown.bank == "bank":
            self._press(BANK_PIN)
        for _ in range(0 if EYES.shown.winners else presses):
            self._press(HOLD_PIN)

    def _entries(self) -> int:
        record = EYES.shown.record
        return record.entries if record is not None else 0

    def _press(self, pin: int) -> None:
        self._machine.press(pin)
        self._sees(lambda: False, AFTER_S)
        self.presses += 1

    def _sees(self, true: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        return EYES.wait_for(true, seconds)


def main(folder: Path, throws: int, presses: int, *, in_use: bool) -> None:
    """Play, and print what came of it."""
    cv2.setNumThreads(0)
    draw_all()
    offer_view(folder)
    (folder / "machine").mkdir()
    evening = Evening(machine := Machine(folder / "machine", folder), in_use=in_use)

    def play() -> None:
        try:
            evening.play(throws, presses)
            matches = len(evening.matches)
            seen = {
                "throws": evening.throws,
                "presses": evening.presses,
                "matches": matches,
                "memory_mib": evening.memory,
            }
            sys.stdout.write(json.dumps(seen) + "\n")
            sys.stdout.flush()
        finally:
            os._exit(len(evening.memory) != PARTS)

    threading.Thread(target=play, daemon=True).start()
    machine.play(CONFIGURED, "--view", "people")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), in_use="--in-use" in sys.argv[4:])
