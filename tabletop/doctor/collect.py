"""All checks of a table: of the camera, files and networks, and those that other packages bring."""

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib.metadata import entry_points
from typing import cast

import numpy as np

from tabletop.core.checks import Check, CheckedTable, Checking, is_missing
from tabletop.core.message import say
from tabletop.doctor.camera import CAMERA, SeenCamera, camera_checks
from tabletop.doctor.files import Files, file_checks
from tabletop.vision.reader import read

SIDE_PX, GREY, DIE_PX = 320, 96, 40.0  # of an empty picture
GROUP = "tabletop.checks"
NOT_LIVE = ("sim", "none")  # words of `--camera` that mean no real camera


def checks(
    table: CheckedTable, files: Files, camera: SeenCamera, now: datetime, *, thorough: bool = True
) -> tuple[Check, ...]:
    """Return every check, in the order in which one looks for a fault. Opens no device that a table may hold.

    camera: what was seen by whoever has it. now: of the wall clock. thorough: take some seconds, for all that is on
    disk; while people play, leave that out.
    """
    found = [*_camera(table, camera)]
    for checking in added():
        found += _guarded(checking, table)
    figures = camera.figures
    frame_px = None if figures is None else (figures.width, figures.height)
    found += file_checks(files, now, thorough=thorough, frame_px=frame_px)
    if thorough:
        found.append(network_check())
    return tuple(found)


def added() -> list[tuple[str, Checking]]:
    """Return what other packages check, by name."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return [(point.name, cast("Checking", point.load())) for point in points]


def _guarded(named: tuple[str, Checking], table: CheckedTable) -> Iterable[Check]:
    """Return what a package found; one that fails is a line, and no end."""
    name, checking = named
    try:
        return list(checking(table))
    except Exception as error:  # noqa: BLE001 - code of others
        remedy = say("report this: {text}", text=f"{type(error).__name__}: {error}")
        return [Check(name, say("check"), found=False, right=False, remedy=remedy)]


def _camera(table: CheckedTable, camera: SeenCamera) -> Iterator[Check]:
    if table.camera in NOT_LIVE:
        yield Check(CAMERA, say("pictures"), found=False, right=None, figure=table.camera)
    elif table.camera == "auto" and camera.figures is None:
        right = is_missing(table, table.camera)
        absent, remedy = say("not there"), say("plug one in")
        yield Check(CAMERA, say("pictures"), found=False, right=right, figure=absent, remedy=remedy)
    else:
        yield from camera_checks(table.camera, camera)


def faults(found: Sequence[Check]) -> int:
    """Return how many are not right."""
    return sum(check.right is False for check in found)


def network_check() -> Check:
    """Read an empty picture twice, and time the second: the first one loads."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), GREY, np.uint8)
    part, name = say("networks"), say("reading")
    try:
        read(picture, die_px=DIE_PX)
        begun_s = time.perf_counter()
        read(picture, die_px=DIE_PX)
    except Exception as error:  # noqa: BLE001 - OpenCV may raise anything on a file that is damaged
        return Check(part, name, found=False, right=False, figure=str(error), remedy=say("install the table again"))
    figure = say("{n} ms", n=round((time.perf_counter() - begun_s) * 1000))
    return Check(part, name, found=True, right=True, figure=figure)
