"""The Enter key as the button that books: where a value stands in its field already, Enter books the deal."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def enter_books() -> None:
    """Let Enter in a field for a number or a text press the button in the container `ts_book`."""
    renderer("enter_books")(key="enter_books", data={})
