"""Random scenes: a frame with its ground truth, of all the kinds that the reader must handle.

The dice of a scene lie on one ground seen by one tilted camera, alone, spread or touching, some on or against others,
among other objects, sometimes under a hand; camera faults are applied to the whole frame. Some scenes have no dice.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tabletop.simulator.render import compose
from tabletop.simulator.scene import (
    Look,
    PosedDie,
    Viewpoint,
    as_rotation,
    face_up,
    lean_deg,
    lying,
    top_centre,
    turn_about,
)
from tools.room.chance import chance, from_quaternion
from tools.room.random_look import BLACKS, COLOURS, WHITES, random_look
from tools.room.rare_look import RareLook
from tools.training.scenes.clutter import add_edge, add_things
from tools.training.scenes.covers import add_cover
from tools.training.scenes.grounds import GROUNDS
from tools.training.scenes.layout import Spot, row, spots
from tools.training.scenes.leather_tray import add_leather_tray
from tools.training.scenes.lighting import add_sunlight, random_light
from tools.training.scenes.marked_dice import add_marked_dice
from tools.training.scenes.rooms import ROOMS
from tools.training.scenes.sensor import wear
from tools.training.scenes.tiles import add_tiles
from tools.training.scenes.visibility import hidden_shares

LEANS_DEG = 14.0  # a die that leans more shows no face that people would score
HIDDEN_SHARE = 0.25  # of the top face under a hand or another die: beyond it the die need not be read
UNSEEN_SHARE = 0.95  # of the whole die: beyond it the die cannot be detected, and has no truth
GROUND_KINDS = (0.35, 0.35, 0.3)  # shares of grey, coloured and odd grounds
TUMBLING, LEANING = 0.03, 0.1  # shares of dice in the air or on an edge, and of those that lean a little
EMPTY_HANDS = 0.3  # share of hands and the like in scenes without dice
NO_DICE, THINGS, COVERS = 0.12, 0.5, 0.12  # shares of scenes without dice, with things, with a hand or the like
EMPTY_ROOM, ROOM = 0.6, 0.12  # shares of scenes without and with dice whose ground is no table's
ON_OTHERS, AGAINST = 0.08, 0.06  # shares of scenes where a die lies on others, or leans against one
SUNLIGHT = 0.08
LEATHER_TRAYS = 0.12
ON_EDGE = 0.7  # share of dice leaning at a wall that rest on an edge; the others on a corner
LEAST_LEAN_DEG, MOST_LEAN_DEG = 8.0, 45.0  # of dice leaning at a wall; beyond half a right angle another face is up
FALSE_DICE = 0.12  # share of scenes where the first of the cubes is no die: blank, or with digits
STEEPEST_DEG = 50.0


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of one die in a scene.

    x, y: the centre of its top face in pixels. size: its edge in pixels. angle: degrees clockwise, 0 to 90. face: 1 to
    6, or 0 if no face can be read (it leans, or carries an emblem). hidden: more than HIDDEN_SHARE of its top face in
    the frame is covered. leans: it leans more than LEANS_DEG. up: offset from the die's centre to that of the face that
    points at the camera most, x and y across the line of sight, in half edges; tilt: its length, at the centre of the
    frame the sine of that face's viewing angle, 0 to 0.82. A die that leans by half a right angle shows two faces
    equally, and its `up` may be that of either; its tilt is the same for both.
    """

    x: float
    y: float
    size: float
    angle: float
    face: int
    hidden: bool = False
    leans: bool = False
    up: tuple[float, float] = (0.0, 0.0)
    tilt: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A frame, (H, W, 3) uint8 BGR, and its visible dice.

    up: direction in the frame from the dice's centres to their tops, x and y; its length is the sine of the camera's
    tilt.
    """

    pixels: NDArray[np.uint8]
    dice: tuple[Truth, ...]
    up: tuple[float, float] = (0.0, 0.0)


def random_scene(
    rng: np.random.Generator,
    *,
    width: int,
    height: int,
    die_px: float,
    most: int = 8,
    leaning: float = 0.0,
    empty: bool = False,
    tiles: bool = False,
    in_row: bool = False,
    marked: bool = False,
) -> Scene:
    """Return a scene of up to `most` dice of about `die_px` pixels (half to twice as large in a few scenes).

    leaning: share of the dice that lean as at a wall, besides the few that lean in any scene. empty: without dice.
    tiles: with dominoes and the like. in_row: dice of one kind, edge to edge. marked: with dice of 4 to 20 faces with
    numerals and the like, which do not count as dice here.
    """
    without = chance(rng, NO_DICE) or empty
    camera = _camera(width, height, die_px, rng)
    light = random_light(camera, rng)
    frame = _ground(width, height, die_px, without, rng)
    if chance(rng, THINGS if not without else 0.75):
        add_things(frame, die_px, rng)
    if tiles:
        add_tiles(frame, die_px, rng)
    if marked:
        add_marked_dice(frame, die_px, rng)
    if chance(rng, 0.15):
        add_edge(frame, rng)
    elif chance(rng, LEATHER_TRAYS):
        add_leather_tray(frame, die_px, rng)
    layers: list[list[PosedDie]] = (
        [] if without else _dice(most, leaning, _Frame(width, height, die_px, camera), rng, in_row=in_row)
    )
    false = bool(layers) and chance(rng, FALSE_DICE)
    if false:
        layers[0][0] = replace(layers[0][0], look=_no_die(rng))
    for layer in layers:
        frame = compose(frame, layer, light, camera)
    covered = (
        add_cover(frame, die_px, rng)
        if chance(rng, EMPTY_HANDS if without else COVERS)
        else np.zeros((height, width), bool)
    )
    if chance(rng, SUNLIGHT):
        add_sunlight(frame, die_px, rng)
    shares = hidden_shares(layers, camera, covered)
    seen = [
        (die, share) for layer, part in zip(layers, shares, strict=True) for die, share in zip(layer, part, strict=True)
    ]
    known = seen[1 if false else 0 :]
    truths = tuple(truth_of(die, camera, share.top) for die, share in known if share.whole < UNSEEN_SHARE)
    up = camera.turn()[:, 2]
    return Scene(wear(frame, die_px, rng), truths, (float(up[0]), float(up[1])))


def truth_of(die: PosedDie, camera: Viewpoint, hidden_share: float = 0.0) -> Truth:
    """Return what should be read of a die. hidden_share: the covered share of its top face, 0 to 1."""
    x, y = top_centre(die, camera)
    face = face_up(die)
    emblem = isinstance(die.look, RareLook) and die.look.emblem and die.look.emblem_face == face
    leans = lean_deg(die) > LEANS_DEG
    up = die.rotation[2]
    axis = max(range(3), key=lambda i: abs(up[i]))
    side = np.array([row[(axis + 1) % 3] for row in die.rotation], np.float32)
    seen = camera.turn() @ side
    angle = float(np.degrees(np.arctan2(seen[1], seen[0])) % 90)
    readable_face = 0 if emblem or leans else face
    up_x, up_y = _seen_up(die, camera)
    tilt = float(np.hypot(up_x, up_y))
    return Truth(x, y, die.size_px, angle, readable_face, hidden_share > HIDDEN_SHARE, leans, (up_x, up_y), tilt)


def _seen_up(die: PosedDie, camera: Viewpoint) -> tuple[float, float]:
    """Return `Truth.up`. A camera without a place of its own is taken to be straight above the die."""
    away = (die.x - (die.x if camera.x is None else camera.x), die.y - (die.y if camera.y is None else camera.y))
    sight = np.array([-away[0], -away[1], camera.distance_px])
    sight /= np.linalg.norm(sight)
    faces = np.asarray(camera.turn(), np.float64) @ np.asarray(die.rotation, np.float64)  # its three axes as columns
    towards = sight @ faces
    most = int(np.argmax(np.abs(towards)))
    across = faces[:, most] * np.sign(towards[most]) - sight * abs(towards[most])
    return float(across[0]), float(across[1])


def _camera(width: int, height: int, die_px: float, rng: np.random.Generator) -> Viewpoint:
    tilt = abs(rng.normal(0, 6)) if chance(rng, 0.5) else rng.uniform(5, STEEPEST_DEG)
    distance = die_px * rng.uniform(9, 45)
    away = rng.normal(0, 0.15, 2) * distance
    return Viewpoint(
        tilt_deg=float(tilt),
        tilt_azimuth_deg=float(rng.uniform(0, 360)),
        distance_px=float(distance),
        x=float(width / 2 + away[0]),
        y=float(height / 2 + away[1]),
    )


def _ground(width: int, height: int, die_px: float, without: bool, rng: np.random.Generator) -> NDArray[np.uint8]:
    shades = (WHITES + BLACKS, COLOURS, ())[int(rng.choice(3, p=GROUND_KINDS))]
    if shades:
        base = np.asarray(shades[int(rng.integers(len(shades)))]) + rng.normal(0, 15, 3)
    else:
        base = np.asarray(any_colour(rng), np.float64)
    blue, green, red = (int(value) for value in np.clip(base, 5, 250))
    kinds = ROOMS if chance(rng, EMPTY_ROOM if without else ROOM) else GROUNDS
    names = list(kinds)
    weights = np.array([COMMON.get(name, 0.08) for name in names])
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    return kinds[name](height, width, (blue, green, red), rng, die_px)


COMMON = {"plain": 0.2, "paper": 0.2, "felt": 0.2, "dots": 0.04}  # weights of grounds; 0.08 for all others


def _dice(
    most: int, leaning: float, frame: "_Frame", rng: np.random.Generator, *, in_row: bool
) -> list[list[PosedDie]]:
    """Return the dice in layers: those on the ground and, rarely, one on top of them."""
    found = row(frame.die_px, most, rng) if in_row else spots(frame.width, frame.height, frame.die_px, most, rng)
    one_kind = random_look(rng) if in_row or chance(rng, 0.55) else None
    looks = [one_kind or random_look(rng) for _ in range(len(found) + 1)]
    ground = [
        _at_a_wall(spot, look, frame, rng) if leaning and chance(rng, leaning) else _posed(spot, look, frame, rng)
        for spot, look in zip(found, looks, strict=False)
    ]
    if len(found) > 1 and chance(rng, AGAINST):
        ground[-1] = _against(found[0], found[-1], looks[0], frame, rng)
    if not found or len(found) == most or not chance(rng, ON_OTHERS):
        return [ground]
    below = found[int(rng.integers(len(found)))]
    x, y = np.array([below.x, below.y]) + rng.uniform(0.25, 0.75, 2) * rng.choice((-1, 1), 2) * below.size
    above = Spot(float(x), float(y), found[0].size, float(rng.uniform(0, 360)))
    return [ground, [replace(_posed(above, looks[-1], frame, rng, below.size), lift_px=0.0)]]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What places on the ground need to become places in the frame."""

    width: int
    height: int
    die_px: float
    camera: Viewpoint

    def place(self, x: float, y: float, above_px: float) -> tuple[float, float]:
        """Return where a point `above_px` above the ground is seen; the frame lies half a common die above it."""
        seen = self.camera.turn() @ np.array([x, y, above_px - self.die_px / 2], np.float32)
        return self.width / 2 + float(seen[0]), self.height / 2 + float(seen[1])


