"""The hand of the open game: who won it on whose tile, asked by name, and the button that books it."""

from dataclasses import dataclass

import streamlit as st

from tilescore.scoring.context import Context, Occasion, Seat
from tilescore.scoring.game.ledger import Entry
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import NotAWin, Score
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.news import ask_which_deal, show_done, show_messages
from tilescore.ui.components.game.players import ask_players
from tilescore.ui.components.score.circumstances import ask_circumstances, ask_events, ask_ruleset, offer_house_rules
from tilescore.ui.components.score.result import result_of, show_total
from tilescore.ui.components.score.winning_tile import Wins, ask_winning_tile, possible_wins
from tilescore.ui.state import circumstances, session, table_game, table_state
from tilescore.ui.state.circumstances import context_for
from tilescore.ui.state.deal_draft import Gap
from tilescore.ui.state.hand import in_game
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept import table_draft
from tilescore.ui.words.game import joined, name_of, rules_of, where
from tilescore.ui.words.text import plain, words


def arrive() -> None:
    """Open the game that the address names with the deal that was being entered; every drawing begins with it."""
    table_game.arrive()
    table_draft.restore()


def show_game() -> None:
    """Say of which game and deal the hand is, and let it be scored outside; draw what the table has to say."""
    show_messages()
    played = in_game.game()
    if in_game.open_game() is None:
        return
    if played is None:
        with st.container(key="ts_for_game"):
            button("game.count", in_game.set_aside, "", icon="table_restaurant", type="tertiary")
        return
    line = f"{rules_of(played)} · {where(in_game.position(played))}"
    with st.container(horizontal=True, vertical_alignment="center", key="ts_for_game"):
        st.html(f'<p class="ts-quietly">{line}</p>', width="content")
        button("game.aside", in_game.set_aside, session.history().now.id, type="tertiary")


@dataclass(frozen=True, slots=True)
class Scored:
    """What the hand is worth."""

    rules: Ruleset  # by which rules
    context: Context  # how it was won, as far as these rules ask
    result: Score | NotAWin | str  # the score, or one sentence about why there is none
    # what it is worth for one player or another, as long as the winner decides that and is unknown
    possible: tuple[Score | NotAWin, ...] = ()


def scored(work: Work) -> Scored:
    """The score of the hand; in a game the winner may decide it."""
    rules = in_game.rules()
    context = context_for(rules, work)
    played = in_game.game()
    if played is not None and in_game.winner() is None and in_game.booked(played) is None:
        each = [in_game.context(played, player) for player in played.position.players]
        results = [result_of(rules, work, context_for(rules, work, given=one)) for one in each]
        known = tuple(one for one in results if not isinstance(one, str))
        if len({(type(one), one.total) for one in known}) > 1:
            return Scored(rules, context, words("game.when_named"), known)
    return Scored(rules, context, result_of(rules, work, context))


def show_worth(work: Work, worth: Scored, *, waits: Wins = ()) -> None:
    """Draw the total, or what it may be, by the tile that won or by one of the waits; and ask which tile won."""
    wins = possible_wins(worth.rules, work, worth.context)
    deal = in_game.deal() if isinstance(worth.result, Score) and worth.result.win else None
    show_total(
        worth.result, worth.context, work=work, rules=worth.rules,
        possible=[won for _, won in wins or waits] or worth.possible, names=in_game.names(),
        paid=_changes(deal) if isinstance(deal, Entry) else None,
    )  # fmt: skip
    played = in_game.game()
    if played is not None and isinstance(deal, Gap) and deal.key == "hand":
        st.caption(words("missing.losers", names=plain(joined(name_of(played, player) for player in deal.players))))
    if wins:
        ask_winning_tile(work)


def _changes(deal: Entry) -> dict[Seat, float]:
    """The points that each seat gets or pays in that deal, its riichi sticks included."""
    return dict(zip(map(deal.position.seat, deal.position.players), deal.changes, strict=True))


def offer_booking(work: Work, result: Score | NotAWin | str) -> None:
    """Ask who won and on whose tile, and draw the button that books the hand; or say in which deal it is booked."""
    played = in_game.game()
    if played is None:
        return
    number = in_game.booked(played)
    if number is not None:
        st.html(f'<p class="ts-quietly ts-says">{words("game.booked", n=number)}</p>')
        if in_game.is_last_change(played, number):
            show_done(played)
        return
    draft, player = table_state.state().draft, in_game.winner()
    ask_players(played, draft, winner=player, one_hand=True)
    if player is None or not isinstance(result, Score) or not result.win:
        return
    if work.lacks_winning_tile(played.rules.traits.size):  # a booked hand names it, even where it does not matter
        ask_winning_tile(work)
        return
    if work.picture is not None:
        ask_to_keep_photos()
    if ask_which_deal(played, in_game.taken_for(played), drop=in_game.drop, take_for=in_game.take_for):
        return
    label = words("game.book", name=plain(name_of(played, player)))
    if table_state.state().correcting is not None:
        label = words("deal.save")
    with st.container(key="ts_book"):
        button("game.book", in_game.book, label=label, of_game=True, type="primary", width="stretch")


def ask_to_keep_photos() -> None:
    """Say that booking keeps the photos, and ask whether it should."""
    st.checkbox(words("deal.keep_photos"), value=True, key=table_state.KEEP_PHOTOS, help=words("deal.keep_photos_help"))


def ask_what_is_unknown(work: Work) -> None:
    """Ask by which rules to score the hand and how it was won; of a game only what the game does not know."""
    played = in_game.game()
    if played is None:
        name = ask_ruleset()
        if not work.linked:  # a link brings its own
            offer_house_rules(name)
        ask_circumstances(in_game.rules(), work)
    elif in_game.booked(played) is None:
        ask_events(played.rules, work, circumstances.known(), known=Occasion.RIICHI)
