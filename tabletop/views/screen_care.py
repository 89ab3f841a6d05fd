"""When a screen that shows the same for hours is dimmed and switched off, and what lights it again. Pure.

Small OLEDs burn in: a dot that is always lit gets weaker. So the light is taken back while nobody does anything. What
counts as doing something is a press, or a die that came to lie in another place or is gone: readings, not pixels. So a
lamp that flickers, or a reader that loses a die and finds it again, does not keep the screen lit for ever.
"""

from tabletop.core.ports import Light
from tabletop.core.values import SAME_DIE_EDGES, Die, Rest, distance_in_edges

DIM_AFTER_S = 5 * 60.0  # longer than the longest thinking about a turn
OFF_AFTER_S = 60 * 60.0  # nobody is at the table any more


class ScreenCare:
    """Tells how bright the screens should be. Times in seconds, on any clock that does not go back."""

    def __init__(self) -> None:
        self._stirred_s: float | None = None
        self._known: tuple[Die, ...] = ()
        self._missed: set[int] = set()
        self._seen: Rest | None = None

    def stir(self, now_s: float) -> None:
        """Note that somebody did something."""
        self._stirred_s = now_s

    def see(self, rest: Rest | None, now_s: float) -> None:
        """Note what lies in the tray, None while something moves there: what it comes to is seen afterwards.

        A die that is gone counts once, until another lies in a new place: it may be no more than badly seen.
        """
        if rest is None or rest is self._seen:
            return
        self._seen, dice = rest, rest.reading.dice
        if any(self._place_of(die) is None for die in dice):
            self._known, self._missed = dice, set()
            self.stir(now_s)
            return
        gone = set(range(len(self._known))) - {self._place_of(die) for die in dice} - self._missed
        if gone:
            self._missed |= gone
            self.stir(now_s)

    def quiet_s(self, now_s: float) -> float:
        """Return for how long nobody has done anything."""
        return 0.0 if self._stirred_s is None else now_s - self._stirred_s

    def light(self, now_s: float) -> Light:
        """Return how bright the screens should be now; the first call starts the timer."""
        if self._stirred_s is None:
            self._stirred_s = now_s
        quiet_s = self.quiet_s(now_s)
        if quiet_s >= OFF_AFTER_S:
            return "off"
        return "dim" if quiet_s >= DIM_AFTER_S else "full"

    def _place_of(self, die: Die) -> int | None:
        """Return which of the known dice lay here, None if none did."""
        for index, known in enumerate(self._known):
            if distance_in_edges(die, known) <= SAME_DIE_EDGES:
                return index
        return None
