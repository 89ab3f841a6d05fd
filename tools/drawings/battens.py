"""A stand made of two square battens and three printed joints, for makers with a printer and no laser cutter.

Lens and reach are those of the plywood stand. All lengths in mm.
"""

from dataclasses import dataclass, field

from tools.drawings.stand import Stand


@dataclass(frozen=True, slots=True)
class Battens:
    """The dimensions of the battens and their joints.

    side: of the battens' square. fit: clearance of a socket. wall: of the joints. screw: hole for wood screws.
    """

    stand: Stand = field(default_factory=Stand)
    side: float = 20.0
    fit: float = 0.4
    wall: float = 4.0
    screw: float = 3.4
    socket: float = 60.0  # height of the foot's socket
    flange: tuple[float, float, float] = (90.0, 44.4, 5.0)  # width, depth and thickness; the tray stands in front of it
    leg: float = 50.0  # of the corner, along each batten
    rim: float = 8.0  # height of the corner's and the head's rims
    head: float = 50.0  # how far the camera head holds the arm
    platform: float = 40.0  # width and length of what carries the camera
    behind: float = 20.0  # from the end of the arm to the lens

    @property
    def bore(self) -> float:
        """Return the inside of a socket."""
        return self.side + self.fit

    @property
    def outside(self) -> float:
        """Return the outside of a socket."""
        return self.bore + 2 * self.wall

    @property
    def upright(self) -> float:
        """Return the length of the upright batten: the arm rests on its end, the camera head is below the arm."""
        return self.stand.lens + self.wall

    @property
    def arm(self) -> float:
        """Return the length of the horizontal batten, from the back of the upright."""
        return self.side + self.stand.reach - self.behind
