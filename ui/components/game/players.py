"""Questions about the draft of a deal, above all about its players by name."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.ui.state import table_state
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.words.game import name_of
from tilescore.ui.words.text import plain, words

NO_OTHER: Final = "self_draw"
"""The choice of no other player."""


def ask_players(game: Game, draft: Draft, *, winner: Player | None = None, one_hand: bool = False) -> None:
    """Ask for the winners, the discarder and the riichi sticks by name, as the seats do.

    `winner` is whose hand it is. With `one_hand` the question is about its winner, though several players may win the
    deal.
    """
    traits, players = game.rules.traits, game.position.players
    others = [player for player in players if player not in draft.winners]
    if traits.most_winners > 1 and not one_hand:
        ask_several(game, "winners", draft.winners, label=words("deal.winners"))
    else:
        chosen = winner or next(iter(draft.winners), None)
        ask_one(
            "winners", players, chosen, label=words("deal.winner"), show=names_of(game),
            take=lambda player: () if player is None else (player,), pills=True,
        )  # fmt: skip
    if not draft.winners:
        return
    ask_one(
        "discarder", [*([NO_OTHER] if len(draft.winners) == 1 else []), *others], draft.discarder or NO_OTHER,
        label=words("deal.by"), pills=True,
        show=lambda key: words("deal.self_draw") if key == NO_OTHER else names_of(game)(key),
        take=lambda key: None if key in (NO_OTHER, None) else Player(key),
    )  # fmt: skip
    if traits.stick:
        ask_several(game, "riichi", draft.sticks, label=words("deal.riichi"))


def ask_one(
    field: str,
    choices: Sequence[Any],
    value: object,
    *,
    label: str,
    show: Callable[[Any], str],
    take: Callable[[Any], Any] | None = None,
    pills: bool = False,
    hide: bool = False,
) -> None:
    """Ask for one of the choices and put it into that field of the draft."""

    def pressed(chosen: Any) -> None:
        if take is not None:
            table_state.edit(**{field: take(chosen)})
        elif chosen is not None:
            table_state.edit(**{field: chosen})

    asked = table_state.follow(field, value if value in choices else None, pressed)
    if pills:
        st.pills(label, format_func=show, wrap=True, **asked.choice(choices))
    else:
        st.segmented_control(
            label, format_func=show, width="stretch", required=True,
            label_visibility="collapsed" if hide else "visible", **asked.choice(choices),
        )  # fmt: skip


def ask_several(game: Game, field: str, value: tuple[Player, ...], *, label: str) -> None:
    """Ask for any number of players and put them into that field of the draft."""

    def pressed(chosen: list[Player]) -> None:
        table_state.edit(**{field: tuple(player for player in game.position.players if player in chosen)})

    asked = table_state.follow(field, list(value), pressed)
    st.pills(
        label, selection_mode="multi", format_func=names_of(game), wrap=True, **asked.choice(game.position.players)
    )


def names_of(game: Game) -> Callable[[Player], str]:
    """What gives the name of a player, as plain text."""
    return lambda player: plain(name_of(game, player))
