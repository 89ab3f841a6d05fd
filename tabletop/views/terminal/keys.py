"""What the keys of the terminal mean: actions with names, the same for every terminal."""

from dataclasses import dataclass, field
from typing import Literal

Action = Literal["throw", "bank", "hold", "long bank", "long hold", "aside", "back", "nudge", "switch", "help", "quit"]


@dataclass(frozen=True, slots=True)
class Key:
    """One key as a person means it.

    face: 1 to 6 for `aside` (set a die with this face aside), else 0. label: what is printed on the key.
    """

    action: Action
    face: int = 0
    label: str = field(default="", compare=False)


ACTIONS: dict[str, Action] = {
    "t": "throw",
    " ": "throw",
    "b": "bank",
    "\r": "bank",
    "\n": "bank",
    "KEY_ENTER": "bank",
    "h": "hold",
    "B": "long bank",
    "u": "long bank",
    "H": "long hold",
    "m": "long hold",
    "0": "back",
    "n": "nudge",
    "\t": "switch",
    "KEY_TAB": "switch",
    "?": "help",
    "KEY_F1": "help",
    "\x1b[11~": "help",  # F1 of rxvt and PuTTY, and that of the Linux console
    "\x1b[[A": "help",
    "q": "quit",
    "Q": "quit",
    "\x03": "quit",  # Ctrl-C and Ctrl-D where the terminal hands them on
    "\x04": "quit",
}
FACES = "123456"
DICE_ACTIONS: tuple[Action, ...] = ("throw", "aside", "back", "nudge")  # those that need simulated dice
NAMELESS = {" ": "SPACE", "\x1b": "ESC", "\x7f": "BACKSPACE", "\x08": "BACKSPACE"}


def meaning(text: str, name: str | None = None) -> Key | None:
    """Return what a key means, None if it means nothing. text: as typed; name: of a special key ("KEY_ENTER")."""
    if text in FACES and len(text) == 1:
        return Key("aside", int(text), text)
    action = ACTIONS.get(name or "") or ACTIONS.get(text)
    return Key(action, label=label(text, name)) if action else None


def label(text: str, name: str | None = None) -> str:
    """Return what is printed on a key: its letter, or the name of a special key without "KEY_"; empty if unknown."""
    if name:
        return name.removeprefix("KEY_")
    return text if text.isprintable() and text.strip() else NAMELESS.get(text, "")


def is_whole(sequence: str) -> bool:
    """Return whether a sequence that begins with Esc is complete.

    As ECMA-48, 5.4, has it; the Linux console's function keys have a second bracket.
    """
    body = sequence[1:]
    if body[:1] not in ("[", "O"):
        return bool(body)
    final = body[1:].removeprefix("[") if body[0] == "[" else body[1:]
    return bool(final) and "\x40" <= final[-1] <= "\x7e"
