"""The docs' pictures of the printed parts: the case in use and disassembled, and the batten stand over its tray."""

import numpy as np
from manifold3d import Manifold

from tools.drawings.battens import Battens
from tools.drawings.cameras import DIE_MM, TRAY_MM
from tools.drawings.case import Case
from tools.drawings.stand import Hole, Slot
from tools.drawings.stand_views import WALL_MM
from tools.models.parts import closed_case, standing
from tools.models.pictures import Colour, View, picture
from tools.models.shapes import box, joined, pin

PRINTED: Colour = (150, 175, 120)  # blue, green, red
DARK: Colour = (60, 55, 50)
LIT: Colour = (255, 226, 190)
GREEN, VIOLET = (95, 154, 45), (194, 85, 138)  # BANK and HOLD, as in the drawing of the wiring
WOOD: Colour = (170, 212, 236)
BROWN: Colour = (70, 100, 135)
FELT: Colour = (85, 111, 63)
WHITE: Colour = (250, 252, 252)
FOOT_BOARD_MM = 18.0
BUTTON_MM = 8.0  # height of a button over the case
APART_MM = 26.0  # between the parts of the case taken apart

Scene = list[tuple[Manifold, Colour]]


def case_picture() -> np.ndarray:
    """Return the case on the table, and disassembled."""
    case = Case()
    shown = View(24.0, 34.0, 620, 560)
    return np.hstack([picture(_case_in_use(case), shown), picture(_case_apart(case), View(28.0, 24.0, 620, 560))])


def stand_picture() -> np.ndarray:
    """Return the batten stand, with tray and dice."""
    battens = Battens()
    lens_x = battens.side + battens.stand.reach
    colours = {"upright": WOOD, "arm": WOOD}
    scene = [(solid, colours.get(name, PRINTED)) for name, solid in standing(battens).items()]
    depth, width = TRAY_MM[1], TRAY_MM[0]
    wall, high = WALL_MM
    inside = Slot(lens_x - depth / 2, -width / 2, depth, width)
    outside = Slot(inside.left - wall, inside.top - wall, depth + 2 * wall, width + 2 * wall)
    back = battens.side / 2 - battens.flange[1] / 2
    scene.append((box(Slot(back, -width / 3, battens.stand.foot[1], 2 * width / 3), -FOOT_BOARD_MM, 0.0), WOOD))
    scene.append((box(outside, 0.0, high) - box(inside, -1.0, high + 1.0), BROWN))
    scene.append((box(inside, 0.0, 2.0), FELT))
    module = box(Slot(lens_x - 12.5, -12.5, 25.0, 25.0), battens.stand.lens + battens.wall, battens.stand.lens + 6.0)
    scene.append((module, GREEN))
    for x, y, turn in ((-30, -60, 20), (25, -20, 65), (-10, 30, 40), (40, 70, 10), (-50, 85, 80)):
        die = box(Slot(-DIE_MM / 2, -DIE_MM / 2, DIE_MM, DIE_MM), 2.0, 2.0 + DIE_MM)
        scene.append((die.rotate((0.0, 0.0, turn)).translate((lens_x + x, y, 0.0)), WHITE))
    return picture(scene, View(62.0, 24.0, 760, 760))


def _case_in_use(case: Case) -> Scene:
    parts = closed_case(case)
    scene = [(parts["case"], PRINTED), (parts["lid"], PRINTED), *_in_the_front(case)]
    rise = case.feet[0] - case.feet[1]
    tilt = float(np.degrees(np.arctan2(rise, case.ridges[1].top - case.ridges[0].top)))
    # turned over so that the front is on top and its upper edge at the back, then tilted by its feet
    return [(solid.rotate((180.0, 0.0, 0.0)).rotate((tilt, 0.0, 0.0)), colour) for solid, colour in scene]


def _case_apart(case: Case) -> Scene:
    parts = closed_case(case)
    lifted = {"case": 0.0, "clamp": case.depth, "lid": case.depth + APART_MM}
    scene: Scene = [(solid.translate((0.0, 0.0, lifted[name])), PRINTED) for name, solid in parts.items()]
    board = box(case.pocket, 0.0, 2.5).translate((0.0, 0.0, case.depth + case.wall))
    return [(solid.rotate((0.0, 0.0, 180.0)), colour) for solid, colour in [*scene, (board, DARK)]]


def _in_the_front(case: Case) -> Scene:
    window, (lit, high) = case.window, case.display.active
    middle = window.top + window.height / 2
    active = Slot(case.middle_x - lit / 2, middle - high / 2, lit, high)
    scene: Scene = [(box(case.pocket, case.wall, case.wall + 1.0), DARK), (box(active, case.wall - 0.1, 2.5), LIT)]
    for hole, colour in zip(case.buttons, (VIOLET, GREEN), strict=True):
        collar = Hole(hole.x, hole.y, case.bezel)
        scene.append((pin(collar, -3.0, 0.0), DARK))
        scene.append((pin(Hole(hole.x, hole.y, hole.diameter - 1.0), -BUTTON_MM, -3.0), colour))
    bars = [Slot(active.left + 2, active.top + 2, 7, 2), Slot(active.left + 12, active.top + 2, 7, 5)]
    scene.append((joined(box(bar, case.wall - 0.2, case.wall) for bar in bars), DARK))
    return scene
