"""Train the five networks: the data, which networks train in parallel, and the files written."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tabletop.core.errors import InputError
from tabletop.vision.classifier import Classifier
from tabletop.vision.detector import Detector
from tabletop.vision.network import CROP_SIDE_PX
from tabletop.vision.second_opinion import SIDE_PX
from tools.training.batches import (
    ClassifierLesson,
    DetectorLesson,
    SecondOpinionLesson,
    classifier_batch,
    classifier_loss,
    detector_batch,
    detector_loss,
    second_opinion_batch,
    second_opinion_loss,
)
from tools.training.candidates import candidates
from tools.training.learn import Course, Lesson, train_network
from tools.training.lessons.surroundings import surroundings_batches, surroundings_loss
from tools.training.lessons.tilt import tilt_batches, tilt_loss
from tools.training.mining import mine_mistakes
from tools.training.networks import (
    CellNetwork,
    PatchNetwork,
    classifier_network,
    detector_network,
    second_opinion_network,
    surroundings_network,
    tilt_network,
)
from tools.training.onnx_files.existing_weights import load_exported
from tools.training.onnx_files.export import ANY_SIZE, export
from tools.training.real.photographs import CLOSE_PX, FAR_PX, mixed
from tools.training.real.scenes import NEAR_SHEET, joined, made_of, real_scenes
from tools.training.scene_files import (
    BARE_CLOSE,
    BARE_FAR,
    CLOSE,
    FAR,
    MARKED_CLOSE,
    TIPPED,
    Scenes,
    SceneView,
    rendered,
)

FAR_SCENES, CLOSE_SCENES = 9_000, 20_000
TIPPED_SHARE = 0.4  # of the number of close scenes: how many scenes with leaning dice are drawn in addition
DETECTOR_STEPS, CLASSIFIER_STEPS, SECOND_OPINION_STEPS, TILT_STEPS = (
    3_000,
    5_500,
    6_000,
    3_000,
)  # on rendered scenes alone
SURROUNDINGS_STEPS = 6_000
DETECTOR_MORE, CLASSIFIER_MORE = 2_400, 6_000  # with photographs among them
DETECTOR_BATCH, CLASSIFIER_BATCH, SECOND_OPINION_BATCH = 32, 192, 48
# What may be trained alone; the classifier is only trained further, see `start`. The surroundings learn from what the
# shipped networks see, so they are trained alone only.
READER, CLASSIFIER, SECOND_OPINION, TILT, SURROUNDINGS = (
    "reader",
    "classifier",
    "second-opinion",
    "tilt",
    "surroundings",
)
FAST, SLOW = 3e-3, 1.5e-3  # learning rates, of the two parts; the second may be given
SURROUNDINGS_RATE = 2e-3
BARE = 4_000  # rendered scenes without dice, of each view
MARKED = 6_000  # the same with dice that have no pips
PHOTOGRAPHS_SHARE = 0.5  # of a batch in the second part
CLASSIFIER_FILE, DETECTOR_FILE, SECOND_OPINION_FILE = "classifier.onnx", "detector.onnx", "second_opinion.onnx"
SHOWN_FIRST = 256  # scenes on which an existing network's normalisations are measured


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a training. without: sources left out.

    apart: one of this many photographs is held out, 0: none.
    start: folder of exported networks that the second part starts from; None: those of the first part. rate: learning
    rate of the second part. share: of a batch there that is photographs, collages and scenes without dice.
    filed: of the patches, made like small dice in a file; only where the classifier is trained alone.
    """

    out: Path
    seed: int
    far: int
    close: int
    detector_steps: int
    classifier_steps: int
    tilt_steps: int
    second_opinion_steps: int
    only: str | None
    folder: Path
    workers: int
    photographs: Path | None
    without: tuple[str, ...]
    apart: int
    start: Path | None
    rate: float
    share: float
    filed: float


