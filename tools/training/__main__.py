"""Train the reader's networks: `python -m tools.training --out FOLDER [--photographs ../shared/photos]`."""

import argparse
import sys
from pathlib import Path

from tools.training.learn import LEAST_STEPS
from tools.training.real.photographs import LICENSED
from tools.training.training import (
    CLASSIFIER,
    CLASSIFIER_BATCH,
    CLASSIFIER_STEPS,
    CLOSE_SCENES,
    DETECTOR_BATCH,
    DETECTOR_STEPS,
    FAR_SCENES,
    PHOTOGRAPHS_SHARE,
    READER,
    SECOND_OPINION,
    SECOND_OPINION_BATCH,
    SECOND_OPINION_STEPS,
    SLOW,
    SURROUNDINGS,
    TILT,
    TILT_STEPS,
    Plan,
    train,
)


def main() -> int:
    """Render, train and export; report progress on standard output."""
    parser = argparse.ArgumentParser(prog="python -m tools.training", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for detector, classifier and tilt.onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--far", type=int, default=FAR_SCENES, help="rendered scenes for the detector")
    parser.add_argument("--close", type=int, default=CLOSE_SCENES, help="rendered scenes for the classifier")
    parser.add_argument(
        "--detector-steps", type=_steps, default=DETECTOR_STEPS, help=f"of {DETECTOR_BATCH} cuttings each"
    )
    parser.add_argument(
        "--classifier-steps", type=_steps, default=CLASSIFIER_STEPS, help=f"of {CLASSIFIER_BATCH} patches each"
    )
    parser.add_argument("--tilt-steps", type=_steps, default=TILT_STEPS, help="of 192 patches each")
    parser.add_argument(
        "--second-opinion-steps",
        type=_steps,
        default=SECOND_OPINION_STEPS,
        help=f"of {SECOND_OPINION_BATCH} cuttings each",
    )
    parser.add_argument(
        "--only",
        choices=(READER, CLASSIFIER, SECOND_OPINION, TILT, SURROUNDINGS),
        help="leave the others as they are; reader: the first two; classifier: with --start; surroundings: only alone",
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("build/trainer"), help="where scenes and first parts are kept"
    )
    parser.add_argument("--workers", type=int, default=2, help="processor cores")
    parser.add_argument("--photographs", type=Path, help="labelled photographs for a second part; none: renders alone")
    parser.add_argument("--without", default="", help=f"sources left out, as {','.join(LICENSED[:2])}")
    parser.add_argument("--apart", type=int, default=0, help="leave out one photograph of every N")
    parser.add_argument("--start", type=Path, help="folder of exported networks to go on from, without a first part")
    parser.add_argument("--rate", type=float, default=SLOW, help=f"of learning in the second part (default: {SLOW})")
    parser.add_argument(
        "--share",
        type=float,
        default=PHOTOGRAPHS_SHARE,
        help=f"of a batch of the second part that is not rendered dice (default: {PHOTOGRAPHS_SHARE})",
    )
    parser.add_argument(
        "--filed",
        type=float,
        default=0.0,
        help="share of patches made like small dice in a file, with --only classifier",
    )
    options = parser.parse_args()
    without = tuple(name for name in options.without.split(",") if name)
    facts = {**vars(options), "without": without}
    train(Plan(**facts))
    return 0


def _steps(text: str) -> int:
    """Return the number of steps given by an argument."""
    if not text.isdecimal() or int(text) < LEAST_STEPS:
        message = f"expected a number of steps, {LEAST_STEPS} or more, got {text}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
