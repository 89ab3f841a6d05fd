"""What the screen shows in the guided run: one figure large, one line what to change, what the buttons do. Pure."""

from calibration.guided.checks import focus_advice, held_text, light_advice, not_held
from calibration.guided.look import Look
from calibration.guided.state import THROWS, Guided
from calibration.stickers import CORNERS
from tabletop.core.message import join, say
from tabletop.views.snapshot import MenuView, Snapshot

GOOD = say("good")
WAIT = say("no picture yet")
NEXT_CORNER = say("die to next corner, BANK")


def guided_snapshot(state: Guided) -> Snapshot:
    """Return what views draw."""
    if state.step == "report":
        return _report(state)
    title, item, note = _of_step(state)
    hold = say("wrong") if state.step == "dice" and state.throws else say("skip")
    corners = state.step == "markers" and state.look is not None
    menu = MenuView(title, (item,), 0, state.note or note, guided=True, corners=corners, tray=_tray(state))
    return Snapshot(hold=hold, bank=say("go on"), menu=menu)


def _tray(state: Guided) -> tuple[tuple[float, float], ...]:
    return () if state.tray is None else state.tray.profile.tray_shares


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
        return _of_markers(state, look)
    if state.step == "light":
        level = say("brightness {n} of 255", n=round(look.lighting.level))
        return say("Light"), level, light_advice(look.lighting) or GOOD
    figure = say("{n}, best {n2}", n=round(look.sharpness or 0), n2=round(state.best))
    return say("Turn the lens"), figure, focus_advice(look.sharpness, state.best) or GOOD


def _of_dice(state: Guided) -> tuple[str, str]:
    """Return which throw is due, and how the last one was read: whoever finds it wrong leaves it out."""
    thrown = len(state.throws)
    due = say("throw {n} of {n2}", n=thrown + 1, n2=THROWS) if thrown < THROWS else say("all right? go on")
    if not state.throws:
        return due, ""
    last = state.throws[-1]
    read = say("read {text}", text=" ".join(map(str, sorted(last.faces)))) if last.faces else ""
    return due, join("; ", (read, say("unsure: {n}", n=len(last.reasons)) if last.reasons else ""))


def _of_markers(state: Guided, look: Look) -> tuple[str, str, str]:
    if state.corners:
        return say("Show the tray"), say("{n} of {n2} corners", n=len(state.corners), n2=CORNERS), NEXT_CORNER
    return say("Show the mat"), say("{n} of {n2} markers", n=len(look.markers), n2=4), marker_note(look)


def marker_note(look: Look) -> str:
    """Return what was found, or what hinders."""
    if look.view is not None:
        return say("{text}, good to {text2} mm", text=look.view.mat.paper, text2=f"{look.view.error_mm:.1f}")
    if look.tray is not None:
        wide, high = (round(side) for side in look.tray.profile.tray_mm)
        return say("tray of {n} x {n2} mm", n=wide, n2=high)
    hindrances = (
        (look.mirrored, say("mirrored: switch that off")),
        (look.moving, say("let the camera rest")),
        (look.doubled, say("two mats: take one away")),
        (not look.markers, say("no mat? a die in a corner")),
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
