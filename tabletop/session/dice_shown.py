"""The dice that views draw: those thrown and those kept before, which are kept, and which one is asked about."""

from collections import Counter
from dataclasses import dataclass

from tabletop.dialogs.event_text import all_faces
from tabletop.rules import Request
from tabletop.session.match_session import MatchSession


@dataclass(frozen=True, slots=True)
class DiceShown:
    """What is drawn of the dice.

    faces: those of the throw, and with them those of the turn kept before it. kept: for each, whether it is set aside,
    or would be by BANK. cursor: the index of the die that is asked about, None where none is.
    """

    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    cursor: int | None = None


def dice_shown(running: MatchSession) -> DiceShown:
    """Return the dice to draw, those of a joint throw in seat order; none before the first throw."""
    match, request, taken = running.match, running.match.request, running.offer
    before = match.kept_before
    faces = (*before, *all_faces(match.thrown))
    if before or request.kind == "keep":
        faces = tuple(sorted(faces))  # asked die by die, the cursor goes from left to right
    kept = Counter(match.kept)
    stays: Counter[int] = Counter()
    if request.kind == "keep" and taken is not None:
        stays = _stays(match.kept, len(faces), request)
        kept = stays + Counter(taken.kept)
    marks, left = [], kept.copy()
    for face in faces:
        marks.append(left[face] > 0)
        left[face] -= 1
    cursor = None
    if taken is not None and taken.asks is not None:
        cursor = [place for place, face in enumerate(faces) if face == taken.asks][kept[taken.asks]]
    return DiceShown(faces, tuple(marks), cursor)


def _stays(kept: tuple[int, ...], shown: int, request: Request) -> Counter[int]:
    """Return which of the dice kept before stay so whatever is kept now: in Yahtzee none, in Ten Thousand all."""
    if isinstance(request.dice, int) and shown - request.dice == len(kept):
        return Counter(kept)
    asked: Counter[int] = Counter()
    for part in request.legal:
        asked |= Counter(part)
    return Counter(kept) - asked
