"""Rendered scenes with exact labels."""
