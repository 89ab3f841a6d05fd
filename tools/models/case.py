"""The case for display and buttons: case, lid and clamp, each in its printing position, without supports."""

from itertools import product

from manifold3d import Manifold

from tools.drawings.case import Case
from tools.drawings.stand import Hole, Slot
from tools.models.shapes import THROUGH, box, joined, pin, rectangle

THIN = 0.001  # mm: of the slices that a bevel is spanned between


def case_box(case: Case) -> Manifold:
    """Return the case, front face on the bed, open at the top."""
    outer = Slot(0.0, 0.0, case.width, case.height)
    body = rectangle(outer, case.corner).extrude(case.depth)
    hollow = rectangle(_grown(outer, -case.wall), case.corner - case.wall).extrude(case.depth)
    body -= hollow.translate((0.0, 0.0, case.wall))
    body += joined(_posts(case)) + joined(_ribs(case)) + joined(_clamp_posts(case))
    for hole in case.lid_screws:
        body -= pin(hole, case.wall, case.depth)
    for hole in case.clamp_screws:
        body -= pin(hole, case.wall, case.depth)
    for hole in case.buttons:
        body -= pin(hole, -THROUGH, case.wall + THROUGH)
    return body - _window(case) - _outlet(case)


def case_lid(case: Case) -> Manifold:
    """Return the lid, inside down, with the feet upwards. It is mounted in this position."""
    outline = rectangle(case.lid_outline, case.corner - case.wall - case.play)
    lid = outline.extrude(case.lid) + box(_tongue(case), 0.0, case.lid)
    for ridge, height in zip(case.ridges, case.feet, strict=True):
        lid += box(ridge, 0.0, case.lid + height)
    for hole in case.lid_screws:
        lid -= pin(Hole(hole.x, hole.y, case.through), -THROUGH, case.lid + THROUGH)
    return lid


def display_clamp(case: Case) -> Manifold:
    """Return the bar that presses the display against the front, in its mounting position."""
    width, thickness = case.clamp
    first, last = (Hole(hole.x, hole.y, width) for hole in case.clamp_screws)
    bar = Manifold.batch_hull([pin(first, 0.0, thickness), pin(last, 0.0, thickness)])
    for hole in case.clamp_screws:
        bar -= pin(Hole(hole.x, hole.y, case.through), -THROUGH, thickness + THROUGH)
    return bar


def _grown(slot: Slot, by: float) -> Slot:
    return Slot(slot.left - by, slot.top - by, slot.width + 2 * by, slot.height + 2 * by)


def _posts(case: Case) -> list[Manifold]:
    """Return the posts that the lid lies on, grown into the walls."""
    outer = rectangle(Slot(0.0, 0.0, case.width, case.height), case.corner).extrude(case.depth - case.lid)
    side = case.post + case.wall
    corners = product((0.0, case.width - side), (0.0, case.height - side))
    return [box(Slot(x, y, side, side), 0.0, case.depth - case.lid) ^ outer for x, y in corners]


def _ribs(case: Case) -> list[Manifold]:
    """Return an angle at each corner of the board."""
    pocket, top = case.pocket, case.wall + case.rib_height
    frame = box(_grown(pocket, case.wall), case.wall, top) - box(pocket, 0.0, top + THROUGH)
    across = Slot(pocket.left + case.rib, 0.0, pocket.width - 2 * case.rib, case.height)
    along = Slot(0.0, pocket.top + case.rib, case.width, pocket.height - 2 * case.rib)
    return [frame - box(across, 0.0, top + THROUGH) - box(along, 0.0, top + THROUGH)]


def _clamp_posts(case: Case) -> list[Manifold]:
    size = case.core + 2 * case.wall
    return [pin(Hole(hole.x, hole.y, size), 0.0, case.wall + case.clamp_height) for hole in case.clamp_screws]


def _window(case: Case) -> Manifold:
    bevel = case.wall / 2
    outside = rectangle(_grown(case.window, bevel)).extrude(THIN).translate((0.0, 0.0, -THIN))
    inside = rectangle(case.window).extrude(THIN).translate((0.0, 0.0, bevel))
    return Manifold.batch_hull([outside, inside]) + box(case.window, -THROUGH, case.wall + THROUGH)


def _outlet(case: Case) -> Manifold:
    width, height = case.cable
    slot = Slot(case.middle_x - width / 2, -THROUGH, width, case.wall + 2 * THROUGH)
    return box(slot, case.depth - case.lid - height, case.depth + THROUGH)


def _tongue(case: Case) -> Slot:
    """Return what closes the outlet above the cable, flush with the case."""
    width = case.cable[0] - 2 * case.play
    return Slot(case.middle_x - width / 2, 0.0, width, case.wall + 2 * case.play)
