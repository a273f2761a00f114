"""Labelled pictures: formats, annotation, checks and rendered scenes."""

if __name__ != "tilescore.datasets":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'datasets' is a folder of the package tilescore: import tilescore.datasets instead")
