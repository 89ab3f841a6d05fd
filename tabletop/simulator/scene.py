"""Dice, light and camera of a scene: frozen values, and the geometry of a die.

Lengths of a look are in edges, so one look fits every size. World axes: x right and y down as in the frame, z up from
the ground towards the camera. A die's own axes are the world's when its rotation is the identity.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

Bgr = tuple[int, int, int]
Floats = NDArray[np.floating]

MOST_PIPS = 6
AWAY = 9.0  # half edges: a pip that is not there


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The hits of rays on a die. pixel: (N,) index into the patch. place, normal, along: (3, N). cover: (N,) 0 to 1."""

    pixel: NDArray[np.intp]
    place: Floats
    normal: Floats
    along: Floats
    cover: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The pips at N places of a die's surface, before paint.

    place: (3, N) in half edges. face: (N,) 0 to 5. u, v: (N,) coordinates on the face. near_u, near_v, distance: (N,)
    from the centre of the nearest pip. radius: (N,) of that pip. share: pixels per half edge, (N,) or one for all.
    bowl: (N,) how hollow the place is. offset: (3, N) from the pip's centre in radii.
    """

    place: Floats
    face: NDArray[np.intp]
    u: Floats
    v: Floats
    near_u: Floats
    near_v: Floats
    distance: Floats
    radius: Floats
    share: Floats | np.float32
    bowl: Floats
    offset: Floats


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a plain die. Lengths are in edges of the die.

    body, pip: colours. ace_scale: the radius of the one's pip relative to the others. edge_radius: rounding of the
    edges, 0.01 to 0.25. ball_radius: radius of a ball that cuts the corners (0.65 to 0.87), 0 for none. pip_radius:
    0.06 to 0.13. pip_spacing: from a face's centre to its outer pips, along an edge. dimple: 0 for printed pips, 1 for
    deep bowls. gloss: 0 dull to 1 polished. bulge: 0 for flat faces, 0.2 for cushions. left_handed: mirrored order of
    the faces.

    Subclasses override the methods for other kinds of dice. Places are (3, N) float32 in the die's own axes with half
    an edge as the unit; colours are BGR in linear light, 0 to 1.
    """

    body: Bgr = (232, 240, 242)
    pip: Bgr = (24, 22, 20)
    ace_scale: float = 1.0
    edge_radius: float = 0.09
    ball_radius: float = 0.0
    pip_radius: float = 0.09
    pip_spacing: float = 0.25
    dimple: float = 0.5
    gloss: float = 0.5
    bulge: float = 0.03
    left_handed: bool = False

    @property
    def shines(self) -> bool:
        """Whether the surface reflects anything."""
        return bool(self.gloss)

    def pip_places(self) -> Floats:
        """Return the places of the pips, (6, 6, 2): face - 1, pip, its place on the face in half edges, AWAY if none.

        The two coordinates of a face are the die's own axes that follow its normal's, in the order x, y, z, x.
        """
        step = 2 * self.pip_spacing
        square = [(step, step), (step, -step), (-step, step), (-step, -step)]
        middle = [(0.0, 0.0)]
        rows = [(a * step, b * step) for a in (-1, 0, 1) for b in (-1, 1)]
        layout = np.full((6, MOST_PIPS, 2), AWAY, np.float32)
        diagonal = [(step, step), (-step, -step)]
        for index, places in enumerate((middle, diagonal, [*middle, *diagonal], square, [*square, *middle], rows)):
            layout[index, : len(places)] = places
        return layout

    def body_at(self, _place: Floats) -> Floats:
        """Return the body's colour at each place: (3, N), or (3, 1) if it is uniform."""
        return linear(self.body)[:, None]

    def pip_colour(self, _face: NDArray[np.intp]) -> Floats:
        """Return the paint's colour on each of these faces (0 to 5): (3, N), or (3, 1) if it is the same on all."""
        return linear(self.pip)[:, None]

    def painted(self, marks: Marks) -> tuple[Floats, Floats]:
        """Return how hollow and how painted each place is, (N,) each; may change `marks.offset`."""
        return marks.bowl, marks.bowl

    def seen_through(self, body: Floats, _hits: Hits, _pixel: float) -> Floats:
        """Return the body's colour including anything visible through it. pixel: its width in half edges."""
        return body

    def lit_as_metal(self, lit: Floats, _paint: Floats, _back: Floats, _room: float) -> Floats:
        """Return the light on each place, reflected by metal.

        back: reflected directions, (3, N); room: its strength.
        """
        return lit

    def stain(self) -> Floats:
        """Return how much of each colour a full shadow takes, (3,), or (1,) if equal for all colours."""
        return np.ones(1, np.float32)


