"""The questions by which rules to score and how the hand was won, with defaults that need no tap."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import streamlit as st

from tilescore.scoring.context import NO_OCCASION, Context, Occasion, Seat, WinBy
from tilescore.scoring.ruleset import RULESETS, Ruleset, ruleset
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.house_rules import ask_house_rules
from tilescore.ui.components.ruleset_choice import ask_for_ruleset
from tilescore.ui.components.tiles.tile_row import tile_row
from tilescore.ui.state import house_rules, session
from tilescore.ui.state.circumstances import (
    asked,
    changed,
    compatible,
    context_for,
    declares_riichi,
    known,
    may_not_win,
    possible_occasions,
)
from tilescore.ui.state.fields import Field, follow
from tilescore.ui.state.hand.history import with_changes
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.session import RULESET
from tilescore.ui.words.text import occasion_name, words

_SELF_DRAW: Final = "self_draw"
_NO_WIN: Final = "no_win"


def ask_ruleset() -> str:
    """Draw the choice of the ruleset and return it."""
    return ask_for_ruleset(RULESETS, key=RULESET, default=session.ruleset_name(), persists=True)


def offer_house_rules(name: str) -> None:
    """Draw the options of the ruleset, folded away."""
    if ruleset(name).options():
        own = len(house_rules.options(name))
        with st.expander(words("house.own", n=own) if own else words("house"), icon=":material/home:", key="ts_house"):
            ask_house_rules(name, key="house")


def ask_circumstances(rules: Ruleset, work: Work) -> None:
    """Ask what these rules need to know about this hand."""
    kept, traits = asked(known(), rules, work), rules.traits
    choices = [_SELF_DRAW, *(seat for seat in traits.seats if seat is not kept.seat)]
    choices += [_NO_WIN] if may_not_win(rules, work) else []
    won = _SELF_DRAW if kept.win_by is WinBy.SELF_DRAW else kept.discarder or _NO_WIN
    with _field("won", won if won in choices else _SELF_DRAW, _won_by) as field:
        st.segmented_control(
            words("won"), required=True, width="stretch", format_func=lambda choice: words(f"won.{choice}"),
            **field.choice(choices),
        )  # fmt: skip
    left, right = st.columns(2, wrap=False)
    for column, name_of_wind in ((left, "seat"), (right, "round")):
        with column, _field(name_of_wind, getattr(kept, name_of_wind), partial(_at_wind, name_of_wind)) as field:
            st.segmented_control(
                words(name_of_wind), required=True, width="stretch", help=words(f"{name_of_wind}.help"),
                format_func=lambda seat: words(f"wind.{seat}"), **field.choice(traits.seats),
            )  # fmt: skip
    ask_events(rules, work, kept)
    if traits.stick:
        _ask_counts(kept, "honba", "riichi_deposits")
    if traits.repeats:
        _ask_counts(kept, "dealer_repeats")


def ask_events(rules: Ruleset, work: Work, kept: Context, *, known: Occasion = NO_OCCASION) -> None:
    """Ask what happened around the winning tile, and for the indicators; nothing about the occasions that are known."""
    _ask_occasions(rules, kept, work, known=known)
    if rules.has_indicators:
        _ask_indicators("dora", kept.dora_indicators)
        if declares_riichi(context_for(rules, work)):
            _ask_indicators("ura_dora", kept.ura_dora_indicators)


def _ask_occasions(rules: Ruleset, kept: Context, work: Work, *, known: Occasion) -> None:
    possible = [occasion for occasion in possible_occasions(rules, kept, work) if occasion not in known]
    if possible:
        shown = [occasion for occasion in possible if occasion in kept.occasions]
        with _field("occasions", shown, partial(_with_occasions, rules, work)) as field:
            st.pills(
                words("occasions"), selection_mode="multi", wrap=True,
                format_func=lambda occasion: occasion_name(occasion.names[0], rules), **field.choice(possible),
            )  # fmt: skip


def _ask_counts(kept: Context, *counts: str) -> None:
    for column, count in zip(st.columns(2, wrap=False), counts, strict=False):
        with column, _field(count, getattr(kept, count), partial(_counting, count), typed=True) as field:
            st.number_input(words(count), step=1, help=words(f"{count}.help"), **field.within(0, 99))


def _ask_indicators(name: str, shown: tuple[Tile, ...]) -> None:
    def pressed(tiles: tuple[Tile, ...]) -> None:
        session.press(partial(_with_indicators, f"{name}_indicators", shown, tiles))

    tile_row(words(name), shown, key=session.hand_key(f"{name}_row"), on_change=pressed)


@contextmanager
def _field(
    name: str, shown: Any, act: Callable[[Any, Any, Context], Context], *, typed: bool = False
) -> Iterator[Field]:
    """A place for a field about the present hand; gives the field.

    A press on a field of the hand before counts, too: its person has not seen this hand when they press.

    Args:
        name: what the field is called; its container has that key.
        shown: the value to show.
        act: gives the circumstances after the press, from the pressed value, the value of the field before, and the
            circumstances before.
        typed: whether a person types the value.
    """

    def pressed(value: Any, before: Any) -> None:
        session.press(partial(act, value, before))

    field = follow(session.hand_key(name), shown, pressed, typed=typed, late=True)
    with st.container(key=name):
        yield field


def _won_by(won: str, _shown: str, before: Context) -> Context:
    if won in (_SELF_DRAW, _NO_WIN):
        way = WinBy.SELF_DRAW if won == _SELF_DRAW else None
        return changed(before, win_by=way, discarder=None, occasions=NO_OCCASION)
    possible = before.occasions & ~Occasion.KONG_REPLACEMENT
    return changed(before, win_by=WinBy.DISCARD, discarder=Seat(won), occasions=possible)


def _at_wind(field: str, wind: Seat, _shown: Seat, before: Context) -> Context:
    clash = field == "seat" and before.discarder is wind
    fresh = {"discarder": None, "win_by": WinBy.SELF_DRAW, "occasions": NO_OCCASION} if clash else {}
    return changed(before, **{field: wind, **fresh})


def _with_occasions(
    rules: Ruleset, work: Work, chosen: list[Occasion], shown: list[Occasion], known: Context
) -> Context:
    """The occasions that were pressed are on or off; the newest wins over those it contradicts."""
    before = asked(known, rules, work)
    on, off = {*chosen} - {*shown}, {*shown} - {*chosen}
    wanted = [one for one in Occasion if one in on or (one in before.occasions and one not in off)]
    newest_first = sorted(wanted, key=lambda one: one in before.occasions)
    return changed(before, occasions=compatible(before, newest_first))


def _counting(field: str, count: int, _shown: int, before: Context) -> Context:
    return changed(before, **{field: count})


def _with_indicators(field: str, shown: tuple[Tile, ...], chosen: tuple[Tile, ...], before: Context) -> Context:
    """The indicators with those that were added, without those that were removed."""
    return changed(before, **{field: with_changes(getattr(before, field), shown, chosen)})
