"""Measurements of a watched table."""
