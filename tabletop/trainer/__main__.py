"""Train the eye's four networks: `python -m tabletop.trainer --out FOLDER [--photographs ../shared/photos]`."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tabletop.trainer.batches import (
    FinderLesson,
    JudgeLesson,
    WitnessLesson,
    finder_batch,
    finder_loss,
    judge_batch,
    judge_loss,
    witness_batch,
    witness_loss,
)
from tabletop.trainer.half import halved
from tabletop.trainer.learn import Course, learned
from tabletop.trainer.mining import mined
from tabletop.trainer.networks import (
    CellNetwork,
    PatchNetwork,
    finder_network,
    judge_network,
    tilt_network,
    witness_network,
)
from tabletop.trainer.photographs import CLOSE_PX, FAR_PX, LICENSED, mixed, photographs
from tabletop.trainer.scenes import CLOSE, FAR, TIPPED, Scenes, rendered
from tabletop.trainer.tilt_lesson import tilt_batches, tilt_loss
from tabletop.vision.finder import Finder
from tabletop.vision.judge import Judge
from tabletop.vision.patches import PATCH_PX
from tabletop.vision.witness import SIDE_PX

FAR_SCENES, CLOSE_SCENES = 9_000, 20_000
TIPPED_SHARE = 0.4  # of the close scenes: so many more with leaning dice
FINDER_STEPS, JUDGE_STEPS, WITNESS_STEPS, TILT_STEPS = 3_000, 5_500, 6_000, 3_000  # on rendered scenes alone
FINDER_MORE, JUDGE_MORE = 700, 1_500  # with photographs among them
FINDER_BATCH, JUDGE_BATCH, WITNESS_BATCH = 32, 192, 48
READER, WITNESS, TILT = "reader", "witness", "tilt"  # what may be trained alone
FAST, SLOW = 3e-3, 1.5e-3  # learning rates, of the two parts
PHOTOGRAPHS_SHARE = 0.35  # of a batch in the second part
OPSET = 13  # what OpenCV 4.11 reads
EXAMPLE_PX = 128
PATCHES = {0: "patches"}
COLOURS = 3  # channels of a patch


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do. without: sources left out. parts: of every so many photographs one is left out, 0 for none."""

    out: Path
    seed: int
    far: int
    close: int
    finder_steps: int
    judge_steps: int
    tilt_steps: int
    witness_steps: int
    only: str | None
    folder: Path
    workers: int
    photographs: Path | None
    without: tuple[str, ...]
    apart: int


