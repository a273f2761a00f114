"""Pixels to tiles: photo, boxes, detector, layout, reading."""

if __name__ != "tilescore.vision":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'vision' is a folder of the package tilescore: import tilescore.vision instead")
