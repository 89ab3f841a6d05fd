"""Dice of all kinds: marbled, translucent, of metal, with emblems, numerals, rings, or worn paint."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render import FLAT, dot, pips_at
from tabletop.simulator.scene import AWAY, MOST_PIPS, Bgr, Floats, Hits, Look, Marks, linear
from tools.room.material import Pattern, marbled, scratches

EMBLEM_PX = 64
CLEAR_SHADOW = 0.55  # share of its colour that a translucent die leaves in its shadow


@dataclass(frozen=True)  # not slots: the methods are those of `Look`
class RareLook(Look):
    """The look of a die. Lengths are in edges of the die.

    ace, four: the colour of the one's pip and of the four's, None for that of the others. six_ratio: distance of the
    six's two rows relative to the pip spacing. lay: whether 2, 3 and 6 are rotated on their faces. marble: a second
    body colour; pattern: its pattern in the body; grain: the seed of pattern and wear. clear: 0 opaque to 1
    translucent, with the pips of the far faces shining through; frost: 0 to 1, how blurred they are. emblem: 0, or the
    number of a drawing on `emblem_face` instead of pips; numerals: digits instead of pips on all faces. blank: no pips
    at all. metal, pip_metal: 0 paint to 1 bare metal. ring: 0 for full pips, else the inner radius of ringed ones
    relative to the outer. off: offset of the paint from its bowl. worn: 0 to 1, how much of the paint is gone.
    """

    ace: Bgr | None = None
    four: Bgr | None = None
    six_ratio: float = 1.0
    lay: tuple[bool, bool, bool] = (False, False, False)
    marble: Bgr | None = None
    pattern: Pattern = "veins"
    grain: int = 0
    clear: float = 0.0
    frost: float = 0.0
    emblem: int = 0
    emblem_face: int = 1
    numerals: bool = False
    blank: bool = False
    metal: float = 0.0
    pip_metal: float = 0.0
    ring: float = 0.0
    off: tuple[float, float] = (0.0, 0.0)
    worn: float = 0.0

    @property
    def shines(self) -> bool:
        """Whether the surface reflects anything."""
        return bool(self.gloss or self.metal)

    def pip_places(self) -> Floats:
        """Return the places of the pips, like `Look.pip_places`."""
        if self.blank:
            return np.full((6, MOST_PIPS, 2), AWAY, np.float32)
        step, layout = 2 * self.pip_spacing, Look.pip_places(self)
        two, three, six = self.lay
        over_two, over_three = (-step if two else step), (-step if three else step)
        rows = [(a * step, b * step * self.six_ratio) for a in (-1, 0, 1) for b in (-1, 1)]
        layout[1, :2] = [(step, over_two), (-step, -over_two)]
        layout[2, 1:3] = [(step, over_three), (-step, -over_three)]
        layout[5] = [(b, a) for a, b in rows] if six else rows
        return layout

    def body_at(self, place: Floats) -> Floats:
        """Return the body's colour at each place, like `Look.body_at`."""
        if self.marble is None:
            return Look.body_at(self, place)
        return marbled(place, self.body, self.marble, self.pattern, self.grain)

    def pip_colour(self, face: NDArray[np.intp]) -> Floats:
        """Return the paint's colour on each of these faces, like `Look.pip_colour`."""
        pip = Look.pip_colour(self, face)
        for own, its_face in ((self.ace, 0), (self.four, 3)):
            if own is not None:
                pip = np.where(face == its_face, linear(own)[:, None], pip)
        return pip

    def painted(self, marks: Marks) -> tuple[Floats, Floats]:
        """Return how hollow and how painted each place is, like `Look.painted`."""
        bowl, paint = marks.bowl, marks.bowl
        if self.off != (0.0, 0.0):
            away = np.hypot(marks.near_u - np.float32(2 * self.off[0]), marks.near_v - np.float32(2 * self.off[1]))
            paint = np.clip((marks.radius - away) * marks.share + 0.5, 0, 1)
        if self.ring:
            paint = paint * np.clip((marks.distance - self.ring * marks.radius) * marks.share + 0.5, 0, 1)
        if self.numerals:
            bowl = paint = _digits(marks.face, marks.u, marks.v)
            marks.offset[:] = 0
        elif self.emblem:
            there = marks.face == self.emblem_face - 1
            bowl = paint = np.where(there, _emblem(self.emblem, marks.u, marks.v), paint)
            marks.offset[:, there] = 0
        if self.worn:
            paint = paint * (1 - np.float32(self.worn) * scratches(marks.place, self.grain))
        return bowl, paint

    def seen_through(self, body: Floats, hits: Hits, pixel: float) -> Floats:
        """Return the body's colour including anything visible through it, like `Look.seen_through`."""
        return _shine_through(body, hits, self, pixel) if self.clear else body

    def lit_as_metal(self, lit: Floats, paint: Floats, back: Floats, room: float) -> Floats:
        """Return the light on each place, like `Look.lit_as_metal`."""
        if not (self.metal or self.pip_metal):
            return lit
        bare = self.metal * (1 - paint) + self.pip_metal * paint
        mixed: Floats = lit * (1 - bare) + bare * _room(back) * room
        return mixed

    def stain(self) -> Floats:
        """Return how much of each colour a full shadow takes, like `Look.stain`."""
        if not self.clear:
            return Look.stain(self)
        tone = np.asarray(self.body, np.float32) / max(*self.body, 1)
        return np.asarray(1 - self.clear * CLEAR_SHADOW * tone, np.float32)


