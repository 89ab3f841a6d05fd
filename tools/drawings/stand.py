"""The stand as flat parts of one board: two sides shaped like a gallows, a foot, a brace and two camera plates.

All lengths in mm. A part's own corner is at (0, 0), x to the right, y down, as in SVG.
"""

from dataclasses import dataclass

from tools.drawings.svg import Point

HOLE_MM = 2.2  # for the M2 screws of a camera module
HOLES_MM = (21.0, 12.5)  # between the holes of Camera Module 2 and 3, from their mechanical drawings
TRIPOD_MM = 6.6  # the 1/4 inch thread under a webcam
LENS_WINDOW_MM = (14.0, 17.0)  # between those holes; the lens is in the middle of the row next to the cable's socket
WINDOW_ABOVE_MM = 7.0  # of the window, from the lens towards that socket
FIT_MM = 0.1  # a slot is this much wider than the board is thick; a laser takes about as much again


@dataclass(frozen=True, slots=True)
class Slot:
    """A rectangular cut-out."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Hole:
    """A round hole; x and y of its centre."""

    x: float
    y: float
    diameter: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One flat part. outline: its corners in order. count: how many are needed."""

    name: str
    outline: tuple[Point, ...]
    slots: tuple[Slot, ...] = ()
    holes: tuple[Hole, ...] = ()
    count: int = 1

    @property
    def extent(self) -> tuple[float, float]:
        """Return the width and height."""
        return max(x for x, _ in self.outline), max(y for _, y in self.outline)


@dataclass(frozen=True, slots=True)
class Stand:
    """The dimensions of a stand.

    lens: height of the lens above the foot. reach: from the upright's front to the lens. board: thickness of the board.
    upright, arm: width of the two limbs of a side. apart: between the sides. foot: across and along the tray.
    """

    lens: float = 340.0
    reach: float = 125.0
    board: float = 6.0
    upright: float = 50.0
    arm: float = 36.0
    apart: float = 70.0
    foot: tuple[float, float] = (200.0, 300.0)
    beyond: float = 35.0  # of the arm, from the lens to its end
    gusset: float = 60.0  # legs of the triangle in the corner of a side
    tab: float = 20.0  # length of a tab
    back: float = 10.0  # from the foot's back edge to the upright
    fit: float = FIT_MM  # of slots and tabs

    @property
    def arm_length(self) -> float:
        """Return the length of a side at its top."""
        return self.upright + self.reach + self.beyond

    @property
    def side_height(self) -> float:
        """Return the height of a side without the tabs at its bottom: the camera plate hangs below the arm."""
        return self.lens + self.board + self.arm

    @property
    def brace(self) -> tuple[float, float]:
        """Return the width between the tabs, and the height, of the brace between the uprights."""
        return self.apart, 120.0

    @property
    def plate(self) -> tuple[float, float]:
        """Return the width and depth of a camera plate."""
        return self.apart + 2 * self.board + 18.0, 60.0

    @property
    def lens_x(self) -> float:
        """Return the position of the lens along a side, from the upright's back."""
        return self.upright + self.reach

    def side(self) -> Piece:
        """Return one of the two sides, upright on the left, arm at the top."""
        up, arm, tab, height = self.upright, self.arm, self.board, self.side_height
        tabs = self._foot_tabs()
        plate_tab = self.lens_x - self.tab / 2
        outline: list[Point] = [(0, 0), (self.arm_length, 0), (self.arm_length, arm)]
        outline += [(plate_tab + self.tab, arm), (plate_tab + self.tab, arm + tab)]
        outline += [(plate_tab, arm + tab), (plate_tab, arm)]
        outline += [(up + self.gusset, arm), (up, arm + self.gusset), (up, height)]
        for left in reversed(tabs):
            outline += [
                (left + self.tab, height),
                (left + self.tab, height + tab),
                (left, height + tab),
                (left, height),
            ]
        outline.append((0, height))
        slots = tuple(Slot(12.0, top, self.board + self.fit, self.tab + self.fit) for top in self._brace_tabs())
        return Piece("side", _without_doubles(outline), slots, count=2)

    def foot_plate(self) -> Piece:
        """Return the foot: the tray stands on it and weighs it down."""
        width, depth = self.foot
        outer = (width - self.apart) / 2 - self.board
        slots = [
            Slot(x, self.back + top, self.board + self.fit, self.tab + self.fit)
            for x in (outer, width - outer - self.board)
            for top in self._foot_tabs()
        ]
        return Piece("foot", _rectangle(width, depth), tuple(slots))

    def brace_plate(self) -> Piece:
        """Return the brace, with two tabs on either side."""
        width, height = self.brace
        tab, tops = self.board, [top - self.brace_top for top in self._brace_tabs()]
        right, left = tab + width, tab
        outline: list[Point] = [(left, 0), (right, 0)]
        for top in tops:
            outline += [(right, top), (right + tab, top), (right + tab, top + self.tab), (right, top + self.tab)]
        outline += [(right, height), (left, height)]
        for top in reversed(tops):
            outline += [(left, top + self.tab), (0, top + self.tab), (0, top), (left, top)]
        return Piece("brace", _without_doubles(outline))

    def module_plate(self) -> Piece:
        """Return the plate for a camera module, which lies on it with its lens in the window."""
        x, y = self.plate[0] / 2, self.plate[1] / 2
        across, along = HOLES_MM
        holes = [Hole(x + side * across / 2, y + up, HOLE_MM) for side in (-1, 1) for up in (0.0, along)]
        width, height = LENS_WINDOW_MM
        window = Slot(x - width / 2, y - WINDOW_ABOVE_MM, width, height)
        return Piece("plate, camera module", _rectangle(*self.plate), (*self._plate_slots(), window), tuple(holes))

    def webcam_plate(self) -> Piece:
        """Return the plate for a webcam with a tripod thread, which slides along a slot."""
        x, y = self.plate[0] / 2, self.plate[1] / 2
        slot = Slot(x - TRIPOD_MM / 2, y - 20.0, TRIPOD_MM, 40.0)
        return Piece("plate, webcam", _rectangle(*self.plate), (*self._plate_slots(), slot))

    def pieces(self) -> tuple[Piece, ...]:
        """Return all parts; only one of the two plates is used."""
        return self.side(), self.foot_plate(), self.brace_plate(), self.module_plate(), self.webcam_plate()

    def _plate_slots(self) -> tuple[Slot, Slot]:
        outer = (self.plate[0] - self.apart) / 2 - self.board
        top, length = (self.plate[1] - self.tab) / 2, self.tab + self.fit
        width = self.board + self.fit
        return Slot(outer, top, width, length), Slot(self.plate[0] - outer - self.board, top, width, length)

    def _foot_tabs(self) -> tuple[float, float]:
        """Return where the two tabs at the bottom of a side begin, from the upright's back."""
        return 2.0, self.upright - self.tab - 2.0

    def _brace_tabs(self) -> tuple[float, float]:
        """Return where the brace's tabs begin, from a side's top."""
        return self.brace_top + 20.0, self.brace_top + self.brace[1] - self.tab - 20.0

    @property
    def brace_top(self) -> float:
        """Return the start of the brace, from a side's top: in the upper half, and clear of the corner's triangle."""
        return self.arm + self.gusset + 20.0


def _rectangle(width: float, height: float) -> tuple[Point, ...]:
    return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)


def _without_doubles(points: list[Point]) -> tuple[Point, ...]:
    return tuple(point for number, point in enumerate(points) if number == 0 or point != points[number - 1])
