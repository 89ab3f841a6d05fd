"""`python -m tools.scoring.second_looks`: does "Look again" put a misread throw right, and does it spoil a right one.

Throws in random simulated rooms, and frames of the filmed throws beside the repository, are spoilt by glare on one or
two dice, a leaning die, or a hand. One frame is read as the table reads it. Then a second look is taken, at all frames
of the throw and at the kept picture alone. A throw can be seen if some frame shows all its dice: no hand covers one,
and glare leaves at least half of each ninth of each top face. It is right if every face is; a leaning die may also be
named as leaning, since it is rolled again. `--throws N` measures the first N; `--each` prints each outcome.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from pathlib import Path
from random import Random
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Reading, UnsureReason
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Event
from tabletop.session.throw_pictures import kept_throw
from tabletop.views.terminal.tray_picture import WHOLE
from tabletop.vision.reader import read
from tabletop.vision.second_look import second_look
from tools.room.room import any_room
from tools.room.tray import leans
from tools.room.world import RoomWorld
from tools.scenarios.mix import any_pace
from tools.scoring.figures import Share
from tools.scoring.rest_cases import PHOTOS, Crop, Lying, faces_of, noisy

Picture = NDArray[np.uint8]
FRAMES = 4  # that are still in memory
EVERY_S = 0.1
FILMED = 5  # one throw of so many is filmed, if the films are there
SPOILT = ("glare", "lean", "hand")
# Byte; share of each ninth of a top face, since one may hold a single pip; side of the square surely in it, in edges.
WHITE, LEAST_CLEAR, TOP = 250, 0.5, 0.8
FILM_MARGIN = 2.5  # edges of a die, round the dice of a film
AFTER = 12  # frames after a filmed rest, in which the hand comes
SIZE_ERROR = (0.9, 1.1)  # what the table knows of the size, against the true one


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A spoilt throw. pictures: the first is the one that was read. seen: whether they show all its dice.

    leaning: the faces that lean.
    """

    kind: str
    faces: tuple[int, ...]
    pictures: tuple[Picture, ...]
    die_px: float
    seen: bool
    leaning: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a throw: how it was read, and what the second look says of all frames, and of the kept picture.

    Each is right, wrong or unsure; a look that repeats a wrong reading is unsure, since it offers nothing.
    picture_bytes: of the kept picture. look_s: processor time of the first look.
    """

    kind: str
    seen: bool
    read: str
    newest: str
    older: str
    picture_bytes: int
    look_s: float


def throw(number: int, photos: Path = PHOTOS) -> Spoilt:
    """Return a spoilt throw; the same number gives the same one."""
    chance = Random(f"second look {number}")
    if number % FILMED == FILMED - 1 and photos.is_dir():
        return _filmed(chance, ("glare", "hand")[number // FILMED % 2], photos)
    return _simulated(chance, SPOILT[number % len(SPOILT)])


def _simulated(chance: Random, kind: str) -> Spoilt:
    world = RoomWorld(
        chance.randint(2, 6), chance=chance, room=any_room(chance), pace=any_pace(chance), drop=0.0, noise=0.0
    )
    rests_s = world.throw(leaning=int(kind == "lean")) + EVERY_S
    world.show(rests_s)
    at_s = [rests_s + n * EVERY_S for n in range(FRAMES)]
    first = 0
    if kind == "hand":
        stays_s = chance.uniform(0.6, 1.2)
        chance.choice((world.rest_hand, world.wave_hand))(stays_s)
        at_s = sorted(rests_s + chance.uniform(0.2, 1.4) * stays_s for _ in range(FRAMES))
        first = chance.randrange(FRAMES)
    pictures, free, dice = list[Picture](), False, tuple[Lying, ...]()
    for time_s in at_s:
        pictures.append(noisy(world.show(time_s), chance.getrandbits(32)))
        truth = world.truth()
        free = free or truth.free
        dice = tuple(Lying(die.face, die.x, die.y, die.size) for die in truth.dice)
    die_px = median(die.size for die in dice) * chance.uniform(*SIZE_ERROR)
    faces = tuple(sorted(piece.face for piece in world.tray.pieces))
    pictures.insert(0, pictures.pop(first))
    if kind == "glare":
        pictures, free = _glared(pictures, dice, chance)
    leaning = tuple(piece.face for piece in world.tray.pieces if leans(piece))
    return Spoilt(f"room, {kind}", faces, tuple(pictures), die_px, free, leaning)


def _filmed(chance: Random, kind: str, photos: Path) -> Spoilt:
    frames, dice, rests = _film(chance.randrange(3), photos)
    numbers = sorted(chance.sample(range(rests), FRAMES))
    if kind == "hand":
        numbers = [rests + chance.randrange(len(frames) - rests), *numbers[1:]]
    part, light = Crop(zoom=chance.uniform(0.45, 1.0)), chance.uniform(0.6, 1.2)
    pictures = [
        np.asarray(cv2.convertScaleAbs(part.picture(frames[number]), alpha=light), np.uint8) for number in numbers
    ]
    shown, seen = tuple(map(part.die, dice)), True
    if kind == "glare":
        pictures, seen = _glared(pictures, shown, chance)
    die_px = median(die.size for die in shown) * chance.uniform(*SIZE_ERROR)
    return Spoilt(f"film, {kind}", faces_of(shown), tuple(pictures), die_px, seen)


@cache
def _film(number: int, photos: Path) -> tuple[tuple[Picture, ...], tuple[Lying, ...], int]:
    """Return the frames of a film's rest and those after it, cut to its dice, where these lie, and how many rest."""
    film = json.loads((photos / "manifest.json").read_text())["throws"][number]
    boxes = [die["box"] for die in film["dice"]]
    dice = [
        Lying(die["face"], (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0)
        for die, (x0, y0, x1, y1) in zip(film["dice"], boxes, strict=True)
    ]
    margin = FILM_MARGIN * median(die.size for die in dice)
    left, top = (max(0, round(min(at) - margin)) for at in ([die.x for die in dice], [die.y for die in dice]))
    right, bottom = (round(max(at) + margin) for at in ([die.x for die in dice], [die.y for die in dice]))
    part = Crop(left, top, right, bottom)
    first, last = film["rest_frames"]
    capture, frames = cv2.VideoCapture(str(photos / film["file"])), list[Picture]()
    for at in range(last + AFTER):
        if not capture.grab():
            break
        if at >= first:
            frames.append(part.picture(np.asarray(capture.retrieve()[1], np.uint8)))
    capture.release()
    return tuple(frames), tuple(map(part.die, dice)), last - first + 1


def _glared(pictures: Sequence[Picture], dice: Sequence[Lying], chance: Random) -> tuple[list[Picture], bool]:
    """Return the pictures with a lamp's reflection on one or two dice, and whether it leaves enough of each."""
    high, wide = pictures[0].shape[:2]
    down, right = np.mgrid[0:high, 0:wide].astype(np.float32)
    light = np.zeros((high, wide), np.float32)
    for die in chance.sample(list(dice), chance.randint(1, min(2, len(dice)))):
        reach, turn = die.size * chance.uniform(0.2, 0.6), chance.uniform(0, pi)
        x, y = (right - die.x - chance.gauss(0, 0.25) * die.size), (down - die.y - chance.gauss(0, 0.25) * die.size)
        along = (x * cos(turn) + y * sin(turn)) / (reach * chance.uniform(1, 2.5))
        across = (y * cos(turn) - x * sin(turn)) / reach
        light += chance.uniform(60, 260) * np.exp(-((along**2 + across**2) ** 2) / 2)
    spoilt = [np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8) for picture in pictures]
    return spoilt, all(_clear(spoilt[0], die) >= LEAST_CLEAR for die in dice)