PLAIN = Look()


def linear(colour: Bgr) -> Floats:
    """Convert a colour of bytes to linear light, (3,)."""
    value: Floats = np.square(np.asarray(colour, np.float32) / 255)
    return value


Row = tuple[float, float, float]
Rotation = tuple[Row, Row, Row]

UNTURNED: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

# Faces at +x, +y, +z of the die's own axes; opposite faces add to seven. Seen in the frame (x right, y down, z to the
# viewer) these two differ by a mirror, as right-handed and left-handed dice do.
RIGHT_HANDED = (1, 3, 2)
LEFT_HANDED = (1, 2, 3)
OPPOSITE_SUM = 7


@dataclass(frozen=True, slots=True)
class PosedDie:
    """A die somewhere over the ground.

    x, y: where its centre is seen, in pixels of the frame. size_px: its edge. rotation: from its own axes to the
    world's, rows of a proper rotation matrix (any orientation, so also tumbling). lift_px: height of its lowest point
    above the ground; affects only shadows and the drawing order.
    """

    x: float
    y: float
    size_px: float
    rotation: Rotation = UNTURNED
    look: Look = PLAIN
    lift_px: float = 0.0


@dataclass(frozen=True, slots=True)
class Pane:
    """A bright object reflected by polished dice: a window, a strip lamp, or (ring) a ring of light.

    azimuth_deg, elevation_deg: its centre. wide, high: half width and height as tangents; a ring has the radius `wide`
    and half the breadth `high`. roll_deg: rotation about its centre. strength: 1 is as bright as white paper.
    """

    azimuth_deg: float
    elevation_deg: float
    wide: float
    high: float
    strength: float = 1.0
    roll_deg: float = 0.0
    ring: bool = False

    def towards(self) -> NDArray[np.float32]:
        """Return the unit vector to its centre, (3,) float32 in world axes."""
        return direction(self.azimuth_deg, self.elevation_deg)


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp, ambient light, and a window reflected by polished dice.

    azimuth_deg: direction of the lamp in the frame (0 right, 90 down); elevation_deg: above the ground, 15 to 90. lamp,
    ambient: strengths; a sheet facing the lamp shows its own colour if they add to 1. softness: width of a shadow's
    edge in edges of the die. tint: colour of the lamp's light, 1 for neutral. window: strength of the reflected window,
    its direction (azimuth and elevation in degrees) and its half width and height (tangents).
    """

    azimuth_deg: float = 225.0
    elevation_deg: float = 55.0
    lamp: float = 0.55
    ambient: float = 0.5
    softness: float = 0.08
    tint: Row = (1.0, 1.0, 1.0)
    window: float = 0.5
    window_azimuth_deg: float = 200.0
    window_elevation_deg: float = 60.0
    window_wide: float = 0.25
    window_high: float = 0.12

    def towards(self) -> NDArray[np.float32]:
        """Return the unit vector to the lamp, (3,) float32 in world axes."""
        return direction(self.azimuth_deg, self.elevation_deg)

    def lamps(self) -> tuple[tuple[NDArray[np.float32], float], ...]:
        """Return the direction and the strength of each lamp that casts a shadow."""
        return ((self.towards(), self.lamp),)

    def mirrored(self) -> tuple[Pane, ...]:
        """Return everything reflected by polished dice."""
        window = Pane(
            self.window_azimuth_deg, self.window_elevation_deg, self.window_wide, self.window_high, self.window
        )
        return (window,) if self.window else ()


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The position of the camera.

    tilt_deg: from the vertical. tilt_azimuth_deg: the axis of the tilt in the frame. distance_px: from the ground, in
    pixels of the frame (smaller shows more of the sides towards the frame's edges). x, y: the frame's point straight
    below the camera; None for the centre of the frame.
    """

    tilt_deg: float = 0.0
    tilt_azimuth_deg: float = 0.0
    distance_px: float = 1500.0
    x: float | None = None
    y: float | None = None

    def turn(self) -> NDArray[np.float32]:
        """Return the (3, 3) float32 rotation from world axes to the camera's (x right, y down, z to the viewer)."""
        return _tilted(self.tilt_deg, self.tilt_azimuth_deg)


