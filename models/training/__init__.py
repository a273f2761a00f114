"""Training and exporting the networks (extra `train`)."""
