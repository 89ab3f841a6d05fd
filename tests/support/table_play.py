"""A tray without a camera for tests of what comes after the reader: rests said in words; a game that allows no stop."""

from dataclasses import dataclass, field
from math import inf
from typing import Literal

from tabletop.core.values import Die, Reading, Rest, Unit, Unsure, Where
from tabletop.replay.recording import old_reason
from tabletop.rules import Answer

Spot = tuple[int, Where, float]


@dataclass
class Lying:
    """Dice that lie somewhere since some time. Each change makes a new rest; time goes on by a second."""

    now_s: float = 1.0
    unit: Unit = "px"
    dice: list[Spot] = field(default_factory=list)
    doubts: list[tuple[str, float]] = field(default_factory=list)

    def there_before(self, *faces: int) -> Rest:
        """Have dice that lay there when the camera was switched on."""
        self.dice += [(face, "tray", -inf) for face in faces]
        return self.rest()

    def throw(self, *faces: int, onto: Where = "tray") -> Rest:
        """Let dice come to rest now, beside those that lie there."""
        self.now_s += 1.0
        self.dice += [(face, onto, self.now_s - 0.5) for face in faces]
        return self.rest()

    def pick_up(self, *faces: int) -> Rest:
        """Take dice out of the tray: these, or all."""
        self.now_s += 1.0
        for face in faces or [face for face, _, _ in self.dice]:
            self.dice.remove(next(spot for spot in self.dice if spot[0] == face and (faces == () or spot[1] == "tray")))
        self.doubts.clear()
        return self.rest()

    def to_rail(self, *faces: int) -> Rest:
        self.now_s += 1.0
        for face in faces:
            self.dice.remove(next(spot for spot in self.dice if spot[0] == face and spot[1] == "tray"))
            self.dice.append((face, "rail", self.now_s - 0.5))
        return self.rest()

    def lean(self, words: str = "leans") -> Rest:
        self.now_s += 1.0
        self.doubts.append((words, self.now_s - 0.5))
        return self.rest()

    def rest(self) -> Rest:
        dice = tuple(
            Die(face, 60.0 * i + 30, 100.0, 50.0, 0.0, "white", 0.99, where)
            for i, (face, where, _) in enumerate(self.dice)
        )
        unsure = tuple(map(_unsure, (words for words, _ in self.doubts)))
        reading = Reading(self.now_s, 640, 480, dice, unsure, self.unit)
        return Rest(reading, tuple(at_s for _, _, at_s in self.dice), tuple(at_s for _, at_s in self.doubts))


def _unsure(words: str) -> Unsure:
    reason, faces = old_reason(words)
    return Unsure(600.0, 400.0, 50.0, reason, faces=faces)


Button = Literal["bank", "hold"]


def nothing_more(_: tuple[Answer, ...]) -> bool:
    return False
