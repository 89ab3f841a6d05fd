"""The lines about a profile: whether it can be read, and what it knows of the tray and its dice."""

from collections.abc import Iterator
from pathlib import Path

from tabletop.config.profile import SHAPE_TOLERANCE, die_px, load_profile
from tabletop.core.checks import Check
from tabletop.core.errors import TabletopError
from tabletop.core.message import say
from tabletop.core.values import Profile
from tabletop.doctor.camera import MOST_UNSURE
from tabletop.perception.frame_reader import LEAST_DIE_PX

PROFILE = say("profile")


def profile_checks(path: Path | None, frame_px: tuple[int, int] | None = None) -> Iterator[Check]:
    """Yield what there is to say of a profile's file. frame_px: width and height of the camera's frames, if known."""
    name = say("file")
    if path is None:
        remedy = say("`tabletop calibrate` makes one")
        yield Check(PROFILE, name, found=False, right=None, figure=say("not there"), remedy=remedy)
        return
    try:
        profile = load_profile(path)
    except TabletopError as error:
        yield Check(PROFILE, name, found=path.exists(), right=False, figure=str(path), remedy=str(error))
        return
    yield Check(PROFILE, name, found=True, right=True, figure=str(path))
    yield from _known(profile, frame_px or (profile.width_px, profile.height_px))


def _known(profile: Profile, frame_px: tuple[int, int]) -> Iterator[Check]:
    width, height = frame_px
    setup = profile.setup
    fits = abs(profile.width_px * height / (profile.height_px * width) - 1) <= SHAPE_TOLERANCE
    wide, high = (round(side) for side in profile.tray_mm)
    error_mm = setup.marker_error_mm if setup is not None else 0.0
    figure = (
        say("{n} x {n2} mm, good to {text} mm", n=wide, n2=high, text=f"{error_mm:.1f}")
        if error_mm
        else say("tray of {n} x {n2} mm", n=wide, n2=high)
    )
    other = say("made in pictures of {n} x {n2}: calibrate again", n=profile.width_px, n2=profile.height_px)
    yield Check(PROFILE, say("tray"), found=True, right=fits, figure=figure, remedy="" if fits else other)
    if not fits:
        return
    edge_px = die_px(profile, width, height)
    nearer = say("lower the camera, or ask it for larger pictures")
    figure = say("{text} mm, {n} px", text=f"{profile.die_mm:.1f}", n=round(edge_px))
    right = edge_px >= LEAST_DIE_PX
    yield Check(PROFILE, say("size of a die"), found=True, right=right, figure=figure, remedy="" if right else nearer)
    if setup is not None and setup.dice:
        figure = say("{n} of {n2} at the set-up", n=round(setup.unsure_share * setup.dice), n2=setup.dice)
        right = setup.unsure_share <= MOST_UNSURE
        remedy = "" if right else say("more light, a plain tray, a sharper picture")
        yield Check(PROFILE, say("unsure dice"), found=True, right=right, figure=figure, remedy=remedy)
