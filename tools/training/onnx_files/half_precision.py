"""Convert an ONNX file's weights to half precision: half the size, readable by every OpenCV that reads the file."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FEW = 64  # values: shorter tensors (the biases) stay as they are


def in_half_precision(content: bytes) -> bytes:
    """Return the model with its float32 weights stored as float16, each followed by a cast back to float32."""
    model = onnx.load_from_string(content)
    casts = []
    for index, tensor in enumerate(model.graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > FEW:
            name = tensor.name
            short = numpy_helper.from_array(values.astype(np.float16), f"{name}.half")
            model.graph.initializer[index].CopyFrom(short)
            casts.append(helper.make_node("Cast", [short.name], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
