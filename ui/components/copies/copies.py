"""The link that gives a copy of everything, and the field that takes one: files of any size, past the page's memory."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from tilescore.ui.components.assets import draw
from tilescore.ui.words.text import words

PATH: Final = "/copies"
"""Where the server gives and takes copies; the parameter `KEY` says for whom."""
KEY: Final = "key"


def copies(*, key: str, on_done: Callable[[], None]) -> None:
    """Draw link and field.

    `key` tells the server for whom (`tilescore.ui.state.exchange`); `on_done` follows when it has taken a file, or
    refused it.
    """
    data = {
        "address": f"{PATH[1:]}?{KEY}={key}",
        "file": f"tilescore-{datetime.now().astimezone():%Y-%m-%d}.json",
        "words": {name: words(f"copies.{name}") for name in ("export", "import", "sending", "taking", "failed")},
    }
    draw("copies", key="copies", data=data, done=lambda _: on_done())
