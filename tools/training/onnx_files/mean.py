"""Average networks that started from the same weights.

`python -m tools.training.onnx_files.mean FOLDER FOLDER --out FOLDER`. Each weight is the mean over the files of equal
name. Networks trained from the same start with other photographs or another seed are often better averaged than each
alone (Wortsman and others, "Model soups", 2022). A file that a folder lacks is not averaged.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from tabletop.core.errors import InputError
from tabletop.vision.classifier import SCALE, Kind

CLASSIFIER = "classifier.onnx"
FILES = ("detector.onnx", CLASSIFIER)
LAST_BIAS = "body.19.bias"  # of the classifier's last layer, whose first outputs are the kinds


def main() -> int:
    """Write the averaged networks into a folder."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.onnx_files.mean", description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help=f"folders with {' and '.join(FILES)}")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lift", type=float, default=0.0, help="taken from the classifier's logit of no die")
    parser.add_argument("--larger", type=float, default=0.0, help="added to its log2 of the size")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        files = [folder / name for folder in options.folders]
        if all(file.is_file() for file in files):
            mean = mean_of([file.read_bytes() for file in files])
            mean = shifted(mean, options.lift, options.larger) if name == CLASSIFIER else mean
            (options.out / name).write_bytes(mean)
    return 0


def shifted(content: bytes, lift: float, larger: float) -> bytes:
    """Return a classifier that believes in dice by this logit more and sees them larger (log2), as an ONNX file."""
    model = onnx.load_from_string(content)
    (bias,) = (tensor for tensor in model.graph.initializer if tensor.name == LAST_BIAS)
    values = numpy_helper.to_array(bias).copy()
    values[Kind.NOTHING] -= lift
    values[SCALE] += larger
    bias.CopyFrom(numpy_helper.from_array(values, bias.name))
    return bytes(model.SerializeToString())


def mean_of(contents: list[bytes]) -> bytes:
    """Return the network whose weights are the means of these.

    contents: at least one ONNX file, of one architecture. Raises InputError if their weights differ in shape.
    """
    models = [onnx.load_from_string(content) for content in contents]
    rows = [[numpy_helper.to_array(tensor) for tensor in model.graph.initializer] for model in models]
    if any([values.shape for values in row] != [values.shape for values in rows[0]] for row in rows):
        raise InputError("expected networks of one architecture, got weights of other shapes")
    for index, tensor in enumerate(models[0].graph.initializer):
        values = [row[index] for row in rows]
        if np.issubdtype(values[0].dtype, np.floating):
            mean = np.mean([each.astype(np.float64) for each in values], axis=0).astype(values[0].dtype)
            tensor.CopyFrom(numpy_helper.from_array(mean, tensor.name))
    return bytes(models[0].SerializeToString())


if __name__ == "__main__":
    sys.exit(main())
