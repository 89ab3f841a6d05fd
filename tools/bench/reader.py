"""Speed and memory of the reader on rendered frames, on one core: two frame sizes, growth, and a repeated frame."""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.vision import reader
from tools.bench.figure import Figure, median_ms, one_core
from tools.bench.labels import failures
from tools.bench.pictures import KnownPicture, still
from tools.bench.process import memory_of_reading_mib

FRAMES = ((640, 480, 60.0), (1640, 1232, 137.0))  # width, height and edge of a die in pixels: the same view, twice
DICE = (1, 6, 20)
USUAL = 6  # dice, in most figures
FRAMES_PER_S = 30.0
GROWING = ((640, 480), (1280, 960), (2560, 1920), (4000, 3000))  # pixels: 0.3, 1.2, 5 and 12 million
GROWING_DIE_PX = 60.0  # dice stay this large: more picture, not more of each die


def _read_at_known_size(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect, fixed_size=True)


def _read_with_hints(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    return reader.read(frame, die_px=picture.die_px, expect=picture.truth.expect)


def _read_without_hints(frame: NDArray[np.uint8], _: KnownPicture) -> Reading:
    return reader.read(frame)


HINTS: dict[str, Callable[[NDArray[np.uint8], KnownPicture], Reading]] = {
    "size known": _read_at_known_size,  # a fixed camera after its first readings
    "size told": _read_with_hints,  # the size, which is checked since it may be off, and the number of dice
    "size unknown": _read_without_hints,
}


def reading_figures(*, quick: bool) -> Iterator[Figure]:
    """Measure and yield one figure after another."""
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
            for hint in HINTS:
                took[width, hint, count], note = _timed(picture, hint, runs)
                name = f"read {width}x{height}, {count} dice, {hint}"
                yield Figure(name, took[width, hint, count], "ms", runs, note)
    small, large = FRAMES[0][0], FRAMES[1][0]
    for hint in HINTS:
        yield Figure(
            f"ratio: large frame to small, {USUAL} dice, {hint}",
            took[large, hint, USUAL] / took[small, hint, USUAL],
            "x",
        )
        for many, few in ((DICE[2], DICE[0]), (DICE[2], DICE[1])):
            each = took[small, hint, many] / many / (took[small, hint, few] / few)
            yield Figure(f"ratio: a die of {many} to a die of {few}, small frame, {hint}", each, "x")


def _timed(picture: KnownPicture, hint: str, runs: int) -> tuple[float, str]:
    """Return the time of reading a picture in milliseconds, and whether it was read right."""
    frame = picture.open()
    read = HINTS[hint]
    reading = read(frame, picture)
    right = (
        "all right"
        if not failures(reading, picture.truth)
        else f"{len(reading.dice)} sure of {len(picture.truth.labels)}"
    )
    return median_ms(lambda: read(frame, picture), runs, warm=True), f"one core, {right}"


def _pixels(hint: str, runs: int, sizes: tuple[tuple[int, int], ...]) -> Iterator[Figure]:
    """Measure pictures of growing size round dice of the same size."""
    took: list[float] = []
    for width, height in sizes:
        each, note = _timed(still(width, height, GROWING_DIE_PX, USUAL), hint, runs)
        took.append(each / (width * height))
        name = f"read {width}x{height}, {USUAL} dice of {GROWING_DIE_PX:g} px, {hint}"
        yield Figure(name, each, "ms", runs, note)
    least = "{}x{}".format(*sizes[0])
    for (width, height), each in zip(sizes[1:], took[1:], strict=True):
        yield Figure(f"ratio: a pixel of {width}x{height} to one of {least}, {hint}", each / took[0], "x")


def _equal(runs: int) -> Iterator[Figure]:
    """Measure a frame that equals the last one but is another array, as a camera delivers it."""
    for width, height, die_px in FRAMES:
        frame = still(width, height, die_px, USUAL).open()
        pipeline = PerceptionPipeline(reader.read)
        times = itertools.count(1)

        def process(
            pixels: NDArray[np.uint8], pipeline: PerceptionPipeline = pipeline, times: "itertools.count[int]" = times
        ) -> None:
            pipeline.process(Frame(pixels, next(times) / FRAMES_PER_S), USUAL)

        process(frame)
        took = median_ms(partial(process, frame.copy()), runs)
        yield Figure(f"read {width}x{height}, {USUAL} dice, equal to the last frame", took, "ms", runs, "one core")


def _memory(*, quick: bool) -> Iterator[Figure]:
    """Measure `tabletop read` as a separate process, from start to end."""
    for width, height in (GROWING[0], GROWING[-1]):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "still.jpg"
            cv2.imwrite(str(file), still(width, height, GROWING_DIE_PX, USUAL).open())
            hints = {"size told": ("--die-px", str(GROWING_DIE_PX)), "size unknown": ()}
            for hint in list(hints)[: 1 if quick else None]:
                peak = memory_of_reading_mib(file, *hints[hint])
                yield Figure(f"memory of `tabletop read`, {width}x{height}, {USUAL} dice, {hint}", peak, "MiB")
