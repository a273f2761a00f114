"""The shipped networks, and how they are made: registry, training, export, evaluation."""

import vision  # noqa: F401  # sets the variables of vision.telemetry before torch or ultralytics is loaded
