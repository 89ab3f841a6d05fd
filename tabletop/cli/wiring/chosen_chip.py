"""Which chip people found in the display test, as read at the next start. Imports little: the display greets early."""

from contextlib import suppress
from pathlib import Path

from tabletop.core.ports import LookalikeScreen, Screen

CHOSEN = "display"  # the file beside the store: the chip that was found, and the one that the configuration had named


def use_chosen_chip(screen: Screen, store: Path | None) -> None:
    """Drive a display as people told in its test, unless the configuration names another chip since.

    store: the matches, None for the usual ones.
    """
    if not isinstance(screen, LookalikeScreen):
        return
    if store is None:
        from tabletop.store import default_path  # noqa: PLC0415 - a database behind it; the display greets first

        store = default_path()
    with suppress(OSError, UnicodeDecodeError, ValueError):
        chosen, named = store.with_name(CHOSEN).read_text(encoding="utf-8").split()
        if named == screen.named and chosen in screen.chips:
            screen.use_chip(chosen)
