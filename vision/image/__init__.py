"""Pixels and geometry: photos, boxes, rows, sharpness, crops."""
