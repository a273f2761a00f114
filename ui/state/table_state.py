"""What Streamlit remembers of one visitor's table: the open game, the draft of a deal, and messages to show."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypedDict

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.hand import Hand
from tilescore.ui.state import fields, session
from tilescore.ui.state.deal_draft import WIN, Draft
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.words.text import explained, telling, words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tilescore.scoring.game.ledger import Game
    from tilescore.scoring.progression import Player, Position
    from tilescore.ui.state.fields import Field
    from tilescore.ui.state.hand.history import History

_KEPT: Final = "table"
_ADDRESS: Final = "game"
_BY_VALUE: Final = "table.by_value"
"""Key of whether the last win was entered by its value."""
KEEP_PHOTOS: Final = "deal.keep_photos"
"""Key of the choice whether booking keeps the photos of the hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """One visitor's table.

    Attributes:
        saved: the open game; None shows the list of games.
        draft: the deal that the visitor is entering.
        correcting: number of the booked deal that the draft corrects; None for the next deal.
        drafts: count of drafts, which gives the fields of each draft new keys and so no old values.
        revision: count of drafts and of hands taken over, which gives each text field of a hand a new key.
        beginning: whether the visitor is setting up a new game.
        notice, trouble: a message to show once, as news or as a problem.
        hidden: the game that was removed from the list last.
        pictures: photos of hands taken over, by notation.
        on_photo: hands that a photo shows, with their edits, by player.
        reveal: the place to scroll to, `table` or `deal`, and a count that makes it new.
        done: what this visitor's last change did that undo takes back, and the version of the game that it made.
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
    on_photo: Mapping[Player, History] = field(default_factory=dict)
    reveal: str = ""
    done: tuple[str, int] | None = None

    def revealed(self, place: str) -> str:
        """The value of `reveal` if it names that place, else an empty text."""
        return self.reveal if self.reveal.startswith(place) else ""


def state() -> TableState:
    """The state of the visitor's table."""
    return fields.remembered(_KEPT, TableState)


def keep(**changes: Any) -> TableState:
    """Change these fields of the state and return the new state."""
    changed = replace(state(), **changes)
    st.session_state[_KEPT] = changed
    return changed


def show_trouble(sentence: str) -> None:
    """Show this sentence once, as a problem."""
    keep(trouble=sentence)


def edit(**values: Any) -> None:
    """Change these fields of the draft."""
    now = state()
    if now.saved is not None:
        keep(draft=replace(now.draft, **values).tidied(position(now.saved.game)))


def follow(name: str, shown: Any, act: Callable[[Any], None], *, typed: bool = False) -> Field:
    """A field of the draft, as `fields.follow` has it; its presses do nothing once the deal is booked or dropped."""
    drawn = state().drafts

    def unless_over(value: Any, _before: Any) -> None:
        if state().drafts == drawn:
            act(value)

    return fields.follow(f"deal.{name}.{drawn}", shown, unless_over, typed=typed)


class Press(TypedDict):
    """The arguments of a button that changes the open game."""

    key: str
    on_click: Callable[[], None]


def changing(name: str, act: Callable[..., None], *arguments: object) -> Press:
    """The key and the callback of a button that changes the open game: they hold for the version that the page shows.

    Another page may change the game before a press arrives. Once this page is drawn again, no button has the key of the
    press. Streamlit also calls the callback while it interrupts a drawing that has loaded the change: the callback
    then does nothing. So nobody books one deal twice, undoes a deal that the page did not show, or begins two games.
    """
    shown = state().saved

    def unless_changed() -> None:
        saved = state().saved
        if _version(saved) == _version(shown):
            act(*arguments)

    return Press(key=name if shown is None else f"{name}.{shown.version}", on_click=unless_changed)


def _version(saved: Saved | None) -> tuple[str, int] | None:
    return None if saved is None else (saved.id, saved.version)


def position(game: Game) -> Position:
    """The position of the game before the deal of the draft."""
    number = state().correcting
    return game.position if number is None else game.entries[number - 1].position


def store() -> LedgerStore:
    """The file of the games."""
    return LedgerStore()


def open_game(name: str) -> None:
    """Open the game of that name, or show why that is impossible."""
    try:
        saved = store().load(name)
    except InputError as error:
        leave()
        keep(trouble=explained(error))
        return
    begin_with(saved)


def begin_with(saved: Saved) -> None:
    """Open this game."""
    keep(saved=saved, beginning=False, hidden=None)
    session.choose_ruleset(saved.game.ruleset_name)
    fresh_draft()
    st.query_params[_ADDRESS] = saved.id


def rematch(game: Game) -> None:
    """Begin another game of these players by these rules, each one seat further, or show why that is impossible."""
    east, *others = game.players
    with telling(show_trouble):
        begin_with(store().begin(replace(game.emptied(), players=(*others, east))))


def leave() -> None:
    """Close the game and go back to the list of games."""
    keep(saved=None, beginning=False)
    fresh_draft()
    st.query_params.pop(_ADDRESS, None)


