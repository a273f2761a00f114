"""Measures of scoring hands."""
