"""The open game of one visitor: how it is opened, followed, changed, saved and left; its address names it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.hand import Hand
from tilescore.ui.state import session
from tilescore.ui.state.deal_draft import WIN, Draft
from tilescore.ui.state.table_state import KEEP_PHOTOS, begun_for, correct, fresh_draft, keep, show_trouble, state
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.storage import deletions
from tilescore.ui.storage.database import StoreError
from tilescore.ui.storage.game_log import change_between
from tilescore.ui.storage.ledger_store import LedgerStore, Saved
from tilescore.ui.words.text import telling, words

_ADDRESS: Final = "game"


def enter(name: str) -> None:
    """Open the game of that name, or show why that is impossible."""
    with telling(show_trouble):
        begin_with(LedgerStore().load(name))
        return
    leave()


def begin_with(saved: Saved) -> None:
    """Open this game."""
    keep(saved=saved, beginning=False, typed={}, hidden=None, waiting=None)
    session.choose_ruleset(saved.game.ruleset_name)
    fresh_draft()
    st.query_params[_ADDRESS] = saved.id


def rematch(game: Game) -> None:
    """Begin another game of these players by these rules, each one seat further, or show why that is impossible.

    Another phone of the table may have begun it: then this one opens it, so that all book in one game.
    """
    east, *others = game.players
    again = replace(game.emptied(), players=(*others, east))
    with telling(show_trouble):
        begin_with(_begun_elsewhere(again) or LedgerStore().begin(again))


def _begun_elsewhere(again: Game) -> Saved | None:
    """The game that goes on and began as this one after the last change of the open game."""
    saved, games = state().saved, LedgerStore().games()
    ended = next((one.changed_at for one in games if saved is not None and one.id == saved.id), None)
    later = (LedgerStore().load(one.id) for one in games if ended is not None and one.begun_at > ended and not one.over)
    return next((one for one in later if one.game.emptied() == again), None)


def leave() -> None:
    """Close the game and go back to the list of games."""
    keep(saved=None, beginning=False, typed={}, waiting=None)
    fresh_draft()
    st.query_params.pop(_ADDRESS, None)


def address() -> dict[str, str]:
    """The part of an address that names the open game; empty without one."""
    saved = state().saved
    return {} if saved is None else {_ADDRESS: saved.id}


@undisturbed()
def arrive() -> None:
    """Open the game that the address names, or none, and load changes of other windows; every drawing begins with it.

    Every way of the app to a page of the game names the game: who comes without it has gone back.
    """
    named = st.query_params.get(_ADDRESS)
    saved = state().saved
    if named != (None if saved is None else saved.id):
        if named:
            enter(named)
        else:
            leave()
        return
    if saved is None:
        return
    with telling(show_trouble), _left_if_gone():
        if LedgerStore().version(saved.id) != saved.version:
            _reload(saved)
            keep(notice=words("store.reloaded"))


@contextmanager
def _left_if_gone() -> Iterator[None]:
    """Leave the game if another window has deleted it."""
    try:
        yield
    except StoreError as error:
        if error.code == "no_such_game":
            leave()
        raise


def is_stale() -> bool:
    """Whether another window has changed the open game since it was drawn here."""
    saved = state().saved
    try:
        return saved is not None and LedgerStore().version(saved.id) != saved.version
    except StoreError:
        return False  # the next change says so


def save(game: Game, *, kind: str, done: str = "") -> bool:
    """Save the open game after a change; return whether that was possible, and show the visitor why not.

    `kind` is that of the change, for the log. `done` is what to tell the visitor with an offer to undo it; empty for
    nothing.
    """
    now = state()
    if now.saved is None:
        return False
    with telling(show_trouble), _reloaded_if_changed(now.saved):
        saved = LedgerStore().save(now.saved, game, kind=kind)
        _keep_for_next(now.saved, game)
        keep(saved=replace(saved, log_damaged=now.saved.log_damaged), done=(done, saved.version) if done else None)
        return True
    return False


def _keep_for_next(before: Saved, game: Game) -> None:
    """Leave what was begun for the next deal for the next one: who changes the game here knows which one that is."""
    was, following = len(before.game.records) + 1, len(game.records) + 1
    hand, *taken_for = session.mine().taken_for
    if taken_for == [before.id, was]:
        session.mine().taken_for = (hand, before.id, following)
    waiting = state().waiting
    if waiting is not None and waiting.meant == was:
        keep(waiting=replace(waiting, meant=following))


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
    """Load the game from the disk; what the person has entered stays, for the same deal or else for the next one.

    Two people of one table may enter one deal: what the other one has booked just so is not entered any more.
    """
    fresh, now = LedgerStore().load(saved.id), state()
    number, before, after = now.correcting, saved.game.records, fresh.game.records
    keep(saved=fresh)
    if number is not None:
        place = change_between(before, after, kind="correct").place_of(number)
        entered = now.draft != Draft.of(before[number - 1])
        keep(correcting=place)
        if not entered and place is None:
            fresh_draft()
        elif not entered and place is not None and before[number - 1] != after[place - 1]:
            correct(place)
    elif is_booked(now.draft, len(before) + 1, fresh.game):
        fresh_draft()
    if not state().draft.fits(fresh.game.position.players):
        fresh_draft()
    if state().drafts == now.drafts:
        begun_for(now.meant or number or len(before) + 1)


def is_booked(draft: Draft, number: int, game: Game) -> bool:
    """Whether deal `number` of the game is this draft."""
    if number > len(game.records):
        return False
    before = game.before(number)
    try:
        return draft.gap(before) is None and draft.played(before).records[-1] == game.records[number - 1]
    except InputError:  # it cannot be booked
        return False


def book() -> None:
    """Book the draft as a new deal, or in the place of the deal that it corrects."""
    now = state()
    if now.saved is None:
        return
    number = now.correcting
    with telling(show_trouble):
        game = now.draft.played(now.saved.game, number)
        done = words("deal.booked", n=len(game.records)) if number is None else words("deal.corrected", n=number)
        if save(game, kind="deal" if number is None else "correct", done=done):
            _attach(now.draft)
            if now.draft.ending == WIN:
                keep(by_value=now.draft.by_value)
            fresh_draft()
            keep(reveal=f"table {state().revision}")


def step(game: Game, kind: str) -> None:
    """Take the last change back (`undo`), or do the last one again (`redo`); what is entered for a deal stays."""
    now = state()
    if not save(game.undo() if kind == "undo" else game.redo(), kind=kind):
        return
    if now.correcting is not None:
        fresh_draft()
    else:
        begun_for(now.meant or len(game.records) + 1)


def close(game: Game, *, closed: bool) -> None:
    """End the game early, or go on with it."""
    save(game.close(closed=closed), kind="close" if closed else "open")


def _attach(draft: Draft) -> None:
    """Keep the photos of the booked hands; a failure is shown, and the deal stays booked."""
    now = state()
    for text in draft.hands.values():
        jpeg = now.pictures.get(text)
        if jpeg is not None and now.saved is not None and st.session_state.get(KEEP_PHOTOS, True):
            with telling(show_trouble):
                LedgerStore().attach(now.saved.id, str(Hand.parse(text)), jpeg)


def delete_deal(number: int) -> None:
    """Delete a deal of the open game for good."""
    saved = state().saved
    if saved is None:
        return
    with telling(show_trouble), _reloaded_if_changed(saved):
        after = LedgerStore().delete_deal(saved, number)
        _keep_for_next(saved, after.game)
        keep(saved=after, notice=_deleted())
        fresh_draft()


def delete(work: Callable[[LedgerStore], None]) -> None:
    """Delete something from the file of the games, and say that it is done or why not."""
    with telling(show_trouble):
        work(LedgerStore())
        keep(notice=_deleted())


def _deleted() -> str | None:
    """The news that nothing is left of what was deleted; None if something is left, which the page says."""
    return None if deletions.are_owed() else words("delete.done")
