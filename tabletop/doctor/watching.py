"""Watching a camera for some seconds, to say how well it does."""

import time
from collections.abc import Callable

from tabletop.cameras.driver import Described
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Camera
from tabletop.doctor.camera import SeenCamera
from tabletop.perception.frame_reader import ReadFrame
from tabletop.session.camera_thread import CameraStatistics
from tabletop.vision.reader import read as read_dice

MOST_FRAMES, EACH = 60, 4  # of a film: its first two seconds, and every fourth frame of them


def watched(
    camera: Camera, seconds: float, read: ReadFrame = read_dice, clock: Callable[[], float] = time.monotonic
) -> SeenCamera:
    """Return what a camera shows in this time; of a film, what its first frames show.

    read: reads the dice of a frame.
    """
    statistics, trouble, die_px = CameraStatistics(), "", None
    end_s = clock() + seconds
    tries = 0
    while clock() < end_s if camera.live else tries < MOST_FRAMES:
        tries += 1
        try:
            frame = camera.read()
        except DeviceError as error:
            trouble = str(error)
            continue
        if frame is None:
            break
        if not camera.live and not frame.at_rest and tries % EACH:
            continue
        now_s = clock() if camera.live else frame.time_s
        reading = read(frame.pixels, time_s=frame.time_s, die_px=die_px, expect=None, fixed_size=False)
        sizes = sorted(die.size for die in reading.dice)
        die_px = sizes[len(sizes) // 2] if sizes else die_px
        statistics.add(frame, reading, now_s)
        trouble = frame.trouble
    return seen_camera(camera, statistics, trouble)


def seen_camera(camera: object, statistics: CameraStatistics, trouble: str = "") -> SeenCamera:
    """Return what is known of a camera that somebody reads. trouble: why there are no frames now."""
    if isinstance(camera, Described):
        return SeenCamera(statistics.figures(), camera.facts, camera.fps, trouble)
    return SeenCamera(statistics.figures(), trouble=trouble)