def main() -> int:
    """Render, train and export; say on standard output how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tabletop.trainer", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for finder, judge and tilt.onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--far", type=int, default=FAR_SCENES, help="rendered scenes for the finder")
    parser.add_argument("--close", type=int, default=CLOSE_SCENES, help="rendered scenes for the judge")
    parser.add_argument("--finder-steps", type=int, default=FINDER_STEPS, help=f"of {FINDER_BATCH} cuttings each")
    parser.add_argument("--judge-steps", type=int, default=JUDGE_STEPS, help=f"of {JUDGE_BATCH} patches each")
    parser.add_argument("--tilt-steps", type=int, default=TILT_STEPS, help="of 192 patches each")
    parser.add_argument("--witness-steps", type=int, default=WITNESS_STEPS, help=f"of {WITNESS_BATCH} cuttings each")
    parser.add_argument(
        "--only",
        choices=(READER, WITNESS, TILT),
        help="leave the others in the folder as they are; reader: the first two",
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("build/trainer"), help="where scenes and first parts are kept"
    )
    parser.add_argument("--workers", type=int, default=2, help="processor cores")
    parser.add_argument("--photographs", type=Path, help="labelled photographs for a second part; none: renders alone")
    parser.add_argument("--without", default="", help=f"sources left out, as {','.join(LICENSED[:2])}")
    parser.add_argument("--apart", type=int, default=0, help="leave out one photograph of every N")
    options = parser.parse_args()
    without = tuple(name for name in options.without.split(",") if name)
    facts = {**vars(options), "without": without}
    cv2.setNumThreads(1)
    torch.set_num_threads(options.workers)
    train(Plan(**facts))
    return 0


def train(plan: Plan) -> None:
    """Do the whole of it; what the first part gave is taken from the folder if it is there."""
    begun = time.monotonic()
    plan.out.mkdir(parents=True, exist_ok=True)
    close = rendered(plan.folder, CLOSE, plan.seed, plan.close, plan.workers)
    if plan.only in (None, READER):
        far = rendered(plan.folder, FAR, plan.seed, plan.far, plan.workers)
        _say(f"{plan.far} far and {plan.close} close scenes ready after {time.monotonic() - begun:.0f} s")
        _finder_and_judge(plan, far, close)
    if plan.only in (None, WITNESS):
        _onnx(_witness(close, plan), plan.out / "witness.onnx", SIDE_PX)
    if plan.only in (None, TILT):
        tipped = rendered(plan.folder, TIPPED, plan.seed, round(plan.close * TIPPED_SHARE), plan.workers)
        course = Course(plan.tilt_steps, FAST, plan.seed)
        tilt = learned(tilt_network(), tilt_batches(tipped, close, plan.seed), tilt_loss, course, _say)
        _onnx(tilt, plan.out / "tilt.onnx", PATCH_PX)
    _say(f"{plan.out}: {time.monotonic() - begun:.0f} s in all")


def _finder_and_judge(plan: Plan, far: Scenes, close: Scenes) -> None:
    names = (
        f"finder-{plan.finder_steps}",
        f"places-{plan.finder_steps}",
        f"judge-{plan.finder_steps}-{plan.judge_steps}",
    )
    finder_file, places_file, judge_file = (
        plan.folder / f"{name}-{plan.seed}-{plan.far}-{plan.close}.pt" for name in names
    )
    finder = _once(finder_file, finder_network, lambda: _finder(finder_network(), far, [], plan))
    places = _mined_once(places_file, finder, close, plan)
    judge = _once(judge_file, judge_network, lambda: _judge(judge_network(), close, [], places, plan))
    if plan.photographs is not None:
        seen = Judge(_onnx(judge, plan.out / "judge.onnx", PATCH_PX))
        near, small = (_groups(plan, seen, px) for px in (CLOSE_PX, FAR_PX))
        finder = _finder(finder, far, small, plan)
        looking = Finder(_finder_onnx(finder, plan))
        places = places + [one for group in near for one in mined(looking, group)]
        judge = _judge(judge, close, near, places, plan)
    _finder_onnx(finder, plan)
    _onnx(judge, plan.out / "judge.onnx", PATCH_PX)


Net = TypeVar("Net", bound=nn.Module)
Places = list[NDArray[np.float32]]  # for each scene (K, 3): x, y and edge


def _finder(network: CellNetwork, scenes: Scenes, groups: list[Scenes], plan: Plan) -> CellNetwork:
    everything = _joined(scenes, groups)

    def batches() -> Iterator[FinderLesson]:
        rng = np.random.default_rng((plan.seed, 1, len(groups)))
        share = PHOTOGRAPHS_SHARE if groups else 0.0
        for chosen in mixed(rng, len(scenes), [len(group) for group in groups], share, FINDER_BATCH):
            yield finder_batch(everything, chosen, rng, upright=bool(groups))

    course = Course(FINDER_MORE, SLOW, plan.seed) if groups else Course(plan.finder_steps, FAST, plan.seed)
    return learned(network, batches(), finder_loss, course, _say)


def _judge(network: PatchNetwork, scenes: Scenes, groups: list[Scenes], places: Places, plan: Plan) -> PatchNetwork:
    everything = _joined(scenes, groups)

    def batches() -> Iterator[JudgeLesson]:
        rng = np.random.default_rng((plan.seed, 2, len(groups)))
        share = PHOTOGRAPHS_SHARE if groups else 0.0
        for chosen in mixed(rng, len(scenes), [len(group) for group in groups], share, JUDGE_BATCH):
            yield judge_batch(everything, places, chosen, rng, upright=bool(groups))

    course = Course(JUDGE_MORE, SLOW, plan.seed) if groups else Course(plan.judge_steps, FAST, plan.seed)
    return learned(network, batches(), judge_loss, course, _say)


def _witness(scenes: Scenes, plan: Plan) -> CellNetwork:
    """Return a witness that learnt on rendered scenes alone: photographs of the other sources gave it nothing."""

    def batches() -> Iterator[WitnessLesson]:
        rng = np.random.default_rng((plan.seed, 4))
        for chosen in mixed(rng, len(scenes), [], 0.0, WITNESS_BATCH):
            yield witness_batch(scenes, chosen, rng)

    return learned(witness_network(), batches(), witness_loss, Course(plan.witness_steps, FAST, plan.seed), _say)


def _once(file: Path, empty: Callable[[], Net], learn: Callable[[], Net]) -> Net:
    """Return the network out of its file, or learn it and keep it there."""
    if not file.exists():
        torch.save(learn().state_dict(), file)
    network = empty()
    network.load_state_dict(torch.load(file))
    network.eval()
    return network


def _mined_once(file: Path, finder: CellNetwork, scenes: Scenes, plan: Plan) -> Places:
    """Return the finder's mistakes out of their file, or look for them and keep them there."""
    if not file.exists():
        looking = Finder(_finder_onnx(finder, plan))
        torch.save([torch.from_numpy(one) for one in mined(looking, scenes)], file)
    places = [one.numpy() for one in torch.load(file)]
    _say(f"{sum(map(len, places))} mistakes of the finder in {len(places)} scenes")
    return places


def _groups(plan: Plan, judge: Judge, edge_px: float) -> list[Scenes]:
    """Return the photographs of each source that is not left out."""
    groups = []
    for source in (name for name in LICENSED if name not in plan.without):

        def chosen(number: int, entry: dict[str, Any], source: str = source) -> bool:
            apart = plan.apart and number % plan.apart == 0
            return not apart and str(entry["file"]).startswith(f"{source}/")

        groups.append(photographs(plan.photographs or Path(), judge, chosen, edge_px))
    return [group for group in groups if len(group)]


def _joined(first: Scenes, others: list[Scenes]) -> Scenes:
    if not others:
        return first
    parts = [first, *others]
    pixels = [one for part in parts for one in part.pixels]
    truths = [one for part in parts for one in part.truths]
    return Scenes(pixels, truths, np.concatenate([part.ups for part in parts]))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _finder_onnx(finder: CellNetwork, plan: Plan) -> bytes:
    return _onnx(finder, plan.out / "finder.onnx", EXAMPLE_PX, {2: "height", 3: "width"})


def _onnx(network: nn.Module, file: Path, side: int, free: dict[int, str] = PATCHES) -> bytes:
    """Write the network as ONNX; free: which of an input's four dimensions may have any length, with their names."""
    shown = network.field.shown if isinstance(network, CellNetwork) else COLOURS
    mode = network.training
    network.eval()
    torch.onnx.export(
        network.to(memory_format=torch.contiguous_format),
        (torch.zeros(1, shown, side, side),),
        str(file),
        opset_version=OPSET,
        dynamo=False,
        input_names=["pixels"],
        output_names=["answer"],
        dynamic_axes={"pixels": free, "answer": free},
    )
    network.train(mode)
    content = halved(file.read_bytes())
    file.write_bytes(content)
    return content


if __name__ == "__main__":
    sys.exit(main())
