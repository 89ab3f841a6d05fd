"""What the screen shows while a table is measured. Pure."""

from tabletop.core.message import say
from tabletop.core.values import FACES
from tabletop.dialogs.scoring.dialog import MISSED, Scoring
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, NOT_SAID, Roll
from tabletop.views.snapshot import MenuView, Snapshot


def scoring_snapshot(state: Scoring) -> Snapshot:
    """Return what views draw."""
    if state.asked is not None:
        return _of_roll(state, state.asked)
    if state.step == "stop":
        lines = (say("measure on"), say("stop here"))
        note = say("{n} of {n2} rolls; goes on another day", n=len(state.rolls), n2=state.goal)
        return Snapshot(hold=say("next"), bank=say("take"), menu=MenuView(say("Stop?"), lines, state.at, note))
    if state.step == "done":
        wrong = sum(roll.wrong for roll in state.rolls)
        note = say("{n} read exactly, {n2} not", n=len(state.rolls) - wrong, n2=wrong)
        menu = MenuView(say("Measured"), (say("rolls: {n}", n=len(state.rolls)),), 0, note)
        return Snapshot(bank=say("done"), menu=menu)
    number = len(state.rolls) + 1
    items = (say("roll {n} of {n2}", n=number, n2=state.goal),)
    menu = MenuView(say("Throw the dice"), items, 0, state.note)
    return Snapshot(hold=say("stop"), bank=say("read now"), menu=menu)


def _of_roll(state: Scoring, roll: Roll) -> Snapshot:
    if state.step == "question":
        faces = " ".join(map(str, roll.faces)) or say("no dice")
        menu = MenuView(say("All right?"), (faces,), 0, state.note or _about(state, roll))
        return Snapshot(hold=say("correct"), bank=say("yes"), menu=menu, tray=roll.drawing())
    if state.step == "die":
        items = (
            *map(_truth_text, roll.true),
            *(say("{n}: was missed", n=face) for face in roll.missed),
            say("one is missed"),
        )
        asked = state.at if state.at < len(roll.seen) else None
        menu = MenuView(say("Which die?"), items, state.at)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu, tray=roll.drawing(asked))
    said = NOT_SAID if state.which == MISSED else roll.true[state.which]
    title = say("not a {n} but?", n=said) if said in FACES else say("Which face?")
    choices = tuple(map(_truth_text, state.face_choices))
    asked = None if state.which == MISSED else state.which
    note = state.note or (say("it is unsure: let it lie") if said == NOT_SAID and asked is not None else "")
    menu = MenuView(title, choices, state.at, note)
    return Snapshot(hold=say("next"), bank=say("take"), menu=menu, tray=roll.drawing(asked))


def _about(state: Scoring, roll: Roll) -> str:
    """Say which roll it is, or that there are more or fewer dice than are thrown."""
    if state.dice is not None and roll.dice != state.dice:
        return say("{n} dice, not {n2}: on the floor?", n=roll.dice, n2=state.dice)
    return say("roll {n} of {n2}", n=len(state.rolls) + 1, n2=state.goal)


def _truth_text(truth: int) -> str:
    if truth == NO_DIE:
        return say("no die")
    return say("it leans") if truth == LEANS else str(truth)
