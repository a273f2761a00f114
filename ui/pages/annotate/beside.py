"""The pictures beside the open one, and the menus that choose which ones these are."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from tilescore.datasets.annotation.listing import ListFilter
from tilescore.datasets.labels import CLASS_NAMES, UNKNOWN
from tilescore.errors import InputError
from tilescore.ui.components.assets import media_url
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.pages.annotate.names import mark_name, sorted_names
from tilescore.ui.words.text import words

STATES: Final = ("all", "unchecked", "doubtful", "checked", "rejected", "unjudged")
_AROUND: Final = 6


def loaded_early(desk: Desk, key: str, choice: ListFilter) -> list[str]:
    """The address of the next picture, for the browser to load it early; none if it cannot be opened."""
    beside = desk.index.beside(key, choice, 1)
    return [url for entry in beside if (url := url_of(partial(desk.picture, desk.index.file(entry.key)), "ahead"))]


def strip(desk: Desk, key: str, choice: ListFilter) -> list[dict[str, Any]]:
    """The neighbours in the order of the choice that can be opened, with this picture in the middle."""
    here = desk.index.entry(key)
    before = desk.index.beside(key, choice, -_AROUND)[::-1]
    entries = [*before, *([] if here is None else [here]), *desk.index.beside(key, choice, _AROUND)]
    return [
        {
            "key": entry.key, "url": url, "checked": entry.checked, "doubtful": entry.doubtful,
            "rejected": bool(entry.rejected),
        }
        for slot, entry in enumerate(entries)
        if (url := url_of(partial(desk.thumbnail, entry.key), f"film.{slot}"))
    ]  # fmt: skip


def url_of(jpeg: Callable[[], bytes], place: str) -> str:
    """The address of a JPEG for that place of the page; empty for one that cannot be made."""
    try:
        return media_url(jpeg(), "image/jpeg", f"annotate.{place}")
    except (InputError, OSError):
        return ""


def choosers(desk: Desk, choice: ListFilter) -> list[dict[str, Any]]:
    """The menus: which pictures, with which class, in which order."""
    counts = dict(desk.index.names())
    if choice.name in CLASS_NAMES or choice.name.startswith(UNKNOWN):
        counts.setdefault(choice.name, 0)  # another person may have renamed its last tile
    names = sorted_names(counts)
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
