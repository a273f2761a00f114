"""The standing of a game as a picture, which the browser makes and gives to the system's share sheet, or saves."""

from collections.abc import Sequence

from tilescore.ui.components.assets import draw
from tilescore.ui.words.text import words


def standing_picture(*, title: str, about: str, file: str, lines: Sequence[tuple[int, str, str]]) -> None:
    """Draw the button.

    `lines` are rank, name and points of each player; `about` is the line below the title.
    """
    data = {"title": title, "about": about, "file": file, "lines": lines, "words": {"open": words("export.picture")}}
    draw("standing", "share_sheet", key="standing", data=data, width="content")
