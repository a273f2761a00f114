"""The photo with its boxes, the hand as a strip of tiles, and the tools to edit both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tilescore.ui.components.assets import deck, fresh_event, last_event, media_url, renderer
from tilescore.ui.words.doubts import about_tile
from tilescore.ui.words.text import words
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tilescore.ui.state.hand.history import History
    from tilescore.ui.state.hand.work import Work

_KEY: Final = "tile_canvas"
_TEXTS: Final = (
    *("add", "cancel", "undo", "redo", "zoom_in", "zoom_out", "remove", "close", "part", "guesses", "tools", "hand"),
    *("photo", "how_add", "how_win", "how_choose", "hidden_kong", "open_kong"),
)


def tile_canvas(history: History, *, lit: Iterable[int], hint: str | None, on_edit: Callable[[Any], None]) -> None:
    """Draw the canvas; `on_edit` gets each event before the page is drawn again.

    Args:
        history: the hand with its undo and redo.
        lit: tiles to light up, by `at`.
        hint: one sentence below the photo; None for none.
        on_edit: what takes an event of `tilescore.ui.state.hand.edits`.
    """
    work = history.now

    def edited() -> None:
        event = fresh_event(_KEY, "edit")
        if event:
            on_edit(event)

    data = {
        **deck(),
        "photo": _photo(work),
        "tiles": [_tile(work, at) for at in _places(work)],
        "groups": [
            {"role": group.role, "members": group.members, "turned": group.turned, "hidden": group.hidden}
            for group in work.groups
        ],
        "lit": sorted(lit),
        "hint": hint,
        "can": {"undo": bool(history.past), "redo": bool(history.future)},
        "ack": last_event(_KEY),
        "words": _texts(work),
    }
    renderer("tile_canvas", "tile_drag")(key=_KEY, data=data, on_edit_change=edited)


def _texts(work: Work) -> dict[str, str]:
    doubts = 0 if work.reading is None else len({d.detection for d in work.reading.doubts} - {None})
    tools = {name: words(f"canvas.{name}") for name in _TEXTS}
    tools |= {"check": words("canvas.check", n=doubts), "count": words("canvas.count", n=len(work.order))}
    return tools | {str(role): words(f"role.{role}") for role in Role}


def _photo(work: Work) -> dict[str, Any] | None:
    if work.picture is None or work.reading is None:
        return None
    width, height = work.picture.size_wh
    return {"url": media_url(work.picture.jpeg, "image/jpeg", "photo"), "w": width, "h": height}


def _places(work: Work) -> range:
    return range(len(work.typed_tiles) if work.reading is None else len(work.reading.detections))


def _tile(work: Work, at: int) -> dict[str, Any]:
    """One tile as the canvas draws it; percentages are whole numbers."""
    group = next((group for group in work.groups if at in group.members), None)
    kong = group is not None and group.role is Role.MELD and len(group.members) == 4
    tile: dict[str, Any] = {
        "at": at,
        "tile": str(work.tile(at)),
        "role": work.role(at),
        "box": None,
        "guesses": [],
        "doubt": None,
        "sets": work.sets_with(at),
        "kong": kong,
        "hidden": kong and group is not None and group.hidden,
    }
    if work.reading is not None:
        detection = work.reading.detections[at]
        tile["box"] = [round(corner, 1) for corner in detection.box.xyxy]
        tile["guesses"] = [[str(guess.tile), round(100 * guess.probability)] for guess in detection.names]
        tile["doubt"] = next((about_tile(d, detection.tile) for d in work.reading.doubts if d.detection == at), None)
    return tile
