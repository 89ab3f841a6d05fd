"""Dim idle screens and switch them off to prevent burn-in, and light them again. Pure.

Small OLEDs burn in: a pixel that is always lit gets weaker. So screens are dimmed while nobody is active. Activity is a
press, or a die that came to rest in another place or is gone: readings, not pixels. So a flickering lamp, or a reader
that loses a die and finds it again, does not keep the screen lit for ever.
"""

from tabletop.core import ports, values

DIM_AFTER_S = 5 * 60.0  # longer than anybody thinks about a turn
OFF_AFTER_S = 60 * 60.0  # nobody is at the table any more


class ScreenCare:
    """Determines the brightness of the screens. Times in seconds, on any monotonic clock."""

    def __init__(self) -> None:
        self._stirred_s: float | None = None
        self._known: tuple[values.Die, ...] = ()
        self._missed: set[int] = set()
        self._seen: values.Rest | None = None

    def stir(self, now_s: float) -> None:
        """Note activity."""
        self._stirred_s = now_s

    def see(self, rest: values.Rest | None, now_s: float) -> None:
        """Check a rest for changed dice; None while something moves.

        A die that disappears counts once, until another lies in a new place: it may only be badly seen.
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
        """Return how long nobody has been active."""
        return 0.0 if self._stirred_s is None else now_s - self._stirred_s

    def light(self, now_s: float) -> ports.Light:
        """Return the brightness of the screens now; the first call starts the timer."""
        if self._stirred_s is None:
            self._stirred_s = now_s
        quiet_s = self.quiet_s(now_s)
        if quiet_s >= OFF_AFTER_S:
            return "off"
        return "dim" if quiet_s >= DIM_AFTER_S else "full"

    def _place_of(self, die: values.Die) -> int | None:
        """Return which of the known dice lay here, None if none did."""
        for index, known in enumerate(self._known):
            if values.distance_in_edges(die, known) <= values.SAME_DIE_EDGES:
                return index
        return None
