"""What the referee says of every hand of a box game: which parts may be kept, and what each box would give."""

from collections.abc import Iterable, Mapping

from tabletop.rules import Match

Faces = tuple[int, ...]
Told = tuple[dict[Faces, tuple[Faces, ...]], dict[Faces, Mapping[str, int]]]


def told_of(game_id: str, hands: Iterable[Faces]) -> Told:
    """Throw each hand first, and return the legal parts of each, and what its boxes give where all of it is kept."""
    legal: dict[Faces, tuple[Faces, ...]] = {}
    gives: dict[Faces, Mapping[str, int]] = {}
    match = Match(game_id, ["Ann"])
    for hand in hands:
        match.throw(hand)
        legal[hand] = match.request.legal
        match.keep(hand)
        gives[hand] = match.request.gives
        match.undo()
        match.undo()
    return legal, gives