def _posed(spot: Spot, look: Look, frame: _Frame, rng: np.random.Generator, raised_px: float = 0.0) -> PosedDie:
    face = int(rng.integers(1, 7))
    rotation = lying(face, spot.turn, look)
    lift = 0.0
    kind = rng.random()
    if kind < TUMBLING:  # tumbling, or standing on an edge
        first, second, third, fourth = (float(value) for value in rng.normal(size=4))
        rotation = from_quaternion(first, second, third, fourth)
        lift = float(rng.uniform(0, 1) * spot.size) if chance(rng, 0.5) else 0.0
    elif kind < LEANING:  # leans a little against something
        axis = rng.uniform(0, 2 * np.pi)
        lean = turn_about((float(np.cos(axis)), float(np.sin(axis)), 0.0), float(rng.uniform(1, 9)))
        rotation = as_rotation(lean @ np.asarray(rotation, np.float32))
    x, y = frame.place(spot.x, spot.y, spot.size / 2 + raised_px)
    return PosedDie(x, y, spot.size, rotation, look, lift)


def _at_a_wall(spot: Spot, look: Look, frame: _Frame, rng: np.random.Generator) -> PosedDie:
    """Return a die that leans as dice do at a wall that is not drawn: on one of its edges, or on a corner."""
    lean = float(rng.uniform(LEAST_LEAN_DEG, MOST_LEAN_DEG))
    direction = np.radians(spot.turn + 90 * int(rng.integers(4))) if chance(rng, ON_EDGE) else rng.uniform(0, 2 * np.pi)
    standing = np.asarray(lying(int(rng.integers(1, 7)), spot.turn, look), np.float32)
    tipped = turn_about((float(np.cos(direction)), float(np.sin(direction)), 0.0), lean) @ standing
    half = float(np.abs(tipped[2]).sum()) * spot.size / 2
    x, y = frame.place(spot.x, spot.y, half)
    return PosedDie(x, y, spot.size, as_rotation(tipped), look)


