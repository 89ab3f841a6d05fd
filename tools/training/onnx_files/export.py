"""Export networks as ONNX files."""

from pathlib import Path

import torch

from tools.training.networks import CellNetwork, PatchNetwork
from tools.training.onnx_files.half_precision import in_half_precision

OPSET = 13  # old enough for every runtime, and has every operator used here
EXAMPLE_PX = 128
PATCHES = {0: "patches"}
ANY_SIZE = {2: "height", 3: "width"}


def export(
    network: CellNetwork | PatchNetwork, file: Path, side: int = EXAMPLE_PX, free: dict[int, str] = PATCHES
) -> bytes:
    """Write the network as ONNX; free: the input dimensions of variable length, with their names."""
    shown = network.field.shown if isinstance(network, CellNetwork) else network.shown
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
    content = in_half_precision(file.read_bytes())
    file.write_bytes(content)
    return content
