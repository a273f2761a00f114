"""What the page does by itself, whatever it shows."""

from __future__ import annotations

from typing import Final

from tilescore.ui.components.assets import renderer

_SCRIPTS: Final = ("photo_drop", "typed", "count_up", "dialogs")
"""A photo dropped or pasted anywhere goes to the last field for photos; Enter in a field whose value stands books; the
total of a hand that is new in this tab counts up. What was typed reaches the server before another page is opened. The
back button of the browser closes a dialog."""


def behave() -> None:
    """Let the page do so."""
    for name in _SCRIPTS:
        renderer(name)(key=name, data={})
