"""Measurements of scoring hands."""
