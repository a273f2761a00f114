"""The pictures beside the open one, and the menus that choose which ones these are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.errors import InputError
from tilescore.ui.components.assets import media_url
from tilescore.ui.pages.annotate.names import mark_name, sorted_names
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from tilescore.datasets.annotation.listing import ListFilter, PictureEntry
    from tilescore.ui.pages.annotate.desk import Desk

STATES: Final = ("all", "unchecked", "doubtful", "checked", "rejected", "unjudged")
_AROUND: Final = 6


def loaded_early(desk: Desk, key: str, choice: ListFilter) -> list[str]:
    """The address of the next picture, for the browser to load it early; none if it cannot be opened."""
    try:
        return [
            media_url(*desk.picture(desk.index.file(entry.key)), "annotate.ahead")
            for entry in desk.index.beside(key, choice, 1)
        ]
    except InputError:
        return []


def strip(desk: Desk, key: str, choice: ListFilter) -> list[dict[str, Any]]:
    """The neighbours in the order of the choice, with this picture in the middle."""
    here = desk.index.entry(key)
    before = desk.index.beside(key, choice, -_AROUND)[::-1]
    entries = [*before, *([] if here is None else [here]), *desk.index.beside(key, choice, _AROUND)]
    cells = (_cell(desk, entry, slot) for slot, entry in enumerate(entries))
    return [cell for cell in cells if cell is not None]


def _cell(desk: Desk, entry: PictureEntry, slot: int) -> dict[str, Any] | None:
    """A picture of the film; None for one that cannot be opened."""
    try:
        url = media_url(desk.thumbnail(entry.key), "image/jpeg", f"annotate.film.{slot}")
    except (InputError, OSError):
        return None
    return {
        "key": entry.key, "url": url, "checked": entry.checked, "doubtful": entry.doubtful,
        "rejected": bool(entry.rejected),
    }  # fmt: skip


def choosers(desk: Desk, choice: ListFilter) -> list[dict[str, Any]]:
    """The menus: which pictures, with which class, in which order."""
    names = sorted_names(dict(desk.index.names()))
    return [
        {
            "label": words("annotate.which_pictures"), "value": choice.state,
            "options": [[state, words(f"annotate.state.{state}")] for state in STATES],
        },
        {
            "label": words("annotate.with_class"), "value": choice.name,
            "options": [["", words("annotate.any_class")], *([name, mark_name(name)] for name, _ in names)],
        },
        {
            "label": words("annotate.in_order"), "value": "doubt" if choice.by_doubt else "name",
            "options": [[order, words(f"annotate.order.{order}")] for order in ("name", "doubt")],
        },
    ]  # fmt: skip
