"""The classical rules and their simplified house variant."""
