"""The dimensions of the case for display and buttons: a box printed front face down, a lid, and a clamp.

All lengths in mm. x to the right and y down as seen from the front, z from the front face to the back.
"""

from dataclasses import dataclass

from tools.drawings.stand import Hole, Slot


@dataclass(frozen=True, slots=True)
class Display:
    """A display module, its pins at the top.

    board: width and height of its circuit board. active: of the area that lights up. above: from the centre of the
    board up to the centre of that area.
    """

    name: str
    board: tuple[float, float]
    active: tuple[float, float]
    above: float


# Boards of other sellers differ by half a millimetre: `Case.board_play` and `Case.window_play` allow for that.
SMALL_DISPLAY = Display("0.96", (27.3, 27.8), (21.74, 10.86), 2.1)  # Winstar WEA012864D, Univision UG-2864
LARGE_DISPLAY = Display("1.3", (35.4, 33.5), (29.42, 14.7), 2.05)  # EastRising ER-OLED013
DISPLAYS = (SMALL_DISPLAY, LARGE_DISPLAY)


@dataclass(frozen=True, slots=True)
class Case:
    """The dimensions of a case.

    wall: smallest thickness of printed walls. play: between lid and case, on each side. button: hole for a push button
    with a thread of 12 mm, such as PBS-33B. apart: between the two buttons.
    """

    display: Display = SMALL_DISPLAY
    width: float = 80.0
    height: float = 68.0
    depth: float = 34.0
    wall: float = 2.0
    corner: float = 4.0  # radius, outside
    play: float = 0.3
    lid: float = 3.0  # thickness
    post: float = 9.0  # side of the square posts in the corners
    button: float = 12.4
    bezel: float = 17.0  # diameter of the button's collar
    apart: float = 40.0
    buttons_y: float = 54.0
    display_y: float = 23.0  # of the middle of the board
    board_play: float = 0.4  # round the board, on each side
    window_play: float = 0.75  # round the active area, on each side
    rib: float = 6.0  # length of the ribs that hold a corner of the board
    rib_height: float = 4.0
    clamp: tuple[float, float] = (8.0, 4.0)  # width and thickness of the bar behind the board
    clamp_apart: float = 44.0
    clamp_height: float = 5.0  # from the front's inside to the bar: the board, and 2 mm of foam
    core: float = 2.5  # hole that an M3 screw cuts its thread into
    through: float = 3.4  # hole that an M3 screw passes through
    cable: tuple[float, float] = (14.0, 6.0)  # width and height of the outlet
    feet: tuple[float, float] = (14.0, 4.0)  # height of the ridge at the back and at the front: they tilt the case
    foot_width: float = 4.0

    @property
    def middle_x(self) -> float:
        """Return the centre of display, outlet and buttons."""
        return self.width / 2

    @property
    def pocket(self) -> Slot:
        """Return the space for the board between the ribs."""
        width, height = (side + 2 * self.board_play for side in self.display.board)
        return Slot(self.middle_x - width / 2, self.display_y - height / 2, width, height)

    @property
    def window(self) -> Slot:
        """Return the opening in front of the active area; it widens outwards by half of the wall."""
        width, height = (side + 2 * self.window_play for side in self.display.active)
        return Slot(self.middle_x - width / 2, self.display_y - self.display.above - height / 2, width, height)

    @property
    def buttons(self) -> tuple[Hole, Hole]:
        """Return the holes of HOLD, on the left, and BANK."""
        left, right = (self.middle_x + side * self.apart / 2 for side in (-1, 1))
        return Hole(left, self.buttons_y, self.button), Hole(right, self.buttons_y, self.button)

    @property
    def clamp_screws(self) -> tuple[Hole, Hole]:
        """Return the holes for the clamp's screws beside the board."""
        left, right = (self.middle_x + side * self.clamp_apart / 2 for side in (-1, 1))
        return Hole(left, self.display_y, self.core), Hole(right, self.display_y, self.core)

    @property
    def lid_screws(self) -> tuple[Hole, ...]:
        """Return the holes in the posts."""
        edge = self.wall + self.post / 2
        return tuple(Hole(x, y, self.core) for x in (edge, self.width - edge) for y in (edge, self.height - edge))

    @property
    def lid_outline(self) -> Slot:
        """Return the lid without its tongue."""
        edge = self.wall + self.play
        return Slot(edge, edge, self.width - 2 * edge, self.height - 2 * edge)

    @property
    def ridges(self) -> tuple[Slot, Slot]:
        """Return the feet under the lid, at the back and at the front, between the screws' heads."""
        edge, left = self.wall + 1.0, self.wall + self.post + 3.0
        length = self.width - 2 * left
        front = self.height - edge - self.foot_width
        return Slot(left, edge, length, self.foot_width), Slot(left, front, length, self.foot_width)
