"""Tilescore reads a mahjong hand from a photo and explains its score.

    import tilescore
    reading = tilescore.read("photo.jpg")
    result = tilescore.score(reading, "mcr")

The import switches off the telemetry of the libraries, before any room of the package loads one of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if __name__ != "tilescore":  # in a checkout, `__path__` leads here a second time: a module must not exist twice
    raise ImportError("this folder is the package tilescore itself: import tilescore instead")

# The rooms, such as `tilescore.scoring`, lie inside this folder once installed, and beside it in a checkout. Whoever
# starts Python in a checkout finds this folder there first, and an editable install of the form `compat` nowhere else.
if not Path(__file__).with_name("scoring").is_dir():
    __path__.append(str(Path(__file__).parents[1]))

from tilescore.telemetry import switch_off

switch_off()

_FACE = {
    "Context": "tilescore.scoring.context",
    "Hand": "tilescore.scoring.hand",
    "InputError": "tilescore.errors",
    "Meld": "tilescore.scoring.hand",
    "NotAWin": "tilescore.scoring.score",
    "Occasion": "tilescore.scoring.context",
    "Score": "tilescore.scoring.score",
    "Seat": "tilescore.scoring.context",
    "Tile": "tilescore.scoring.tiles",
    "WinBy": "tilescore.scoring.context",
    "read": "tilescore.face",
    "ruleset": "tilescore.scoring.ruleset",
    "score": "tilescore.face",
}
"""Where each public name is defined; it is loaded when somebody asks for it."""
__all__ = list(_FACE)

if TYPE_CHECKING:
    from tilescore.errors import InputError as InputError
    from tilescore.face import read as read
    from tilescore.face import score as score
    from tilescore.scoring.context import Context as Context
    from tilescore.scoring.context import Occasion as Occasion
    from tilescore.scoring.context import Seat as Seat
    from tilescore.scoring.context import WinBy as WinBy
    from tilescore.scoring.hand import Hand as Hand
    from tilescore.scoring.hand import Meld as Meld
    from tilescore.scoring.ruleset import ruleset as ruleset
    from tilescore.scoring.score import NotAWin as NotAWin
    from tilescore.scoring.score import Score as Score
    from tilescore.scoring.tiles import Tile as Tile

    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version  # takes as long as all the rest of this import

            return version(__name__)
        if name not in _FACE:
            raise AttributeError(f"module 'tilescore' has no attribute '{name}'", name=name)
        from importlib import import_module

        return getattr(import_module(_FACE[name]), name)


def __dir__() -> list[str]:
    return sorted((*globals(), *_FACE, "__version__"))
