"""The form of a deal: how it ended, the hands, what was declared, fouls; then who pays whom, before it is booked."""

from functools import reduce
from operator import or_
from typing import Final

import streamlit as st

from tilescore.scoring.context import NO_OCCASION, Occasion
from tilescore.scoring.deal import EXHAUSTED
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.payments import exact
from tilescore.scoring.progression import Player
from tilescore.scoring.traits import HARMED, Foul
from tilescore.ui.components.drawing import drawing
from tilescore.ui.components.game.players import ask_one, ask_player, ask_players, ask_several, ask_winner
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.pages.table.hand import ask_hand, parsed
from tilescore.ui.pages.table.preview import preview
from tilescore.ui.pages.table.seats import ask_grid, ask_values
from tilescore.ui.state import table_state
from tilescore.ui.state.circumstances import possible_occasions
from tilescore.ui.state.deal_draft import AGREED, DRAW, ENDINGS, FOUL, UNNAMED, WIN, Draft
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.game import foul_name, name_of
from tilescore.ui.words.text import labelled, occasion_name, plain, words

_ANSWERS: Final = {"rules": None, "yes": True, "no": False}


def ask_deal(game: Game) -> None:
    """Draw the form of the draft and the preview of its payments."""
    now = table_state.state()
    draft, number = now.draft, now.correcting
    title = words("deal.new", n=len(game.records) + 1) if number is None else words("deal.correct", n=number)
    note = "" if number is None else f"<p>{words('deal.after')}</p>"
    drawing(f"<h2>{title}</h2>{note}", key="deal_title", reveal=now.revealed("deal"))
    ask_one(
        "ending", ENDINGS, draft.ending, label=words("deal.ending"), show=lambda key: words(f"deal.{key}"), hide=True
    )
    {WIN: _ask_win, DRAW: _ask_draw, FOUL: _ask_foul, AGREED: _ask_agreed}[draft.ending](game, draft)
    preview(game)


def _ask_win(game: Game, draft: Draft) -> None:
    """Ask what the hands are worth first, because the seats of the table have said who won and on whose tile."""
    others = [player for player in game.position.players if player not in draft.winners]
    if draft.winners:
        ask_one(
            "by_value", (False, True), draft.by_value, label=words("deal.known"), hide=True,
            show=lambda known: words("deal.known_value" if known else "deal.known_tiles"),
        )  # fmt: skip
        _ask_worth(game, draft, others)
    ask_players(game, draft)
    if draft.winners and game.rules.traits.pays_for_all and draft.discarder is not None:
        won = parsed(draft.hands.get(draft.winners[0], ""))
        if won is not None and game.rules.asks_ready(won):
            ask_several(game, "ready", draft.ready, label=words("deal.declared_ready"))
        answer = next(key for key, value in _ANSWERS.items() if value is draft.pays_for_all)
        label = words("deal.pays_for_all", name=plain(name_of(game, draft.discarder)))
        ask_one(
            "pays_for_all", tuple(_ANSWERS), answer, label=label, take=_ANSWERS.get,
            show=lambda key: words(f"deal.pays_for_all.{key}"),
        )  # fmt: skip


def _ask_worth(game: Game, draft: Draft, others: list[Player]) -> None:
    """Ask for the values of the hands or for their tiles; a tap in the grid is enough before there are tiles."""
    winner = draft.winners[0]
    if not draft.by_value:
        _ask_hands(game, draft, others)
    if len(draft.winners) == 1 and (draft.by_value or not draft.hands.get(winner)):
        ask_grid(game, draft, winner)
    if draft.by_value:
        ask_values(game, draft)
        _ask_liable(game, draft)


def _ask_hands(game: Game, draft: Draft, others: list[Player]) -> None:
    """Ask for the tiles of all hands that matter, and what was declared with them."""
    for player in draft.winners:
        ask_hand(game, draft, player)
        _ask_occasions(game, draft, player)
    if game.rules.has_indicators:
        _ask_dora(draft)
    _ask_liable(game, draft)
    if game.rules.traits.losers_count:
        st.html(f'<p class="ts-label">{words("deal.losers")}</p>')
        for player in others:
            ask_hand(game, draft, player)


def _ask_occasions(game: Game, draft: Draft, player: Player) -> None:
    hand = parsed(draft.hands.get(player, ""))
    if hand is None or not hand.tiles:
        return
    context = draft.context(player, table_state.position(game))
    possible = [
        occasion
        for occasion in possible_occasions(game.rules, context, Work.of(hand))
        if occasion is not Occasion.RIICHI
    ]
    declared = draft.occasions.get(player, NO_OCCASION)

    def pressed(chosen: list[Occasion]) -> None:
        others = table_state.state().draft.occasions
        table_state.edit(occasions={**others, player: reduce(or_, chosen, NO_OCCASION)})

    shown = [occasion for occasion in possible if occasion in declared]
    field = table_state.follow(f"occasions.{player}", shown, pressed)
    label = words("deal.occasions")
    if len(draft.winners) > 1:
        label = labelled(label, plain(name_of(game, player)))
    st.pills(
        label, selection_mode="multi", wrap=True, **field.choice(possible),
        format_func=lambda occasion: occasion_name(occasion.names[0], game.rules),
    )  # fmt: skip


