"""What every other package needs: errors, paths, threads, worker processes. It imports no other package of ours.

Importing it switches the telemetry of the libraries off.
"""

from tilescore.base.telemetry import switch_off

if __name__ != "tilescore.base":  # the repository's root is on the path: a module must not exist twice
    raise ImportError("'base' is a folder of the package tilescore: import tilescore.base instead")

switch_off()
