"""Riichi as document 004 has it, over the `mahjong` package, which only `engine.py` loads."""
