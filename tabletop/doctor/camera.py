"""The camera checks: a few seconds of frames become figures, and figures become checks."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.cameras.live_camera import OLD_S, SLOW_FPS, CameraFacts, Described
from tabletop.core import errors, ports
from tabletop.core.checks import Check, measured
from tabletop.core.message import join, say
from tabletop.perception.frame_reader import LEAST_DIE_PX, ReadFrame
from tabletop.session.camera_thread import CameraFigures, CameraStatistics
from tabletop.vision.reader import read as read_dice

CAMERA, FRAME_RATE = say("camera"), say("frame rate")
# Photographs blurred more and more: a die is read while its edges are an eighth of it wide, and lost at a sixth.
WIDEST_EDGE, ALWAYS_SHARP_PX, USUAL_DIE_PX = 1 / 8, 3.5, 48.0
MOST_NOISE = 8.0  # grey levels: above, noise looks like movement
MOST_UNSURE = 0.1  # of all dice: people begin to nudge dice more than they throw them
PER_CENT = 100
LARGER_DICE = say("lower the camera, or ask it for larger pictures")
SURER_DICE = say("more light, a plain tray, a sharper picture")
DICE_NEEDED = say("put dice into the tray, and light on")
MOST_FRAMES, EACH = 60, 4  # of a film: its first two seconds, and every fourth frame of them
REACH_PX = 10  # an edge that takes longer than twice this from dark to light is no edge
CLEAREST = 99.0  # percentile of the steepest pixels: the edges of dice and pips, not what shades the tray
LEAST_CONTRAST = 25.0  # grey levels: below, there is nothing in the picture that has an edge
SOBEL_SUM = 8.0  # of Sobel's weights: divided by it, the filter gives grey levels a pixel
PERCENTILE_OF_WIDTHS = 25.0  # the sharper edges: others are soft anyway, such as shadows


@dataclass(frozen=True, slots=True)
class SeenCamera:
    """The known facts about a camera.

    figures: statistics of its frames, None if there are none. facts: its description of itself, None for a film. fps:
    frame rate in frames a second. trouble: why there are no frames. holder: the program that uses it, as in
    `DeviceError`. lights: the checks of the lights that it may see.
    """

    figures: CameraFigures | None = None
    facts: CameraFacts | None = None
    fps: float = 0.0
    trouble: str = ""
    holder: str = ""
    lights: tuple[Check, ...] = ()


def camera_checks(word: str, camera: SeenCamera) -> Iterator[Check]:
    """Yield the checks of a camera. word: the value of `--camera`."""
    figures, facts, trouble = camera.figures, camera.facts, camera.trouble
    name = join(" ", (facts.model, word)) if facts is not None and facts.model else word
    if figures is None and camera.holder == errors.TABLE:
        used = say("{text}, used by {text2}", text=word, text2=errors.TABLE)
        remedy = say("the table plays with it: its menu has the figures")
        yield Check(CAMERA, say("pictures"), found=True, right=None, figure=used, remedy=remedy)
        return
    if figures is None:
        yield Check(CAMERA, say("pictures"), found=False, right=False, figure=name, remedy=trouble or say("none came"))
        return
    yield Check(CAMERA, say("pictures"), found=True, right=not trouble, figure=name, remedy=trouble)
    size = f"{figures.width}x{figures.height}"
    reported = size if facts is None or not facts.width else f"{facts.width}x{facts.height}"
    remedy = say("it reports {text}: another port, or another size", text=reported)
    figure = join(" ", (size, facts.format if facts is not None else ""))
    yield measured(CAMERA, say("mode"), reported == size, figure, remedy)
    if facts is not None:
        yield from _live(figures, facts, camera.fps)
    yield _sharpness(figures)
    yield from _dice(figures)
    if figures.noise is None:
        yield Check(CAMERA, say("noise"), found=False, right=None)
    else:
        figure = say("{text} grey levels", text=f"{figures.noise:.1f}")
        yield measured(CAMERA, say("noise"), figures.noise <= MOST_NOISE, figure, say("more light"))


def _live(figures: CameraFigures, facts: CameraFacts, fps: float) -> Iterator[Check]:
    """Yield what only a camera has, and no film: its speed, and what it can hold."""
    faster = say("another port, more light, or fewer programs")
    yield measured(CAMERA, FRAME_RATE, fps >= SLOW_FPS, say("{n} a second", n=round(fps)), faster)
    age, idle = say("{n} ms", n=round(figures.age_s * 1000)), say("end other programs: this machine is too busy")
    yield measured(CAMERA, say("age of frames"), figures.age_s <= OLD_S, age, idle)
    held = facts.held.get("exposure", "absent")
    if held == "absent":
        yield Check(CAMERA, say("exposure"), found=True, right=None, figure=say("cannot be held"))
    else:
        free = ", ".join(name for name, state in facts.held.items() if state == "free")
        figure = say("changes: {text}", text=free) if free else say("held")
        even = say("keep the light even, or take another camera")
        yield measured(CAMERA, say("exposure"), held == "locked", figure, even)
    if facts.unfocused_mm:
        figure = say("set for {n} mm", n=facts.unfocused_mm)
        yield Check(CAMERA, say("focus"), found=True, right=None, figure=figure, remedy=DICE_NEEDED)


def _sharpness(figures: CameraFigures) -> Check:
    """Say how wide the clearest edges are, for dice of the size seen."""
    name, width_px = say("sharpness"), edge_width_px(figures.pixels)
    if width_px is None:
        return Check(CAMERA, name, found=False, right=None, remedy=DICE_NEEDED)
    most_px = max(ALWAYS_SHARP_PX, WIDEST_EDGE * (figures.die_px or USUAL_DIE_PX))
    figure = say("edges {text} px wide", text=f"{width_px:.1f}")
    return measured(CAMERA, name, width_px <= most_px, figure, say("turn the lens until dice are sharp, and clean it"))


def _dice(figures: CameraFigures) -> Iterator[Check]:
    seen = figures.dice + figures.unsure
    if not seen:
        yield Check(CAMERA, say("dice"), found=False, right=None, figure=say("none in view"), remedy=DICE_NEEDED)
        return
    if figures.die_px:
        figure = say("{n} px", n=round(figures.die_px))
        yield measured(CAMERA, say("size of a die"), figures.die_px >= LEAST_DIE_PX, figure, LARGER_DICE)
    share = figures.unsure / seen
    figure = say("{n} of 100", n=round(share * PER_CENT))
    yield measured(CAMERA, say("unsure dice"), share <= MOST_UNSURE, figure, SURER_DICE)


def edge_width_px(pixels: NDArray[np.uint8]) -> float | None:
    """Return the width of the sharpest edges, in pixels: contrast divided by steepness. 1 is perfectly sharp.

    pixels: (H, W, 3) uint8 BGR. A step blurred by a Gaussian of s px is 2.5 s wide. None for a featureless picture.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    if min(grey.shape) <= REACH_PX:
        return None
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.7).astype(np.float32)  # noise is no edge
    steep = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)) / SOBEL_SUM
    around = np.ones((2 * REACH_PX + 1, 2 * REACH_PX + 1), np.uint8)
    contrast = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    chosen = (steep >= np.percentile(steep, CLEAREST)) & (contrast >= LEAST_CONTRAST)
    if not chosen.any():
        return None
    return float(np.percentile(contrast[chosen] / steep[chosen], PERCENTILE_OF_WIDTHS))


def watched(
    camera: ports.Camera, seconds: float, read: ReadFrame = read_dice, clock: Callable[[], float] = time.monotonic
) -> SeenCamera:
    """Observe a camera for this long; of a film, only the first frames.

    read: reads the dice of a frame.
    """
    statistics, trouble, die_px = CameraStatistics(), "", None
    end_s = clock() + seconds
    tries = 0
    while clock() < end_s if camera.live else tries < MOST_FRAMES:
        tries += 1
        try:
            frame = camera.read()
        except errors.DeviceError as error:
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
    """Return the known facts about a camera in use. trouble: why there are no frames now."""
    if isinstance(camera, Described):
        return SeenCamera(statistics.figures(), camera.facts, camera.fps, trouble)
    return SeenCamera(statistics.figures(), trouble=trouble)
