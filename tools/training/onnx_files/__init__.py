"""Write and read networks as ONNX files."""