def train(plan: Plan) -> None:
    """Run the whole training; results of the first part are loaded from the folder if they exist.

    Detector and classifier train one after the other, in parallel with second opinion and tilt: two processes use two
    cores better than one with two threads.
    """
    start_s = time.monotonic()
    plan.out.mkdir(parents=True, exist_ok=True)
    drawn = [_drawn(plan, view) for view in VIEWS if plan.only in (None, *VIEWS[view])]
    _say(f"{sum(map(len, drawn))} scenes ready after {time.monotonic() - start_s:.0f} s")
    rows = [tuple(name for name in row if plan.only in (None, name)) for row in ROWS]
    rows = [row for row in rows if row] or [(plan.only or SURROUNDINGS,)]
    threads = max(1, plan.workers // len(rows))
    with ProcessPoolExecutor(len(rows), get_context("spawn")) as pool:
        for done in [pool.submit(_learn, plan, row, threads) for row in rows]:
            done.result()
    _say(f"{plan.out}: {time.monotonic() - start_s:.0f} s in all")


def _learn(plan: Plan, names: tuple[str, ...], threads: int) -> None:
    """Train some of the networks one after the other, in a process of their own."""
    cv2.setNumThreads(1)
    torch.set_num_threads(threads)
    for name in names:
        LEARNT[name](plan)


def _drawn(plan: Plan, view: SceneView) -> Scenes:
    counts = {
        FAR: plan.far,
        CLOSE: plan.close,
        TIPPED: round(plan.close * TIPPED_SHARE),
        BARE_FAR: BARE,
        BARE_CLOSE: BARE,
        MARKED_CLOSE: MARKED,
    }
    return rendered(plan.folder, view, plan.seed, counts[view], plan.workers)


def _learn_second_opinion(plan: Plan) -> None:
    network = _second_opinion(_drawn(plan, CLOSE), plan)
    export(network, plan.out / SECOND_OPINION_FILE, SIDE_PX)


def _learn_tilt(plan: Plan) -> None:
    batches = tilt_batches(_drawn(plan, TIPPED), _drawn(plan, CLOSE), plan.seed)
    course = Course(plan.tilt_steps, FAST, plan.seed)
    export(
        train_network(tilt_network(), batches, tilt_loss, course, _saying("tilt")), plan.out / "tilt.onnx", CROP_SIDE_PX
    )


def _learn_surroundings(plan: Plan) -> None:
    every = candidates(plan.folder, plan.seed, plan.workers, plan.photographs, plan.without, plan.apart)
    _say(f"{len(every)} candidates, {sum(one.die for one in every)} of them dice")
    course = Course(SURROUNDINGS_STEPS, SURROUNDINGS_RATE, plan.seed)
    batches = surroundings_batches(every, plan.seed)
    network = train_network(surroundings_network(), batches, surroundings_loss, course, _saying("surroundings"))
    export(network, plan.out / "surroundings.onnx", CROP_SIDE_PX)


def _learn_reader(plan: Plan) -> None:
    far, close = _drawn(plan, FAR), _drawn(plan, CLOSE)
    name = f"{plan.start.name if plan.start else plan.detector_steps}-{plan.seed}-{plan.far}-{plan.close}"
    detector = _existing(plan, DETECTOR_FILE, detector_network, far) or _once(
        plan.folder / f"detector-{name}.pt", detector_network, lambda: _detector(detector_network(), far, [], plan)
    )
    places = _mined_once(plan.folder / f"places-{name}.pt", detector, close, plan)
    classifier = _existing(plan, CLASSIFIER_FILE, classifier_network, close) or _once(
        plan.folder / f"classifier-{plan.classifier_steps}-{name}.pt",
        classifier_network,
        lambda: _classifier(classifier_network(), close, [], places, plan),
    )
    if plan.photographs is not None:
        seen = Classifier(export(classifier, plan.out / CLASSIFIER_FILE, CROP_SIDE_PX))
        near, small = (real_scenes(plan.photographs, seen, plan.without, plan.apart, px) for px in (CLOSE_PX, FAR_PX))
        near_made, small_made = made_of(near, plan.seed)
        near = [*near, near_made, _drawn(plan, BARE_CLOSE), _drawn(plan, MARKED_CLOSE)]
        small = [*small, small_made, _drawn(plan, BARE_FAR)]
        detector = _detector(detector, far, small, plan)
        looking = Detector(export(detector, plan.out / DETECTOR_FILE, free=ANY_SIZE))
        places = places + [mistakes for group in near for mistakes in mine_mistakes(looking, group)]
        classifier = _classifier(classifier, close, near, places, plan)
    export(detector, plan.out / DETECTOR_FILE, free=ANY_SIZE)
    export(classifier, plan.out / CLASSIFIER_FILE, CROP_SIDE_PX)


def _learn_classifier(plan: Plan) -> None:
    """Train the classifier of the plan's start further, also with dice that have no pips; the detector stays."""
    if plan.start is None or plan.photographs is None:
        raise InputError("the classifier alone: expected --start and --photographs")
    close = _drawn(plan, CLOSE)
    classifier = _existing(plan, CLASSIFIER_FILE, classifier_network, close) or classifier_network()
    looking = Detector((plan.start / DETECTOR_FILE).read_bytes())
    seen = Classifier((plan.start / CLASSIFIER_FILE).read_bytes())
    near = real_scenes(plan.photographs, seen, plan.without, plan.apart, CLOSE_PX)
    near = [*near, *made_of(near, plan.seed, [NEAR_SHEET]), _drawn(plan, BARE_CLOSE), _drawn(plan, MARKED_CLOSE)]
    places = [mistakes for group in (close, *near) for mistakes in mine_mistakes(looking, group)]
    _say(f"{sum(map(len, places))} mistakes of the detector in {len(places)} scenes")
    export(_classifier(classifier, close, near, places, plan), plan.out / CLASSIFIER_FILE, CROP_SIDE_PX)


Net = TypeVar("Net", bound=nn.Module)
Places = list[NDArray[np.float32]]  # for each scene (K, 3): x, y and edge


LEARNT = {
    READER: _learn_reader,
    CLASSIFIER: _learn_classifier,
    SECOND_OPINION: _learn_second_opinion,
    TILT: _learn_tilt,
    SURROUNDINGS: _learn_surroundings,
}
ROWS = ((READER,), (SECOND_OPINION, TILT))  # the networks of a row learn one after the other, the rows in parallel
VIEWS = {
    BARE_FAR: (READER,),
    BARE_CLOSE: (READER, CLASSIFIER),
    MARKED_CLOSE: (READER, CLASSIFIER),
    FAR: (READER,),
    CLOSE: (READER, CLASSIFIER, SECOND_OPINION, TILT),
    TIPPED: (TILT,),
}  # which networks need these scenes


def _detector(network: CellNetwork, scenes: Scenes, groups: list[Scenes], plan: Plan) -> CellNetwork:
    everything = joined(scenes, groups)

    def batches() -> Iterator[DetectorLesson]:
        rng = np.random.default_rng((plan.seed, 1, len(groups)))
        share = plan.share if groups else 0.0
        for chosen in mixed(rng, len(scenes), groups, share, DETECTOR_BATCH):
            yield detector_batch(everything, chosen, rng, upright=bool(groups))

    course = Course(DETECTOR_MORE, plan.rate, plan.seed) if groups else Course(plan.detector_steps, FAST, plan.seed)
    return train_network(network, batches(), detector_loss, course, _saying("detector"))


def _classifier(
    network: PatchNetwork, scenes: Scenes, groups: list[Scenes], places: Places, plan: Plan
) -> PatchNetwork:
    everything = joined(scenes, groups)

    def batches() -> Iterator[ClassifierLesson]:
        rng = np.random.default_rng((plan.seed, 2, len(groups)))
        share = plan.share if groups else 0.0
        for chosen in mixed(rng, len(scenes), groups, share, CLASSIFIER_BATCH):
            yield classifier_batch(everything, places, chosen, rng, upright=bool(groups), filed=filed)

    alone = plan.only == CLASSIFIER
    filed = plan.filed if alone else 0.0
    more = plan.classifier_steps if alone else CLASSIFIER_MORE
    course = Course(more, plan.rate, plan.seed) if groups else Course(plan.classifier_steps, FAST, plan.seed)
    return train_network(network, batches(), classifier_loss, course, _saying("classifier"))


def _second_opinion(scenes: Scenes, plan: Plan) -> CellNetwork:
    """Return a second opinion trained on rendered scenes alone: photographs did not improve it."""

    def batches() -> Iterator[SecondOpinionLesson]:
        rng = np.random.default_rng((plan.seed, 4))
        for chosen in mixed(rng, len(scenes), [], 0.0, SECOND_OPINION_BATCH):
            yield second_opinion_batch(scenes, chosen, rng)

    course = Course(plan.second_opinion_steps, FAST, plan.seed)
    return train_network(second_opinion_network(), batches(), second_opinion_loss, course, _saying("second-opinion"))


def _existing(plan: Plan, file: str, empty: Callable[[], Net], scenes: Scenes) -> Net | None:
    """Return the network that the plan begins with; None if it begins with none. scenes: what it is shown first."""
    if plan.start is None:
        return None
    network = empty()
    rng = np.random.default_rng(plan.seed)
    chosen = np.arange(min(len(scenes), SHOWN_FIRST))
    lesson: Lesson
    if file == DETECTOR_FILE:
        lesson = detector_batch(scenes, chosen, rng)
    else:
        lesson = classifier_batch(scenes, [np.zeros((0, 3), np.float32)] * len(scenes), chosen, rng)
    load_exported(network, (plan.start / file).read_bytes(), lesson.pixels)
    return network


def _once(file: Path, empty: Callable[[], Net], learn: Callable[[], Net]) -> Net:
    """Return the network from its file, or train it and store it there."""
    if not file.exists():
        torch.save(learn().state_dict(), file)
    network = empty()
    network.load_state_dict(torch.load(file))
    network.eval()
    return network


def _mined_once(file: Path, detector: CellNetwork, scenes: Scenes, plan: Plan) -> Places:
    """Return the detector's mistakes from their file, or find them and store them there."""
    if not file.exists():
        looking = Detector(export(detector, plan.out / DETECTOR_FILE, free=ANY_SIZE))
        torch.save([torch.from_numpy(mistakes) for mistakes in mine_mistakes(looking, scenes)], file)
    places = [mistakes.numpy() for mistakes in torch.load(file)]
    _say(f"{sum(map(len, places))} mistakes of the detector in {len(places)} scenes")
    return places


def _saying(name: str) -> Callable[[str], None]:
    return lambda line: _say(f"{name}: {line}")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
