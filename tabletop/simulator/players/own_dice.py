"""Dice of their own colour for players who throw at once, at the simulated tray."""

from tabletop.rules import Match
from tabletop.simulator.render.compose import Look
from tabletop.simulator.tray.tray import Tray

LIGHT, DARK = (240, 240, 240), (24, 22, 20)  # pips
# Bodies in BGR, different enough that no light makes two of the first five look alike: white, red, blue, black, green.
LOOKS = (
    Look(),
    Look(body=(40, 40, 190), pip=LIGHT),
    Look(body=(170, 80, 30), pip=LIGHT),
    Look(body=(30, 28, 28), pip=LIGHT),
    Look(body=(60, 150, 40), pip=LIGHT),
    Look(body=(150, 50, 110), pip=LIGHT),
    Look(body=(30, 110, 235), pip=DARK),
)


def bring_own_dice(tray: Tray, match: Match) -> None:
    """Have one die for each player of this match, in seat order, each of another colour if there are enough."""
    tray.own(len(match.players))
    for index, piece in enumerate(tray.pieces):
        piece.look = LOOKS[index % len(LOOKS)]


def own_dice(match: Match) -> list[int]:
    """Return the indices of the dice that are due in a joint throw, empty in any other, and under a cup."""
    due = match.request.dice
    return [] if isinstance(due, int) or match.request.kind == "hide" else [match.players.index(name) for name in due]
