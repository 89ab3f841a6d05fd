"""Training of the reader's networks, for developers; needs PyTorch and ONNX, which the table never does."""
