"""What `make bench` measures."""

import vision  # noqa: F401  # sets the variables of vision.telemetry before a peer loads onnxruntime itself
