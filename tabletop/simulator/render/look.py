"""How a die is made, and what its surface shows at each place. Lengths are in edges, so one look fits every size."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bgr = tuple[int, int, int]
Floats = NDArray[np.floating]

MOST_PIPS = 6
AWAY = 9.0  # half edges: a pip that is not there


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays met a die. pixel: (N,) index into the patch. place, normal, along: (3, N). cover: (N,) 0 to 1."""

    pixel: NDArray[np.intp]
    place: Floats
    normal: Floats
    along: Floats
    cover: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The pips at N places of a die's surface, before paint.

    place: (3, N) in half edges. face: (N,) 0 to 5. u, v: (N,) coordinates on the face. near_u, near_v, distance: (N,)
    from the middle of the nearest pip. radius: (N,) of that pip. share: how many pixels half an edge takes, (N,) or
    one for all. bowl: (N,) how much of the place is hollow. offset: (3, N) from the pip's middle in radii.
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
    """How a plain die is made. Lengths are in edges of the die.

    body, pip: colours. ace_scale: the radius of the one's pip against the others. edge_radius: rounding of the edges,
    0.01 to 0.25. ball_radius: radius of a ball that cuts the corners (0.65 to 0.87), 0 for none. pip_radius: 0.06 to
    0.13. pip_spacing: from a face's middle to its outer pips, along an edge. dimple: 0 for printed pips, 1 for deep
    bowls. gloss: 0 dull to 1 polished. bulge: 0 for flat faces, 0.2 for cushions. left_handed: the other hand of dice.

    A subclass overrides the methods, for dice of other kinds. Places are (3, N) float32 in the die's own axes with half
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
        """Whether the surface mirrors anything."""
        return bool(self.gloss)

    def pip_places(self) -> Floats:
        """Return where the pips are, (6, 6, 2): face - 1, pip, its place on the face in half edges, AWAY if none.

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
        """Return the body's colour at each place: (3, N), or (3, 1) if it is the same everywhere."""
        return linear(self.body)[:, None]

    def pip_colour(self, _face: NDArray[np.intp]) -> Floats:
        """Return the paint's colour on each of these faces (0 to 5): (3, N), or (3, 1) if it is the same on all."""
        return linear(self.pip)[:, None]

    def painted(self, marks: Marks) -> tuple[Floats, Floats]:
        """Return how much of each place is hollow and how much is painted, (N,) each; may change `marks.offset`."""
        return marks.bowl, marks.bowl

    def seen_through(self, body: Floats, _hits: Hits, _pixel: float) -> Floats:
        """Return the body's colour with what shines through it. pixel: its width in half edges."""
        return body

    def lit_as_metal(self, lit: Floats, _paint: Floats, _back: Floats, _room: float) -> Floats:
        """Return the light on each place, mirrored by metal. back: mirrored directions, (3, N); room: its strength."""
        return lit

    def stain(self) -> Floats:
        """Return how much of each colour a full shadow takes, (3,), or (1,) if it takes all colours alike."""
        return np.ones(1, np.float32)


PLAIN = Look()


def linear(colour: Bgr) -> Floats:
    """Return a colour of bytes in linear light, (3,)."""
    value: Floats = np.square(np.asarray(colour, np.float32) / 255)
    return value
