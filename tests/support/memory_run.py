"""A long evening in one process: throws and presses in simulated time, and the memory after each tenth of them.

    memory_run.py FOLDER THROWS PRESSES

Prints one JSON line: throws and presses that were made, matches played, and MiB in memory after each tenth.
"""

import gc
import json
import os
import sys
from pathlib import Path
from random import Random

import cv2
from fault_table import PLACES, FaultTable

from hardware.buttons import BANK_PIN, HOLD_PIN
from tabletop.rules import Match

PARTS = 10
LOOK_S, PATIENCE_S = 0.4, 3.0
TARGET = 60  # points: many matches, as in many evenings
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MIB = 2**20


def memory_mib() -> float:
    """Return what this process holds in memory now."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / MIB


class Evening:
    """Two people who play one match after the other, and press more than they need to."""

    def __init__(self, table: FaultTable) -> None:
        self.throws = self.presses = self.matches = 0
        self._table, self._chance = table, Random(1)
        self._begin()

    def _begin(self) -> None:
        self._table.begin(self._table.matches.begin(Match("pig", ["Ann", "Ben"], target=TARGET)))
        self.matches += 1

    def throw(self) -> None:
        """Throw once; where the match is over, begin the next one."""
        match = self._table.session.match
        if match.over:
            self._begin()
            match = self._table.session.match
        before = len(match.log)
        self._table.world.scene = None
        self._table.run(LOOK_S)
        self._table.world.scene = (self._chance.randint(1, 6),), self._chance.randrange(len(PLACES))
        self.throws += self._table.run(PATIENCE_S, lambda: len(match.log) > before)

    def look(self) -> None:
        """See what was read: a BANK in the instant of a throw answers nothing."""
        self._table.run(LOOK_S)

    def press(self, number: int, times: int = 1) -> None:
        """Press a button so many times."""
        for _ in range(times):
            self._table.press(number)
            self._table.world.wait(0.2)
            self._table.tick()
            self.presses += 1


def main(folder: Path, throws: int, presses: int) -> None:
    """Play, and print what came of it."""
    cv2.setNumThreads(0)
    (folder / "machine").mkdir()
    evening = Evening(table := FaultTable(folder / "machine", folder, Random(0)))
    each = presses // throws // 2 * 2  # HOLD pauses, and HOLD again goes on
    memory = []
    for part in range(1, PARTS + 1):
        while evening.throws < throws * part // PARTS:
            evening.throw()
            if not table.session.match.over:
                if table.session.match.request.kind == "choose":
                    evening.look()
                    evening.press(BANK_PIN)
                evening.press(HOLD_PIN, each)
        memory.append(round(memory_mib(), 2))
    table.screen.close()
    seen = {"throws": evening.throws, "presses": evening.presses, "matches": evening.matches, "memory_mib": memory}
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
