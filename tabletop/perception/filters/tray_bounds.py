"""What is on the tray's wall is named; what is outside belongs to nobody."""

from dataclasses import replace

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Profile, Reading, Unsure

WALL_DICE = 1.0  # dice: a die that stands on the wall has its middle at most so far outside the rolling area


def clip_to_tray(reading: Reading, profile: Profile) -> Reading:
    """Return the reading, in millimetres, without what is outside; a die on the wall is unsure, in the tray."""
    on_wall = tuple(
        Unsure(die.x, die.y, die.size, UnsureReason.ON_EDGE) for die in reading.dice if _on_wall(die, profile)
    )
    return replace(
        reading,
        dice=tuple(die for die in reading.dice if die.where != "outside"),
        unsure=(*(one for one in reading.unsure if one.where != "outside"), *on_wall),
    )


def _on_wall(one: Die | Unsure, profile: Profile) -> bool:
    margin = WALL_DICE * profile.die_mm
    near = all(-margin <= at <= side + margin for at, side in zip((one.x, one.y), profile.tray_mm, strict=True))
    return one.where == "outside" and near
