"""The command line `tilescore`."""
