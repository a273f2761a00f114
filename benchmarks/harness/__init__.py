"""The app and networks of its own for a process: what tests and measurements both start."""
