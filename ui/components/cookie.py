"""A value that the browser remembers and gives back with its next visit."""

from __future__ import annotations

from tilescore.ui.components.assets import renderer


def remember(name: str, value: str) -> None:
    """Let the browser keep that value for a year; no page of another site can make it send the value."""
    renderer("cookie")(key=f"cookie.{name}", data={"name": name, "value": value})
