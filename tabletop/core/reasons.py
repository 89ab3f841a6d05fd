"""Why a face is not given: data for logic. What is said to people about it is in `wording.py`."""

from enum import Enum, auto


class UnsureReason(Enum):
    """Why something that is or may be a die has no sure face."""

    MAY_BE_NO_DIE = auto()  # the reader doubts that it is a die at all
    LEANS = auto()  # it does not lie flat
    PARTLY_HIDDEN = auto()  # something lies over a part of it
    OUTSIDE_PICTURE = auto()  # the picture's border cuts it
    TOO_DARK = auto()  # its top face is too dark to show pips
    GLARE = auto()  # light hides its pips
    TWO_FACES = auto()  # two faces are likely; `Unsure.faces` has them
    UNREADABLE = auto()  # no face is likely enough
    ON_EDGE = auto()  # it lies on the tray's wall


FACE_REASONS = frozenset({UnsureReason.TWO_FACES, UnsureReason.UNREADABLE, UnsureReason.LEANS})
"""The reasons that are about the die itself, not about a hand, the light or the picture's border."""
