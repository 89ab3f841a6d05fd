"""What people are told where a rest or a press cannot be taken: one line, in plain words."""

from tabletop.core.values import Die
from tabletop.interpret.cursor import Faces
from tabletop.rules import Request

AGAIN = "not read yet: again, please"
BANK_WAITS = "dice are moving: BANK waits for them"
THROW_FIRST = "the throw came before BANK: it counts"
BANK_KEEPS = "HOLD next, BANK keeps it and rolls on"
BANK_FIRST = "the next player's throw? BANK first"
CAMERA_MOVED = "camera moved: just go on"
CAMERA_ELSEWHERE = "camera moved far: throw again"
CAMERA_LOST = "camera moved far: put it back"
CHOOSE_FIRST = "choose first: HOLD next, BANK takes"
DICE_MOVED = "dice moved, same faces: BANK keeps"
PAUSED = "paused: HOLD goes on"
ROLL_ON_HOW = "to roll on just throw, or press HOLD again"
NOBODYS = "whose die is that? its colour is nobody's"
TOGETHER = "whose die is whose? nobody has laid one"
MOVED = "only moved? if thrown, throw again"
TURNED = "a die was turned: the throw stands"


def waiting(request: Request) -> str:
    """Say whose throw is due."""
    if isinstance(request.dice, int):
        return f"waiting for {request.player} to throw {request.dice} {'die' if request.dice == 1 else 'dice'}"
    *others, last = request.dice
    names = " and ".join((", ".join(others), last)) if others else last
    return f"waiting for {names} to throw"


def idle(request: Request) -> str:
    """Say who is waited for, when nobody has done anything for long."""
    if request.kind != "roll":
        return f"still there? {request.player} is to decide"
    return f"still there? {request.player} is to throw" if request.player else "still there? all are to throw"


def dice(thrown: tuple[Die, ...]) -> str:
    """Count dice in words."""
    return "one die" if len(thrown) == 1 else f"{len(thrown)} dice"


def not_theirs(owner: str, due: str) -> str:
    """Say that somebody has thrown who is not asked."""
    return f"that is {owner}'s die: {due} throws"


def decides_first(name: str) -> str:
    """Say that somebody else decides before this throw counts."""
    return f"{name} decides first; the throw waits"


def not_due(thrown: tuple[Die, ...]) -> str:
    """Say that something else is due than these dice."""
    return f"{dice(thrown)} thrown: that is not what is due"


def count(due: int, got: int) -> str:
    """Tell how many dice are missing, or are too many."""
    if got < due:
        return "one die is missing" if due - got == 1 else f"{due - got} dice are missing"
    return "one die too many" if got - due == 1 else f"{got - due} dice too many"


def part_lies(due: int, got: int) -> str:
    """Say that a throw comes in parts, of which this one lies there."""
    return f"{got} of {due} dice: pick them up, throw {due - got} more"


def parts_counted(due: int, got: int) -> str:
    """Say how many dice of a throw that comes in parts have been counted, and are in the hand again."""
    return f"{got} of {due} dice counted: throw {due - got} more"


def which_kept(request: Request, number: int) -> str:
    """Ask which dice were kept, where so many are gone from the table; where none need be kept they may be missing."""
    if () in request.legal:
        return f"{count(number, 0)}; kept? press HOLD"
    return "which die is kept? press HOLD" if number == 1 else f"which {number} dice are kept? press HOLD"


def illegal_aside(request: Request, seen: Faces | None) -> str:
    """Say that what lies aside may not be kept, and what may; empty where all is well."""
    if request.kind != "keep" or seen is None or seen in request.legal:
        return ""
    best = " ".join(map(str, request.legal[0])) or "nothing"
    if not seen:
        return f"set something aside first, such as {best}"
    said = f"{' '.join(map(str, seen))} cannot be kept: keep {best}"
    if any(len(part) < len(request.legal[0]) for part in request.legal):
        return f"{said}, or less"
    return f"{said}, or others" if len(request.legal) > 1 else said
