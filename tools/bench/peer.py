"""Compare our reader with a blob reader on the same pictures: `python -m tools.bench.peer [FOLDER]`.

FOLDER: labelled photographs with a `manifest.json`. Without it only rendered stills and scenes are read.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tools.bench import blob_reader
from tools.bench.accuracy import READERS as OUR_READERS
from tools.bench.accuracy import Read, compared, compared_figures, photograph_figures
from tools.bench.figure import Figure
from tools.bench.labels import Label, Labelled
from tools.bench.pictures import SEED, KnownPicture, photographs, still
from tools.bench.reader import FRAMES, USUAL
from tools.training.scenes.random_scene import Truth, random_scene

SCENE = (640, 480, 60.0)  # width, height and usual edge of a die in pixels
MOST_IN_SCENE = 6
WHOLE = 0.75  # dice: from a top face's middle to the farthest corner that a turned die has, and a little more
SAMPLE = 25  # photographs a source


def _peer(frame: NDArray[np.uint8], picture: KnownPicture) -> Reading:
    """Read with the size; how many dice there are it would not know what to do with."""
    return blob_reader.read(frame, die_px=picture.die_px)


READERS: Mapping[str, Read] = {**OUR_READERS, "blob reader": _peer}


def scene(number: int) -> KnownPicture:
    """Return a random scene: any dice, ground, light and camera, with other objects; the same at every call.

    Dice that lean, carry an emblem, are hidden or cut by the border do not count.
    """
    width, height, die_px = SCENE
    rng = np.random.default_rng((SEED, number))
    seen = random_scene(rng, width=width, height=height, die_px=die_px, most=MOST_IN_SCENE)
    labels = tuple(
        Label(die.face, die.x, die.y, die.face > 0 and not die.hidden and _whole(die, width, height))
        for die in seen.dice
    )
    usual_px = float(np.median([die.size for die in seen.dice])) if seen.dice else die_px
    return KnownPicture(Labelled(usual_px, labels), lambda: seen.pixels)


def _whole(die: Truth, width: int, height: int) -> bool:
    reach = WHOLE * die.size
    return reach <= die.x < width - reach and reach <= die.y < height - reach


def rendered_figures(*, quick: bool) -> Iterator[Figure]:
    """Compare on plain stills, for speed, and on scenes of every kind."""
    runs = 1 if quick else 3
    for width, height, die_px in FRAMES:
        stills = [still(width, height, die_px, USUAL, seed) for seed in range(2 if quick else 10)]
        yield from compared_figures(f"stills {width}x{height}, {USUAL} dice", compared(stills, runs, READERS), runs)
    scenes = [scene(number) for number in range(3 if quick else 60)]
    yield from compared_figures("rendered scenes", compared(scenes, runs, READERS), runs)


def main(folders: Sequence[str]) -> int:
    """Compare, and print each figure as it comes."""
    figures = [rendered_figures(quick=False)]
    figures += [photograph_figures(photographs(Path(folder), SAMPLE), 3, READERS) for folder in folders]
    for group in figures:
        for figure in group:
            sys.stdout.write(f"{figure.value:>10.3f} {figure.unit:<4} {figure.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
