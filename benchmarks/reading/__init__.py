"""Measures of reading photos."""
