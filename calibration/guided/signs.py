"""The screens of the guided calibration, and the same figures as large signs for the page `/arm`. Pure.

The screen shows one figure in large type, one line on what to change, and the button labels. The signs can be read from
across the table while the camera is being moved.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.guided.look import Look, Watcher
from calibration.guided.state import THROWS, Guided, focus_advice, framing_advice, held_text, light_advice, not_held
from tabletop.config.mat import MARKERS, find_all
from tabletop.core.message import join, say
from tabletop.core.values import Sign, Signs
from tabletop.views.snapshot import MenuView, Snapshot

GOOD = say("good")
WAIT = say("no picture yet")
NO_MARKER = say("no mat? tap corners at /arm")


def guided_snapshot(state: Guided) -> Snapshot:
    """Return the snapshot for views."""
    if state.step == "report":
        return _report(state)
    title, item, note = _of_step(state)
    hold = say("wrong") if state.step == "dice" and state.throws else say("skip")
    corners = state.step == "markers" and state.look is not None
    menu = MenuView(title, (item,), 0, state.note or note, guided=True, corners=corners, tray=_tray(state))
    if state.step == "dice":
        menu = replace(menu, throws=len(state.throws), faces=state.throws[-1].faces if state.throws else ())
    return Snapshot(hold=hold, bank=say("go on"), menu=menu)


def _tray(state: Guided) -> tuple[tuple[float, float], ...]:
    return () if state.tray is None else state.tray.tray_shares


def _of_step(state: Guided) -> tuple[str, str, str]:
    """Return title, figure and advice of the present step."""
    look = state.look
    if state.step == "dice":
        return say("Roll your dice"), *_of_dice(state)
    if state.step == "lock":
        return say("The camera holds"), held_text(state.held), not_held(state.held) or (GOOD if state.held else "")
    if look is None:
        return say("Calibrate"), WAIT, ""
    if state.step == "markers":
        return say("Show the mat"), say("{n} of {n2} markers", n=len(look.markers), n2=4), marker_note(look)
    if state.step == "light":
        level = say("brightness {n} of 255", n=round(look.lighting.level))
        return say("Light"), level, light_advice(look.lighting) or GOOD
    figure = say("{n}, best {n2}", n=round(look.sharpness or 0), n2=round(state.best))
    return say("Turn the lens"), figure, focus_advice(look.sharpness, state.best) or GOOD


def _of_dice(state: Guided) -> tuple[str, str]:
    """Return which throw is due, and how the last one was read; players leave it out if it is wrong."""
    thrown = len(state.throws)
    due = say("throw {n} of {n2}", n=thrown + 1, n2=THROWS) if thrown < THROWS else say("all right? go on")
    if not state.throws:
        return due, ""
    last = state.throws[-1]
    read = say("read {text}", text=" ".join(map(str, sorted(last.faces)))) if last.faces else ""
    return due, join("; ", (read, say("unsure: {n}", n=len(last.reasons)) if last.reasons else ""))


def marker_note(look: Look) -> str:
    """Return the result of the marker search, or the problem."""
    if look.view is not None:
        return say("{text}, good to {text2} mm", text=look.view.mat.paper, text2=f"{look.view.error_mm:.1f}")
    hindrances = (
        (look.mirrored, say("mirrored: switch that off")),
        (look.moving, say("let the camera rest")),
        (not look.markers, NO_MARKER),
        (bool(look.missing), say("marker {n} is not seen", n=min(look.missing, default=0))),
        (look.nameless, say("show the fifth marker too")),
        (True, say("nearer, flat, more light")),
    )
    return next(text for hinders, text in hindrances if hinders)


def _report(state: Guided) -> Snapshot:
    items = (*(check.text for check in state.checks), say("save it"), say("leave as it was"))
    note = state.note
    if not note and state.line < len(state.checks):
        note = state.checks[state.line].advice or state.checks[state.line].asks or GOOD
    elif not note:
        wrong = sum(not check.good for check in state.checks)
        note = say("{n} to change", n=wrong) if wrong else GOOD
    menu = MenuView(say("Report"), items, state.line, note, guided=True, tray=_tray(state))
    return Snapshot(hold=say("next"), bank=say("again") if state.line < len(state.checks) else say("take"), menu=menu)


Corners = tuple[tuple[float, float], ...]


class ArmSigns:
    """Measures one camera's frames in order; reports a lens turned past its best sharpness."""

    def __init__(self) -> None:
        self._watcher, self._best = Watcher(), 0.0

    def __call__(self, pixels: NDArray[np.uint8], time_s: float, tray: Corners = ()) -> Signs:
        """Return the signs of a picture, (H, W, 3) BGR.

        tray: the corners of one that was measured before, in parts of the picture; it counts where no marker is seen.
        """
        look = self._watcher.look(pixels, time_s)
        self._best = max(self._best, look.sharpness or 0.0)
        outlines = tuple(tuple((float(x), float(y)) for x, y in outline) for outline in find_all(pixels).values())
        if look.markers or not tray:
            return Signs(outlines, signs_of(look, self._best))
        high, wide = pixels.shape[:2]
        ring = tuple((wide * x, high * y) for x, y in tray)
        filled = float(cv2.contourArea(np.array(tray, np.float32)))
        return Signs((ring,), signs_of(replace(look, filled=filled), self._best, known=True))


def signs_of(look: Look, best: float, *, known: bool = False) -> tuple[Sign, ...]:
    """Return the signs for some measurements. best: the best sharpness so far.

    known: the tray is known without markers.
    """
    found = known or look.view is not None
    markers = say("not needed") if known else say("{n} of {n2}", n=len(look.markers), n2=len(MARKERS))
    framing = say("{n} % of picture", n=round(100 * look.filled)) if found else say("not known yet")
    return (
        Sign(say("markers"), markers, "" if found else marker_note(look)),
        Sign(say("tray"), framing, framing_advice(look) if found else say("show a marker")),
        Sign(say("sharpness"), say("{n} of 100", n=round(look.sharpness or 0)), focus_advice(look.sharpness, best)),
        Sign(say("light"), say("{n} of 255", n=round(look.lighting.level)), light_advice(look.lighting)),
    )
