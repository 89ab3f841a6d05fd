"""Open the buttons, screens and views named on the command line, and show the first picture.

That picture is a greeting, or the error that keeps the table from starting.
"""

import argparse
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from itertools import count
from pathlib import Path
from typing import Any

from tabletop.cli.wiring.args import naming_line, tell
from tabletop.config.file import Configuration, default_path
from tabletop.core.errors import DeviceError, InputError, TabletopError
from tabletop.core.ports import Buttons, LookalikeScreen, Screen
from tabletop.core.reconnecting import Reconnecting
from tabletop.core.words import open_offered
from tabletop.service.service_manager import ServiceManager
from tabletop.store import LANGUAGE
from tabletop.store import default_path as usual_store
from tabletop.views.i18n.catalogue import Language, load_language, of_environment
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, page_at, pages
from tabletop.views.port import View
from tabletop.views.snapshot import Snapshot

GPIO_DEVICE = Path("/dev/gpiochip0")  # the kernel's name for the header's pins
OWN_BUTTONS = ("auto", "keys", "none")  # words that are no device of an entry point
OWN_SCREENS = ("auto", "terminal", "none")
GROUPS = {"buttons": "tabletop.buttons", "screen": "tabletop.screens", "view": "tabletop.views"}  # of entry points
CHOSEN_CHIP = (
    "display"  # the file beside the store: the chip that was found, and the one that the configuration had named
)
MISTAKE_S = 45  # a mistake stays on the display: below the unit's TimeoutStartSec, then it is tried again
LOOK_S = 1.0  # between two looks at the file of the configuration
I2C_DEVICE = Path("/dev/i2c-1")  # the bus on the header's pins 3 and 5


def interactive(options: argparse.Namespace) -> bool:
    """Return whether people can take part: at a terminal, a page, buttons and a screen, or a named device.

    A view of another package is only an output. Raises InputError for an unknown device.
    """
    check_devices(options.buttons, options.screen)
    for word in options.views:
        _check_known("view", word, ())
    named = options.buttons not in OWN_BUTTONS or options.screen not in OWN_SCREENS
    return named or bool(options.listen) or can_ask(options)


def can_ask(options: argparse.Namespace) -> bool:
    """Return whether people can be asked: there is something to show a question and something to press."""
    shown = options.views or _screen_word(options) != "none"
    return bool(options.listen) or uses_terminal(options) or (_button_word(options) != "none" and bool(shown))


def uses_terminal(options: argparse.Namespace) -> bool:
    """Return whether the terminal shows the table and its keys act as buttons."""
    here = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    asked = options.screen == "terminal" or options.buttons == "keys"
    if asked and not here:
        raise InputError(
            "expected a terminal for --screen terminal and --buttons keys, got a pipe or a file (or --json)"
        )
    return here and options.screen in ("auto", "terminal") and options.buttons in ("auto", "keys")


def open_buttons(options: argparse.Namespace, *, needed: bool = False) -> tuple[Buttons, ...]:
    """Open the real buttons; empty if there are none, or if optional ones cannot be opened.

    needed: raise an error instead.
    """
    word = _button_word(options)
    if word in ("none", "keys"):
        return ()
    try:
        with naming_line(options, "buttons"):
            return (_open("buttons", word),)
    except DeviceError as error:
        if needed or not _goes_on_without(options, error, asked=options.buttons_asked):
            raise
        return ()


def open_screens(options: argparse.Namespace, *, needed: bool = False) -> tuple[Screen, ...]:
    """Open the real screens; empty if there are none. A display found by `auto` that cannot be opened is skipped.

    A display not named on the command line is driven as chosen in the display test. needed: raise an error instead of
    skipping.
    """
    word = _screen_word(options)
    if word in ("none", "terminal"):
        return ()
    try:
        with naming_line(options, "screen"):
            screen: Screen = _open("screen", word)
    except DeviceError as error:
        if options.screen != "auto" and (needed or not _goes_on_without(options, error, asked=options.screen_asked)):
            raise
        return ()
    if not options.screen_asked:
        use_chosen_chip(screen, options.store)
    return (screen,)


