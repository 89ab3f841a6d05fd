"""Networks written as ONNX files, and read from them."""