@lru_cache(maxsize=16)
def _tilted(tilt_deg: float, azimuth_deg: float) -> NDArray[np.float32]:
    """Return a camera's turn, read-only; cached, since it is needed several times for each die."""
    axis = (math.cos(math.radians(azimuth_deg)), math.sin(math.radians(azimuth_deg)), 0.0)
    turn = turn_about(axis, tilt_deg)
    turn.flags.writeable = False
    return turn


def direction(azimuth_deg: float, elevation_deg: float) -> NDArray[np.float32]:
    """Return the unit vector in this direction, (3,) float32 in world axes."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)], np.float32)


def turn_about(axis: Row, degrees: float) -> NDArray[np.float32]:
    """Return the (3, 3) float32 rotation by `degrees` about the unit vector `axis` (Rodrigues' formula).

    About (0, 0, 1) a positive angle turns clockwise as seen in the frame.
    """
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], np.float64)
    angle = math.radians(degrees)
    turned = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross)
    return turned.astype(np.float32)


def as_rotation(matrix: NDArray[np.floating]) -> Rotation:
    """Return a (3, 3) array as the tuple of rows that `PosedDie` holds."""
    return cast("Rotation", tuple(map(tuple, matrix.tolist())))


def faces_of(look: Look) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the faces at (+x, +y, +z) and at (-x, -y, -z) of the die's own axes."""
    a, b, c = LEFT_HANDED if look.left_handed else RIGHT_HANDED
    return (a, b, c), (OPPOSITE_SUM - a, OPPOSITE_SUM - b, OPPOSITE_SUM - c)


def face_up(die: PosedDie) -> int:
    """Return the uppermost face, 1 to 6."""
    up = die.rotation[2]  # the world's z of each of the die's own axes
    axis = max(range(3), key=lambda i: abs(up[i]))
    plus, minus = faces_of(die.look)
    return plus[axis] if up[axis] > 0 else minus[axis]


def lean_deg(die: PosedDie) -> float:
    """Return the tilt of the uppermost face from the horizontal, in degrees, 0 to 54.8."""
    return math.degrees(math.acos(min(1.0, max(abs(value) for value in die.rotation[2]))))


def lying(face: int, angle_deg: float, look: Look) -> Rotation:
    """Return the rotation of a die lying flat with `face` (1 to 6) up, rotated clockwise by `angle_deg`."""
    plus, minus = faces_of(look)
    if face in plus:
        axis, sign = plus.index(face), 1.0
    else:
        axis, sign = minus.index(face), -1.0
    up = np.eye(3)[axis] * sign
    first = np.eye(3)[(axis + 1) % 3]
    second = np.cross(up, first)
    flat = np.stack([first, second, up])  # rows: the die's axes that become the world's x, y and z
    return as_rotation(turn_about((0.0, 0.0, 1.0), angle_deg) @ flat.astype(np.float32))


def top_centre(die: PosedDie, camera: Viewpoint) -> tuple[float, float]:
    """Return the centre of the top face in the frame, in pixels (the reader's label).

    A near camera must give its x and y here; otherwise the die is assumed to be at the centre of the frame.
    """
    up = die.rotation[2]
    axis = max(range(3), key=lambda i: abs(up[i]))
    sign = 1.0 if up[axis] > 0 else -1.0
    normal = np.array([row[axis] * sign for row in die.rotation], np.float32)
    seen = camera.turn() @ normal * (die.size_px / 2)
    # Nearer to the camera by seen[2]: things there appear farther from the camera's foot point.
    centre_x = die.x if camera.x is None else camera.x
    centre_y = die.y if camera.y is None else camera.y
    nearer = float(seen[2]) / camera.distance_px
    return (die.x + float(seen[0]) + (die.x - centre_x) * nearer, die.y + float(seen[1]) + (die.y - centre_y) * nearer)
