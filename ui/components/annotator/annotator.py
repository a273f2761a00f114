"""The annotator: a picture, its marks, and every tool to change them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tilescore.ui.components.assets import deck, draw, last_event
from tilescore.ui.words.text import labelled, words
from tilescore.vision.layout.layout import Role

KEY: Final = "annotator"
_TEXTS: Final = (
    *("photo", "previous", "next", "undo", "redo", "copy", "accept_all", "accept", "remove", "duplicate", "finish"),
    *("checked", "help", "saving", "saved", "nothing", "which", "rank", "by_model", "by_file", "by_person"),
    *("by_film", "follow", "by_class", "by_doubt", "roles", "roles_right", "roles_done", "no_hand", "propose"),
    *("turned", "reject", "rejected", "reject_why", "choose_tiles", "chosen"),
    *("shows_open", "shows_hand", "shows_partial", "shows_no_hand"),
)
_KEYS: Final = (
    ("tile", (
        ("m p s z f q", "suit"), ("0–9", "digit"), ("b", "back"), ("Enter", "accept"), ("a", "accept_all"),
        ("x Delete", "remove"), ("d", "duplicate"), ("i", "insert"), ("⇧ ←↑→↓", "move"), ("Ctrl ←↑→↓", "grow"),
        ("Ctrl ⇧ ←↑→↓", "grow_other"),
    )),
    ("around", (
        ("Tab n", "next_doubt"), ("N", "previous_doubt"), ("← ↑ → ↓", "neighbour"), ("Space", "finish"),
        ("u", "unchecked"), ("U", "doubtful"), (", .", "turn"), ("Home End", "ends"), ("c", "check"),
        ("⇧R", "reject"), ("v", "copy"), ("⇧F", "follow"),
    )),
    ("view", (
        ("+ -", "zoom"), ("0", "fit"), ("e", "close"), ("h j k l", "pan"), ("g", "only"), ("[", "most"), ("t", "order"),
        ("w", "choose"), ("r", "roles"), ("Ctrl Z", "undo"), ("Ctrl Y", "redo"), ("Esc", "escape"), ("⇧Tab", "leave"),
        ("?", "help"),
    )),
    ("roles", (
        ("Space ⇧ ←↑→↓", "choose_tiles"), ("a", "choose_all"), ("h w m k", "give"), ("f i o", "give_other"),
        ("t", "turned"), ("n", "no_hand"), ("p", "propose"), ("Enter", "roles_right"),
    )),
)  # fmt: skip
"""The help by groups: each row has the keys and what they do."""


def annotator(data: Mapping[str, Any], *, on_edit: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw the annotator; `on_edit` gets each event before the page is drawn again."""
    everything = {**deck(), **data, "ack": last_event(KEY), "words": _texts(), "keys": _help()}
    parts = ("annotator_stage", "annotator_panels", "annotator_roles")
    draw("annotator", *parts, key=KEY, data=everything, edit=on_edit)


def _texts() -> dict[str, str]:
    shared = {name: words(f"canvas.{name}") for name in ("close", "guesses", "part", "remove")}
    shared["concealed_kong"] = words("canvas.hidden_kong")
    shared["rejected_why"] = labelled(words("annotate.rejected"), "{why}")
    shared |= {str(role): words(f"role.{role}") for role in Role}
    return shared | {name: words(f"annotate.{name}") for name in _TEXTS}


def _help() -> list[list[Any]]:
    return [
        [words(f"annotate.keys.{group}"), [[keys, words(f"annotate.key.{name}")] for keys, name in rows]]
        for group, rows in _KEYS
    ]