def _ask_dora(draft: Draft) -> None:
    tile_row(words("dora"), draft.dora, key="deal.dora", on_change=lambda tiles: table_state.edit(dora=tiles))
    if set(draft.sticks) & set(draft.winners):
        tile_row(words("ura_dora"), draft.ura, key="deal.ura", on_change=lambda tiles: table_state.edit(ura=tiles))


def _ask_liable(game: Game, draft: Draft) -> None:
    """Ask who is liable, only for hands that can make somebody liable."""
    for winner in draft.winners:
        won = draft.values.get(winner) if draft.by_value else parsed(draft.hands.get(winner, ""))
        if winner in draft.liable or (won is not None and game.rules.may_be_fed(won)):
            others = [player for player in game.position.players if player is not winner]
            label = words("deal.liable", name=plain(name_of(game, winner)))
            liable, nobody = draft.liable.get(winner), words("deal.nobody")
            ask_player(game, "liable", others, liable, label=label, nobody=nobody, of=winner)


def _ask_draw(game: Game, draft: Draft) -> None:
    traits = game.rules.traits
    if len(traits.draws) > 1:
        show = {kind: words(f"draw.{kind}") for kind in traits.draws}.__getitem__
        ask_one("draw", traits.draws, draft.draw, label=words("deal.draw_kind"), pills=True, show=show)
    if traits.ready_paid and draft.draw == EXHAUSTED:
        ask_several(game, "ready", draft.ready_at_draw, label=words("deal.ready"))
        if traits.nagashi:
            ask_several(game, "nagashi", draft.nagashi, label=words("deal.nagashi"))
    if traits.stick:
        ask_several(game, "riichi", draft.sticks, label=words("deal.riichi"))


def _ask_agreed(game: Game, draft: Draft) -> None:
    st.caption(words("deal.points_note"))
    with st.container(key="ts_focus_points"):
        columns = [*st.columns(2, wrap=False), *st.columns(2, wrap=False)]
    traits, players = game.rules.traits, game.position.players
    whole = isinstance(traits.step, int)
    for place, (player, column) in enumerate(zip(players, columns, strict=False)):

        def changed(value: float, place: int = place) -> None:
            points = list(table_state.state().draft.agreed)
            points[place] = exact(value)
            table_state.edit(agreed=tuple(points))

        shown = (int if whole else float)(draft.agreed[place])
        field = table_state.follow(f"points.{player}", shown, changed, typed=True)
        column.number_input(
            plain(name_of(game, player)), step=traits.step, format="%d" if whole else "%g", **field.value
        )
    ask_winner(game, draft.winners[0] if draft.winners else None, label=words("deal.agreed_winner"))
    if traits.stick:
        ask_several(game, "riichi", draft.sticks, label=words("deal.riichi"))


def _ask_foul(game: Game, draft: Draft) -> None:
    """Draw the questions; the foul goes into the draft as the ruleset names it."""
    ask_player(game, "foul_by", game.position.players, draft.foul_by, label=words("deal.foul_by"))
    kinds = {foul.kind: foul for foul in game.rules.traits.fouls}
    if len(kinds) < 2:
        return
    chosen = kinds[foul_name(game.rules.traits, draft.foul)]
    kind = table_state.follow("foul", chosen.kind, lambda name: table_state.edit(foul=_first(kinds[name])), among=kinds)
    st.selectbox(words("deal.foul_kind"), **kind.among(list(kinds)), format_func=lambda key: words(f"foul.{key}"))
    if chosen.most:
        count = int(draft.foul.rpartition("_")[2])
        time = table_state.follow(
            "foul_time", count, lambda nth: table_state.edit(foul=f"{chosen.kind}_{nth}"), typed=True
        )
        st.number_input(words("deal.foul_time"), **time.within(2, chosen.most))
    if chosen.harms is not None:
        _ask_harmed(game, draft, chosen.harms)


def _ask_harmed(game: Game, draft: Draft, points: tuple[int, int, int]) -> None:
    whose, worth = draft.foul.rpartition(HARMED)[2].split("_")
    least, most, _ = points
    others = [player for player in game.position.players if player is not draft.foul_by]
    shown = Player(whose) if whose in others else None

    victim = table_state.follow("foul_victim", shown, lambda player: _edit_harmed(0, player or UNNAMED))
    price = table_state.follow("foul_points", int(worth), lambda value: _edit_harmed(1, value), typed=True)
    st.pills(
        words("deal.foul_victim"), wrap=True, **victim.choice(others),
        format_func=lambda player: plain(name_of(game, player)),
    )  # fmt: skip
    st.number_input(words("deal.foul_points"), step=5, **price.within(least, most))


def _edit_harmed(place: int, value: object) -> None:
    """Change the player harmed or the points, unless the same message has chosen another foul."""
    kind, harmed, parts = table_state.state().draft.foul.rpartition(HARMED)
    if harmed:
        given = parts.split("_")
        given[place] = str(value)
        table_state.edit(foul=f"{kind}{HARMED}{'_'.join(given)}")


def _first(foul: Foul) -> str:
    """The foul as a deal names it when it has just been chosen."""
    if foul.harms is not None:
        return f"{foul.kind}{HARMED}{UNNAMED}_{foul.harms[2]}"
    return f"{foul.kind}_2" if foul.most else foul.kind
