"""Watching a table: frames, tracks, when a hand lies still."""