def _room(back: Floats) -> Floats:
    """Return how bright the room is in directions `back` (3, N), (N,): ceiling, a dark line of furniture, table."""
    height = back[2]
    band = np.float32(0.5) + np.float32(0.5) * np.sin(5 * back[0] + 3 * back[1])
    bright: Floats = 0.2 + np.clip(height, 0, 1) * (0.6 + 0.9 * band) + 0.25 * np.clip(-height, 0, 1)
    return bright


def _digits(face: NDArray[np.intp], u: Floats, v: Floats) -> Floats:
    """Return how much of each place is the printed number of its face (0 to 5, printed as 1 to 6)."""
    strip = np.zeros((EMBLEM_PX, EMBLEM_PX * 6), np.uint8)
    for digit in range(6):
        at = (digit * EMBLEM_PX + EMBLEM_PX // 2 - 15, EMBLEM_PX // 2 + 16)
        cv2.putText(strip, str(digit + 1), at, cv2.FONT_HERSHEY_DUPLEX, 1.5, 255, 4, cv2.LINE_AA)
    columns, rows = (((np.clip(c, -1, 1) * 0.5 + 0.5) * (EMBLEM_PX - 1)).astype(np.intp) for c in (u, v))
    covered: Floats = strip[rows, columns + face * EMBLEM_PX].astype(np.float32) / 255
    return covered


def _emblem(number: int, u: Floats, v: Floats) -> Floats:
    """Return how much of each place (in half edges) the drawing of that number covers: letters, stars, rings."""
    drawing = np.zeros((EMBLEM_PX, EMBLEM_PX), np.uint8)
    middle = EMBLEM_PX // 2
    kind, variant = number % 4, number // 4
    if kind == 0:
        letter = "ABCDEFGHKMNPRSTWXYZ8079"[variant % 23]
        cv2.putText(drawing, letter, (middle - 18, middle + 17), cv2.FONT_HERSHEY_DUPLEX, 1.7, 255, 4, cv2.LINE_AA)
    elif kind == 1:
        points = 4 + variant % 4
        corners = [
            (
                middle + (26 if i % 2 else 11) * np.cos(np.pi * i / points),
                middle + (26 if i % 2 else 11) * np.sin(np.pi * i / points),
            )
            for i in range(2 * points)
        ]
        cv2.fillPoly(drawing, [np.asarray(corners, np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:  # noqa: PLR2004 - the third of four kinds
        cv2.circle(drawing, (middle, middle), 14 + variant % 9, 255, 3 + variant % 4, cv2.LINE_AA)
    else:
        for line in range(3 + variant % 3):
            y = 14 + line * 11
            cv2.line(drawing, (10, y), (40 + (variant * 7 + line * 5) % 14, y), 255, 3, cv2.LINE_AA)
    columns, rows = (((np.clip(c, -1, 1) * 0.5 + 0.5) * (EMBLEM_PX - 1)).astype(np.intp) for c in (u, v))
    covered: Floats = drawing[rows, columns].astype(np.float32) / 255
    return covered


def _shine_through(body: Floats, hits: Hits, look: "RareLook", pixel: float) -> Floats:
    """Return the body's colour with the far faces' pips behind it; longer paths through it are darker."""
    behind = _leave(hits)
    cover = pips_at(behind, look, pixel * 3 + 0.35 * look.frost, None).paint * (1 - 0.4 * look.frost)
    deep = np.sqrt(dot(behind - hits.place, behind - hits.place))
    through = body * (1.5 * np.exp(-0.45 * deep) + 0.15)
    glow = 0.55 * through + 0.45 * linear(look.pip)[:, None] * np.sqrt(body)
    through = through * (1 - 0.7 * cover) + glow * (0.7 * cover)
    clear = np.float32(look.clear)
    seen: Floats = (1 - clear) * body + clear * through
    return seen


def _leave(hits: Hits) -> Floats:
    """Return where light that entered at the hits leaves the far side of the box, (3, N), bent as in plastic."""
    inward = hits.along + np.float32(-0.45) * hits.normal  # towards the inner normal, about the 1.5 of acrylic glass
    inward = np.where(np.abs(inward) < FLAT, FLAT, inward)
    inside = np.clip(hits.place, -0.97, 0.97)
    reach = np.where(inward > 0, 1 - inside, -1 - inside) / inward
    leaving: Floats = inside - (-reach).max(axis=0) * inward
    return leaving
