"""Joint throws: the colour of a die determines its owner. Pure.

A colour is a single word, and a die that is red in one light is orange in another. So neighbouring colours are too
similar to tell two players' dice apart, and a die of a neighbouring colour still belongs to the player with the nearest
colour.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tabletop.core.values import Die, Rest
from tabletop.interpret import hints
from tabletop.rules import Request, Throw

ENTERED_COLOUR = "told"  # of a die with an entered face: its colour is unknown

NEAR = (
    *(("white", "grey"), ("grey", "black"), ("black", "brown"), ("white", "yellow"), ("yellow", "orange")),
    *(("orange", "brown"), ("orange", "red"), ("red", "brown"), ("red", "pink"), ("pink", "purple")),
    *(("purple", "blue"), ("blue", "turquoise"), ("turquoise", "green"), ("grey", "blue")),
)  # pairs that another lamp, a shadow or glare may confuse
NEIGHBOURS: Mapping[str, Collection[str]] = {
    colour: frozenset(b if colour == a else a for a, b in NEAR if colour in (a, b)) for pair in NEAR for colour in pair
}


def near(colour: str, other: str) -> bool:
    """Return whether two colours are too similar to tell two dice apart."""
    return colour == other or other in NEIGHBOURS.get(colour, ())


def owner(colour: str, colours: Mapping[str, str]) -> str:
    """Return the owner of a die, empty if undecided. colours: player -> colour."""
    exact = [name for name, own in colours.items() if own == colour]
    alike = [name for name, own in colours.items() if near(colour, own)]
    return exact[0] if exact else alike[0] if len(alike) == 1 else ""


def owned(rest: Rest, colours: Mapping[str, str], request: Request) -> Rest:
    """Return the rest with the owner of each die.

    People enter the face of a die, not its colour: it belongs to the only player whose dice are missing, if there is
    one.
    """
    if not colours:
        return rest
    dice = tuple(replace(die, whose=owner(die.colour, colours)) for die in rest.reading.dice)
    entered = sum(die.colour == ENTERED_COLOUR for die in dice)
    if entered and not isinstance(request.dice, int):
        there = Counter(die.whose for die in dice)
        missing = {name: count - there[name] for name, count in request.dice.items() if count > there[name]}
        if len(missing) == 1 and entered in missing.values():
            (name,) = missing
            dice = tuple(replace(die, whose=name) if die.colour == ENTERED_COLOUR else die for die in dice)
    return replace(rest, reading=replace(rest.reading, dice=dice))


def due_of(request: Request, dice: Sequence[Die]) -> tuple[Die, ...]:
    """Return the dice that belong to players who throw at once."""
    return () if isinstance(request.dice, int) else tuple(die for die in dice if die.whose in request.dice)


def whole(request: Request, dice: Sequence[Die]) -> Throw | None:
    """Return the joint throw that is due, None if there are too few or too many dice."""
    if isinstance(request.dice, int):
        return None
    faces = {name: tuple(sorted(die.face for die in dice if die.whose == name)) for name in request.dice}
    return Throw(faces) if all(len(faces[name]) == count for name, count in request.dice.items()) else None


def missing(request: Request, dice: Sequence[Die]) -> str:
    """Return a hint that explains why these dice are not the joint throw that is due."""
    if isinstance(request.dice, int):
        return ""
    thrown = {name: sum(die.whose == name for die in dice) for name in request.dice}
    for name, count in request.dice.items():
        if thrown[name] > count:
            return hints.too_many_of(name, thrown[name] - count)
    waiting = [name for name, count in request.dice.items() if thrown[name] < count]
    strangers = [die.whose for die in dice if die.whose not in request.dice]
    if strangers and not strangers[0]:
        return hints.NOBODYS
    if strangers:
        return hints.not_theirs(strangers[0], waiting[0])
    return hints.waiting(replace(request, dice={name: request.dice[name] for name in waiting}))
