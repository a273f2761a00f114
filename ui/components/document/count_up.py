"""The moment of a score: its total counts up, once for each hand."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def count_up() -> None:
    """Let the total in the card `score` count up when its `data-of` names a hand that this tab has not shown before."""
    renderer("count_up")(key="count_up", data={})
