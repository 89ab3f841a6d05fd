"""Training of the reader, for people who change it; needs PyTorch and ONNX, which the table never does."""
