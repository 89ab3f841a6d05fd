"""The tray's corners as somebody has tapped them in the live picture, and the guided run begun to take them."""

from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.core.values import Point
from tabletop.dialogs.decisions import MenuAction, ShowCorners
from tabletop.dialogs.setup_state import SetupContext

CORNERS = 4


def shown_corners(_: SetupContext, sent: dict[str, Any]) -> ShowCorners:
    """Return the corners that were sent: four in `at`, each its place from the top left, 0 to 1 of width and height.

    Raises InputError for anything else. Whether they can be a tray's is judged where the table is set up.
    """
    at = sent.get("at")
    if not isinstance(at, list) or len(at) != CORNERS:
        raise InputError(say("tap each corner of the tray"))
    return ShowCorners(tuple(_point(corner) for corner in at))


def _point(corner: object) -> Point:
    match corner:
        case [int() | float() as x, int() | float() as y] if _is_part(x) and _is_part(y):
            return float(x), float(y)
    raise InputError(say("a corner is outside the picture"))


def _is_part(value: float) -> bool:
    return not isinstance(value, bool) and 0.0 <= value <= 1.0  # NaN is neither


def guided_run(known: SetupContext, _: dict[str, Any]) -> MenuAction:
    """Return what begins to set the camera up, as the menu does; raises InputError where it cannot."""
    if not known.calibrates:
        raise InputError(say("no camera to set up"))
    return MenuAction.CALIBRATE