def _against(support: Spot, spot: Spot, look: Look, frame: _Frame, rng: np.random.Generator) -> PosedDie:
    """Return a die that leans against another one: its lower edge on the ground, its upper one at the other's side."""
    quarter = int(rng.integers(4))
    direction = np.radians(support.turn + 90 * quarter)
    lean = float(rng.uniform(16, 42))
    standing = np.asarray(lying(int(rng.integers(1, 7)), support.turn, look), np.float32)
    # Turned about the level axis along the support's side, the top tips towards the support.
    tipped = turn_about((-float(np.sin(direction)), float(np.cos(direction)), 0.0), -lean) @ standing
    half = spot.size / 2 * (np.cos(np.radians(lean)) + np.sin(np.radians(lean)))
    reach = support.size / 2 + half * 0.95
    x, y = frame.place(
        support.x + float(np.cos(direction)) * reach, support.y + float(np.sin(direction)) * reach, float(half)
    )
    return PosedDie(x, y, spot.size, as_rotation(tipped), look)


def _no_die(rng: np.random.Generator) -> Look:
    """Return a cube that is no die: a block, an eraser, a sugar lump; or with digits instead of pips."""
    look = random_look(rng)
    return replace(look, blank=True, emblem=0) if chance(rng, 0.5) else replace(look, numerals=True, emblem=0)
