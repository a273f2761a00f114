"""The deal that a visitor has begun to enter at a table: a reload brings it back with the photos of its hands."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

import streamlit as st

from tilescore.scoring.context import Occasion
from tilescore.scoring.game.record import Record
from tilescore.scoring.payments import exact
from tilescore.scoring.progression import PLAYERS, Player
from tilescore.scoring.tiles import format_tiles, parse_tiles
from tilescore.scoring.traits import KnownValue
from tilescore.ui.state import session, table_game, table_state
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.written import is_of
from tilescore.ui.state.kept.guest_memory import of_guests
from tilescore.ui.state.kept.visitor import visitor
from tilescore.ui.state.table_state import TableState, Waiting
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.storage.draft_store import DraftStore
from tilescore.ui.storage.ledger_store import Saved
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import telling, words

_LOGGER: Final = logging.getLogger(__name__)
_KEPT: Final = "table_draft.kept"
"""Key of the game whose draft was brought back, its version, and the draft that is kept."""
_WAITS: Final = "waiting "
"""What stands before the player of a photo of the entry that waits."""


@undisturbed()
def restore() -> None:
    """Bring back the draft of the open game, once for each time that it is opened."""
    now = table_state.state()
    if now.saved is None or not visitor():
        st.session_state.pop(_KEPT, None)
        return
    kept = st.session_state.get(_KEPT)
    if kept is not None and kept[0] == now.saved.id:
        return
    st.session_state[_KEPT] = _kept(now.saved, now)
    try:
        place = (now.saved.id, visitor())
        written = of_guests(_KEPT).get(place) if is_guest() else DraftStore().get(*place)
        if written is not None:
            _restore(*written)
            left = table_state.state()
            if left.correcting is None and left.waiting is not None and left.draft.is_empty:
                table_state.fresh_draft()  # the correction is saved, or its deal gone
    except (ArithmeticError, LookupError, TypeError, ValueError):  # written by another version: begin afresh
        _LOGGER.exception("the draft of the deal cannot be read")


def _restore(state: Mapping[str, Any], photos: Mapping[str, bytes]) -> None:
    saved = table_state.state().saved
    if saved is None:
        return
    draft = from_json(state["draft"])
    if state.get("waiting") is not None:  # earlier versions wrote none
        _restore_waiting(state["waiting"], state, photos)
    if not draft.fits(saved.game.position.players):
        return
    was, number = state["correcting"], None
    if was is not None:
        corrected = Record.from_json(state["corrected"])
        same = [place for place, record in enumerate(saved.game.records, 1) if record == corrected]
        number = min(same, key=lambda place: abs(place - was), default=None)
        if number is None and draft == Draft.of(corrected):
            return  # the deal is gone or another one, and nothing was corrected
    meant = state.get("meant") or len(saved.game.records) + 1  # earlier versions did not write it
    if state["version"] != saved.version:
        if number is None and table_game.is_booked(draft, meant, saved.game):  # the page was left while it was drawn
            st.session_state[_KEPT] = (saved.id, state["version"], draft, number, meant, None)  # `keep` forgets it
            return
        table_state.keep(notice=words("store.reloaded"))
    on_photo, shown = _seen(draft, state, photos)
    pictures = {**table_state.state().pictures, **shown}
    table_state.keep(draft=draft, correcting=number, on_photo=on_photo, pictures=pictures)
    table_state.begun_for(meant)
    now = table_state.state()
    st.session_state[_KEPT] = (saved.id, state["version"], draft, number, now.meant, now.waiting)


def _restore_waiting(waiting: Mapping[str, Any], state: Mapping[str, Any], photos: Mapping[str, bytes]) -> None:
    """Bring back the entry that waits."""
    draft = from_json(waiting["draft"])
    on_photo, pictures = _seen(draft, state, photos, waits=_WAITS)
    table_state.keep(waiting=Waiting(draft=draft, on_photo=on_photo, meant=waiting["meant"]), pictures=pictures)


def _seen(
    draft: Draft, state: Mapping[str, Any], photos: Mapping[str, bytes], *, waits: str = ""
) -> tuple[dict[Player, History], dict[str, bytes]]:
    """The hands of the draft that photos show, by player, and these photos by notation.

    A photo of another hand is left out.
    """
    places = {player: f"{waits}{player}" for player in PLAYERS if f"{waits}{player}" in photos}
    works = {player: stored.from_json(state["works"][place], photos[place]) for player, place in places.items()}
    own = {player: work for player, work in works.items() if is_of(work, draft.hands.get(player, ""))}
    pictures = {draft.hands[player]: work.picture.jpeg for player, work in own.items() if work.picture is not None}
    return {player: History(work) for player, work in own.items()}, pictures


@undisturbed()
def keep() -> None:
    """Write the draft down if it changed since the last time."""
    now = table_state.state()
    if now.saved is None or not visitor() or st.session_state.get(_KEPT) == _kept(now.saved, now):
        return
    place = (now.saved.id, visitor())
    waiting = now.waiting
    works = {str(player): history.now for player, history in now.on_photo.items()}
    if waiting is not None:
        works |= {f"{_WAITS}{player}": history.now for player, history in waiting.on_photo.items()}
    photos = {player: work.picture.jpeg for player, work in works.items() if work.picture is not None}
    number = now.correcting
    corrected = None if number is None else now.saved.game.records[number - 1].to_json()
    state = {
        "draft": to_json(now.draft), "correcting": number, "corrected": corrected, "version": now.saved.version,
        "meant": now.meant or number or len(now.saved.game.records) + 1,
        "works": {player: stored.to_json(works[player]) for player in photos},
        "waiting": None if waiting is None else {"draft": to_json(waiting.draft), "meant": waiting.meant},
    }  # fmt: skip
    with telling(session.notify):
        if is_guest():
            of_guests(_KEPT).put(place, None if _is_empty(now) else (state, photos))
        elif _is_empty(now):
            DraftStore().drop(*place)
        else:
            DraftStore().put(*place, state, photos)
    st.session_state[_KEPT] = _kept(now.saved, now)


def _kept(saved: Saved, now: TableState) -> tuple[str, int, Draft, int | None, int | None, Waiting | None]:
    """What `keep` compares: the drafts with their deals, the game and, unless the draft is empty, its version."""
    return saved.id, 0 if _is_empty(now) else saved.version, now.draft, now.correcting, now.meant, now.waiting


def _is_empty(now: TableState) -> bool:
    return now.draft.is_empty and now.correcting is None


def _player(name: str | None) -> Player | None:
    return None if name is None else Player(name)


def _players(names: list[str]) -> tuple[Player, ...]:
    return tuple(map(Player, names))


def _points(numbers: list[float]) -> tuple[float, float, float, float]:
    a, b, c, d = (exact(float(number)) for number in numbers)
    return a, b, c, d


def _by_player(read: Callable[[Any], Any]) -> Callable[[Mapping[str, Any]], dict[Player, Any]]:
    return lambda data: {Player(player): read(value) for player, value in data.items()}


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("ending", "draw", "foul", "under"), str),
    "by_value": bool,
    "pays_for_all": lambda value: value,
    **dict.fromkeys(("discarder", "foul_by"), _player),
    **dict.fromkeys(("winners", "riichi", "ready", "nagashi"), _players),
    **dict.fromkeys(("dora", "ura"), parse_tiles),
    "hands": _by_player(str),
    "liable": _by_player(Player),
    "occasions": _by_player(Occasion.of),
    "agreed": _points,
    "values": _by_player(lambda value: KnownValue(**dict(zip(("points", "han", "fu"), value, strict=True)))),
}
"""How each field of a draft is read from JSON."""


def to_json(draft: Draft) -> dict[str, Any]:
    """The JSON object of a draft; `from_json` is the inverse."""
    return {field.name: getattr(draft, field.name) for field in fields(draft)} | {
        "occasions": {player: list(flags.names) for player, flags in draft.occasions.items()},
        "dora": format_tiles(draft.dora),
        "ura": format_tiles(draft.ura),
        "values": {player: [value.points, value.han, value.fu] for player, value in draft.values.items()},
    }


def from_json(data: Mapping[str, Any]) -> Draft:
    """The draft of a JSON object; raises KeyError, TypeError or ValueError if malformed."""
    liable = data["liable"]
    if not isinstance(liable, dict):  # earlier versions wrote who pays for the hand of the first winner
        data = {**data, "liable": {winner: liable for winner in data["winners"][:1] if liable}}
    data = {"under": "", **data}  # earlier versions wrote none
    return Draft(**{name: read(data[name]) for name, read in _READ.items()})
