"""Tabletop, the dice table companion: it reads real dice, referees the game and announces the next step.

This is the public API for other programs. Each name is loaded on first use. docs/api.md has an example for each.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.core.ports import Camera, Frame
    from tabletop.core.values import Die, Reading, Unsure
    from tabletop.rules import Match
    from tabletop.rules import load as load_game
    from tabletop.views.port import View
    from tabletop.views.snapshot import Snapshot
    from tabletop.vision.reader import read

__version__ = "0.2.0"
__all__ = [
    "Camera", "Die", "Frame", "Match", "Reading", "Snapshot", "Unsure", "View", "__version__", "load_game", "read",
]  # fmt: skip

_HOMES = {  # public name -> the module that defines it, and its name there
    "Camera": ("tabletop.core.ports", "Camera"),
    "Die": ("tabletop.core.values", "Die"),
    "Frame": ("tabletop.core.ports", "Frame"),
    "Match": ("tabletop.rules", "Match"),
    "Reading": ("tabletop.core.values", "Reading"),
    "Snapshot": ("tabletop.views.snapshot", "Snapshot"),
    "Unsure": ("tabletop.core.values", "Unsure"),
    "View": ("tabletop.views.port", "View"),
    "load_game": ("tabletop.rules", "load"),
    "read": ("tabletop.vision.reader", "read"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever has that name
    """Load a public name (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, own = _HOMES[name]
    return getattr(import_module(home), own)
