"""The lines about the camera. Pure: figures in, checks out."""

from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.cameras.driver import OLD_S, CameraFacts
from tabletop.cameras.live_camera import SLOW_FPS
from tabletop.core.checks import Check
from tabletop.core.errors import TABLE
from tabletop.core.message import join, say
from tabletop.doctor.sharpness import edge_width_px
from tabletop.perception.frame_reader import LEAST_DIE_PX
from tabletop.session.camera_thread import CameraFigures

CAMERA = say("camera")
# Photographs blurred more and more: a die is read while its edges are an eighth of it wide, and lost at a sixth.
WIDEST_EDGE, ALWAYS_SHARP_PX, USUAL_DIE_PX = 1 / 8, 3.5, 48.0
MOST_NOISE = 8.0  # grey levels: above, a tray that lies still cannot be told from one in which something moves
MOST_UNSURE = 0.1  # of all dice: people begin to nudge dice more than they throw them
PER_CENT = 100


@dataclass(frozen=True, slots=True)
class SeenCamera:
    """What is known of the camera.

    figures: what its frames show, None if there are none. facts: what it says of itself, None for a film. fps: frames a
    second that it gives. trouble: why there are no frames. holder: the program that has it, as of `DeviceError`.
    """

    figures: CameraFigures | None = None
    facts: CameraFacts | None = None
    fps: float = 0.0
    trouble: str = ""
    holder: str = ""


def camera_checks(word: str, camera: SeenCamera) -> Iterator[Check]:
    """Yield what there is to say of a camera. word: as after `--camera`."""
    figures, facts, trouble = camera.figures, camera.facts, camera.trouble
    name = join(" ", (facts.model, word)) if facts is not None and facts.model else word
    if figures is None and camera.holder == TABLE:
        used = say("{text}, used by {text2}", text=word, text2=TABLE)
        remedy = say("the table plays with it: its menu has the figures")
        yield Check(CAMERA, say("pictures"), found=True, right=None, figure=used, remedy=remedy)
        return
    if figures is None:
        yield Check(CAMERA, say("pictures"), found=False, right=False, figure=name, remedy=trouble or say("none came"))
        return
    yield Check(CAMERA, say("pictures"), found=True, right=not trouble, figure=name, remedy=trouble)
    yield _mode(figures, facts)
    if facts is not None:
        yield _frame_rate(camera.fps)
        yield _age(figures.age_s)
        yield _light(facts)
        if facts.unfocused_mm:
            figure = say("set for {n} mm", n=facts.unfocused_mm)
            remedy = say("put dice into the tray, and light on")
            yield Check(CAMERA, say("focus"), found=True, right=None, figure=figure, remedy=remedy)
    yield _sharpness(figures)
    yield from _dice(figures)
    yield _noise(figures.noise)


def _mode(figures: CameraFigures, facts: CameraFacts | None) -> Check:
    """Say the size of the pictures; it is wrong if the camera says another one than it sends."""
    size = f"{figures.width}x{figures.height}"
    reported = size if facts is None or not facts.width else f"{facts.width}x{facts.height}"
    figure = join(" ", (size, facts.format if facts is not None else ""))
    right = reported == size
    return _line(say("mode"), right, figure, say("it reports {text}: another port, or another size", text=reported))


def _frame_rate(fps: float) -> Check:
    figure = say("{n} a second", n=round(fps))
    return _line(say("frame rate"), fps >= SLOW_FPS, figure, say("another port, more light, or fewer programs"))


def _age(age_s: float) -> Check:
    figure = say("{n} ms", n=round(age_s * 1000))
    return _line(say("age of frames"), age_s <= OLD_S, figure, say("end other programs: this machine is too busy"))


def _light(facts: CameraFacts) -> Check:
    held = facts.held.get("exposure", "absent")
    if held == "absent":
        return Check(CAMERA, say("exposure"), found=True, right=None, figure=say("cannot be held"))
    free = [name for name, state in facts.held.items() if state == "free"]
    figure = say("held") if not free else say("changes: {text}", text=", ".join(free))
    return _line(say("exposure"), held == "locked", figure, say("keep the light even, or take another camera"))


def _sharpness(figures: CameraFigures) -> Check:
    """Say how wide the clearest edges are, for dice of the size seen."""
    name, width_px = say("sharpness"), edge_width_px(figures.pixels)
    if width_px is None:
        return Check(CAMERA, name, found=False, right=None, remedy=say("put dice into the tray, and light on"))
    most_px = max(ALWAYS_SHARP_PX, WIDEST_EDGE * (figures.die_px or USUAL_DIE_PX))
    figure = say("edges {text} px wide", text=f"{width_px:.1f}")
    return _line(name, width_px <= most_px, figure, say("turn the lens until dice are sharp, and clean it"))


def _dice(figures: CameraFigures) -> Iterator[Check]:
    seen = figures.dice + figures.unsure
    if not seen:
        remedy = say("put dice into the tray, and light on")
        yield Check(CAMERA, say("dice"), found=False, right=None, figure=say("none in view"), remedy=remedy)
        return
    if figures.die_px:
        figure = say("{n} px", n=round(figures.die_px))
        remedy = say("lower the camera, or ask it for larger pictures")
        yield _line(say("size of a die"), figures.die_px >= LEAST_DIE_PX, figure, remedy)
    share = figures.unsure / seen
    figure = say("{n} of 100", n=round(share * PER_CENT))
    yield _line(say("unsure dice"), share <= MOST_UNSURE, figure, say("more light, a plain tray, a sharper picture"))


def _noise(noise: float | None) -> Check:
    if noise is None:
        return Check(CAMERA, say("noise"), found=False, right=None)
    figure = say("{text} grey levels", text=f"{noise:.1f}")
    return _line(say("noise"), noise <= MOST_NOISE, figure, say("more light"))


def _line(name: str, right: bool, figure: str, remedy: str) -> Check:
    return Check(CAMERA, name, found=True, right=right, figure=figure, remedy="" if right else remedy)
