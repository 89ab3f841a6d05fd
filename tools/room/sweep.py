"""Slide all dice to one side with the flat of a hand: none is picked up, none turns over."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from tabletop.simulator.hands import Hand, HandPlace, Step, Visit, visit
from tabletop.simulator.physics import Area, Motion, Place, flat
from tabletop.simulator.scene import PosedDie
from tabletop.simulator.tray import SIZE_PX, Piece

APART_EDGES = 1.45  # they end close together, in two rows, at any turn
UNDER_EDGES = 2.0  # behind the fingertips, under the palm
REACH_S, STEP_S, STAYS_S = 0.3, 0.16, 0.25  # to the first die, from die to die, and the stay at the end


def swept(
    begin: PosedDie, rest: PosedDie, place: Callable[[float], tuple[float, float]], start_s: float, end_s: float
) -> Motion:
    """Return the motion of a die pushed along by a hand, ending exactly at `rest`.

    place: the hand's place at a time.
    """
    (from_x, from_y), (to_x, to_y) = place(start_s), place(end_s)
    off_x, off_y = rest.x - begin.x - (to_x - from_x), rest.y - begin.y - (to_y - from_y)

    def at(time_s: float, part: float) -> PosedDie:
        x, y = place(time_s)
        return replace(begin, x=begin.x + x - from_x + off_x * part, y=begin.y + y - from_y + off_y * part)

    return Motion(start_s, end_s, at)


def sweep(pieces: Sequence[Piece], felt: Area, start_s: float, hurry: float, chance: Random) -> Visit:
    """Slide these dice together towards the arm's side, and return the visit of the hand."""
    arm_deg = chance.choice((0.0, 90.0, 270.0))
    arm = math.radians(arm_deg)
    back, side = (round(math.cos(arm)), round(math.sin(arm))), (-round(math.sin(arm)), round(math.cos(arm)))
    lying = [(piece, piece.place) for piece in pieces if piece.place is not None]
    lying.sort(key=lambda die: die[1].x * back[0] + die[1].y * back[1])  # those farthest from the arm first
    half = (felt.right - felt.left) / 2, (felt.bottom - felt.top) / 2
    far = abs(back[0]) * half[0] + abs(back[1]) * half[1] - 1.6 * SIZE_PX
    middle = (felt.left + half[0] + far * back[0], felt.top + half[1] + far * back[1])
    tips = [HandPlace(at.x - UNDER_EDGES * SIZE_PX * back[0], at.y, arm_deg, 0.8) for _, at in lying]
    goal = HandPlace(
        middle[0] - UNDER_EDGES * SIZE_PX * back[0], middle[1] - UNDER_EDGES * SIZE_PX * back[1], arm_deg, 0.8
    )
    times_s = [start_s + (REACH_S + n * STEP_S) * hurry for n in range(len(lying))]
    there_s = times_s[-1] + 2 * STEP_S * hurry
    stays_s = there_s + STAYS_S * hurry
    steps: list[Step] = [*zip(times_s, tips, strict=True), (there_s, goal), (stays_s, goal)]
    hand = visit(Hand(SIZE_PX, chance), start_s, steps, stays_s + REACH_S * hurry)
    for n, (piece, at) in enumerate(lying):
        row, column = n % 2 - 0.5, n // 2 - (len(lying) - 1) // 2 / 2
        place = Place(
            middle[0] + APART_EDGES * SIZE_PX * (row * back[0] + column * side[0]),
            middle[1] + APART_EDGES * SIZE_PX * (row * back[1] + column * side[1]),
            at.angle_deg,
        )
        rest = flat(piece.look, piece.face, place, SIZE_PX)
        if piece.rest is not None:
            piece.move(swept(piece.rest, rest, hand.point, times_s[n], there_s), rest, place)
    return hand
