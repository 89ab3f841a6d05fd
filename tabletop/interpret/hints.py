"""Hints for a rest or a press that cannot be taken: one line, in plain words."""

from tabletop.core import Die, join, say
from tabletop.interpret.choices import Faces
from tabletop.rules import Request, faces_text

AGAIN = say("not read yet: again, please")
BANK_WAITS = say("dice are moving: BANK waits for them")
JUST_CHANGED = say("this has just changed: BANK again?")
BANK_KEEPS = say("HOLD next, BANK keeps it and rolls on")
BANK_FIRST = say("the next player's throw? BANK first")
CAMERA_MOVED = say("camera moved: just play on")
CAMERA_ELSEWHERE = say("camera moved a lot: throw again")
CAMERA_LOST = say("camera moved a lot: put it back")
CHOOSE_FIRST = say("choose first: HOLD next, BANK takes")
DICE_MOVED = say("dice moved, same faces: BANK keeps")
ONE_MISSING, ONE_TOO_MANY = say("one die is missing"), say("one die too many")
PAUSED = say("paused: HOLD goes on")
ROLL_ON_HOW = say("to roll on just throw, or press HOLD again")
NOBODYS = say("whose die is that? no player has that colour")
TOGETHER = say("whose die is whose? nobody has laid one yet")
LAY_THERE = say("dice already there: BANK takes them")
HAND_AT_DICE = say("a hand at the dice? BANK takes them")
DICE_NOT_STILL = say("a die is not still: BANK takes them")
MOVED = say("just moved? if thrown, throw again")
TURNED = say("a die was turned: the throw stands")


def waiting(request: Request) -> str:
    """Return a hint that names the player whose throw is due."""
    if isinstance(request.dice, int):
        name, count = request.player or "", request.dice
        if count == 1:
            return say("waiting for {name} to throw {n} die", name=name, n=count)
        return say("waiting for {name} to throw {n} dice", name=name, n=count)
    *others, last = request.dice
    names = join(" and ", (join(", ", others), last))
    return say("waiting for {names} to throw", names=names)


def idle(request: Request) -> str:
    """Return a hint that names the player who must act, after a long time without any action."""
    if request.kind not in ("roll", "hide"):
        return say("still there? {name} decides", name=request.player or "")
    if request.player:
        return say("still there? {name} throws", name=request.player)
    return say("still there? everyone throws")


def not_theirs(owner: str, due: str) -> str:
    """Return a hint about a player who threw out of turn."""
    return say("that is {name}'s die: {name2} throws", name=owner, name2=due)


def decides_first(name: str) -> str:
    """Return a hint that another player must decide before this throw counts."""
    return say("{name} decides first; the throw waits", name=name)


def not_due(thrown: tuple[Die, ...]) -> str:
    """Return a hint that these dice are not due now."""
    if len(thrown) == 1:
        return say("one die thrown: that is not due now")
    return say("{n} dice thrown: that is not due now", n=len(thrown))


def count(due: int, got: int) -> str:
    """Return a hint with the number of missing or surplus dice."""
    if got < due:
        return ONE_MISSING if due - got == 1 else say("{n} dice are missing", n=due - got)
    return ONE_TOO_MANY if got - due == 1 else say("{n} dice too many", n=got - due)


def too_many_of(name: str, dice: int) -> str:
    """Return a hint with the number of one player's surplus dice in a joint throw."""
    if dice == 1:
        return say("{name}: one die too many", name=name)
    return say("{name}: {n} dice too many", name=name, n=dice)


def part_lies(due: int, got: int) -> str:
    """Return a hint that only part of the dice have been thrown so far."""
    return say("{n} of {n2} dice: pick them up, throw {n3} more", n=got, n2=due, n3=due - got)


def parts_counted(due: int, got: int) -> str:
    """Return a hint with the number of dice already counted in a throw made in parts."""
    return say("{n} of {n2} dice counted: throw {n3} more", n=got, n2=due, n3=due - got)


def which_kept(request: Request, number: int) -> str:
    """Return the question which dice were kept, if this many have left the table."""
    if () in request.legal:
        if number == 1:
            return say("one die is missing; kept? press HOLD")
        return say("{n} dice are missing; kept? press HOLD", n=number)
    return say("which die is kept? press HOLD") if number == 1 else say("which {n} dice are kept? press HOLD", n=number)


def illegal_aside(request: Request, seen: Faces | None) -> str:
    """Return a hint that the dice set aside may not be kept, with a legal keep; empty if all is well."""
    if request.kind != "keep" or seen is None or seen in request.legal:
        return ""
    best = faces_text(request.legal[0]) or "nothing"
    if not seen:
        return say("set something aside first, such as {faces}", faces=best)
    faces = faces_text(seen)
    if any(len(part) < len(request.legal[0]) for part in request.legal):
        return say("{faces} cannot be kept: keep {faces2}, or less", faces=faces, faces2=best)
    if len(request.legal) > 1:
        return say("{faces} cannot be kept: keep {faces2}, or others", faces=faces, faces2=best)
    return say("{faces} cannot be kept: keep {faces2}", faces=faces, faces2=best)
