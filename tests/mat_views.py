"""`python tests/mat_views.py`: how exact the mat is under cameras drawn with seeds that nothing was tuned with.

For each seed: mats under cameras tilted by up to 25 degrees, lenses bent either way, blur, noise, shadow, and in every
third view a marker partly covered. Prints how many views were accepted, how exact those are all over the tray, and how
many mirrored pictures were named. `--views N` for each seed
(default 60), `--seeds N` (default 3), from 101 on.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent / "support"))

from mat_camera import MatCamera, printed, worse, worst_mm

from calibration.from_mat import see_mat
from tabletop.config.mat import PAPERS, RAILS, Mat, mat_of
from tabletop.core.errors import InputError

FIRST_SEED = 101
LEAST_PX_PER_MM = 1.6  # a die of 16 mm has 25 px
COVERED_EVERY = 3
PROMISED_MM = 0.5
MIRRORED_EACH = 10


def drawn(rng: np.random.Generator) -> tuple[Mat, MatCamera, NDArray[np.uint8]]:
    """Return a mat, a camera drawn by chance, and its clean picture."""
    mat = mat_of(str(rng.choice(list(PAPERS))), str(rng.choice(RAILS)))
    width_px = int(rng.choice([640, 1280, 1640]))
    least = LEAST_PX_PER_MM * mat.width_mm / width_px
    k1 = float(rng.uniform(-0.2, 0.05))
    camera = MatCamera(
        (mat.width_mm, mat.height_mm),
        tilt_deg=float(rng.uniform(0, 25)),
        turn_deg=float(rng.uniform(0, 360)),
        roll_deg=float(rng.uniform(-180, 180)) if least < 0.7 else float(rng.uniform(-10, 10)),
        k1=k1,
        k2=0.1 * k1 * k1,
        width_px=width_px,
        height_px=width_px * 3 // 4,
        filled=float(rng.uniform(min(0.8, least), 0.82)),
    )
    return mat, camera, camera.photograph(printed(mat, int(rng.choice([100, 150, 200]))))


def covered(picture: NDArray[np.uint8], camera: MatCamera, mat: Mat, rng: np.random.Generator) -> None:
    """Lay something over half of a corner marker."""
    marker = mat.markers[int(rng.integers(4))]
    half = np.array([(marker.left, marker.top), (marker.left + marker.width / 2, marker.top),
                     (marker.left + marker.width / 2, marker.bottom), (marker.left, marker.bottom)])  # fmt: skip
    cv2.fillPoly(picture, [camera.see(half).round().astype(np.int32)], (60, 90, 130))


def measured(seed: int, views: int) -> tuple[list[float], int, int]:
    """Return the worst error of each accepted view in mm, how many were refused, and mirrored ones that were named."""
    rng, errors, refused, named = np.random.default_rng(seed), list[float](), 0, 0
    for number in range(views):
        mat, camera, picture = drawn(rng)
        if number % COVERED_EVERY == 0:
            covered(picture, camera, mat, rng)
        blur_px = float(rng.uniform(0, 1.5)) * camera.width_px / 1280
        picture = worse(picture, rng, blur_px, noise=float(rng.uniform(0, 8)), shadow=float(rng.uniform(0.4, 1)))
        try:
            errors.append(worst_mm(see_mat([picture]).profile(16.0), camera, mat))
        except InputError:
            refused += 1
        if number < MIRRORED_EACH:
            try:
                see_mat([np.ascontiguousarray(picture[:, ::-1])])
            except InputError as error:
                named += "mirrored" in str(error)
    return errors, refused, named


def line(name: str, errors: Sequence[float], refused: int, named: str) -> str:
    """Return a line of the table."""
    beyond = sum(error > PROMISED_MM for error in errors)
    return (
        f"| {name} | {len(errors)} of {len(errors) + refused} | {np.median(errors):.2f} | {max(errors):.2f} | {beyond} "
        f"| {named} |\n"
    )


def main() -> None:
    """Measure, seed by seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    sys.stdout.write(
        "| seed | accepted | median, mm | worst, mm | beyond 0.5 mm | mirrored named |\n|---|---|---|---|---|---|\n"
    )
    for seed in range(FIRST_SEED, FIRST_SEED + options.seeds):
        errors, refused, named = measured(seed, options.views)
        sys.stdout.write(line(str(seed), errors, refused, f"{named} of {min(MIRRORED_EACH, options.views)}"))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
