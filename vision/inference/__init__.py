"""Running networks with onnxruntime."""
