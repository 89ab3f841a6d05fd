"""The joints of the batten stand, each in its printing position, without supports."""

from manifold3d import Manifold

from tools.drawings.battens import Battens
from tools.drawings.stand import HOLE_MM, HOLES_MM, LENS_WINDOW_MM, TRIPOD_MM, WINDOW_ABOVE_MM, Hole, Slot
from tools.models.shapes import THROUGH, box, joined, pin, rectangle

ROUND = 4.0  # mm: corners of plates
EDGE = 8.0  # mm: from the middle of a flange's screw hole to its edges
WEB = 30.0  # mm: legs of the triangles that stiffen a joint
FOOT_SCREW = 4.4  # mm: holes in the flange
WEBCAM_TRAVEL = 12.0  # mm: how far a webcam can be moved


def foot(battens: Battens) -> Manifold:
    """Return the socket for the upright, its flange on the bed; the upright is centred at (0, 0)."""
    width, depth, thickness = battens.flange
    flange = rectangle(Slot(-width / 2, -depth / 2, width, depth), ROUND).extrude(thickness)
    half = battens.outside / 2
    body = flange + box(_square(battens.outside), 0.0, battens.socket)
    for side in (-1, 1):
        body += _web(side * half, side * (half + WEB - ROUND), battens.wall, thickness)
        for y in (-1, 1):
            place = Hole(side * (width / 2 - EDGE), y * (depth / 2 - EDGE), FOOT_SCREW)
            body -= pin(place, -THROUGH, thickness + THROUGH)
    body -= box(_square(battens.bore), -THROUGH, battens.socket + THROUGH)
    across = pin(Hole(0.0, 0.0, battens.screw), -battens.outside, battens.outside).rotate((90.0, 0.0, 0.0))
    return body - across.translate((0.0, 0.0, battens.socket * 2 / 3))


def corner(battens: Battens) -> Manifold:
    """Return one of the two identical plates that join the battens, symmetric about its diagonal.

    (0, 0) is the outer corner of the battens; x along the arm, y down the upright.
    """
    wall, end, inner = battens.wall, battens.side + battens.leg, battens.bore
    legs = (Slot(-wall, -wall, end + wall, inner + 2 * wall), Slot(-wall, -wall, inner + 2 * wall, end + wall))
    body = joined(box(leg, 0.0, wall + battens.rim) for leg in legs)
    bores = (Slot(0.0, 0.0, end + THROUGH, inner), Slot(0.0, 0.0, inner, end + THROUGH))
    body -= joined(box(bore, wall, wall + battens.rim + THROUGH) for bore in bores)
    edge = inner + wall
    points = [(edge - wall, edge - wall), (edge + WEB, edge - wall), (edge - wall, edge + WEB)]
    body += Manifold.batch_hull([pin(Hole(x, y, 0.2), 0.0, wall) for x, y in points])
    along = (battens.side + battens.leg / 4, battens.side + battens.leg * 3 / 4)
    for at in along:
        for place in ((at, inner / 2), (inner / 2, at)):
            body -= pin(Hole(*place, battens.screw), -THROUGH, wall + THROUGH)
    return body


def camera_head(battens: Battens) -> Manifold:
    """Return the holder of a camera module at the end of the arm. The lens is at (0, 0), the arm along -x.

    The module lies on it, with its cable socket pointing away from the arm.
    """
    across, along = HOLES_MM
    body = _head(battens)
    for y in (-across / 2, across / 2):
        for x in (0.0, -along):
            body -= pin(Hole(x, y, HOLE_MM), -THROUGH, battens.wall + THROUGH)
    width, length = LENS_WINDOW_MM
    window = Slot(WINDOW_ABOVE_MM - length, -width / 2, length, width)
    return body - box(window, -THROUGH, battens.wall + THROUGH)


def webcam_head(battens: Battens) -> Manifold:
    """Return the holder of a webcam, which hangs below it by its tripod thread and can slide."""
    half = WEBCAM_TRAVEL / 2
    ends = [pin(Hole(x, 0.0, TRIPOD_MM), -THROUGH, battens.wall + THROUGH) for x in (-half, half)]
    return _head(battens) - Manifold.batch_hull(ends)


def _head(battens: Battens) -> Manifold:
    wall, inner, outside = battens.wall, battens.bore, battens.outside
    half = battens.platform / 2
    back = -(battens.behind + battens.head)
    floor = rectangle(Slot(back, -half, half - back, 2 * half), ROUND).extrude(wall)
    holder = Slot(back, -outside / 2, battens.head + wall, outside)
    body = floor + box(holder, 0.0, wall + battens.rim)
    body -= box(Slot(back - THROUGH, -inner / 2, battens.head + THROUGH, inner), wall, wall + battens.rim + THROUGH)
    for at in (back + battens.head / 4, back + battens.head * 3 / 4):
        body -= pin(Hole(at, 0.0, battens.screw), -THROUGH, wall + THROUGH)
    return body


def _square(side: float) -> Slot:
    return Slot(-side / 2, -side / 2, side, side)


def _web(inner_x: float, outer_x: float, thickness: float, base: float) -> Manifold:
    """Return an upright triangle beside the socket, as high as it is long."""
    left, width = min(inner_x, outer_x), abs(outer_x - inner_x)
    top = Slot(inner_x - 0.1, -thickness / 2, 0.2, thickness)
    return Manifold.batch_hull(
        [box(Slot(left, -thickness / 2, width, thickness), 0.0, base), box(top, 0.0, base + width)]
    )
