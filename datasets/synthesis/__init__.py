"""Rendered photos of mahjong tables with exact labels."""
