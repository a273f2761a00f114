"""The rules: tiles in, points out, without pictures, user interface or heavy imports."""

if __name__ != "tilescore.scoring":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'scoring' is a folder of the package tilescore: import tilescore.scoring instead")
