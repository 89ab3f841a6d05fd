"""What the screen shows in the guided run: one figure large, one line what to change, what the buttons do. Pure."""

from calibration.guided.checks import focus_advice, held_text, light_advice, not_held
from calibration.guided.look import Look
from calibration.guided.state import THROWS, Guided
from tabletop.core.message import say
from tabletop.views.snapshot import MenuView, Snapshot

GOOD = say("good")
WAIT = say("no picture yet")


def guided_snapshot(state: Guided) -> Snapshot:
    """Return what views draw."""
    if state.step == "report":
        return _report(state)
    title, item, note = _of_step(state)
    return Snapshot(hold=say("skip"), bank=say("go on"), menu=MenuView(title, (item,), 0, state.note or note))


def _of_step(state: Guided) -> tuple[str, str, str]:
    """Return title, figure and advice of the present step."""
    look = state.look
    if state.step == "dice":
        last = state.throws[-1] if state.throws else None
        seen = say("{n} dice, {n2} unsure", n=last.dice, n2=len(last.reasons)) if last else ""
        return say("Roll your dice"), say("throw {n} of {n2}", n=len(state.throws) + 1, n2=THROWS), seen
    if state.step == "lock":
        return say("The camera holds"), held_text(state.held), not_held(state.held) or GOOD
    if look is None:
        return say("Calibrate"), WAIT, ""
    if state.step == "markers":
        return say("Show the mat"), say("{n} of {n2} markers", n=len(look.markers), n2=4), _marker_note(look)
    if state.step == "light":
        return (
            say("Light"),
            say("brightness {n} of 255", n=round(look.lighting.level)),
            light_advice(look.lighting) or GOOD,
        )
    figure = say("{n}, best {n2}", n=round(look.sharpness or 0), n2=round(state.best))
    return say("Turn the lens"), figure, focus_advice(look.sharpness, state.best) or GOOD


def _marker_note(look: Look) -> str:
    """Return what hinders, or what was found."""
    if look.mirrored:
        return say("mirrored: switch that off")
    if look.moving:
        return say("let the camera rest")
    if len(look.missing) > 1:
        return say("marker {n} is not seen", n=look.missing[0])
    if look.view is None:
        return say("nearer, flat, more light")
    return say("{text}, good to {text2} mm", text=look.view.mat.paper, text2=f"{look.view.doubt_mm:.1f}")


def _report(state: Guided) -> Snapshot:
    items = (*(check.text for check in state.checks), say("save it"), say("leave as it was"))
    note = state.note
    if not note and state.line < len(state.checks):
        note = state.checks[state.line].advice or GOOD
    elif not note:
        wrong = sum(not check.good for check in state.checks)
        note = say("{n} to change", n=wrong) if wrong else GOOD
    menu = MenuView(say("Report"), items, state.line, note)
    return Snapshot(hold=say("next"), bank=say("again") if state.line < len(state.checks) else say("take"), menu=menu)
