"""Riichi by document 004 (scoring/sources.md): yaku, fu, points, payments."""
