"""The reader's speed and memory on rendered frames, on one core: frames of two sizes, growth, and an equal frame."""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.bench.figure import Figure, median_ms, one_core
from tabletop.bench.pictures import KnownPicture, still
from tabletop.bench.process import memory_of_reading_mib
from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.vision import reader
from tabletop.vision.labels import failures

FRAMES = ((640, 480, 60.0), (1640, 1232, 137.0))  # width, height and edge of a die in pixels: the same view, twice
DICE = (1, 6, 20)
USUAL = 6  # dice in most figures
FRAMES_A_S = 30.0
GROWING = ((640, 480), (1280, 960), (2560, 1920), (4000, 3000))  # pixels: 0.3, 1.2, 5 and 12 million
GROWING_DIE_PX = 60.0  # dice stay as they are: more picture, not more of each die


def _known(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect, fixed_size=True)


def _told(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect)


def _unknown(frame: NDArray[np.uint8], _: KnownPicture) -> Reading:
    return reader.read(frame)


HINTS: dict[str, Callable[[NDArray[np.uint8], KnownPicture], Reading]] = {
    "size known": _known,  # a fixed camera after its first readings
    "size told": _told,  # a hint: it may be off, so it is checked; and how many dice there are
    "size unknown": _unknown,  # nothing is told
}


def reading_figures(*, quick: bool) -> Iterator[Figure]:
    """Measure and yield one figure after the other."""
    with one_core():
        yield from _reading(1 if quick else 9)
        yield from _pixels("size told", 1 if quick else 3, GROWING[:-1] if quick else GROWING)
        if not quick:
            yield from _pixels("size unknown", 3, GROWING)
        yield from _equal(20 if quick else 100)
    yield from _memory(quick=quick)


def _reading(runs: int) -> Iterator[Figure]:
    took: dict[tuple[int, str, int], float] = {}
    for width, height, die_px in FRAMES:
        for count in DICE:
            picture = still(width, height, die_px, count)
            for known in HINTS:
                took[width, known, count], note = _timed(picture, known, runs)
                name = f"read {width}x{height}, {count} dice, {known}"
                yield Figure(name, took[width, known, count], "ms", runs, note)
    small, large = FRAMES[0][0], FRAMES[1][0]
    for known in HINTS:
        yield Figure(
            f"ratio: large frame to small, {USUAL} dice, {known}",
            took[large, known, USUAL] / took[small, known, USUAL],
            "x",
        )
        for many, few in ((DICE[2], DICE[0]), (DICE[2], DICE[1])):
            each = took[small, known, many] / many / (took[small, known, few] / few)
            yield Figure(f"ratio: a die of {many} to a die of {few}, small frame, {known}", each, "x")


def _timed(picture: KnownPicture, known: str, runs: int) -> tuple[float, str]:
    """Return the time of reading a picture in milliseconds, and whether it was read right."""
    frame = picture.open()
    read = HINTS[known]
    reading = read(frame, picture)
    right = (
        "all right"
        if not failures(reading, picture.truth)
        else f"{len(reading.dice)} sure of {len(picture.truth.labels)}"
    )
    return median_ms(lambda: read(frame, picture), runs, warm=True), f"one core, {right}"


def _pixels(known: str, runs: int, sizes: tuple[tuple[int, int], ...]) -> Iterator[Figure]:
    """Measure ever more picture round dice that stay as they are."""
    took: list[float] = []
    for width, height in sizes:
        each, note = _timed(still(width, height, GROWING_DIE_PX, USUAL), known, runs)
        took.append(each / (width * height))
        name = f"read {width}x{height}, {USUAL} dice of {GROWING_DIE_PX:g} px, {known}"
        yield Figure(name, each, "ms", runs, note)
    least = "{}x{}".format(*sizes[0])
    for (width, height), each in zip(sizes[1:], took[1:], strict=True):
        yield Figure(f"ratio: a pixel of {width}x{height} to one of {least}, {known}", each / took[0], "x")


def _equal(runs: int) -> Iterator[Figure]:
    """Measure a frame that equals the last one, in other memory, as a camera hands it over."""
    for width, height, die_px in FRAMES:
        frame = still(width, height, die_px, USUAL).open()
        watch = PerceptionPipeline(reader.read)
        times = itertools.count(1)

        def look(
            pixels: NDArray[np.uint8], watch: PerceptionPipeline = watch, times: "itertools.count[int]" = times
        ) -> None:
            watch.process(Frame(pixels, next(times) / FRAMES_A_S), USUAL)

        look(frame)
        took = median_ms(partial(look, frame.copy()), runs)
        yield Figure(f"read {width}x{height}, {USUAL} dice, equal to the last frame", took, "ms", runs, "one core")


def _memory(*, quick: bool) -> Iterator[Figure]:
    """Measure `tabletop read` as a program of its own, from its start to its end."""
    for width, height in (GROWING[0], GROWING[-1]):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "still.jpg"
            cv2.imwrite(str(file), still(width, height, GROWING_DIE_PX, USUAL).open())
            hints = {"size told": ("--die-px", str(GROWING_DIE_PX)), "size unknown": ()}
            for known in list(hints)[: 1 if quick else None]:
                peak = memory_of_reading_mib(file, *hints[known])
                yield Figure(f"memory of `tabletop read`, {width}x{height}, {USUAL} dice, {known}", peak, "MiB")
