"""What Streamlit remembers of one visitor: the hand with its history, the source, the ruleset, and passing notes."""

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.context import Context, Seat, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import RULESETS, Ruleset, first_ruleset, ruleset
from tilescore.ui.state.fields import remembered
from tilescore.ui.state.hand.edits import applied
from tilescore.ui.state.hand.history import History
from tilescore.ui.state.hand.work import Link, Work
from tilescore.ui.state.hand.written import hand_of, is_another, written
from tilescore.ui.words.text import explained, language, telling

RULESET: Final = "ruleset"
"""Key of the choice of the ruleset."""
_KEPT: Final = "session"


@dataclass(frozen=True, slots=True)
class _Press:
    """A change of the circumstances: when it came, what they were before, and what it does to any."""

    at_s: float
    before: Context
    act: Callable[[Context], Context]


@dataclass(slots=True)
class Session:
    """What is remembered."""

    history: History = field(default_factory=History)  # the hand and what can be undone
    begun: str = ""  # what names the hand that was put on the table last
    mistyped: tuple[str, str] = ("", "")  # a text that is no hand, and why
    notice: str | None = None  # a sentence to show once
    chosen_line: str | None = None  # the score line whose tiles are lit
    winds: tuple[Seat, Seat] = (Context().seat, Context().round)  # the seat and the round of the next hand
    # changes of the circumstances since the hand was put on the table
    presses: list[_Press] = field(default_factory=list)
    edited: Any = None  # the `id` of the edit that was applied last
    own_ruleset: str | None = None  # the ruleset that the person chose before a link was opened
    aside: str = ""  # the `id` of the hand that the person scores outside of the open game
    # the hand before its tiles got their parts by other rules, and after
    played: tuple[Work, Work] = (Work(), Work())
    # the `id` of the present hand, the game, and the number of the deal for which it was taken
    taken_for: tuple[str, str, int] = ("", "", 0)
    # the `id` of the hand that was put into a deal last, the game, and the player whose hand it is there
    given: tuple[str, str, str] = ("", "", "")


def mine() -> Session:
    """What is remembered of this visitor."""
    return remembered(_KEPT, Session)


def history() -> History:
    """The visitor's hand and what can be undone."""
    return mine().history


def has_hand() -> bool:
    """Whether the visitor has begun a hand, be it without tiles yet."""
    work = history().now
    return bool(work.id or work.order)


def shows_sample() -> bool:
    """Whether the hand on the table is nobody's: one that `show_sample` put there."""
    work = history().now
    return bool(work.order) and not work.id and not work.linked


def keep(changed: History) -> None:
    """Remember the hand after an edit. The hand of a link has its ruleset; after it, the person's own comes back."""
    link, before, own = changed.now.linked, history().now.linked, mine()
    own.history = changed
    if link is not None and link is not before:
        own.own_ruleset = own.own_ruleset or ruleset_name()
        choose_ruleset(link.ruleset)
    elif link is None and before is not None and own.own_ruleset is not None:
        choose_ruleset(own.own_ruleset)
        own.own_ruleset = None
    own.mistyped = ("", "")


def take(work: Work, *, context: Context | None = None) -> None:
    """Put another hand of the visitor on the table; undo brings the one before back.

    Without a context, the hand was won as this visitor's hands usually are: by self-draw, at their last winds.
    """
    seat, wind = mine().winds
    usual = Context(win_by=WinBy.SELF_DRAW, seat=seat, round=wind)
    _put(replace(work, context=context or usual, id=uuid.uuid4().hex, linked=None))


def take_photo(work: Work, *, chosen_s: float | None) -> None:
    """Put the hand of a photo on the table, with all that was pressed since the person chose the photo.

    While the photo travels and is read, the page still shows the hand before, but the person thinks of the new one.

    `chosen_s` is when its upload began, of `time.monotonic`; None if unknown.
    """
    meant = [press for press in mine().presses if chosen_s is not None and press.at_s >= chosen_s]
    if meant:
        won(meant[0].before)
    take(work)
    for press in meant:
        won(press.act(history().now.context))


def show_sample(work: Work, context: Context) -> None:
    """Put a hand that is nobody's on the table, with circumstances that no other hand takes over."""
    _put(replace(work, context=context, id=""))