def _clear(picture: Picture, die: Lying) -> float:
    """Return the share that is not white from glare of the worst ninth of a top face."""
    side = round(TOP * die.size)
    face = cv2.getRectSubPix(picture, (side, side), (die.x, die.y))
    clear = (face.min(axis=2) < WHITE).astype(np.float32)
    return float(cv2.resize(clear, (3, 3), interpolation=cv2.INTER_AREA).min())


def looked_at(spoilt: Spoilt) -> Outcome:
    """Read a throw as the table does, and look again."""
    first, count = spoilt.pictures[0], len(spoilt.faces)
    reading = read(first, die_px=spoilt.die_px, expect=count, fixed_size=True)
    seen = FrameResult(Frame(first, 0.0), reading, reading, None)
    kept = kept_throw(Event("throw", "Ann", reading.faces), seen, WHOLE)
    picture = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    zoom, begun_s = kept.reading.width / reading.width, time.process_time()
    newest = second_look(spoilt.pictures, count, spoilt.die_px)
    look_s = time.process_time() - begun_s
    older = second_look([np.asarray(picture, np.uint8)], count, spoilt.die_px * zoom)
    was, now, alone = (_verdict(each, spoilt) for each in (reading, newest, older))
    now, alone = (
        "unsure" if was == verdict == "wrong" and look.faces == reading.faces else verdict
        for look, verdict in ((newest, now), (older, alone))
    )
    return Outcome(spoilt.kind, spoilt.seen, was, now, alone, len(kept.picture), look_s)


