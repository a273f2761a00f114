"""What Streamlit remembers of one visitor's table: the open game, the deal being entered, and what is to be said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.ui.state import circumstances, session
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.photo_reading import read_photo
from tilescore.ui.storage.ledger_store import LedgerStore, Saved, StoreError
from tilescore.ui.words.text import explained, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tilescore.scoring.game.ledger import Game
    from tilescore.scoring.game.progression import Player, Position
    from tilescore.ui.state.work import Work

_KEPT: Final = "table"
_ADDRESS: Final = "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """One visitor's table.

    Attributes:
        saved: the open game; None shows the list of games.
        draft: the deal being entered.
        correcting: number of the booked deal that it corrects; None for the next one.
        drafts: counts the deals begun, so that no field takes up again what was said about the one before.
        revision: counts them and the hands taken over, so that no text field keeps the hand before.
        beginning: whether a new game is being set up.
        notice, trouble: said once, as news or as something that went wrong.
        hidden: the game that was taken out of the list last.
        pictures: photos of hands taken over, by notation.
        reveal: what to scroll to, `table` or `deal`, and a count that makes it new.
    """

    saved: Saved | None = None
    draft: Draft = field(default_factory=Draft)
    correcting: int | None = None
    drafts: int = 0
    revision: int = 0
    beginning: bool = False
    notice: str | None = None
    trouble: str | None = None
    hidden: str | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    reveal: str = ""

    def revealed(self, place: str) -> str:
        """The word that scrolls to that place, if it is the one to be shown."""
        return self.reveal if self.reveal.startswith(place) else ""


def state() -> TableState:
    """What is remembered."""
    kept: TableState = st.session_state.setdefault(_KEPT, TableState())
    return kept


def keep(**changes: Any) -> TableState:
    """Remember this instead."""
    changed = replace(state(), **changes)
    st.session_state[_KEPT] = changed
    return changed


def edit(**fields: Any) -> None:
    """Say more about the deal being entered."""
    now = state()
    if now.saved is not None:
        keep(draft=replace(now.draft, **fields).tidied(position(now.saved.game)))


def field_key(name: str) -> str:
    """Key of a field of the deal being entered: new ones for every deal, as `session.notation_key` for every hand."""
    return f"deal.{name}.{state().drafts}"


def for_this_deal(changed: Callable[[], None]) -> Callable[[], None]:
    """What a field calls when it changes; nothing once its deal is booked or given up.

    A browser that still shows a field when the next tap comes sends its value along, and Streamlit, which has dropped
    the value, takes that for a change and calls whoever drew the field last.
    """
    drawn = state().drafts

    def unless_over() -> None:
        if state().drafts == drawn:
            changed()

    return unless_over


def position(game: Game) -> Position:
    """Where the game stood before the deal that is being entered."""
    number = state().correcting
    return game.position if number is None else game.entries[number - 1].position


def store() -> LedgerStore:
    """Where the games are."""
    return LedgerStore()


def open_game(name: str) -> None:
    """Put a game on the table, or say why that cannot be."""
    try:
        saved = store().load(name)
    except InputError as error:
        leave()
        keep(trouble=explained(error))
        return
    begin_with(saved)


def begin_with(saved: Saved) -> None:
    """Put this game on the table."""
    keep(saved=saved, beginning=False, hidden=None)
    fresh_draft()
    st.query_params[_ADDRESS] = saved.id


def leave() -> None:
    """Back to the list of games."""
    keep(saved=None, beginning=False)
    fresh_draft()
    st.query_params.pop(_ADDRESS, None)


def fresh_draft() -> None:
    """Forget what was entered."""
    now = state()
    keep(draft=Draft(), correcting=None, drafts=now.drafts + 1, revision=now.revision + 1)


def arrive() -> None:
    """At the start of every drawing: the game named in the address, and what other windows did to it."""
    named = st.query_params.get(_ADDRESS)
    saved = state().saved
    if saved is None:
        if named:
            open_game(named)
        return
    st.query_params[_ADDRESS] = saved.id
    try:
        if store().version(saved.id) != saved.version:
            _reload(saved, words("store.reloaded"))
    except InputError as error:
        keep(trouble=explained(error))


def save(game: Game, *, kind: str, notice: str | None = None) -> bool:
    """Keep what became of the open game; says whether that was possible, and tells the visitor if not."""
    now = state()
    if now.saved is None:
        return False
    try:
        keep(saved=store().save(now.saved, game, kind=kind), notice=notice)
    except StoreError as error:
        if error.code == "game_changed":
            _reload(now.saved, explained(error))
        else:
            keep(trouble=explained(error))
        return False
    return True


def _reload(saved: Saved, message: str) -> None:
    """The game as it is on the disk; the deal being entered stays, a correction only if its deal is still there."""
    fresh = store().load(saved.id)
    number = state().correcting
    gone = number is not None and fresh.game.records[number - 1 : number] != saved.game.records[number - 1 : number]
    keep(saved=fresh, trouble=message)
    if gone:
        fresh_draft()


def correct(number: int) -> None:
    """Enter a booked deal once more."""
    saved = state().saved
    if saved is not None and number <= len(saved.game.records):
        fresh_draft()
        keep(draft=Draft.of(saved.game.records[number - 1]), correcting=number, reveal=f"deal {state().revision}")


def book() -> None:
    """Book the deal as it stands, or put it in the place of the one it corrects."""
    now = state()
    if now.saved is None:
        return
    try:
        game = now.draft.played(now.saved.game, now.correcting)
    except InputError as error:
        keep(trouble=explained(error))
        return
    if now.correcting is None:
        done = save(game, kind="deal", notice=words("deal.booked", n=len(game.records)))
    else:
        done = save(game, kind="correct", notice=words("deal.corrected", n=now.correcting))
    if done:
        _attach(now.draft)
        fresh_draft()
        keep(reveal=f"table {state().revision}")


def _attach(draft: Draft) -> None:
    """Keep the photos of the hands that were booked; without one the deal is booked all the same."""
    now = state()
    for text in draft.hands.values():
        jpeg = now.pictures.get(text)
        if jpeg is not None and now.saved is not None:
            try:
                store().attach(now.saved.id, str(Hand.parse(text)), jpeg)
            except StoreError as error:
                keep(trouble=explained(error))


def take_hand(player: Player) -> None:
    """Take over the hand of the Hand page; for a winner its circumstances too."""
    work, context = session.history().now, circumstances.known()
    fields: dict[str, Any] = {}
    if player in state().draft.winners:
        fields["occasions"] = {**state().draft.occasions, player: context.occasions}
        fields |= {"dora": context.dora_indicators, "ura": context.ura_dora_indicators}
    _put_hand(player, work, **fields)


def read_hand(player: Player, data: bytes, name: str) -> None:
    """Take the hand in a photo; what is wrong with it is said, and what was there stays."""
    try:
        work = read_photo(data, name)
    except InputError as error:
        keep(trouble=explained(error))
    else:
        _put_hand(player, work)


def _put_hand(player: Player, work: Work, **fields: Any) -> None:
    """That hand with its photo; one that did not win has no winning tile, wherever its tiles lay."""
    now, text = state(), work.notation
    if player not in now.draft.winners:
        try:
            text = str(replace(work.hand, winning_tile=None))
        except ValueError:
            text = work.notation  # the page says what is wrong with it
    picture = {} if work.picture is None else {text: work.picture.jpeg}
    keep(revision=now.revision + 1, pictures={**now.pictures, **picture})
    edit(hands={**now.draft.hands, player: text}, **fields)


def has_hand() -> bool:
    """Whether the Hand page shows a hand worth taking over."""
    return len(session.history().now.order) >= 13
