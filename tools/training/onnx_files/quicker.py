"""Rewrite ONNX graphs so that OpenCV runs them in two thirds of the time.

OpenCV has a fast method (Winograd's) for 3 x 3 convolutions, but only if both sides have at least FAST_SIDE cells and
the convolution is not dilated. So patches of 8 x 8 cells are stacked, with a row of zeros between them. A dilated
convolution is run on a picture whose odd rows and columns come first and the even ones after them, so that neighbours
there have the distance of the dilation. If only the centre is needed, only the centre is computed. Weights are
unchanged.

`python -m tools.training.onnx_files.quicker FILES` rewrites these files.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, helper, numpy_helper

from tabletop.core.errors import InputError
from tabletop.vision.detector import STRIDE
from tabletop.vision.second_opinion import EDGE_PX, REACH, SIDE_PX

FAST_SIDE = 12  # cells of the shorter side from which OpenCV 4 and 5 use Winograd's method
CELLS = 8  # of a patch's side in the last blocks of a network of patches
TALL = CELLS + 1  # and a row of zeros, so that no patch sees its neighbour
BELOW = FAST_SIDE - TALL  # rows of zeros below them all, so that a single patch is tall enough
ASKED = 2 * int(REACH * EDGE_PX / STRIDE + 0.5)  # cells of the middle that the second opinion's answer is taken from


def main() -> int:
    """Rewrite the files."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.onnx_files.quicker", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="classifier.onnx, tilt.onnx, second_opinion.onnx")
    for file in parser.parse_args().files:
        file.write_bytes(quicker(file.read_bytes()))
    return 0


def quicker(content: bytes) -> bytes:
    """Return a rewritten patch network or second opinion; its answers are the same.

    Of a second opinion only the ASKED x ASKED cells at the centre are computed. Raises InputError if the file is
    another network, or was rewritten before.
    """
    model = onnx.load_from_string(content)
    kinds = [node.op_type for node in model.graph.node]
    if "Slice" in kinds or "Conv" not in kinds:
        raise InputError("expected the file of a network as PyTorch exports it, got one that was rewritten before")
    graph = _Graph(model)
    if "Flatten" in kinds:
        _lay_patches_below_one_another(graph)
    else:
        _answer_in_the_middle(graph)
    graph.finish()
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())


class _Graph:
    """A graph that is written anew, node by node."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._graph = model.graph
        self.old = list(model.graph.node)
        self._new: list[NodeProto] = []
        self._weights = {tensor.name: tuple(tensor.dims) for tensor in model.graph.initializer}
        for node in self.old:  # weights in half precision are cast first
            if node.op_type == "Cast" and node.input[0] in self._weights:
                self._weights[node.output[0]] = self._weights[node.input[0]]

    def kernel(self, node: NodeProto) -> tuple[int, ...]:
        """Return the shape of a convolution's weights."""
        return self._weights[node.input[1]]

    def constant(self, name: str, values: NDArray[np.generic]) -> str:
        """Add values under a name; the same name gives the same values."""
        if name not in self._weights:
            self._weights[name] = values.shape
            self._graph.initializer.append(numpy_helper.from_array(values, name))
        return name

    def add(self, node: NodeProto) -> None:
        self._new.append(node)

    def step(self, kind: str, taken: list[str], given: str, **facts: object) -> str:
        """Add a node and return the name of what it gives."""
        self._new.append(helper.make_node(kind, taken, [given], **facts))
        return given

    def part(self, taken: str, given: str, axes: tuple[int, ...], first: int, last: int, by: int = 1) -> str:
        """Add a slice: cells first, first + by, ... before `last` along each of the axes."""
        many = len(axes)
        bounds = [
            self.constant(f"{given}/{name}", np.full(many, value, np.int64))
            for name, value in (("first", first), ("last", last))
        ]
        along = self.constant(f"{given}/axes", np.array(axes, np.int64))
        return self.step("Slice", [taken, *bounds, along, self.constant(f"{given}/by", np.full(many, by))], given)

    def finish(self) -> None:
        """Put the new nodes in the place of the old ones."""
        del self._graph.node[:]
        self._graph.node.extend(self._new)
        del self._graph.value_info[:]
        for output in self._graph.output:
            for size in output.type.tensor_type.shape.dim[2:]:
                size.dim_value = ASKED


def _lay_patches_below_one_another(graph: _Graph) -> None:
    """Do the blocks of CELLS x CELLS cells on all patches at once, in a picture TALL rows a patch, FAST_SIDE wide."""
    convolutions = [node for node in graph.old if node.op_type == "Conv"]
    last_step = max(n for n, node in enumerate(convolutions) if _fact(node, "strides") == [2, 2])
    channels = graph.kernel(convolutions[last_step])[0]
    squeezed = graph.kernel(convolutions[-1])[0]
    inside = {node.output[0] for node in convolutions[last_step:]}
    mask = ""
    for node in graph.old:
        given = node.output[0]
        if node.op_type != "Relu" or not _follows(graph, node, inside):
            graph.add(node)
            continue
        node.output[0] = f"{given}/whole"
        graph.add(node)
        if not mask:
            one = graph.part(node.output[0], "one channel", (1,), 0, 1)
            nothing = graph.step("Mul", [one, graph.constant("nothing", np.zeros(1, np.float32))], "nothing there")
            something = graph.constant("something", np.ones(1, np.float32))
            cells = graph.step("Add", [nothing, something], "cells of patches")
            mask = _laid(graph, cells, "mask of patches", 1)
            _laid(graph, node.output[0], given, channels)
        elif node.input[0] == convolutions[-1].output[0]:
            kept = graph.part(node.output[0], f"{given}/kept", (2,), 0, -BELOW)
            shape = graph.constant("each patch", np.array([squeezed, -1, TALL, FAST_SIDE], np.int64))
            each = graph.step("Reshape", [kept, shape], f"{given}/each")
            back = graph.step("Transpose", [each], f"{given}/back", perm=[1, 0, 2, 3])
            graph.part(back, given, (2, 3), 0, CELLS)
        else:
            graph.step("Mul", [node.output[0], mask], given)


