"""The standing of a game as a picture, which the browser makes and gives to the system's share sheet, or saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescore.ui.components.assets import renderer
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence


def standing_picture(*, title: str, about: str, file: str, lines: Sequence[tuple[int, str, str]]) -> None:
    """Draw the button.

    `lines` are rank, name and points of each player; `about` is the line below the title.
    """
    data = {"title": title, "about": about, "file": file, "lines": lines, "words": {"open": words("export.picture")}}
    renderer("standing", "share_sheet")(key="standing", data=data, width="content")
