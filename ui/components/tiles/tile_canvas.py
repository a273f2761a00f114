"""The photo with its boxes, the hand as a strip of tiles, and the tools to edit both."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from tilescore.scoring.ruleset import Ruleset
from tilescore.ui.components.assets import deck, draw, last_event, media_url
from tilescore.ui.services.photo_reading import answer, last_look
from tilescore.ui.state import session
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.offers import Offer, offers_for, rows_of
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.doubts import about_tile, hint
from tilescore.ui.words.text import part_name, telling, words
from tilescore.vision.detections import Candidate
from tilescore.vision.layout.layout import Role

_PARTS: Final = ("tile_drag", "tile_select", "tile_views", "tile_lines", "tile_peek")
_MOST_COUNTED: Final = 60
"""Counts of tiles that are put into words before somebody selects them."""
_ANY_HAND: Final = ("undo", "redo")
"""Events that may change to another hand; all others are dropped if the hand that they were meant for has gone."""
_TEXTS: Final = (
    *("add", "cancel", "undo", "redo", "zoom_in", "zoom_out", "remove", "close", "part", "guesses", "tools", "hand"),
    *("photo", "how_add", "how_win", "how_choose", "hidden_kong", "open_kong", "select", "how_select", "my_hand"),
    *("not_mine", "flowers", "zoom_seen", "unseen"),
)


def tile_canvas(
    history: History,
    *,
    rules: Ruleset,
    on_edit: Callable[[Any], None],
    lit: Iterable[int] = (),
    whole: int = 0,
    key: str = "tile_canvas",
) -> None:
    """Draw the canvas; `on_edit` gets each event before the page is drawn again.

    An event is one of `tilescore.ui.state.hand.edits`. Tiles to light up are given by `at`; `whole` is the number of
    tiles that the hand should have, if it is not that of the rules.
    """
    work, looked = history.now, last_look()
    photo = _photo(work, key)
    hand = work.id or (photo["url"] if photo else "")

    def edited(event: dict[str, Any]) -> None:
        if event.get("do") not in _ANY_HAND and event.get("hand", hand) != hand:
            return
        if event.get("do") == "look":
            with telling(session.notify):
                answer(work, event.get("box"))
        else:
            on_edit(event)

    data = {
        **deck(),
        "of": hand,
        "photo": photo,
        "tiles": [_tile(work, at, rules) for at in range(len(work.reading.detections))],
        "groups": _groups(work),
        "lit": sorted(lit),
        "hint": hint(work.reading, work.size, whole or rules.traits.size),
        "rows": rows_of(work.reading),
        "offers": [_offer(offer) for offer in offers_for(work, whole=rules.traits.size)],
        "indicators": rules.has_indicators,
        "looked": None if looked is None else {"box": looked.corners, "guesses": _guesses(looked.names)},
        "can": {"undo": bool(history.past), "redo": bool(history.future)},
        "ack": last_event(key),
        "words": _texts(work, rules),
    }
    draw("tile_canvas", *_PARTS, key=key, data=data, edit=edited)


def _texts(work: Work, rules: Ruleset) -> dict[str, str | list[str]]:
    doubts = len({d.detection for d in work.reading.doubts} - {None})
    tools: dict[str, str | list[str]] = {name: words(f"canvas.{name}") for name in _TEXTS}
    tools |= {"check": words("canvas.check", n=doubts), "count": words("canvas.count", n=len(work.order))}
    for name in ("selected", "row_is_hand"):
        tools[name] = [words(f"canvas.{name}", n=n) for n in range(_MOST_COUNTED)]
    return tools | {str(role): part_name(role, rules) for role in Role}


def _groups(work: Work) -> list[dict[str, Any]]:
    return [
        {"role": group.role, "members": group.members, "turned": group.turned, "hidden": group.hidden}
        for group in work.groups
    ]


def _offer(offer: Offer) -> dict[str, Any]:
    label = words(f"offer.{offer.key}", **offer.params)
    return {"label": label, "event": offer.event, "outlines": offer.outlines, "number": offer.params.get("number")}


def _guesses(names: Iterable[Candidate]) -> list[tuple[str, int]]:
    return [(str(guess.tile), round(100 * guess.probability)) for guess in names]


def _photo(work: Work, key: str) -> dict[str, Any] | None:
    if work.picture is None:
        return None
    width, height = work.picture.size_wh
    return {"url": media_url(work.picture.jpeg, "image/jpeg", f"photo.{key}"), "w": width, "h": height}


def _tile(work: Work, at: int, rules: Ruleset) -> dict[str, Any]:
    """One tile as the canvas draws it; percentages are whole numbers."""
    group = next((group for group in work.groups if at in group.members), None)
    role = work.role(at)
    if role in (Role.DORA_INDICATOR, Role.URA_INDICATOR) and not rules.has_indicators:
        role = Role.OTHER
    kong = group is not None and group.role is Role.MELD and len(group.members) == 4
    box = work.box(at)
    return {
        "at": at,
        "tile": str(work.tile(at)),
        "role": role,
        "box": None if box is None else [round(corner, 1) for corner in box.xyxy],
        "guesses": _guesses(work.reading.detections[at].names) if work.on_photo else [],
        "doubt": next((about_tile(d, work.tile(at)) for d in work.reading.doubts if d.detection == at), None),
        "sets": work.sets_with(at),
        "aside": work.tile(at) in rules.traits.aside,
        "kong": kong,
        "hidden": kong and group is not None and group.hidden,
    }
