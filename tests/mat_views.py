"""`python tests/mat_views.py`: how exact the mat is under cameras drawn with seeds that nothing was tuned with.

For each seed the scenes of `tests/support/mat_scenes.py`. Prints how many views were accepted, how exact those are all
over the tray, in how many the stated figure is smaller than the true error, and how many mirrored pictures were named.
`--views N` for each seed (default 60), `--seeds N` (default 3), from `--first` on (default 101).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "support"))

from mat_scenes import Measured, Scene, scenes

from calibration.mat import PROMISED_MM, see_mat
from tabletop.core.errors import InputError

FIRST_SEED = 101
MIRRORED_EACH = 10


def is_named(scene: Scene) -> bool:
    """Return whether the mirrored picture is refused as such."""
    try:
        see_mat([scene.mirrored])
    except InputError as error:
        return "mirrored" in str(error)
    return False


def line(name: str, found: Sequence[Measured | None], named: str) -> str:
    """Return a line of the table. found: None for each view that was refused."""
    accepted = [each for each in found if each is not None]
    errors = [each.worst_mm for each in accepted]
    beyond = sum(error > PROMISED_MM for error in errors)
    too_small = sum(each.stated_mm < each.worst_mm for each in accepted)
    stated = float(np.median([each.stated_mm for each in accepted]))
    return (
        f"| {name} | {len(accepted)} of {len(found)} | {np.median(errors):.3f} | {max(errors):.2f} | {beyond} | "
        f"{stated:.3f} | {too_small} | {named} |\n"
    )


def main() -> None:
    """Measure, seed by seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=FIRST_SEED)
    options = parser.parse_args()
    sys.stdout.write(
        "| seed | accepted | median, mm | worst, mm | beyond 1 mm | median stated, mm | stated too small "
        "| mirrored named |\n|---|---|---|---|---|---|---|---|\n"
    )
    for seed in range(options.first, options.first + options.seeds):
        found, named = list[Measured | None](), 0
        for number, scene in enumerate(scenes(seed, options.views)):
            found.append(scene.measured())
            named += number < MIRRORED_EACH and is_named(scene)
        mirrored = f"{named} of {min(MIRRORED_EACH, options.views)}"
        sys.stdout.write(line(str(seed), found, mirrored))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
