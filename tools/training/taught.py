"""How much better photographs are read once their dice are known: `python -m tools.training.taught --taught 10`.

Of each source K photographs are drawn whose dice are taught with their labels, as people confirm them in play; the
others are read with that. Several draws give a mean and a spread. Only a source that the networks never saw measures
honestly. Needs no PyTorch.
"""

import argparse
import json
import random
import statistics
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found
from tabletop.vision.decide.acceptance import chosen
from tabletop.vision.image_io import open_picture
from tabletop.vision.own_dice.model import OwnDice
from tabletop.vision.own_dice.sample import Sample, upright
from tabletop.vision.reader import Networks, find_dice
from tools.training.measure import MATCH, load_networks, load_score, middle, odd, reading, source_of

WRONG_SEED = 1_000  # added to a draw's number: which confirmations are wrong does not depend on which are drawn
AT_ONCE = 4  # photographs given to a process at a time
TAUGHT = "0,5,10,20"


@dataclass(frozen=True, slots=True)
class Seen:
    """One photograph: its entry in the manifest, all candidates with upright crops, how many were due, and the bar."""

    entry: dict[str, Any]
    found: tuple[Found, ...]
    pixels: NDArray[np.uint8]
    expect: int | None
    bar: float


def main() -> int:
    """Read the photographs once, teach, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=Path, required=True, help="folder with the networks")
    parser.add_argument("--photographs", type=Path, required=True, help="folder with manifest.json and score.py")
    parser.add_argument("--taught", default=TAUGHT, metavar="K,K", help=f"photographs to teach (default: {TAUGHT})")
    parser.add_argument("--seeds", type=int, default=10, help="draws (default: 10)")
    parser.add_argument("--wrong", type=float, default=0.0, help="share of confirmations that are wrong, as 0.02")
    parser.add_argument("--only", default="nell,trays,dice3,matteo", help="sources (default: nell,trays,dice3,matteo)")
    parser.add_argument("--workers", type=int, default=2, help="processor cores")
    options = parser.parse_args()
    images = json.loads((options.photographs / "manifest.json").read_text())["images"]
    entries = [entry for entry in images if source_of(entry) in options.only.split(",")]
    counts = [int(word) for word in options.taught.split(",")]
    score = load_score(options.photographs)
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        look = partial(_look, options.photographs, options.networks)
        seen = list(pool.map(look, entries, chunksize=AT_ONCE))
        sys.stdout.write(
            "                      exact of the same (spread)  dice right     unsure      silent, per cent\n"
        )
        sys.stdout.write("source    taught      untaught    taught          untaught, taught each\n")
        for source, group in groupby(seen, lambda each: source_of(each.entry)):
            photographs = list(group)
            for count in counts:
                draws = range(options.seeds if count else 1)
                results = list(pool.map(partial(_draw, photographs, count, options.wrong), draws))
                sys.stdout.write(_line(source, count, results, score) + "\n")
                sys.stdout.flush()
    return 0


def _look(folder: Path, networks: Path, entry: dict[str, Any]) -> Seen:
    cv2.setNumThreads(1)
    pixels = open_picture(folder / entry["file"])
    expect = None if any(odd(die) for die in entry["dice"]) else len(entry["dice"])
    loaded: Networks = load_networks(networks)
    seen = find_dice(pixels, die_px=entry["die_px"], expect=expect, networks=loaded)
    crops = [upright(pixels, candidate) for candidate in seen.found]
    return Seen(entry, seen.found, np.array(crops, np.uint8), expect, seen.bar)


def _draw(photographs: Sequence[Seen], count: int, wrong: float, seed: int) -> list[tuple[Seen, tuple[Found, ...]]]:
    """Return each photograph that was not taught, as the dice are known then."""
    cv2.setNumThreads(1)
    order = random.Random(seed).sample(range(len(photographs)), len(photographs))  # noqa: S311 - a measurement
    chance = random.Random(seed + WRONG_SEED)  # noqa: S311 - the same
    own = OwnDice([sample for index in order[:count] for sample in _samples(photographs[index], wrong, chance)])
    return [
        (photograph, own.applied(photograph.found, photograph.pixels))
        for photograph in (photographs[index] for index in order[count:])
    ]


def _samples(photograph: Seen, wrong: float, chance: random.Random) -> Iterable[Sample]:
    """Yield the labelled dice that the reader found, as people would confirm them."""
    for die in photograph.entry["dice"]:
        if odd(die):
            continue
        x, y = middle(die)
        away = [float(np.hypot(candidate.x - x, candidate.y - y)) for candidate in photograph.found]
        if not away or min(away) > MATCH * photograph.entry["die_px"]:
            continue
        index = int(np.argmin(away))
        face = die["face"]
        if chance.random() < wrong:
            face = chance.choice([other for other in range(1, 7) if other != face])
        yield Sample(photograph.pixels[index], face, photograph.found[index].faces, "", photograph.entry["file"])


def _line(source: str, count: int, draws: Sequence[Sequence[tuple[Seen, tuple[Found, ...]]]], score: ModuleType) -> str:
    before = [[_scored(seen, seen.found, score) for seen, _ in draw] for draw in draws]
    after = [[_scored(seen, found, score) for seen, found in draw] for draw in draws]
    untaught, taught = (
        [100 * statistics.mean(each["exact"] for each in draw) for draw in way] for way in (before, after)
    )
    gains = [right - left for left, right in zip(untaught, taught, strict=True)]
    line = f"{source:<10}{count:>5}{statistics.mean(untaught):>14.1f}{statistics.mean(taught):>10.1f}"
    line += f" ({statistics.pstdev(taught):.1f}; gain {statistics.mean(gains):+.1f}, {statistics.pstdev(gains):.1f})"
    for key, of in (("ok", "n"), ("unsure", "n"), ("silent", "")):
        line += f"  {_share(before, key, of):6.2f} {_share(after, key, of):6.2f}"
    return line


def _scored(seen: Seen, found: tuple[Found, ...], score: ModuleType) -> dict[str, Any]:
    scored: dict[str, Any] = score.score(seen.entry, reading(chosen(found, seen.expect), seen.bar))
    return scored


def _share(draws: Sequence[Sequence[dict[str, Any]]], key: str, of: str) -> float:
    """Return the sum of this count in per cent of another one, or of the photographs."""
    every = [each for draw in draws for each in draw]
    return float(100 * sum(each[key] for each in every) / sum(each[of] if of else 1 for each in every))


if __name__ == "__main__":
    sys.exit(main())
