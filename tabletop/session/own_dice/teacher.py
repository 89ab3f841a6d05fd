"""A die that is shown face by face: looked at, cut out, and kept with the face that people say is up."""

from collections.abc import Callable
from statistics import median

import numpy as np
from numpy.typing import NDArray

from tabletop.core.message import say
from tabletop.core.values import FACES
from tabletop.vision.classifier import Found
from tabletop.vision.own_dice import Marks, Sample, stacked, upright
from tabletop.vision.reader import Networks, find_dice

Picture = NDArray[np.uint8]

# Chance of a die from which the likeliest candidate is taken for it: people say that one is there. Of eighteen dice
# with numerals, as large as the networks were told, the least likely had 0.005.
THERE, THERE_OF_SIZE = 0.05, 0.003
RIVAL = 0.6  # chance of a die from which another candidate may be meant
NO_PICTURE = say("no picture yet: is the camera connected?")
NO_DIE = say("no die is seen: lay one in the tray")
TWO_DICE = say("more than one die is seen: leave only one")


class Teacher:
    """Looks at one die at a time.

    look: the name that the dice get. picture: returns the newest picture (H, W, 3), None if there is none yet.
    die_px: returns the edge of a die in a picture, None if unknown: then a digit is easily taken for the die.
    networks: None for the shipped ones.
    """

    def __init__(
        self,
        look: str,
        picture: Callable[[], Picture | None],
        die_px: Callable[[Picture], float | None] = lambda _: None,
        networks: Networks | None = None,
    ) -> None:
        self.samples: list[Sample] = []
        self._look, self._picture, self._die_px, self._networks = look, picture, die_px, networks
        self._sizes: list[float] = []

    def look(self, face: int) -> str:
        """Keep what lies there as showing this face; return why that cannot be, empty if it was."""
        picture = self._picture()
        if picture is None:
            return NO_PICTURE
        die_px = self._die_px(picture) or (median(self._sizes) if self._sizes else None)
        found = find_dice(picture, die_px=die_px, expect=1, networks=self._networks).found
        if not found or found[0].chance < (THERE if die_px is None else THERE_OF_SIZE):
            return NO_DIE
        if any(_apart(candidate, found[0]) and candidate.chance >= RIVAL for candidate in found[1:]):
            return TWO_DICE
        self.samples.append(Sample(upright(picture, found[0]), face, self._look))
        self._sizes.append(found[0].size)
        return ""

    def forget(self) -> None:
        """Take the newest look back."""
        self.samples.pop()
        self._sizes.pop()

    def confused(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of faces that cannot be told apart, the smaller first."""
        if not self.samples:
            return ()
        return Marks(stacked(self.samples), np.array([sample.face for sample in self.samples])).confused()

    @property
    def missing(self) -> tuple[int, ...]:
        """The faces that were not shown."""
        return tuple(face for face in FACES if all(sample.face != face for sample in self.samples))


def _apart(candidate: Found, other: Found) -> bool:
    return max(abs(candidate.x - other.x), abs(candidate.y - other.y)) > other.size