def fresh_draft() -> None:
    """Begin an empty draft, which asks for tiles or for a value as this visitor, else the table, did last."""
    now = state()
    records = () if now.saved is None else now.saved.game.records
    last = next((bool(one.values) for one in reversed(records) if one.deal.hands or one.values), False)
    usual = st.session_state.get(_BY_VALUE, last)
    keep(draft=Draft(by_value=usual), correcting=None, drafts=now.drafts + 1, revision=now.revision + 1, on_photo={})


def address() -> dict[str, str]:
    """The part of an address that names the open game; empty without one."""
    saved = state().saved
    return {} if saved is None else {_ADDRESS: saved.id}


def arrive() -> None:
    """Open the game that the address names, or none, and load changes of other windows; every drawing begins with it.

    Every way of the app to a page of the game names the game: who comes without it has gone back.
    """
    named = st.query_params.get(_ADDRESS)
    saved = state().saved
    if named != (None if saved is None else saved.id):
        if named:
            open_game(named)
        else:
            leave()
        return
    if saved is None:
        return
    with telling(show_trouble):
        if store().version(saved.id) != saved.version:
            _reload(saved)
            keep(notice=words("store.reloaded"))


def is_stale() -> bool:
    """Whether another window has changed the open game since it was drawn here."""
    saved = state().saved
    try:
        return saved is not None and store().version(saved.id) != saved.version
    except StoreError:
        return False  # the next change says so


def save(game: Game, *, kind: str, done: str = "") -> bool:
    """Save the open game after a change; return whether that was possible, and show the visitor why not.

    Args:
        game: the changed game.
        kind: the kind of the change for the log.
        done: what to tell the visitor with an offer to undo it; empty for nothing.
    """
    now = state()
    if now.saved is None:
        return False
    with telling(show_trouble), _reloaded_if_changed(now.saved):
        saved = store().save(now.saved, game, kind=kind)
        keep(saved=replace(saved, log_damaged=now.saved.log_damaged), done=(done, saved.version) if done else None)
        return True
    return False


@contextmanager
def _reloaded_if_changed(saved: Saved) -> Iterator[None]:
    """Load the game if a change fails because another window has changed it."""
    try:
        yield
    except StoreError as error:
        if error.code == "game_changed":
            _reload(saved)
        raise


def _reload(saved: Saved) -> None:
    """Load the game from the disk; the draft stays, but a correction only if its deal is unchanged."""
    fresh = store().load(saved.id)
    number = state().correcting
    gone = number is not None and fresh.game.records[number - 1 : number] != saved.game.records[number - 1 : number]
    keep(saved=fresh)
    if gone:
        fresh_draft()


def correct(number: int) -> None:
    """Open a booked deal as the draft, to correct it."""
    saved = state().saved
    if saved is not None and number <= len(saved.game.records):
        fresh_draft()
        keep(draft=Draft.of(saved.game.records[number - 1]), correcting=number, reveal=f"deal {state().revision}")


def book() -> None:
    """Book the draft as a new deal, or in the place of the deal that it corrects."""
    now = state()
    if now.saved is None:
        return
    try:
        game = now.draft.played(now.saved.game, now.correcting)
    except InputError as error:
        keep(trouble=explained(error))
        return
    if now.correcting is None:
        done = save(game, kind="deal", done=words("deal.booked", n=len(game.records)))
    else:
        done = save(game, kind="correct", done=words("deal.corrected", n=now.correcting))
    if done:
        _attach(now.draft)
        if now.draft.ending == WIN:
            st.session_state[_BY_VALUE] = now.draft.by_value
        fresh_draft()
        keep(reveal=f"table {state().revision}")


def take_back(game: Game) -> None:
    """Undo the last change."""
    if save(game.undo(), kind="undo"):
        fresh_draft()


def _attach(draft: Draft) -> None:
    """Keep the photos of the booked hands; a failure is shown, and the deal stays booked."""
    now = state()
    for text in draft.hands.values():
        jpeg = now.pictures.get(text)
        if jpeg is not None and now.saved is not None and st.session_state.get(KEEP_PHOTOS, True):
            with telling(show_trouble):
                store().attach(now.saved.id, str(Hand.parse(text)), jpeg)


def has_photos() -> bool:
    """Whether a photo shows a hand of the draft."""
    return any(text in state().pictures for text in state().draft.hands.values())


def delete_deal(number: int) -> None:
    """Delete a deal of the open game for good."""
    saved = state().saved
    if saved is None:
        return
    with telling(show_trouble), _reloaded_if_changed(saved):
        keep(saved=store().delete_deal(saved, number), notice=_deleted())
        fresh_draft()


def delete(work: Callable[[LedgerStore], None]) -> None:
    """Delete something from the file of the games, and say that it is done or why not."""
    with telling(show_trouble):
        work(store())
        keep(notice=_deleted())


def _deleted() -> str | None:
    """The news that nothing is left of what was deleted; None if something is left, which the page says."""
    return None if store().file.owed.names else words("delete.done")