def use_chosen_chip(screen: Screen, store: Path | None) -> None:
    """Drive a display as chosen in its test, unless the configuration has named another chip since.

    store: the path of the store, None for the default.
    """
    if not isinstance(screen, LookalikeScreen):
        return
    if store is None:
        store = usual_store()
    with suppress(OSError, UnicodeDecodeError, ValueError):
        chosen, named = store.with_name(CHOSEN_CHIP).read_text(encoding="utf-8").split()
        if named == screen.named and chosen in screen.chips:
            screen.use_chip(chosen)


def _goes_on_without(options: argparse.Namespace, error: DeviceError, *, asked: bool) -> bool:
    """Say that a part is left out and return True, where the page or a terminal can stand in for it.

    asked: the command line names it: then somebody is there to read the error.
    """
    stands_in = not asked and (bool(options.listen) or uses_terminal(options))
    if stands_in:
        tell(f"{error}; the table plays on without it")
    return stands_in


def open_views(options: argparse.Namespace) -> tuple[View, ...]:
    """Open the views named on the command line, and those with a section in the configuration.

    If one is missing, a message is printed and the table plays without it.
    """
    opened = [_open("view", word) for word in options.views]
    for word in options.parts:
        try:
            _check_known("view", word, ())
            opened.append(_open("view", word))
        except (DeviceError, InputError) as error:
            tell(f"{error}; the table plays on without it")
    return tuple(opened)


def _button_word(options: argparse.Namespace) -> str:
    if options.buttons != "auto":
        return str(options.buttons)
    return "gpio" if GPIO_DEVICE.exists() else "none"


def _screen_word(options: argparse.Namespace) -> str:
    if options.screen != "auto":
        return str(options.screen)
    return "ssd1306" if I2C_DEVICE.exists() else "none"


def check_devices(buttons: str, screen: str) -> None:
    """Raise InputError for an unknown value of `--buttons` or `--screen`."""
    _check_known("buttons", buttons, OWN_BUTTONS)
    _check_known("screen", screen, OWN_SCREENS)


def _check_known(option: str, word: str, own: tuple[str, ...]) -> None:
    known = [*own, *sorted(point.name for point in entry_points(group=GROUPS[option]))]
    kind, colon, _ = word.partition(":")
    if kind in own and colon:
        raise InputError(f"expected --{option} {kind}, with nothing behind it, got {word!r}")
    if kind not in known:
        raise InputError(f"expected --{option} {' or '.join(known) or 'NAME of an installed package'}, got {word!r}")


def _open(option: str, word: str) -> Any:  # noqa: ANN401 - an entry point can give anything; the ports say what it must
    name, _, rest = word.partition(":")
    return open_offered(option, entry_points(group=GROUPS[option])[name], rest)


def language_of(options: argparse.Namespace, configured: Configuration, environ: Mapping[str, str]) -> Language:
    """Load the language from --language, the menu's last choice, the configuration or the environment, in this order.

    Raises InputError if the first or the third is invalid; the file chosen in the menu may be gone since.
    """
    if options.language is not None:
        return load_language(options.language)
    with suppress(InputError, OSError, UnicodeDecodeError):
        return load_language(chosen_language(options.store or usual_store()).read_text(encoding="utf-8").strip())
    if configured.language is None:
        return load_language(of_environment(environ))
    try:
        return load_language(configured.language)
    except InputError as error:
        raise InputError(f"{configured.places['language']}: {error}") from None


def chosen_language(store: Path) -> Path:
    """Return the file with the language chosen in the menu."""
    return store.with_name(LANGUAGE)


@contextmanager
def greeted(options: argparse.Namespace, language: Language, manager: ServiceManager) -> Iterator[tuple[Screen, ...]]:
    """Open the real screens and show the greeting at once; they are closed at the end. Empty if there are none.

    manager: if it started the program, a missing display is waited for.
    """
    awaited = manager.present and options.screen not in OWN_SCREENS
    screens: tuple[Screen, ...] = (
        (Reconnecting(lambda: open_screens(options, needed=True)[0], tell),) if awaited else open_screens(options)
    )
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
    """Report the error that keeps the table from starting, to the service manager and on the display.

    Returns when the configuration has changed, or after 45 s. wait: sleeps for this many seconds, and returns whether
    the program must end.
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
    except (TabletopError, KeyError):  # KeyError: no display of this name
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
