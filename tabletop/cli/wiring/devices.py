"""From words of the command line to devices: who presses, and where the table is shown."""

import argparse
import sys
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from tabletop.cli.wiring.args import naming_line, tell
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.offered import open_offered
from tabletop.core.ports import Buttons, LookalikeScreen, Screen
from tabletop.views.port import View

GPIO_DEVICE = Path("/dev/gpiochip0")  # the kernel's name for the header's pins
OWN_BUTTONS = ("auto", "keys", "none")  # words that are no device of an entry point
OWN_SCREENS = ("auto", "terminal", "none")
GROUPS = {"buttons": "tabletop.buttons", "screen": "tabletop.screens", "view": "tabletop.views"}  # of entry points
CHOSEN = "display"  # the file beside the store: the chip that was found, and the one that the configuration had named
I2C_DEVICE = Path("/dev/i2c-1")  # the bus on the header's pins 3 and 5


def interactive(options: argparse.Namespace) -> bool:
    """Return whether somebody is at the table: at a terminal, a page, buttons and a screen, or a device named by hand.

    A view of another package only looks on. Raises InputError for a word that names no device.
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
    """Return whether the terminal shows the table and its keys press."""
    here = sys.stdin.isatty() and sys.stdout.isatty() and not options.json
    asked = options.screen == "terminal" or options.buttons == "keys"
    if asked and not here:
        raise InputError(
            "expected a terminal for --screen terminal and --buttons keys, got a pipe or a file (or --json)"
        )
    return here and options.screen in ("auto", "terminal") and options.buttons in ("auto", "keys")


def open_buttons(options: argparse.Namespace, *, needed: bool = False) -> tuple[Buttons, ...]:
    """Open the real buttons; empty if there are none, or if the table plays on without those of its configuration.

    needed: nothing may stand in for them.
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
    """Open the real screens; empty if there are none. What `auto` finds and cannot open is left out.

    A display that the command line does not name is driven as people told in the display test. needed: nothing may
    stand in for it.
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


def _goes_on_without(options: argparse.Namespace, error: DeviceError, *, asked: bool) -> bool:
    """Say that a part is left out and return True, where the page or a terminal can stand in for it.

    asked: the command line names it: then somebody is there to read the error.
    """
    stands_in = not asked and (bool(options.listen) or uses_terminal(options))
    if stands_in:
        tell(f"{error}; the table plays on without it")
    return stands_in


def open_views(options: argparse.Namespace) -> tuple[View, ...]:
    """Open the views of other packages that the command line names, and those that the configuration has a part for.

    A part that is not there is told and left out: the table plays on without it.
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
    """Raise InputError for a word after `--buttons` or `--screen` that names no device."""
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
