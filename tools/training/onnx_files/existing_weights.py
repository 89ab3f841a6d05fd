"""Load the weights of an exported network back into its PyTorch module, to continue training.

An exported file has no batch normalisation: it is folded into the preceding convolution. Here the convolution gets the
folded weights, and the normalisation is set to be neutral: its statistics are measured on pictures, and its scale and
shift restore them. The module then gives the same answers as the file, and learns as if it had never been exported.
"""

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from tabletop.core.errors import InputError

LEAST_VARIANCE = 1e-6  # of a channel that is the same everywhere; below it dividing amplifies rounding
LAYERS = ("Conv", "Gemm")  # ONNX operators that have weights


def load_exported(network: nn.Module, content: bytes, pictures: Tensor) -> None:
    """Load an exported network's weights into a module of the same architecture.

    content: of the ONNX file. pictures: (N, C, H, W) float32, normalised, at least 100, for measuring the statistics of
    the normalisations. Raises InputError if the file's layers do not match the module.
    """
    folded = _weights(content)
    layers = [part for part in network.modules() if isinstance(part, nn.Conv2d | nn.Linear)]
    if [weight.shape for weight, _ in folded] != [tuple(layer.weight.shape) for layer in layers]:
        raise InputError(
            f"expected the weights of {len(layers)} layers of this architecture, got {len(folded)} others:"
            " train the network from nothing"
        )
    network.eval()
    biases = {}
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, folded, strict=True):
            layer.weight.copy_(torch.from_numpy(weight))
            if layer.bias is None:
                biases[layer] = torch.from_numpy(bias)
            else:
                layer.bias.copy_(torch.from_numpy(bias))
        _restore_normalisations(network, biases, pictures)


def _weights(content: bytes) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return weight and bias of each layer, in the order of the graph."""
    graph = onnx.load_from_string(content).graph
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast" and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]]
    return [
        (values[node.input[1]].astype(np.float32), values[node.input[2]].astype(np.float32))
        for node in graph.node
        if node.op_type in LAYERS
    ]


def _restore_normalisations(network: nn.Module, biases: dict[nn.Module, Tensor], pictures: Tensor) -> None:
    """Set each normalisation so that it adds its convolution's folded bias and changes nothing else."""
    before: list[nn.Module] = []

    def convolved(layer: nn.Module, *_: object) -> None:
        if isinstance(layer, nn.Conv2d) and layer.bias is None:
            before.append(layer)

    def restored(normalisation: nn.Module, shown: tuple[Tensor]) -> None:
        if not isinstance(normalisation, nn.BatchNorm2d):
            return
        seen = shown[0]
        mean, variance = seen.mean((0, 2, 3)), seen.var((0, 2, 3), unbiased=False).clamp(min=LEAST_VARIANCE)
        normalisation.running_mean = mean
        normalisation.running_var = variance
        normalisation.weight.copy_((variance + normalisation.eps).sqrt())
        normalisation.bias.copy_(mean + biases[before.pop()])

    hooks = [part.register_forward_hook(convolved) for part in network.modules() if isinstance(part, nn.Conv2d)]
    hooks += [
        part.register_forward_pre_hook(restored) for part in network.modules() if isinstance(part, nn.BatchNorm2d)
    ]
    try:
        network(pictures)
    finally:
        for hook in hooks:
            hook.remove()
