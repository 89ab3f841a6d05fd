"""Train the eye: `python -m tabletop.trainer --out FILE.onnx --seed N`."""

import argparse
import sys
import time
from pathlib import Path

import cv2
import torch

from tabletop.trainer.learn import BATCH, learned
from tabletop.trainer.network import EyeNetwork
from tabletop.trainer.tiles import rendered

TILES = 20_000
STEPS = 5_500
OPSET = 13  # what OpenCV 4.11 reads
EXAMPLE_PX = 128


def main() -> int:
    """Render, train and export; say on standard output how it goes."""
    parser = argparse.ArgumentParser(prog="python -m tabletop.trainer", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="where the network goes, FILE.onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiles", type=int, default=TILES, help="rendered tiles")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"of {BATCH} tiles each")
    parser.add_argument("--folder", type=Path, default=Path("build/tiles"), help="where rendered tiles are kept")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(options.threads)
    begun = time.monotonic()
    tiles = rendered(options.folder, options.seed, options.tiles, options.threads)
    _say(f"{options.tiles} tiles ready after {time.monotonic() - begun:.0f} s")
    network = learned(tiles, steps=options.steps, seed=options.seed, say=_say)
    export(network, options.out)
    _say(f"{options.out}: {options.out.stat().st_size} bytes, {time.monotonic() - begun:.0f} s in all")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def export(network: EyeNetwork, file: Path) -> None:
    """Write the network as ONNX with free height and width."""
    free = {2: "height", 3: "width"}
    example = torch.zeros(1, 3, EXAMPLE_PX, EXAMPLE_PX)
    torch.onnx.export(
        network.to(memory_format=torch.contiguous_format),
        (example,),
        str(file),
        opset_version=OPSET,
        dynamo=False,
        input_names=["pixels"],
        output_names=["cells"],
        dynamic_axes={"pixels": free, "cells": free},
    )


if __name__ == "__main__":
    sys.exit(main())
