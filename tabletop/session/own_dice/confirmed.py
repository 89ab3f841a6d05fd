"""Which faces people have confirmed: what a throw that stands says about each die that was seen in it. Pure."""

from collections import Counter
from collections.abc import Sequence

from tabletop.interpret.log_views import places_standing
from tabletop.rules import Match
from tabletop.rules.events import COUNTED

LEFT_OUT = 0  # in place of a face that nobody knows


def standing_throws(match: Match) -> dict[int, tuple[int, ...]]:
    """Return the faces of the throws that stand, corrections applied, by their index in the log.

    Joint throws are left out. A throw that was corrected has the faces it has now.
    """
    answers = [event for event in match.events if event.kind in COUNTED]
    return {
        index: event.value
        for index, event in zip(places_standing(match.log), answers, strict=False)
        if event.kind == "throw" and isinstance(event.value, tuple)
    }


def confirmed_faces(read: Sequence[int], standing: Sequence[int]) -> tuple[int, ...]:
    """Return the face of each die that was seen in a throw, LEFT_OUT for those of which the throw says nothing sure.

    read: as they were read when the throw was taken. standing: the faces of the throw as it stands, in any order.
    """
    lost, new = Counter(read) - Counter(standing), Counter(standing) - Counter(read)
    if len(read) != len(standing):
        return (LEFT_OUT,) * len(read)
    if not lost:
        return tuple(read)
    (old, count), *more = lost.items()
    if not more and count == 1 and list(read).count(old) == 1:
        (face,) = new
        return tuple(face if each == old else each for each in read)
    return tuple(LEFT_OUT if each in lost else each for each in read)
