"""Measure networks on labelled photographs: `python -m tools.training.measure --networks FOLDER`.

Prints for each threshold of sureness the photographs read exactly and those silently misread, by the photographs' own
scoring program (except for dice that lean beside the others), and how often a die of a stated sureness is right. Needs
no PyTorch.
"""

import argparse
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, pairwise
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np

from tabletop.vision.acceptance import chosen, is_sure
from tabletop.vision.classifier import Classifier, Found
from tabletop.vision.detector import Detector
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import Networks, find_dice
from tabletop.vision.second_opinion import SecondOpinion, Surroundings
from tools.training.degradations import KINDS, degraded_picture, reduced_picture
from tools.training.real.splits import kept_apart

BARS = (0.0, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
STEPS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.96, 1.0)  # of stated sureness, in the reliability table
MATCH = 0.55  # of the labelled die_px: a reading farther from every label is false
AT_ONCE = 10  # photographs given to a process at a time
MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True)
class Task:
    """One photograph to read. entry: of the manifest. kind: its degradation, empty if there is none.

    reduced_px: the size of its dice after reduction, 0 if not reduced.
    """

    folder: Path
    networks: Path
    entry: dict[str, Any]
    blind: bool
    kind: str
    reduced_px: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """The candidates accepted in a photograph, and the time in milliseconds."""

    entry: dict[str, Any]
    found: tuple[Found, ...]
    ms: float


def main() -> int:
    """Read the photographs and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.measure", description=__doc__)
    parser.add_argument(
        "--networks", type=Path, required=True, help="folder of detector.onnx, classifier.onnx and second_opinion.onnx"
    )
    parser.add_argument("--photographs", type=Path, help="folder with manifest.json and score.py")
    parser.add_argument("--empty", type=Path, help="folder of pictures without dice, read blind")
    parser.add_argument("--blind", action="store_true", help="tell neither the size nor the number of dice")
    parser.add_argument(
        "--worse", action="store_true", help=f"each made worse in one of these ways: {', '.join(KINDS)}"
    )
    parser.add_argument(
        "--reduced",
        type=float,
        default=0.0,
        metavar="PX",
        help="each reduced until a die has PX; smaller ones left out",
    )
    parser.add_argument("--only", default="", help="sources, as nell,matteo")
    parser.add_argument(
        "--apart", type=int, default=0, help="only one photograph of every N: those that training left out"
    )
    parser.add_argument("--workers", type=int, default=2, help="processor cores")
    options = parser.parse_args()
    if options.photographs is None and options.empty is None:
        parser.error("expected --photographs or --empty, or both: what should be read?")
    tables: list[Iterable[str]] = []
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        if options.photographs is not None:
            done = list(pool.map(read, _tasks(options), chunksize=AT_ONCE))
            tables += [exactness(done, load_score(options.photographs)), [""], reliability(done)]
        if options.empty is not None:
            files = sorted(path for path in options.empty.iterdir() if path.is_file())
            tasks = [Task(options.empty, options.networks, {"file": path.name, "dice": []}, True, "") for path in files]
            tables.append(emptiness(list(pool.map(read, tasks))))
    for line in chain.from_iterable(tables):
        sys.stdout.write(line + "\n")
    return 0


def _tasks(options: argparse.Namespace) -> list[Task]:
    def kind(number: int) -> str:
        return KINDS[number % len(KINDS)]

    images = json.loads((options.photographs / "manifest.json").read_text())["images"]
    return [
        Task(
            options.photographs,
            options.networks,
            entry,
            options.blind,
            kind(number) if options.worse else "",
            options.reduced,
        )
        for number, entry in enumerate(images)
        if (not options.only or source_of(entry) in options.only.split(","))
        and entry["die_px"] >= options.reduced
        and (not options.apart or kept_apart(options.photographs, entry, number, options.apart))
    ]


def read(task: Task) -> Done:
    """Return the candidates accepted in one photograph."""
    cv2.setNumThreads(1)
    entry = task.entry
    pixels = open_picture(task.folder / entry["file"])
    if task.kind:
        pixels, entry = degraded_picture(task.kind, pixels, entry)
    if task.reduced_px:
        pixels, entry = reduced_picture(task.reduced_px, pixels, entry)
    loaded = load_networks(task.networks)
    plain = not any(odd(die) for die in entry["dice"])
    begun = time.perf_counter()
    expect = None if task.blind or not plain else len(entry["dice"])
    seen = find_dice(pixels, die_px=None if task.blind else entry["die_px"], expect=expect, networks=loaded)
    found = chosen(seen.found, expect)
    return Done(entry, found, (time.perf_counter() - begun) * MS_PER_S)


def load_networks(folder: Path) -> Networks:
    """Return the reader's networks from the files of a folder; the one for surroundings may be missing."""
    networks = [(folder / name).read_bytes() for name in ("detector.onnx", "classifier.onnx", "second_opinion.onnx")]
    around = folder / "surroundings.onnx"
    return Networks(
        Detector(networks[0]),
        Classifier(networks[1]),
        SecondOpinion(networks[2]),
        Surroundings(around.read_bytes()) if around.exists() else None,
    )


