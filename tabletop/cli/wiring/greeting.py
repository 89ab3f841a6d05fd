"""The first picture on the appliance's display: a greeting, or what keeps the table from starting."""

import argparse
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from tabletop.cli.wiring.args import tell
from tabletop.cli.wiring.devices import OWN_SCREENS, open_screens
from tabletop.config.file import default_path
from tabletop.core.errors import TabletopError
from tabletop.core.ports import Screen
from tabletop.core.reconnecting import Reconnecting
from tabletop.service.service_manager import ServiceManager
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, page_at, pages
from tabletop.views.snapshot import Snapshot

MISTAKE_S = 45  # a mistake stays on the display: below the unit's TimeoutStartSec, then it is tried again
LOOK_S = 1.0  # between two looks at the file of the configuration


@contextmanager
def greeted(options: argparse.Namespace, language: Language, manager: ServiceManager) -> Iterator[tuple[Screen, ...]]:
    """Open the real screens and greet on them at once; they are closed at the end. Empty if there are none.

    manager: if it started the program, a display that is missing is waited for.
    """
    screens: tuple[Screen, ...] = ()
    if manager.present and options.screen not in OWN_SCREENS:
        screens = (*screens, Reconnecting(lambda: open_screens(options, needed=True)[0], tell))
    else:
        screens = open_screens(options)
    try:
        show(screens, translated(Snapshot(), language))
        yield screens
    finally:
        for screen in screens:
            screen.close()


def show(screens: tuple[Screen, ...], snapshot: Snapshot, since_s: float = 0.0) -> None:
    """Show a snapshot on these screens. since_s: for how long it has been shown, to turn its pages."""
    for screen in screens:
        page = page_at(since_s, pages(snapshot, screen.width, screen.height))
        screen.show(draw(snapshot, screen.width, screen.height, page))


def show_mistake(
    error: TabletopError,
    options: argparse.Namespace,
    manager: ServiceManager,
    wait: Callable[[float], object] = time.sleep,
) -> None:
    """Tell the service manager and the display what keeps the table from starting.

    Returns when the configuration has been changed, or after 45 s. wait: waits for this many seconds, and returns
    whether the program is to end.
    """
    file = options.config or default_path()
    before = _changed(file)
    manager.failing(str(error))
    options.screen_asked = options.screen is not None
    screens = _any_screens(options, options.screen or _screen_in(file))
    snapshot = Snapshot(hint=str(error).replace(str(file), file.name))
    since_s = count()
    try:
        while _changed(file) == before and (at_s := next(since_s) * LOOK_S) < MISTAKE_S:
            show(screens, snapshot, at_s)
            if wait(LOOK_S):
                return
    finally:
        for screen in screens:
            screen.close()


def _any_screens(options: argparse.Namespace, word: str) -> tuple[Screen, ...]:
    """Open the display of this word, or where that is none, whatever there is."""
    options.screen = word
    try:
        return open_screens(options, needed=True)
    except (TabletopError, LookupError):  # a word that no package offers
        return () if word == "auto" else _any_screens(options, "auto")


def _screen_in(file: Path) -> str:
    """Return the display that the configuration names, whatever else is wrong in it."""
    with suppress(OSError, ValueError):
        word = tomllib.loads(file.read_text(encoding="utf-8")).get("screen")
        return word if isinstance(word, str) else "auto"
    return "auto"


def _changed(file: Path) -> int:
    """Return when the file was changed, in nanoseconds; 0 if it is not there."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0
