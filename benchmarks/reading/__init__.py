"""Measurements of reading photos."""
