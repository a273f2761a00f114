"""Events of the tile canvas turned into edits; every value from the browser is checked here first."""

import math
from collections.abc import Mapping
from typing import Any

from tilescore.errors import InputError
from tilescore.scoring.tiles import Tile
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Work
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role


def applied(history: History, event: object) -> History:
    """The history after an event such as `{"do": "tile", "at": 3, "tile": "5m"}`; raises InputError."""
    if not isinstance(event, dict):
        raise _unknown(event)
    if event.get("do") == "undo":
        return history.undone()
    if event.get("do") == "redo":
        return history.redone()
    return history.then(_edited(history.now, event))


def _edited(work: Work, event: Mapping[str, Any]) -> Work:
    given = event.get("members")
    of_several = isinstance(given, list) and all(isinstance(member, int) for member in given)
    members: tuple[int, ...] = tuple(dict.fromkeys(given or ())) if of_several else ()
    match event:
        case {"do": "add", "tile": str(face)}:
            corners, role = event.get("box"), event.get("role")
            box = None if corners is None else box_of(work, corners)
            edited = work.with_added(Tile.parse(face), box, Role(role) if role in tuple(Role) else None)
        case {"do": "tile", "at": int(at), "tile": str(face)}:
            edited = work.with_tile(at, Tile.parse(face))
        case {"do": "role", "at": int(at), "role": str(role)} if role in tuple(Role):
            edited = work.with_role(at, Role(role))
        case {"do": "kong", "at": int(at), "concealed": bool(concealed)}:
            edited = work.with_kong(at, concealed=concealed)
        case {"do": "remove", "at": int(at)}:
            edited = work.without(at)
        case {"do": "move", "at": int(at), "before": int() | None as before}:
            edited = work.with_moved(at, before)
        case {"do": "meld"} if members:
            edited = work.with_meld(members)
        case {"do": "hand"} if members:
            edited = work.with_hand(members)
        case {"do": "roles", "role": str(role)} if members and role in tuple(Role):
            edited = work.with_roles(members, Role(role))
        case _:
            raise _unknown(event)
    return edited


def box_of(work: Work, corners: object) -> Box:
    """The box of two corners in any order, clipped to the photo; raises InputError."""
    corners = corners if isinstance(corners, list) else [corners]
    numbers = [corner for corner in corners if isinstance(corner, int | float) and math.isfinite(corner)]
    if len(numbers) != 4 or len(corners) != 4 or work.picture is None:
        raise InputError("bad_box", f"{corners!r} is no box on the photo: draw it again.")
    width, height = work.picture.size_wh
    x0, x1 = sorted(min(max(x, 0.0), width) for x in numbers[::2])
    y0, y1 = sorted(min(max(y, 0.0), height) for y in numbers[1::2])
    if x1 - x0 < 2 or y1 - y0 < 2:
        raise InputError("bad_box", "the box is too small: draw it around the whole tile.")
    return Box(x0, y0, x1, y1)


def _unknown(event: object) -> InputError:
    return InputError("unknown_event", f"{event!r:.80} is nothing that can be done to a hand: reload the page.")
