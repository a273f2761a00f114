"""Measures of a watched table."""
