"""What a photo leaves open beside its tiles, each one tap: open sets, and tiles that lie like indicators."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand, MeldKind
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.score import Score
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.tiles.tile_choices import TileChoice, tile_choices
from tilescore.ui.state.hand.offers import open_sets, seen_indicators
from tilescore.ui.state.hand.work import Work
from tilescore.ui.words.text import amount, words
from tilescore.vision.layout.layout import Role


def ask_about_photo(
    work: Work, rules: Ruleset, context: Context, *, key: str, on_edit: Callable[[dict[str, Any]], None]
) -> None:
    """Ask whether sets were declared and whether indicators count; `on_edit` gets the edit of an answer.

    An edit is an event of `tilescore.ui.state.hand.edits`. `key` distinguishes these questions from others on the page.
    """
    _ask_declared(work, key=f"{key}.declared", on_edit=on_edit)
    if rules.has_indicators:
        _ask_indicators(work, rules, context, key=f"{key}.indicators", on_edit=on_edit)


def say_what_indicators_lack(hand: Hand, context: Context, rules: Ruleset) -> None:
    """Say that each kong opens one more indicator, where fewer are named."""
    kongs = sum(meld.kind is MeldKind.KONG for meld in hand.melds)
    named = len(context.dora_indicators)
    if rules.has_indicators and kongs and named < 1 + kongs:
        text = words("indicator.kong", named=named, of=1 + kongs)
        st.html(f'<p class="ts-doubt ts-says">{escape(text)}</p>')


def _ask_declared(work: Work, *, key: str, on_edit: Callable[[dict[str, Any]], None]) -> None:
    sets = open_sets(work)
    members = [at for group in sets for at in group]
    answers: tuple[dict[str, Any], ...] = (
        {"do": "meld", "members": members},
        {"do": "roles", "members": members, "role": str(Role.CONCEALED)},
    )
    if sets:
        tile_choices(
            words("hint.declared"),
            [TileChoice(note=words("offer.declared")), TileChoice(note=words("offer.not_declared"))],
            key=key, on_choose=lambda index: on_edit(answers[index]), sets=[[*map(work.tile, group)] for group in sets],
        )  # fmt: skip


def _ask_indicators(
    work: Work, rules: Ruleset, context: Context, *, key: str, on_edit: Callable[[dict[str, Any]], None]
) -> None:
    seen = seen_indicators(work, context.dora_indicators)
    if not seen:
        return
    choices = [TileChoice(new=work.tile(at), worth=_gain(work, rules, context, work.tile(at))) for at in seen]

    def chosen(index: int) -> None:
        if index < len(seen):
            on_edit({"do": "role", "at": seen[index], "role": str(Role.DORA_INDICATOR)})
        else:
            on_edit({"do": "roles", "members": [*seen], "role": str(Role.OTHER)})

    none = TileChoice(note=words("indicator.none"))
    tile_choices(words("indicator.seen"), [*choices, none], key=key, on_choose=chosen)


def _gain(work: Work, rules: Ruleset, context: Context, tile: Tile) -> str:
    """How many han more this indicator gives; empty as long as the hand has no score."""
    try:
        before = rules.score(work.hand, context)
        after = rules.score(work.hand, replace(context, dora_indicators=(*context.dora_indicators, tile)))
    except InputError:
        return ""
    if not isinstance(before, Score) or not isinstance(after, Score) or before.han is None or after.han is None:
        return ""
    return f"+{amount(after.han - before.han, 'han')}"
