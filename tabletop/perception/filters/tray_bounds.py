"""Dice on the tray's wall are reported as unsure; whatever is outside the tray is ignored."""

from dataclasses import replace

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Profile, Reading, Unsure

WALL_EDGES = 1.0  # die edges: the middle of a die on the wall is at most this far outside the rolling area


def clip_to_tray(reading: Reading, profile: Profile) -> Reading:
    """Return the reading, in millimetres, without what is outside; a die on the wall is unsure, in the tray."""
    on_wall = tuple(
        Unsure(die.x, die.y, die.size, UnsureReason.ON_EDGE) for die in reading.dice if _on_wall(die, profile)
    )
    return replace(
        reading,
        dice=tuple(die for die in reading.dice if die.where != "outside"),
        unsure=(*(unsure for unsure in reading.unsure if unsure.where != "outside"), *on_wall),
    )


def _on_wall(die: Die, profile: Profile) -> bool:
    margin = WALL_EDGES * profile.die_mm
    near = all(-margin <= at <= side + margin for at, side in zip((die.x, die.y), profile.tray_mm, strict=True))
    return die.where == "outside" and near
