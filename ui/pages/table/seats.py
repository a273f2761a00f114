"""The table as a form: a tap on a seat says who won, the next one on whose tile; a grid or fields say the values."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import PLAYERS, Player
from tilescore.scoring.ruleset import POINTS
from tilescore.scoring.traits import KnownValue
from tilescore.ui.components.drawing import drawing
from tilescore.ui.components.game.news import show_done
from tilescore.ui.pages.table.view import table_markup
from tilescore.ui.state import table_state
from tilescore.ui.state.deal_draft import WIN, Draft
from tilescore.ui.words.game import han_and_fu, name_of
from tilescore.ui.words.text import beside, labelled, plain, words

_USUAL_FU: Final = (30, 40)


def show_seats(game: Game) -> None:
    """Draw the table, and what its next tap means; before the first tap of a deal what the last change did, instead.

    A deal that is corrected is drawn as its table stood; what is entered is no part of a game that is over.
    """
    now = table_state.state()
    if now.correcting is not None:
        game = game.before(now.correcting)
    draft = Draft() if game.over else now.draft
    drawing(
        table_markup(game, draft), key="table_view", reveal=now.revealed("table"),
        on_press=None if game.over else partial(press_seat, now.drafts),
    )  # fmt: skip
    if draft.ending != WIN or (not draft.winners and show_done(game)) or game.over:
        return
    if not draft.winners:
        text = words("table.next_winner")
    elif len(draft.winners) > 1:
        text = words("table.whose_tile")
    else:
        text = words("table.next_discarder", name=plain(name_of(game, draft.winners[0])))
    # What is answered keeps its line: a form that jumps takes the next tap elsewhere.
    done = "" if draft.discarder is None else " ts-done"
    st.html(f'<p class="ts-quietly ts-next{done}">{text}</p>')


def press_seat(drafts: int, what: str) -> None:
    """Take a press on the table, unless its deal is booked: who won, on whose tile, whose stick.

    A press that comes twice means the same.
    """
    does, _, name = what.partition(":")
    if name not in PLAYERS or table_state.state().drafts != drafts:
        return
    player, draft = Player(name), table_state.state().draft
    if does == "winner":
        table_state.edit(ending=WIN, winners=(player,), discarder=None)
    elif does == "self_draw" and player in draft.winners:
        table_state.edit(winners=(player,), discarder=None)
    elif does == "discarder" and draft.winners:
        table_state.edit(discarder=player)
    elif does == "lay":
        table_state.edit(riichi=(*draft.riichi, player))
    elif does == "take":
        table_state.edit(riichi=tuple(one for one in draft.riichi if one is not player))


def ask_grid(game: Game, draft: Draft, player: Player) -> None:
    """Draw the values that a hand of this winner can have, each one tap."""
    chosen = draft.values.get(player) if draft.by_value else None
    traits = game.rules.traits
    markup = _han_fu(game, draft, chosen) if traits.with_fu else _numbers(game, chosen)
    name = plain(name_of(game, player))
    st.html(f'<p class="ts-label">{words("deal.value", name=name)}</p>')
    drawing(markup, key=f"deal.grid.{player}", on_press=partial(_press_value, player, table_state.state().drafts))


def _han_fu(game: Game, draft: Draft, chosen: KnownValue | None) -> str:
    """A row for each number of han below the limits with its fu, and the limits."""
    rows, traits = [], game.rules.traits
    for han in range(traits.least, min(least for _, least in traits.limits)):
        possible = game.rules.fu_of(han, self_drawn=draft.discarder is None)
        cells = [
            _cell(KnownValue(han=han, fu=fu), str(fu), chosen) if fu in possible else "<span></span>"
            for fu in traits.common
        ]
        rows.append(f'<span class="head">{han}</span>{"".join(cells)}')
    heads = "".join(f'<span class="head">{fu}</span>' for fu in traits.common)
    named = [(words(f"{game.ruleset_name}.limit.{name}"), han) for name, han in traits.limits]
    limits = "".join(_cell(KnownValue(han=han), name, chosen) for name, han in named)
    head = f'<span class="head">{words("unit.han")} / {words("unit.fu")}</span>{heads}'
    columns = f"grid-template-columns: 3.2rem repeat({len(traits.common)}, 1fr)"
    grid = f'<div class="cells" style="{columns}">{head}{"".join(rows)}</div>'
    wide = "grid-template-columns: repeat(auto-fit, minmax(5.25rem, 1fr)); margin-top: 6px"
    return f'{grid}<div class="cells" style="{wide}">{limits}</div>'


def _numbers(game: Game, chosen: KnownValue | None) -> str:
    """The values that most hands have."""
    numbers = game.rules.traits.common
    cells = "".join(_cell(KnownValue(points=number), str(number), chosen) for number in numbers)
    return f'<div class="cells" style="grid-template-columns: repeat(auto-fill, minmax(3.25rem, 1fr))">{cells}</div>'


def usual_values(game: Game, *, self_drawn: bool) -> list[KnownValue]:
    """The values of the grid, the least first; of han and fu those with the fu of most hands."""
    traits = game.rules.traits
    if not traits.with_fu:
        return [KnownValue(points=number) for number in traits.common]
    below = range(traits.least, min(least for _, least in traits.limits))
    possible = [(han, game.rules.fu_of(han, self_drawn=self_drawn)) for han in below]
    small = [KnownValue(han=han, fu=fu) for han, known in possible for fu in _USUAL_FU if fu in known]
    return [*small, *(KnownValue(han=han) for _, han in traits.limits)]


def _cell(value: KnownValue, text: str, chosen: KnownValue | None) -> str:
    what = f"{value.han}:{value.fu}" if value.han else str(value.points)
    label = beside(*han_and_fu(value.han, value.fu)) if value.han and text.isdecimal() else text
    pressed = str(value == chosen).lower()
    return (
        f'<button type="button" data-at="{what}" data-press="{what}" aria-pressed="{pressed}" aria-label="{label}">'
        f"{text}</button>"
    )


def _press_value(player: Player, drafts: int, what: str) -> None:
    """Take a press in the grid, unless its deal is booked: points, or han and fu."""
    now = table_state.state()
    try:
        first, *fu = map(int, what.split(":"))
    except ValueError:
        return
    if now.drafts == drafts:
        value = KnownValue(han=first, fu=fu[0]) if fu else KnownValue(points=first)
        table_state.edit(by_value=True, values={**now.draft.values, player: value})


def ask_values(game: Game, draft: Draft) -> None:
    """Draw a line for each hand whose value matters."""
    for player in game.position.players:
        wins = player in draft.winners
        if wins or game.rules.traits.losers_count:
            key = "ts_focus_value" if player == draft.winners[0] else None
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=key):
                _ask_value(game, draft, player)


def _ask_value(game: Game, draft: Draft, player: Player) -> None:
    name, value = plain(name_of(game, player)), draft.values.get(player)
    rules, traits = game.rules, game.rules.traits
    if not traits.with_fu:
        least = min(traits.least, traits.common[0]) if player in draft.winners else 0
        label = words("deal.value_points", name=name)
        if traits.unit != POINTS:
            label = labelled(name, words(f"unit.{traits.unit}"))
        _number(player, "points", label, value, least=least)
        return
    _number(player, "han", words("deal.value_han", name=name), value, least=traits.least, most=traits.most)
    possible = rules.fu_of(value.han, self_drawn=draft.discarder is None) if value else ()
    if value is not None and possible:
        # What was chosen stays in the list when han or discarder change: the preview says why it is impossible.
        offered = {*possible, value.fu}
        fu = table_state.follow(f"fu.{player}", value.fu, lambda picked: _put(player, fu=picked), among=offered)
        st.selectbox(words("deal.value_fu"), **fu.among(sorted({*offered, fu.default})), filter_mode=None)


def _number(
    player: Player, field: str, label: str, value: KnownValue | None, *, least: int, most: int | None = None
) -> None:
    """Ask for one number; an empty field is no value yet."""
    shown = None if value is None else getattr(value, field)
    asked = table_state.follow(f"{field}.{player}", shown, lambda number: _put(player, **{field: number}), typed=True)
    st.number_input(label, step=1, placeholder="–", **asked.within(least, most))


def _put(player: Player, **fields: Any) -> None:
    values = dict(table_state.state().draft.values)
    if None in fields.values():
        values.pop(player, None)
    else:
        values[player] = replace(values.get(player, KnownValue()), **fields)
    table_state.edit(values=values)
