"""What `make bench` measures."""

import tilescore.base  # noqa: F401  # sets the variables of tilescore.base.telemetry before a peer loads onnxruntime itself
