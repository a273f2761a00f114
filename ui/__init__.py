"""The command line and the app: everything that a person sees."""

if __name__ != "tilescore.ui":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'ui' is a folder of the package tilescore: import tilescore.ui instead")
