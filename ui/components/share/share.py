"""The dialog that shares a hand: as a picture with its score, as text, as a link that opens it again."""

from typing import Any, Final

from tilescore.scoring.ruleset import Ruleset, ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.components.assets import deck, draw, media_url
from tilescore.ui.components.lines.score_lines import worth
from tilescore.ui.components.score.result import parts_of
from tilescore.ui.components.share.link import Shared
from tilescore.ui.state.hand.work import TileGroup, Work
from tilescore.ui.words.text import grouped, native_name, part_name, total_unit, words
from tilescore.vision.layout.layout import Role

_TEXTS: Final = ("picture", "save", "send", "text", "link", "copy", "copied", "here", "lan")
_MOST_LINES: Final = 13


def share(work: Work, result: Score | NotAWin, shared: Shared) -> None:
    """Draw the dialog; the browser composes the picture."""
    more, rules = max(0, len(result.lines) - _MOST_LINES), ruleset(shared.ruleset, shared.options)
    data = {
        **deck(),
        "photo": _photo(work),
        "tiles": [_tile(work, at) for at in work.order],
        "groups": [_group(work, group, rules) for group in work.groups],
        "score": _total(result, shared.ruleset),
        "lines": [
            {"name": words(line.key), "native": native_name(line.key)[0], "value": worth(line, result)}
            for line in result.lines
        ],
        "text": str(shared.hand),
        "query": shared.query,
        "words": {name: words(f"share.{name}") for name in _TEXTS} | {"more": words("share.more", n=more)},
    }
    draw("share", "share_sheet", key="share", data=data)


def _photo(work: Work) -> dict[str, Any] | None:
    if work.picture is None or not work.on_photo:
        return None
    width, height = work.picture.size_wh
    return {"url": media_url(work.picture.jpeg, "image/jpeg", "photo"), "w": width, "h": height}


def _tile(work: Work, at: int) -> dict[str, Any]:
    box = work.box(at)
    return {"tile": str(work.tile(at)), "role": work.role(at), "box": None if box is None else box.xyxy}


def _group(work: Work, group: TileGroup, rules: Ruleset) -> dict[str, Any]:
    caption = "" if group.role is Role.CONCEALED else part_name(group.role, rules)
    caption = words("canvas.hidden_kong") if group.hidden else caption
    return {"role": group.role, "caption": caption, "tiles": [str(work.tile(at)) for at in group.members]}


def _total(result: Score | NotAWin, name: str) -> dict[str, Any]:
    """The large text of the picture, and the small texts beside it."""
    rules = words(f"ruleset.{name}") + (f" · {words('score.house')}" if result.house else "")
    if isinstance(result, NotAWin):
        return {"total": words(f"score.{result.code}"), "unit": "", "notes": [], "rules": rules}
    return {"total": grouped(result.total), "unit": total_unit(result), "notes": parts_of(result), "rules": rules}
