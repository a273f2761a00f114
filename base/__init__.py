"""Errors, paths, threads and worker processes, which every other package needs.

This package imports no other package of ours.
"""

if __name__ != "tilescore.base":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'base' is a folder of the package tilescore: import tilescore.base instead")
