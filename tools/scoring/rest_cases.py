"""Rests that end: films of real dice, photographs and the simulated room, cut, thinned and ended by a hand.

Each case is a film with the ground truth of each of its frames, so that missed throws can be counted.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise, product
from math import cos, inf, sin
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.simulator.scene import Look
from tools.room.room import Cloth, Room, any_room
from tools.room.studio_light import StudioLight
from tools.room.world import RoomWorld
from tools.scenarios.mix import any_pace

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"  # beside the checkout, never copied into it

Picture = NDArray[np.uint8]
Labels = dict[str, Any]  # an entry of the photographs' manifest

FPS = 30.0
LIES_FRAMES = (6, 8, 10, 15, 24)  # at thirty a second
HAND_FRAMES = 40  # of a film after its rest: the hand comes and takes the dice
FIRST_SECOND = 30  # frames
CUT_BEFORE = 20  # frames before the rest: in flight
BESIDE_EDGES = 0.72  # from a die's middle to the picture's edge
SMALL = 0.3  # a film of 1080 x 2224 becomes one of 324 x 667, with dice of 23 px
TILE_PX = 256  # of noise, laid side by side
SENSOR_LEVELS = 1.2  # noise of repeated frames, grey levels
CUT_SHARE = 0.3  # of the films in the room: their first second is left out
WOODS = ((52, 84, 122), (90, 130, 165), (35, 50, 75))  # BGR


@dataclass(frozen=True, slots=True)
class Lying:
    """The true pose of a die: its face, its centre and its edge in pixels of the frame."""

    face: int
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame with its ground truth. lying: all dice if they lie still with no hand over them, else empty.

    throw: the number of the current throw, from 0. faces: of that throw, sorted.
    """

    frame: Frame
    throw: int
    lying: tuple[Lying, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A film. group, name: for the table. dice: how many are due. frames: from the first to the last."""

    group: str
    name: str
    dice: int
    frames: Callable[[], Iterator[Seen]]


@dataclass(frozen=True, slots=True)
class Crop:
    """A reduced part of a picture: from (left, top) to (right, bottom) in pixels, scaled by `zoom`."""

    left: int = 0
    top: int = 0
    right: int = 1 << 20
    bottom: int = 1 << 20
    zoom: float = 1.0

    def picture(self, picture: Picture) -> Picture:
        """Return the part."""
        part = picture[self.top : self.bottom, self.left : self.right]
        if self.zoom != 1.0:
            part = np.asarray(
                cv2.resize(part, None, fx=self.zoom, fy=self.zoom, interpolation=cv2.INTER_AREA), np.uint8
            )
        return np.ascontiguousarray(part)

    def die(self, die: Lying) -> Lying:
        """Return the pose of a die in the crop."""
        return Lying(die.face, (die.x - self.left) * self.zoom, (die.y - self.top) * self.zoom, die.size * self.zoom)


def beside_the_edge(dice: Sequence[Lying], sides: str) -> Crop:
    """Return a crop of a picture with the outermost dice at its border."""
    left, top = (min(die[at] - BESIDE_EDGES * die[2] for die in map(_place, dice)) for at in (0, 1))
    right, bottom = (max(die[at] + BESIDE_EDGES * die[2] for die in map(_place, dice)) for at in (0, 1))
    whole = Crop()
    return Crop(
        max(0, round(left)) if "left" in sides else 0,
        max(0, round(top)) if "top" in sides else 0,
        round(right) if "right" in sides else whole.right,
        round(bottom) if "bottom" in sides else whole.bottom,
    )


def _place(die: Lying) -> tuple[float, float, float]:
    return die.x, die.y, die.size


def film_cases(every: int = 7) -> Iterator[Case]:
    """Yield the films of real throws, with various rest lengths, frame rates, starts and crops.

    every: use one of this many combinations; 7 gives all lengths, rates, starts and crops equally often.
    """
    return islice(_all_films(), 0, None, every)


def _all_films() -> Iterator[Case]:
    for number, film in enumerate(json.loads((PHOTOS / "manifest.json").read_text())["throws"]):
        dice = [Lying(die["face"], *_middle(die["box"])) for die in film["dice"]]
        first = film["rest_frames"][0]
        begins = {"whole": 0, "second left out": FIRST_SECOND, "cut into the flight": first - CUT_BEFORE}
        parts = {
            "as it is": Crop(),
            "small": Crop(zoom=SMALL),
            "edge left, top": beside_the_edge(dice, "left top"),
            "edge right, bottom": beside_the_edge(dice, "right bottom"),
        }
        for lies, every, begin, part in product(LIES_FRAMES, (1, 2, 3), begins, parts):
            if part != "as it is" and begin == "whole":
                continue
            name = f"film {number + 1}, {lies} frames, {FPS / every:.0f} fps, {begin}, {part}"
            group = f"film, {part}, {FPS / every:.0f} fps"

            def frames(
                film: Labels = film, dice: list[Lying] = dice, lies: int = lies, every: int = every,
                begin: int = begins[begin], part: Crop = parts[part],
            ) -> Iterator[Seen]:  # fmt: skip
                return _film(film, [part.die(die) for die in dice], lies, every, begin, part)

            yield Case(group, name, len(dice), frames)


@dataclass(frozen=True, slots=True)
class Shaking:
    """How a film is degraded: darkened; swaying like a hand-held camera, with a jump; trembling from frame to frame.

    light: remaining share. sway_px, jump_at: how far the camera sways, and the frame from which it is off by three
    times that. tremble_px, tremble_deg: the deviation of each frame.
    """

    light: float = 1.0
    sway_px: float = 0.0
    jump_at: int = 0
    tremble_px: float = 0.0
    tremble_deg: float = 0.0

    def picture(self, number: int, picture: Picture) -> Picture:
        """Return the degraded picture of a frame."""
        height, width = picture.shape[:2]
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=self.light), np.uint8)
        if self.sway_px:
            right = self.sway_px * (sin(0.9 * number) + 0.5 * sin(2.1 * number))
            jump = 3 * self.sway_px * (number >= self.jump_at)
            way = np.array([[1, 0, right + jump], [0, 1, self.sway_px * cos(0.7 * number) - 0.6 * jump]], np.float32)
            picture = np.asarray(
                cv2.warpAffine(picture, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        if self.tremble_px:
            chance = np.random.default_rng(number)
            turn_deg = chance.uniform(-self.tremble_deg, self.tremble_deg)
            way = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0), np.float32)
            way[:, 2] += np.asarray(chance.uniform(-self.tremble_px, self.tremble_px, 2), np.float32)
            picture = np.asarray(cv2.warpAffine(picture, way, (width, height)), np.uint8)
        return picture


# The film, the frames before its rest that are seen, every so manieth of them, the scale, and how it is spoiled.
SHAKEN = {
    "dark, 10 frames a second": (0, 30, 3, 1.0, Shaking(light=0.4)),
    "held in the hand, with a jump": (1, 22, 1, 1.0, Shaking(sway_px=8.0, jump_at=48)),
    "small, dark, trembling": (2, 22, 1, 0.5, Shaking(light=0.5, tremble_px=2.0, tremble_deg=0.15)),
    "shaken and thinned": (0, 30, 2, 1.0, Shaking(light=0.6, sway_px=5.0, jump_at=60)),
}
STAYS_FRAMES = 24  # after the first of its rest, in which no other throw may be taken


def shaken_case(name: str) -> Case:
    """Return one of the SHAKEN films: the throw must be taken while all dice lie still."""
    number, before, every, zoom, shaking = SHAKEN[name]
    film = json.loads((PHOTOS / "manifest.json").read_text())["throws"][number]
    first, last = film["rest_frames"]
    part = Crop(zoom=zoom)
    dice = tuple(part.die(Lying(die["face"], *_middle(die["box"]))) for die in film["dice"])

    def frames() -> Iterator[Seen]:
        capture = cv2.VideoCapture(str(PHOTOS / film["file"]))
        for at in range(min(first + STAYS_FRAMES, last + 1)):
            picture = np.asarray(capture.read()[1], np.uint8)
            if at >= first - before and at % every == 0:
                shown = shaking.picture(at, part.picture(picture))
                yield Seen(Frame(shown, at / FPS), 0, dice if at >= first else (), faces_of(dice))
        capture.release()

    return Case("film, shaken", name, len(dice), frames)


def _middle(box: Sequence[float]) -> tuple[float, float, float]:
    left, top, right, bottom = box
    return (left + right) / 2, (top + bottom) / 2, right - left


def _film(film: Labels, dice: list[Lying], lies: int, every: int, begin: int, part: Crop) -> Iterator[Seen]:
    first, last = film["rest_frames"]
    pictures, capture = list[Picture](), cv2.VideoCapture(str(PHOTOS / film["file"]))
    while len(pictures) <= min(last + HAND_FRAMES, film["frames"] - 1):
        pictures.append(part.picture(np.asarray(capture.read()[1], np.uint8)))
    capture.release()
    rest = [*range(first, last + 1), *range(last - 1, first, -1)] * 3
    order = [*range(begin, first), *rest[:lies], *range(last + 1, len(pictures))]
    for n, number in enumerate(order):
        if n % every == 0:
            lying = first - begin <= n < first - begin + lies
            repeated = lying and n - (first - begin) > last - first
            picture = noisy(pictures[number], n) if repeated else pictures[number]
            yield Seen(Frame(picture, n / FPS), 0, tuple(dice) if lying else (), faces_of(dice))


def faces_of(dice: Sequence[Lying]) -> tuple[int, ...]:
    """Return the faces, sorted."""
    return tuple(sorted(die.face for die in dice))


def noisy(picture: Picture, seed: int) -> Picture:
    """Return the picture with new sensor noise."""
    height, width = picture.shape[:2]
    tile = np.random.default_rng(seed).normal(0.0, SENSOR_LEVELS, (TILE_PX, TILE_PX, 3)).round().astype(np.int16)
    noise = np.tile(tile, (height // TILE_PX + 1, width // TILE_PX + 1, 1))[:height, :width]
    return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


def photo_cases(most: int = 25) -> Iterator[Case]:
    """Yield photographs as still films: an earlier one by the same camera, or the bare ground, and then the dice.

    Nothing is pasted: `nell` is fixed over its tray, so the shadows of the dice fall on known ground; in those of
    `damian`, with hard shadows, the dice are painted over to get the earlier ground.
    """
    images = json.loads((PHOTOS / "manifest.json").read_text())["images"]
    nell = [image for image in images if image["file"].startswith("nell/")]
    for before, now in list(pairwise(nell))[:: max(1, len(nell) // most)]:
        yield _photo_case("photographs, one camera", now, partial(_picture, before))
    for image in [image for image in images if image["file"].startswith("damian/")]:
        yield _photo_case("photographs, hard shadows", image, partial(_painted_over, image))


def _photo_case(group: str, image: Labels, ground: Callable[[], Picture]) -> Case:
    dice = tuple(Lying(die["face"], *_middle(die["box"])[:2], float(image["die_px"])) for die in image["dice"])

    def frames() -> Iterator[Seen]:
        before, now = ground(), _picture(image)
        for n in range(12):
            yield Seen(Frame(noisy(before, n), n / 12), 0, (), faces_of(dice))
        for n in range(12, 17):
            yield Seen(Frame(noisy(now, n), n / 12), 0, dice, faces_of(dice))

    return Case(group, image["file"], len(dice), frames)


def _picture(image: Labels) -> Picture:
    return np.asarray(cv2.imread(str(PHOTOS / image["file"])), np.uint8)


def _painted_over(image: Labels) -> Picture:
    """Return the photograph with its dice and their shadows painted over, which is coarse and does for a ground."""
    picture = _picture(image)
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    mask = np.zeros(small.shape[:2], np.uint8)
    for die in image["dice"]:
        x, y, _ = _middle(die["box"])
        cv2.circle(mask, (round(x / 4), round(y / 4)), round(1.7 * image["die_px"] / 4), 255, -1)
    painted = cv2.inpaint(small, mask, 3, cv2.INPAINT_TELEA)
    large = np.asarray(cv2.resize(painted, picture.shape[1::-1]), np.uint8)
    whole = cv2.resize(mask, picture.shape[1::-1])[..., None] > 0
    return np.where(whole, large, picture)


def low_lamp(chance: Random) -> Room:
    """Return a wooden table under a low lamp or sun: hard shadows, at least as long as the dice, sometimes tinted."""
    wood = chance.choice(WOODS)
    warm = chance.uniform(0.0, 0.3)
    light = StudioLight(
        azimuth_deg=chance.uniform(0, 360),
        elevation_deg=chance.uniform(16, 35),
        lamp=chance.uniform(1.2, 2.0),
        ambient=chance.uniform(0.15, 0.35),
        softness=chance.uniform(0.01, 0.1),
        tint=(1.0 - warm, 1.0, 1.0 + warm / 2),
        second=chance.choice((0.0, 0.4)),
        second_azimuth_deg=chance.uniform(0, 360),
    )
    look = chance.choice(
        (Look(), Look(body=(70, 110, 160), pip=(20, 20, 20)), Look(body=(40, 40, 200), pip=(240, 240, 240)))
    )
    return Room((look,), Cloth(wood, wood, wood, 0.12), light)


def room_cases(seeds: int = 3) -> Iterator[Case]:
    """Yield throws in the simulated room: two each, the first with dice of unknown size, soon followed by a hand."""
    rooms = {"low lamp on wood": low_lamp, "any room": any_room}
    parts = ("as it is", "small", "edge")
    for seed, room, count, fps in product(range(seeds), rooms, (1, 3, 5, 6), (10.0, 15.0, 30.0)):
        part = parts[(seed + count + round(fps) // 5) % len(parts)]
        chance = Random(f"{seed} {room} {count} {fps}")
        lie_s = chance.choice((0.0, 0.1, 0.25, 0.5))
        cut = chance.random() < CUT_SHARE
        name = f"{room}, {count} dice, {fps:.0f} fps, {lie_s:.2f} s, {part}{', cut' * cut}, seed {seed}"

        def frames(
            chance: Random = chance, make: Callable[[Random], Room] = rooms[room], count: int = count,
            fps: float = fps, lie_s: float = lie_s, part: str = part, cut: bool = cut,
        ) -> Iterator[Seen]:  # fmt: skip
            return _room(Random(chance.random()), make, count, fps, lie_s, part, cut=cut)

        yield Case(f"room, {room}, {part}, {fps:.0f} fps", name, count, frames)


def _room(
    chance: Random, make: Callable[[Random], Room], count: int, fps: float, lie_s: float, part: str, *, cut: bool
) -> Iterator[Seen]:
    world = RoomWorld(count, chance=chance, room=make(chance), pace=any_pace(chance), fps=fps, drop=0.0)
    crop, thrown = None, list[tuple[int, ...]]()
    for throw in range(2):
        end_s = world.throw()
        thrown.append(world.tray.lying_faces)
        crop = crop or _crop(world, part)
        yield from _watched(world, thrown, crop, end_s - CUT_BEFORE / FPS if cut and not throw else -inf, begins=True)
        world.wait(lie_s)
        yield from _watched(world, thrown, crop)
    assert crop is not None
    world.pick_up()
    yield from _watched(world, thrown, crop)
    world.wait(0.7)
    yield from _watched(world, thrown, crop)


def _crop(world: RoomWorld, part: str) -> Crop:
    if part != "edge":
        return Crop(zoom=0.5) if part == "small" else Crop()
    dice = [Lying(1, piece.place.x, piece.place.y, 56.0) for piece in world.tray.pieces if piece.place]
    side = min(("left", "right", "top", "bottom"), key=lambda side: _cut_off(beside_the_edge(dice, side)))
    return beside_the_edge(dice, side)


def _cut_off(crop: Crop) -> float:
    return crop.left + crop.top + max(0, 640 - crop.right) + max(0, 480 - crop.bottom)


def _watched(
    world: RoomWorld, thrown: Sequence[tuple[int, ...]], crop: Crop, from_s: float = -inf, *, begins: bool = False
) -> Iterator[Seen]:
    """Yield the frames until everything begun is over; until the hand is over them the dice are those thrown before."""
    earlier = begins and len(thrown) > 1
    while world.busy:
        frame = world.camera.read()
        assert frame is not None
        if frame.time_s < from_s:
            continue
        truth = world.truth()
        lies = truth.still and truth.free and len(truth.dice) == len(world.tray.pieces)
        dice = tuple(crop.die(Lying(die.face, die.x, die.y, die.size)) for die in truth.dice)
        earlier = earlier and lies
        shown = Frame(crop.picture(frame.pixels), frame.time_s)
        throw = len(thrown) - 1 - earlier
        yield Seen(shown, throw, dice if lies else (), thrown[throw])


def all_cases() -> Iterator[Case]:
    """Yield all cases; without the photographs only those of the room."""
    if PHOTOS.is_dir():
        yield from film_cases()
        yield from photo_cases()
    yield from room_cases()
