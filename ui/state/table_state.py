"""What a session remembers of one visitor's table: the open game, the draft of a deal, and messages to show."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player, Position
from tilescore.ui.state import fields
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.state.fields import Field
from tilescore.ui.state.hand.history import History
from tilescore.ui.storage.ledger_store import Saved

_KEPT: Final = "table"
KEEP_PHOTOS: Final = "deal.keep_photos"
"""Key of the choice whether booking keeps the photos of the hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The entry of a deal that waits while another deal is corrected."""

    draft: Draft
    on_photo: Mapping[Player, History] = field(compare=False)  # as in `TableState`
    meant: int  # number of the deal for which it was begun


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """One visitor's table."""

    saved: Saved | None = None  # the open game; None shows the list of games
    draft: Draft = field(default_factory=Draft)  # the deal that the visitor is entering
    correcting: int | None = None  # number of the booked deal that the draft corrects; None for the next deal
    waiting: Waiting | None = None  # the deal that the visitor was entering before the correction
    # number of the deal for which the draft was begun, if another deal is the next one since; else None
    meant: int | None = None
    drafts: int = 0  # count of drafts, which gives the fields of each draft new keys and so no old values
    revision: int = 0  # count of drafts and of hands taken over, which gives each text field of a hand a new key
    beginning: bool = False  # whether the visitor is setting up a new game
    typed: Mapping[str, str] = field(default_factory=dict)  # what is typed for it, by the key of the field
    # notice, trouble: a message to show once, as news or as a problem
    notice: str | None = None
    trouble: str | None = None
    hidden: str | None = None  # the game that was removed from the list last
    pictures: Mapping[str, bytes] = field(default_factory=dict)  # photos of hands taken over, by notation
    # hands that a photo shows, with their edits, by player
    on_photo: Mapping[Player, History] = field(default_factory=dict)
    typed_s: Mapping[Player, float] = field(default_factory=dict)  # when each hand was typed, of `time.monotonic`
    reveal: str = ""  # the place to scroll to, `table` or `deal`, and a count that makes it new
    # what this visitor's last change did that undo takes back, and the version of the game that it made
    done: tuple[str, int] | None = None
    by_value: bool | None = None  # whether this visitor entered their last win by its value; None before

    def revealed(self, place: str) -> str:
        """The value of `reveal` if it names that place, else an empty text."""
        return self.reveal if self.reveal.startswith(place) else ""


def state() -> TableState:
    """The state of the visitor's table."""
    return fields.remembered(_KEPT, TableState)


def keep(**changes: Any) -> None:
    """Change these fields of the state."""
    st.session_state[_KEPT] = replace(state(), **changes)


def show_trouble(sentence: str) -> None:
    """Show this sentence once, as a problem."""
    keep(trouble=sentence)


def edit(**values: Any) -> None:
    """Change these fields of the draft.

    Where the hands of losers count, too, the value of a player goes who wins now, or wins no more.
    """
    now = state()
    if now.saved is None:
        return
    changed = replace(now.draft, **values)
    if now.saved.game.rules.traits.losers_count:
        moved = {*changed.winners} ^ {*now.draft.winners}
        changed = replace(changed, values={who: value for who, value in changed.values.items() if who not in moved})
    keep(draft=changed.tidied(position(now.saved.game)))


def follow(
    name: str, shown: Any, act: Callable[[Any], None], *, typed: bool = False, among: Collection[Any] | None = None
) -> Field:
    """A field of the draft, as `fields.follow` has it; its presses do nothing once the deal is booked or dropped."""
    drawn = state().drafts

    def unless_over(value: Any, _before: Any) -> None:
        if state().drafts == drawn:
            act(value)

    return fields.follow(f"deal.{name}.{drawn}", shown, unless_over, typed=typed, among=among)


def changing(name: str, act: Callable[..., None], *arguments: object) -> dict[str, Any]:
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

    return {"key": name if shown is None else f"{name}.{shown.version}", "on_click": unless_changed}


def _version(saved: Saved | None) -> tuple[str, int] | None:
    return None if saved is None else (saved.id, saved.version)


def position(game: Game) -> Position:
    """The position of the game before the deal of the draft."""
    number = state().correcting
    return game.position if number is None else game.entries[number - 1].position


def fresh_draft() -> None:
    """Go on with the entry that waits, else begin an empty draft.

    An empty one asks for tiles or for a value as this visitor, else the table, did last.
    """
    now = state()
    waiting = now.waiting
    if waiting is not None and now.saved is not None and waiting.draft.fits(now.saved.game.position.players):
        _begin(waiting.draft, on_photo=waiting.on_photo)
        begun_for(waiting.meant)
        return
    records = () if now.saved is None else now.saved.game.records
    last = next((bool(record.values) for record in reversed(records) if record.deal.hands or record.values), False)
    usual = last if now.by_value is None else now.by_value
    _begin(Draft(by_value=usual))


def correct(number: int) -> None:
    """Open a booked deal as the draft, to correct it; what was entered for the next deal waits."""
    now = state()
    if now.saved is None or number > len(now.saved.game.records):
        return
    waiting = now.waiting
    if now.correcting is None and not now.draft.is_empty:
        meant = now.meant or len(now.saved.game.records) + 1
        waiting = Waiting(draft=now.draft, on_photo=now.on_photo, meant=meant)
    _begin(Draft.of(now.saved.game.records[number - 1]))
    keep(correcting=number, waiting=waiting, reveal=f"deal {state().revision}")


def _begin(draft: Draft, *, on_photo: Mapping[Player, History] | None = None) -> None:
    now = state()
    keep(
        draft=draft, correcting=None, waiting=None, meant=None, drafts=now.drafts + 1, revision=now.revision + 1,
        on_photo=on_photo or {},
    )  # fmt: skip


def begun_for(number: int) -> None:
    """Remember for which deal the draft was begun, if another deal is the next one by now.

    Two people of one table may enter one deal. So the page asks whether the draft is a deal that is booked already.
    """
    now = state()
    if now.saved is not None:
        other = now.correcting is None and number != len(now.saved.game.records) + 1
        keep(meant=number if other and not now.draft.is_empty else None)