def _verdict(reading: Reading, spoilt: Spoilt) -> str:
    if len(reading.dice) + len(reading.unsure) != len(spoilt.faces):
        return "unsure"
    others, read = Counter(spoilt.faces), Counter(reading.faces)
    if any(one.reason is not UnsureReason.LEANS for one in reading.unsure):
        return "unsure"
    if reading.unsure:  # then the others are right if only leaning dice are missing
        return "right" if read <= others and others - read <= Counter(spoilt.leaning) else "unsure"
    return "right" if read == others else "wrong"


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the figures, one line for each kind of throw."""
    kinds = sorted({one.kind for one in outcomes})
    lines = ["| throws | right, unsure, wrong | put right | if seen | by the kept picture | spoilt | wrong offers |"]
    lines.append("|" + "---|" * 7)
    for name, some in [*((kind, [one for one in outcomes if one.kind == kind]) for kind in kinds), ("all", outcomes)]:
        read_as, bad = Counter(one.read for one in some), [one for one in some if one.read != "right"]
        right = [one for one in some if one.read == "right"]
        seen = [one for one in bad if one.seen]
        cells = [
            f"{name}: {len(some)}",
            f"{read_as['right']}, {read_as['unsure']}, {read_as['wrong']}",
            *(
                str(Share(sum(getattr(one, look) == "right" for one in among), len(among)))
                for look, among in (("newest", bad), ("newest", seen), ("older", seen))
            ),
            str(sum("wrong" in (one.newest, one.older) for one in right)),
            f"{sum(one.newest == 'wrong' for one in bad)}, {sum(one.older == 'wrong' for one in bad)}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    sizes, look_s = [one.picture_bytes for one in outcomes], [one.look_s for one in outcomes]
    lines.append(f"kept pictures: {median(sizes) / 1000:.0f} kB, at most {max(sizes) / 1000:.0f} kB")
    lines.append(f"a look: {median(look_s):.2f} s of one processor, at most {max(look_s):.2f} s")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure the throws and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--photographs", type=Path, default=PHOTOS)
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    outcomes = list[Outcome]()
    for number in range(options.first, options.first + options.throws):
        outcomes.append(looked_at(throw(number, options.photographs)))
        if options.each:
            sys.stdout.write(f"{number}: {outcomes[-1]}\n")
            sys.stdout.flush()
    sys.stdout.write(table(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
