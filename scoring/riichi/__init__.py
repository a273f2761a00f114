"""Riichi by document 004 (scoring/sources.md), over the `mahjong` package, which only `engine.py` loads."""
