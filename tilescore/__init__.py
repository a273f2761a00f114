"""Tilescore reads a mahjong hand from a photo and explains its score.

The import switches off the telemetry of the libraries, before any room of the package loads one of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if __name__ != "tilescore":  # in a checkout, `__path__` leads here a second time: a module must not exist twice
    raise ImportError("this folder is the package tilescore itself: import tilescore instead")

# The rooms, such as `tilescore.scoring`, lie inside this folder once installed, and beside it in a checkout. Whoever
# starts Python in a checkout finds this folder there first, and an editable install of the form `compat` nowhere else.
if not Path(__file__).with_name("base").is_dir():
    __path__.append(str(Path(__file__).parents[1]))

from tilescore.base.telemetry import switch_off  # found by the path above

switch_off()

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        if name != "__version__":
            raise AttributeError(f"module 'tilescore' has no attribute '{name}'", name=name)
        from importlib.metadata import version  # takes as long as all the rest of this import

        return version(__name__)
