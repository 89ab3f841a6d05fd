"""What the keys of the terminal mean: actions with names, the same for every terminal."""

from dataclasses import dataclass
from typing import Literal

Action = Literal["throw", "bank", "hold", "long bank", "long hold", "aside", "back", "nudge", "switch", "quit"]


@dataclass(frozen=True, slots=True)
class Key:
    """One key as a person means it. face: 1 to 6 for `aside` (set a die with this face aside), else 0."""

    action: Action
    face: int = 0


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
    "q": "quit",
    "Q": "quit",
    "\x03": "quit",  # Ctrl-C and Ctrl-D where the terminal hands them on
    "\x04": "quit",
}
FACES = "123456"


def meaning(text: str, name: str | None = None) -> Key | None:
    """Return what a key means, None if it means nothing. text: as typed; name: of a special key ("KEY_ENTER")."""
    if text in FACES and len(text) == 1:
        return Key("aside", int(text))
    action = ACTIONS.get(name or "") or ACTIONS.get(text)
    return Key(action) if action else None
