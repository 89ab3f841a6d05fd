"""Looks now and then whether events can be stored, so that people hear of it before they throw."""

from collections.abc import Callable

LOOK_EVERY_S = 2.0  # a full card is said within this


class StoreWatch:
    """What keeps the store from taking events.

    look: returns it in words for people, empty for nothing; asked every two seconds of the time that is given.
    mended: is given the time at which events can be stored again.
    """

    def __init__(self, look: Callable[[], str], mended: Callable[[float], None]) -> None:
        self._look, self._mended = look, mended
        self._looked_s = float("-inf")
        self._trouble = ""

    def __call__(self, now_s: float) -> str:
        """Return why nothing can be stored now, empty if all is well."""
        if now_s - self._looked_s >= LOOK_EVERY_S:
            before, self._trouble, self._looked_s = self._trouble, self._look(), now_s
            if before and not self._trouble:
                self._mended(now_s)
        return self._trouble