def _laid(graph: _Graph, taken: str, given: str, channels: int) -> str:
    """Add what lays patches (N, channels, CELLS, CELLS) below one another, with zeros beside and below each."""
    rim = graph.constant("patch rim", np.array([0, 0, 0, 0, 0, 0, TALL - CELLS, FAST_SIDE - CELLS], np.int64))
    padded = graph.step("Pad", [taken, rim], f"{given}/padded")
    swapped = graph.step("Transpose", [padded], f"{given}/swapped", perm=[1, 0, 2, 3])
    shape = graph.constant(f"tall {channels}", np.array([1, channels, -1, FAST_SIDE], np.int64))
    tall = graph.step("Reshape", [swapped, shape], f"{given}/tall")
    below = graph.constant("rim below", np.array([0, 0, 0, 0, 0, 0, BELOW, 0], np.int64))
    return graph.step("Pad", [tall, below], given)


def _follows(graph: _Graph, relu: NodeProto, convolutions: set[str]) -> bool:
    """Return whether what a ReLU takes comes from one of these convolutions, perhaps after a sum."""
    before = relu.input[0]
    made = next(node for node in graph.old if node.output[0] == before)
    return before in convolutions or (made.op_type == "Add" and bool(convolutions & set(made.input)))


def _answer_in_the_middle(graph: _Graph) -> None:
    """Compute only what the ASKED x ASKED middle cells need, and the block before the last one without dilation."""
    convolutions = [node for node in graph.old if node.op_type == "Conv"]
    even, wide = convolutions[-5], convolutions[-3]  # the first convolutions of the last two blocks
    if _fact(even, "dilations") != [2, 2] or _fact(wide, "dilations") != [3, 3]:
        raise InputError("expected a second opinion, whose last blocks have dilations 2 and 3")
    last = convolutions[-2]
    far = _fact(wide, "dilations")[0]
    reach = far + 1  # cells from which the last block takes its answer, to each side
    cells = SIDE_PX // STRIDE
    rim = (cells - ASKED) // 2  # cells that are not answered, at each side
    for node in graph.old:
        if node is even:
            node.input[0] = _odd_first(graph, node.input[0], cells)
            _set(node, "dilations", [1, 1])
            _set(node, "pads", [1, 1, 1, 1])
        elif node.op_type == "Relu" and node.input[0] == even.output[0]:
            given, node.output[0] = node.output[0], f"{node.output[0]}/odd first"
            graph.add(node)
            _in_order(graph, node.output[0], given, cells)
            continue
        elif node is wide:
            node.input[0] = graph.part(node.input[0], "middle", (2, 3), rim - reach, cells - rim + reach)
            _set(node, "pads", [0] * 4)
        elif node is last:
            _set(node, "pads", [0] * 4)
        elif node.op_type == "Add" and last.output[0] in node.input:
            other = 0 if node.input[1] == last.output[0] else 1
            node.input[other] = graph.part(node.input[other], "asked", (2, 3), rim, cells - rim)
        graph.add(node)


def _odd_first(graph: _Graph, taken: str, cells: int) -> str:
    """Add what lays odd rows and columns before even ones.

    In the middle there the last odd row lies beside the first even one, which are no neighbours: what a convolution
    gives for these two is wrong. They are the last and the first row of all, which the cells asked for do not need;
    the same holds for columns.
    """
    halves = [graph.part(taken, f"{name} rows", (2,), first, cells, 2) for name, first in (("odd", 1), ("even", 0))]
    rows = graph.step("Concat", halves, "odd rows first", axis=2)
    order = np.zeros((cells, cells), np.float32)
    order[[*range(1, cells, 2), *range(0, cells, 2)], range(cells)] = 1
    return graph.step("MatMul", [rows, graph.constant("odd first", order)], "odd first of both")


def _in_order(graph: _Graph, taken: str, given: str, cells: int) -> None:
    """Add what undoes `_odd_first`."""
    order = np.zeros((cells, cells), np.float32)
    order[range(cells), [*range(1, cells, 2), *range(0, cells, 2)]] = 1
    columns = graph.step("MatMul", [taken, graph.constant("in order", order)], f"{given}/columns")
    odd = graph.part(columns, f"{given}/odd", (2,), 0, cells // 2)
    even = graph.part(columns, f"{given}/even", (2,), cells // 2, cells)
    pairs = graph.step("Concat", [even, odd], f"{given}/pairs", axis=3)
    shape = graph.constant("cells", np.array([0, 0, cells, cells], np.int64))
    graph.step("Reshape", [pairs, shape], given)


def _fact(node: NodeProto, name: str) -> list[int]:
    return next(list(fact.ints) for fact in node.attribute if fact.name == name)


def _set(node: NodeProto, name: str, values: list[int]) -> None:
    fact = next(fact for fact in node.attribute if fact.name == name)
    del fact.ints[:]
    fact.ints.extend(values)


if __name__ == "__main__":
    sys.exit(main())
