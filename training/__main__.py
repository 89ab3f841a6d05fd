"""Train the eye's four networks: `python -m training --out FOLDER [--photographs ../shared/photos]`."""

import argparse
import sys
from pathlib import Path

from training.learn import LEAST_STEPS
from training.photographs import LICENSED
from training.training import (
    CLOSE_SCENES,
    FAR_SCENES,
    FINDER_BATCH,
    FINDER_STEPS,
    JUDGE_BATCH,
    JUDGE_STEPS,
    READER,
    TILT,
    TILT_STEPS,
    WITNESS,
    WITNESS_BATCH,
    WITNESS_STEPS,
    Plan,
    train,
)


def main() -> int:
    """Render, train and export; say on standard output how it goes."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for finder, judge and tilt.onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--far", type=int, default=FAR_SCENES, help="rendered scenes for the finder")
    parser.add_argument("--close", type=int, default=CLOSE_SCENES, help="rendered scenes for the judge")
    parser.add_argument("--finder-steps", type=_steps, default=FINDER_STEPS, help=f"of {FINDER_BATCH} cuttings each")
    parser.add_argument("--judge-steps", type=_steps, default=JUDGE_STEPS, help=f"of {JUDGE_BATCH} patches each")
    parser.add_argument("--tilt-steps", type=_steps, default=TILT_STEPS, help="of 192 patches each")
    parser.add_argument("--witness-steps", type=_steps, default=WITNESS_STEPS, help=f"of {WITNESS_BATCH} cuttings each")
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
    train(Plan(**facts))
    return 0


def _steps(text: str) -> int:
    """Return a number of steps out of an argument."""
    if not text.isdecimal() or int(text) < LEAST_STEPS:
        message = f"expected a number of steps, {LEAST_STEPS} or more, got {text}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
