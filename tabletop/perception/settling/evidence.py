"""What the hand detector tells the settler about hands and fingers."""

from dataclasses import dataclass

from tabletop.core.values import Die


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """What is known about hands in one frame. Places are (x, y), as in the reading.

    bare: places where dice lay and nothing is now: a die that is thrown is picked up first. covered: places where dice
    lay that have something over or beside them: a die that is pushed or turned has fingers on it. held: dice of the
    reading that have fingers around them. doubtful: dice with something around them that may be fingers. under:
    places where dice were read a moment ago and a hand is over now. open: whether no hand is in view at all; None if
    unknown. alone: places of dice and unsure things that have only background and other dice around them.
    """

    bare: tuple[tuple[float, float], ...] = ()
    covered: tuple[tuple[float, float], ...] = ()
    held: tuple[Die, ...] = ()
    doubtful: tuple[Die, ...] = ()
    under: tuple[tuple[float, float], ...] = ()
    open: bool | None = None
    alone: tuple[tuple[float, float], ...] = ()


NO_EVIDENCE = HandEvidence()
