"""Labelled pictures: reading, making and checking them."""
