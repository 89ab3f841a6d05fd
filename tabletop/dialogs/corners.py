"""The tray's corners, as somebody has shown them in a picture, on their way to the dialog that asks for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from tabletop.core.errors import StaleError
from tabletop.core.values import Point

D = TypeVar("D")  # any dialog


@dataclass(frozen=True, slots=True)
class ShowCorners:
    """These are the tray's four corners, in any order, in parts of the picture's width and height."""

    corners: tuple[Point, ...]


@runtime_checkable
class AsksForCorners(Protocol):
    """A dialog that may ask where the tray lies in the picture."""

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Take them; raises StaleError if they are not asked for now, RefusedError if they can be no tray's."""


def with_corners(dialog: D | None, decision: ShowCorners) -> D:
    """Return the dialog that is open after it took the corners; raises StaleError if it asks for none."""
    if dialog is None or not isinstance(dialog, AsksForCorners):
        raise StaleError("expected the table to be set up now, and to ask for the tray's corners")
    dialog.take_corners(decision.corners)
    return dialog
