"""Measuring networks and whole readings on labelled photos."""
