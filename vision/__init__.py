"""Pixels to tiles: photo, boxes, detector, layout, reading."""
