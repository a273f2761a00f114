"""The main page: from a photo to its score."""

from contextlib import suppress

import streamlit as st

from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import waits_of
from tilescore.scoring.ruleset import RULESETS, Ruleset
from tilescore.scoring.score import NOT_A_WIN, NotAWin, Score
from tilescore.ui.components.document.messages import show_notice
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.news import follow_bookings
from tilescore.ui.components.header import header
from tilescore.ui.components.score import booking
from tilescore.ui.components.score.booking import Scored
from tilescore.ui.components.score.result import show_lines, show_total, worth_parts
from tilescore.ui.components.score.training_photo import offer_training_photo
from tilescore.ui.components.score.winning_tile import Wins
from tilescore.ui.components.tiles.photo_questions import ask_about_photo, say_what_indicators_lack
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.components.tiles.tile_choices import TileChoice, tile_choices
from tilescore.ui.pages.score import share
from tilescore.ui.pages.score.source import ask_notation, choose_source, offer_others
from tilescore.ui.state import circumstances, house_rules, session
from tilescore.ui.state.fields import drawing
from tilescore.ui.state.hand import in_game
from tilescore.ui.state.hand.highlight import tiles_of
from tilescore.ui.state.hand.one_tile_off import changes
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept import past_hands, table_draft, visit
from tilescore.ui.state.route import leave_fragment
from tilescore.ui.words.text import words
from tilescore.vision.layout.layout import Role


def page() -> None:
    """Draw the page: on a phone one column, the hand first; elsewhere the score beside it."""
    header(words("app.tagline"), words("app.private"))
    booking.arrive()
    share.offer_house_table()
    _show()


@st.fragment
@drawing()
def _show() -> None:
    """Hand and score; a fragment, because the browser draws an edit a third faster without the frame around it.

    The score comes before the hand in the document, because people come for the score. A desk shows it at the right. A
    phone shows its details below the hand.
    """
    leave_fragment()
    follow_bookings()
    with st.container(key="ts_hand_page"):
        first = st.container(key="ts_first")
        with st.container(key="ts_told"):
            total, details = st.container(key="ts_total"), st.container(key="ts_details")
        with st.container(key="ts_shown"):
            canvas, others = st.container(key="ts_hand"), st.container(key="ts_others")
    with first:
        _show_source()
    if not session.has_hand():
        return
    in_game.follow_game()
    work = session.history().now
    with total:
        worth = booking.scored(work)
        rules, context, result = worth.rules, worth.context, worth.result
        other = _other_game(rules, work) if in_game.game() is None else None
        visit.keep()  # before a person sees the total and leaves, because that ends this drawing
        past_hands.keep(work, rules.name, result)
        if other is None:
            _show_total(work, worth)
        else:
            _offer_ruleset(rules, other, work)
        booking.offer_booking(work, result)
        offered = st.container()
    with canvas:
        _show_hand(work, rules=rules, result=result, whole=(other or rules).traits.size)
    with details:
        booking.ask_what_is_unknown(work)
        show_lines(result)
        share.offer(work, rules, context=context, result=result)
        offer_training_photo(work)
    with others:
        offer_others()
    with offered:  # last, because it takes longest
        _offer_changes(rules, work, context, result)
    table_draft.keep()


def _show_source() -> None:
    """Draw where the hand comes from, what is to be said of it, and the open game."""
    choose_source()
    show_notice()
    if session.has_hand():
        share.ask_to_take_over()
        booking.show_game()


def _other_game(rules: Ruleset, work: Work) -> Ruleset | None:
    """A game of which the hand has as many tiles, where the chosen one has another number."""
    fitting = [one for one in map(house_rules.rules, RULESETS) if work.size in (one.traits.size - 1, one.traits.size)]
    return None if not fitting or rules.name in [one.name for one in fitting] else fitting[0]


def _offer_ruleset(rules: Ruleset, other: Ruleset, work: Work) -> None:
    """Say that the hand has the number of tiles of another game, and offer that game in one tap."""
    name, others = (words(f"ruleset.{one.name}") for one in (rules, other))
    show_total(
        words("ruleset.other_size", n=work.size, of=rules.traits.size, name=name, other=others),
        circumstances.known(), work=work, rules=rules,
    )  # fmt: skip
    label = words("ruleset.offer", name=others)
    button("ruleset_offer", session.choose_ruleset, other.name, label=label, type="primary")


def _show_total(work: Work, worth: Scored) -> None:
    """Draw the total, or what it may be and the one question that it waits for."""
    rules, context = worth.rules, worth.context
    waits = _waits(rules, work, context)
    booking.show_worth(work, worth, waits=waits)
    if waits:
        _offer_waits(waits)
    ask_about_photo(work, rules, context, key="hand", on_edit=session.edit)
    with suppress(ValueError):  # no such hand can exist: the card says why
        say_what_indicators_lack(work.hand, context, rules)


def _waits(rules: Ruleset, work: Work, context: Context) -> Wins:
    try:
        return waits_of(rules, work.hand, context)
    except ValueError:  # no such hand can exist: the card says why
        return ()


def _offer_waits(waits: Wins) -> None:
    """Offer each tile that completes thirteen tiles, with its score."""
    parts = [(tile, *worth_parts(result)) for tile, result in waits]
    choices = [TileChoice(new=tile, worth=worth, note=note) for tile, worth, note in parts]

    def accept(at: int) -> None:
        session.edit({"do": "add", "tile": str(choices[at].new), "role": str(Role.WINNING)})

    tile_choices(words("score.choose_wait"), choices, key="waits", on_choose=accept)


def _offer_changes(rules: Ruleset, work: Work, context: Context, result: Score | NotAWin | str) -> None:
    """Offer to exchange one tile where that makes the hand a win."""
    if not isinstance(result, NotAWin) or result.code != NOT_A_WIN:
        return
    near = changes(rules, work, context)

    def accept(at: int) -> None:
        session.edit({"do": "tile", "at": near[at].at, "tile": str(near[at].new)})

    if near:
        choices = [TileChoice(new=change.new, old=change.old) for change in near]
        tile_choices(words("score.did_you_mean"), choices, key="did_you_mean", on_choose=accept)


def _show_hand(work: Work, *, rules: Ruleset, result: Score | NotAWin | str, whole: int) -> None:
    """Draw the hand as tiles and as text; `whole` is the number of tiles that it should have."""
    lines = () if isinstance(result, str) else result.lines
    chosen = next((line for line in lines if line.key == session.mine().chosen_line), None)
    lit = frozenset[int]() if chosen is None else tiles_of(work, chosen)
    with st.container(key="ts_typed" if work.picture is None else "ts_photo"):
        tile_canvas(session.history(), lit=lit, whole=whole, rules=rules, on_edit=session.edit)
    ask_notation(work)
