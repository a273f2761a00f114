"""The shipped networks, and how they are made: registry, training, export, evaluation."""

if __name__ != "tilescore.models":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'models' is a folder of the package tilescore: import tilescore.models instead")
