"""How thrown dice end: flat on the felt."""

from dataclasses import dataclass

from tabletop.simulator.physics.placement import Place
from tabletop.simulator.render.compose import Look, PosedDie, lying


@dataclass(frozen=True, slots=True)
class End:
    """Where a die ends. place: its square on the ground, for finding room; rest: how it lies."""

    place: Place
    rest: PosedDie


def flat(look: Look, face: int, place: Place, size_px: float) -> PosedDie:
    """Return a die that lies on the felt."""
    return PosedDie(place.x, place.y, size_px, lying(face, place.angle_deg, look), look)