def exactness(done: Sequence[Done], score: ModuleType) -> Iterable[str]:
    """Yield a table: for each threshold the share of photographs read exactly, in per cent, and the silent errors.

    score: the module that comes with the photographs.
    """
    sources = list(dict.fromkeys(source_of(photograph.entry) for photograph in done))
    yield "bar    " + "".join(f"{name:>16}" for name in sources) + "            mean"
    for bar in BARS:
        results = [
            (source_of(photograph.entry), score.score(photograph.entry, reading(photograph.found, bar)))
            for photograph in done
        ]
        rows = [[result for source, result in results if source == name] for name in sources]
        shares = [100 * statistics.mean(result["exact"] for result in row) for row in rows]
        silent = [sum(result["silent"] for result in row) for row in rows]
        cells = [f"{share:>10.1f} ({wrong:>3})" for share, wrong in zip(shares, silent, strict=True)]
        yield f"{bar:<7.2f}" + "".join(cells) + f"{statistics.mean(shares):>10.1f} ({sum(silent):>3})"
    median = [
        f"{statistics.median(one.ms for one in done if source_of(one.entry) == name):>13.1f} ms" for name in sources
    ]
    yield "median " + "".join(median)


def emptiness(done: Sequence[Done]) -> Iterable[str]:
    """Yield how many pictures without dice gave no report, and for each threshold those with a sure die."""
    nothing = sum(not photograph.found for photograph in done)
    share = 100 * nothing / max(1, len(done))
    yield f"{len(done)} pictures without dice: nothing reported in {nothing} ({share:.0f} %)"
    for bar in BARS[1:]:
        named = [
            photograph.entry["file"] for photograph in done if any(is_sure(each, bar) for each in photograph.found)
        ]
        yield f"{bar:.2f}: a sure die in {len(named)} {' '.join(named[:8])}"


def reliability(done: Sequence[Done]) -> Iterable[str]:
    """Yield a table: for each range of stated sureness, the share of reported dice with the right face."""
    stated = [
        (candidate.sureness, _right(candidate, photograph.entry))
        for photograph in done
        for candidate in photograph.found
    ]
    yield "stated          dice   right"
    for least, most in pairwise((*STEPS, 1.01)):
        row = [right for sureness, right in stated if least <= sureness < most]
        if row:
            yield f"{least:4.2f} to {min(most, 1):4.2f} {len(row):>7} {100 * statistics.mean(row):>7.1f}"


def _right(candidate: Found, entry: dict[str, Any]) -> bool:
    """Return whether a labelled die lies there and shows that face; odd dice, which cannot be checked, are right."""
    labels = [(*middle(die), die) for die in entry["dice"]]
    near = [(float(np.hypot(candidate.x - x, candidate.y - y)), die) for x, y, die in labels]
    if not near:
        return False
    away, die = min(near, key=lambda each: each[0])
    return bool(away <= MATCH * entry["die_px"] and (odd(die) or die["face"] == candidate.face))


def middle(die: dict[str, Any]) -> tuple[float, float]:
    """Return the centre of a labelled die, in pixels."""
    left, top, right, bottom = die["box"]
    return (left + right) / 2, (top + bottom) / 2


def odd(die: dict[str, Any]) -> bool:
    """Return whether a labelled die does not count: it is cut off, or has an emblem."""
    return bool(die.get("custom_face") or die.get("truncated"))


def source_of(entry: dict[str, Any]) -> str:
    """Return the source of a manifest entry's photograph."""
    return str(entry["file"]).split("/", maxsplit=1)[0]


def reading(found: Sequence[Found], bar: float) -> dict[str, Any]:
    """Return the reading of the candidates at this threshold, in the form of the photographs' scoring program."""
    dice = [
        {"x": candidate.x, "y": candidate.y, "face": candidate.face} for candidate in found if is_sure(candidate, bar)
    ]
    return {
        "dice": dice,
        "unsure": [{"x": candidate.x, "y": candidate.y} for candidate in found if not is_sure(candidate, bar)],
    }


def load_score(folder: Path) -> ModuleType:
    """Return the scoring program that comes with the photographs."""
    spec = importlib.util.spec_from_file_location("score", folder / "score.py")
    if spec is None or spec.loader is None:
        sys.exit(f"{folder}: expected score.py beside the photographs, found none")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
