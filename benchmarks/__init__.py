"""The measurements of `make bench`, and longer ones that run by themselves."""

import tilescore  # noqa: F401  # sets the variables of tilescore.telemetry before another package loads onnxruntime