def show_link(hand: Hand, *, ruleset: str, context: Context, options: Mapping[str, Any]) -> None:
    """Show the hand of a link, or an example, with its ruleset, options and circumstances.

    Nothing is kept before `take_over`.
    """
    _put(replace(Work.of(hand), context=context, linked=Link(ruleset=ruleset, options=options)))


def take_over() -> None:
    """Make the hand of a link one of the person's own; undo leads to the hands before it."""
    mine().own_ruleset = None
    now = history()
    take(now.now, context=now.now.context)


def leave_link() -> None:
    """Go back to the person's own hand."""
    own = next((work for work in reversed(history().past) if not work.linked), None)
    if own is not None:
        put_back(own, ruleset=mine().own_ruleset or ruleset_name())


def _put(work: Work) -> None:
    keep(history().begun(work))
    mine().begun = uuid.uuid4().hex
    mine().presses.clear()
    mine().chosen_line = None


def hand_key(name: str) -> str:
    """The key of a field about the present hand, another one for every hand.

    A message that the browser sent before it drew a hand then names no field of that hand.
    """
    return f"{name}.{history().now.id or mine().begun}"


def press(act: Callable[[Context], Context]) -> None:
    """Change how the hand was won by a person's press."""
    before = history().now.context
    won(act(before))
    mine().presses.append(_Press(time.monotonic(), before, act))


def won(context: Context) -> None:
    """Remember how the hand was won; the winds of an own hand are those of the next one, too."""
    now = history()
    mine().history = now.won(context)
    if now.now.id:
        mine().winds = (context.seat, context.round)


def play(rules: Ruleset) -> None:
    """Give the tiles of the hand the parts that they have by these rules; that is no step of its own.

    A hand that goes back to the rules before, without an edit meanwhile, is what it was.
    """
    own = mine()
    work, (before, after) = own.history.now, own.played
    if work.reading is after.reading and before.reading.aside == rules.traits.aside:
        fresh = replace(work, reading=before.reading)
    else:
        fresh = work.in_game(rules)
    if fresh.reading is not work.reading:
        own.played = (work, fresh)
    own.history = replace(own.history, now=fresh)


def put_back(work: Work, *, ruleset: str) -> None:
    """Put an earlier hand of the visitor on the table as it was."""
    _put(work)
    choose_ruleset(ruleset)


def choose_ruleset(name: str) -> None:
    """Score by that ruleset from now on."""
    st.session_state[RULESET] = name


def chosen_ruleset() -> str | None:
    """The ruleset that the visitor chose or played last; None before."""
    chosen: str | None = st.session_state.get(RULESET)
    return chosen


def ruleset_name() -> str:
    """The ruleset that the visitor chose or played last; before that the usual one of the language."""
    return chosen_ruleset() or next(
        (name for name in RULESETS if ruleset(name).traits.language == language()), first_ruleset()
    )


def edit(event: object) -> None:
    """Apply an event of the tile canvas; an impossible one changes nothing, with a notice.

    The canvas sends an event again that was not answered. If the app starts anew before its answer, the event may have
    been applied already: then it changes nothing.
    """
    number = event.get("id") if isinstance(event, dict) else None
    if number is not None and number == mine().edited:
        return
    mine().edited = number
    with telling(notify):
        keep(applied(history(), event))


def type_notation(text: str, *, anew: bool = False, kept: bool = False) -> None:
    """Take the hand from the text: an own photo stays, a sample makes room. A text that is no hand is kept with why.

    `anew` says that any text is another hand than the present one. `kept` says that the present hand lies in History:
    a text with fewer than half of its tiles is another hand.
    """
    now = history().now
    mine().mistyped = ("", "")
    if text.strip() == now.notation:
        return
    try:
        hand = hand_of(text.strip())
        if (now.id or now.linked) and not anew and not (kept and is_another(now, hand)):
            keep(history().then(written(now, hand)))
        else:
            take(Work.of(hand))
    except InputError as error:
        mine().mistyped = (text.strip(), explained(error))


def notify(sentence: str) -> None:
    """Show this sentence once, on the next drawing of the page."""
    mine().notice = sentence


def notice() -> str | None:
    """The sentence to show once."""
    told, mine().notice = mine().notice, None
    return told
