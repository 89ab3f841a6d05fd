"""All printable parts by file name, the sets that are printed together, and the assembled objects."""

from dataclasses import replace

from manifold3d import Manifold

from tools.drawings.battens import Battens
from tools.drawings.case import DISPLAYS, Case
from tools.drawings.stand import FIT_MM, Slot, Stand
from tools.models.case import case_box, case_lid, display_clamp
from tools.models.joints import camera_head, corner, foot, webcam_head
from tools.models.shapes import box, plate

PRINTED_FIT_MM = FIT_MM + 0.2  # of the camera plates' slots: printed ones come out narrower than cut ones
BED_MM = 200.0  # side of the smallest printer's bed
GAP_MM = 6.0  # between parts on the bed


def parts() -> dict[str, Manifold]:
    """Return name -> part, in its printing position."""
    stand, battens = replace(Stand(), fit=PRINTED_FIT_MM), Battens()
    cases = {f"case-{display.name}": case_box(Case(display)) for display in DISPLAYS}
    solids = {
        **cases,
        "case-lid": case_lid(Case()),
        "display-clamp": display_clamp(Case()),
        "camera-plate": plate(stand.module_plate(), stand.board),
        "webcam-plate": plate(stand.webcam_plate(), stand.board),
        "batten-foot": foot(battens),
        "batten-corner": corner(battens),
        "batten-camera": camera_head(battens),
        "batten-webcam": webcam_head(battens),
    }
    return {name: _cornered(solid) for name, solid in solids.items()}


SETS = {
    **{f"case-{display.name}": (f"case-{display.name}", "case-lid", "display-clamp") for display in DISPLAYS},
    "plates": ("camera-plate", "webcam-plate"),
    "battens": ("batten-foot", "batten-corner", "batten-corner", "batten-camera"),
}
"""What is printed together, by the name of the set."""


def laid_out(names: tuple[str, ...]) -> list[tuple[str, Manifold]]:
    """Return the parts of a set side by side on the bed, in rows."""
    solids, laid = parts(), list[tuple[str, Manifold]]()
    x = y = row = 0.0
    for name in names:
        width, depth = solids[name].bounding_box()[3:5]
        if x + width > BED_MM:
            x, y, row = 0.0, y + row + GAP_MM, 0.0
        laid.append((name, solids[name].translate((x, y, 0.0))))
        x, row = x + width + GAP_MM, max(row, depth)
    return laid


def closed_case(case: Case) -> dict[str, Manifold]:
    """Return case, clamp and lid assembled, front face down."""
    return {
        "case": case_box(case),
        "clamp": display_clamp(case).translate((0.0, 0.0, case.wall + case.clamp_height)),
        "lid": case_lid(case).translate((0.0, 0.0, case.depth - case.lid)),
    }


def standing(battens: Battens) -> dict[str, Manifold]:
    """Return battens and joints assembled: x from the back of the upright, y from its centre, z from the board."""
    side, half = battens.side, battens.side / 2
    top = battens.upright + side
    cheek = corner(battens).rotate((-90.0, 0.0, 0.0))  # x along the arm, down the upright, rims towards +y
    near = cheek.translate((0.0, -half - battens.wall, top))
    return {
        "upright": box(Slot(0.0, -half, side, side), 0.0, battens.upright),
        "arm": box(Slot(0.0, -half, battens.arm, side), battens.upright, top),
        "foot": foot(battens).rotate((0.0, 0.0, 90.0)).translate((half, 0.0, 0.0)),
        "near corner": near,
        "far corner": near.mirror((0.0, 1.0, 0.0)),
        "camera": camera_head(battens).translate((side + battens.stand.reach, 0.0, battens.stand.lens)),
    }


def _cornered(solid: Manifold) -> Manifold:
    """Return it with its lowest corner at (0, 0, 0)."""
    left, front, bottom = solid.bounding_box()[:3]
    return solid.translate((-left, -front, -bottom))
