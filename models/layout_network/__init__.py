"""A network for the parts of tiles, measured beside the log-linear models that the reader uses."""
